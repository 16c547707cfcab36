/* SPDX-License-Identifier: Apache-2.0 */
/* A thread keeps a lock of the loader, in a callback of dl_iterate_phdr(), and
 * `exit` ends the process with status 3, `fork` does so in a forked child,
 * `open` in one whose parent has a thread in dlopen(), of a FIFO.  Status 9: the
 * child hung.  `wait`: another thread waits for that lock in its first dlopen(),
 * and a third one begins with malloc(), and the second has a signal.  Status 10:
 * the third hung; 11: the signal did not come.
 * Used by t3010. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* static programs have none here */
#pragma weak dlopen

static atomic_int held, done, opens, allocates, allocated, seen;
static const char *how;

static int each(struct dl_phdr_info *i, size_t n, void *d)
{
	(void)i, (void)n, (void)d;
	held = 1;
	while (!done)
		usleep(1000);
	return 1;
}

static void *hold(void *arg)
{
	if (*how == 'o' || *how == 'w')
		dlopen("./loader.fifo", RTLD_NOW);
	else
		dl_iterate_phdr(each, arg);
	return arg;
}

static void on_signal(int s)
{
	(void)s;
	seen = 1;
}

static bool becomes(atomic_int *what)
{
	for (int n = 0; !*what && n < 20000; n++)
		usleep(1000);
	return *what;
}

static void *open_second(void *arg)
{
	becomes(&opens);
	opens = (int)syscall(SYS_gettid);
	dlopen("./no.library", RTLD_NOW);
	return arg;
}

static void *allocate(void *arg)
{
	becomes(&allocates);
	free(malloc(100));
	allocated = 1;
	return arg;
}

/* For 50 ms on end; 2 s at most, for it may not sleep. */
static void let_it_sleep(int thread)
{
	char path[64], text[200];

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", thread);
	for (int n = 0, asleep = 0; n < 2000 && asleep < 50; n++) {
		int fd = open(path, O_RDONLY);
		ssize_t bytes = read(fd, text, sizeof(text) - 1);

		text[bytes > 0 ? bytes : 0] = 0;
		close(fd);
		asleep = strstr(text, ") S ") ? asleep + 1 : 0;
		usleep(1000);
	}
}

/* Threads are made before: that takes the lock, too. */
static int wait_for_it(void)
{
	pthread_t first, second, third;
	int fd, r = 3;

	signal(SIGUSR1, on_signal);
	pthread_create(&second, NULL, open_second, NULL);
	pthread_create(&third, NULL, allocate, NULL);
	pthread_create(&first, NULL, hold, NULL);
	fd = open("loader.fifo", O_WRONLY);
	opens = 1;
	while (opens == 1)
		usleep(1000);
	let_it_sleep(opens);
	allocates = 1;
	if (!becomes(&allocated))
		r = 10;
	pthread_kill(second, SIGUSR1);
	if (r == 3 && !becomes(&seen))
		r = 11;
	close(fd);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	pthread_join(third, NULL);
	return r;
}

static int child(void)
{
	int status = 0, n = 0;
	pid_t p = fork();

	if (!p) {
		free(malloc(100));
		exit(3);
	}
	while (waitpid(p, &status, WNOHANG) == 0 && ++n < 20000)
		usleep(1000);
	if (n < 20000)
		return WEXITSTATUS(status);
	kill(p, 9);
	waitpid(p, &status, 0);
	return 9;
}

int main(int argc, char **argv)
{
	pthread_t t;
	int fd, r = 3;

	how = argc > 1 ? argv[1] : "exit";
	if ((*how == 'o' || *how == 'w') && !dlopen)
		return 3;
	mkfifo("loader.fifo", 0600);
	if (*how == 'w')
		return wait_for_it();
	pthread_create(&t, NULL, hold, NULL);
	if (*how == 'o') {
		/* there is a writer when the thread has opened it; it reads
		 * what is no library */
		fd = open("loader.fifo", O_WRONLY);
		r = child();
		close(fd);
	} else {
		while (!held)
			usleep(1000);
		if (*how == 'e')
			return 3; /* the thread stays where it is */
		r = child();
		done = 1;
	}
	pthread_join(t, NULL);
	return r;
}
