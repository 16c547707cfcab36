/* SPDX-License-Identifier: Apache-2.0 */
/* A thread keeps a lock of the loader, in a callback of dl_iterate_phdr(), and
 * `exit` ends the process with status 3, `fork` does so in a forked child,
 * `open` in one whose parent has a thread in dlopen(), of a FIFO.  Status 9: the
 * child hung.
 * Used by t3010. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* static programs have none here */
#pragma weak dlopen

static atomic_int held, done;
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
	if (*how == 'o')
		dlopen("./loader.fifo", RTLD_NOW);
	else
		dl_iterate_phdr(each, arg);
	return arg;
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
	if (*how == 'o' && !dlopen)
		return 3;
	mkfifo("loader.fifo", 0600);
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
