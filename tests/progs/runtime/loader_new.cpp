/* SPDX-License-Identifier: Apache-2.0 */
/* A thread opens a library, a FIFO, which waits for its writer, and meanwhile
 * another one has its first operator new and delete, with an alignment, too.
 * Used by t2010. */
#include <dlfcn.h>
#include <fcntl.h>
#include <new>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static void *volatile kept;

static void *hold(void *arg)
{
	dlopen("./loader.fifo", RTLD_NOW);
	return arg;
}

int main()
{
	pthread_t t;
	int fd;

	mkfifo("loader.fifo", 0600);
	pthread_create(&t, nullptr, hold, nullptr);
	fd = open("loader.fifo", O_WRONLY);
	kept = ::operator new(100);
	::operator delete(kept);
	kept = ::operator new(100, std::align_val_t(64));
	::operator delete(kept, std::align_val_t(64));
	close(fd);
	pthread_join(t, nullptr);
	return 3;
}
