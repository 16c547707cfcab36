/* Libraries in turn at one address: `plugins ROUNDS LIBRARY...` loads each of
 * the libraries ROUNDS times, calls its plug(), which keeps a block of 80 bytes,
 * and unloads it.  `plugins -t ...`: a thread does so with the second half
 * of the libraries meanwhile, and another one keeps 1000 blocks of 7 bytes from
 * work().  Prints how many libraries lay where another one had been. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLACES 64

static int rounds;
static void *volatile kept;

struct list {
	char **name;
	int count, reused;
};

static void load(const char *name, void **place)
{
	void *h = dlopen(name, RTLD_NOW);
	void (*plug)(void) = h ? (void (*)(void))dlsym(h, "plug") : NULL;

	if (!plug)
		_exit(1);
	*place = (void *)plug;
	plug();
	if (dlclose(h))
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
	int threads = argc > 1 && strcmp(argv[1], "-t") == 0;
	struct list mine, other = { 0 };
	pthread_t loader, worker;

	argv += threads;
	argc -= threads;
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
	if (threads && (pthread_join(loader, NULL) ||
			pthread_join(worker, NULL)))
		return 5;
	printf("%d\n", mine.reused + other.reused);
	return 0;
}
