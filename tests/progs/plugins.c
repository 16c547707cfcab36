/* Libraries in turn at one address: `plugins ROUNDS LIBRARY...` loads each of
 * the libraries ROUNDS times, calls its plug(), which keeps a block of 80 bytes,
 * and unloads it.  `plugins -t ...`: a thread does so with the second half
 * of the libraries meanwhile, and another one keeps 1000 blocks of 7 bytes from
 * work().  `plugins -d ...` loads them with RTLD_DEEPBIND, -n each into a
 * namespace of its own, both without unloading any where the letter is a
 * capital.  Prints how many libraries lay where another one had been. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLACES 64

static int rounds;
static char how; /* 0, t, d, D, n or N */
static void *volatile kept;

struct list {
	char **name;
	int count, reused;
};

static void load(const char *name, void **place)
{
	int flags = RTLD_LAZY | (tolower(how) == 'd' ? RTLD_DEEPBIND : 0);
	void *h = tolower(how) == 'n' ? dlmopen(LM_ID_NEWLM, name, flags) :
					dlopen(name, flags);
	void (*plug)(void) = h ? (void (*)(void))dlsym(h, "plug") : NULL;

	if (!plug)
		_exit(1);
	*place = (void *)plug;
	plug();
	if (!isupper(how) && dlclose(h))
		_exit(2);
}

static void *turn(void *arg)
{
	struct list *l = arg;
	void *place[PLACES], *last = NULL;

	for (int i = 0; i < rounds; i++)
		for (int k = 0; k < l->count; k++) {
			load(l->name[k], &place[k]);
			l->reused += place[k] == last;
			last = place[k];
		}
	return NULL;
}

static void *work(void *unused)
{
	(void)unused;
	for (int i = 0; i < 1000; i++) {
		kept = malloc(7);
		for (int k = 0; k < 100; k++) {
			void *volatile p = malloc((size_t)k);

			free(p);
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct list mine, other = { 0 };
	pthread_t loader, worker;
	int threads;

	if (argc > 1 && argv[1][0] == '-') {
		how = argv++[1][1];
		argc--;
	}
	threads = how == 't';
	if (argc < 3 || argc - 2 > PLACES)
		return 3;
	rounds = atoi(argv[1]);
	mine = (struct list){ argv + 2, argc - 2, 0 };
	if (threads) {
		other = (struct list){ argv + 2 + mine.count / 2,
				       mine.count - mine.count / 2, 0 };
		mine.count /= 2;
		if (pthread_create(&loader, NULL, turn, &other) ||
		    pthread_create(&worker, NULL, work, NULL))
			return 4;
	}
	turn(&mine);
	if (threads &&
	    (pthread_join(loader, NULL) || pthread_join(worker, NULL)))
		return 5;
	printf("%d\n", mine.reused + other.reused);
	return 0;
}
