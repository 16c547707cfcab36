/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maps 1 MiB 10 times, before a library hooks mappings (patcher.c), and 100
 * times after that, by itself and by another library; unmaps 50 of these.
 * Unmaps 5 times what the kernel refuses.  With an argument it initializes MPI
 * then, and kills itself.
 */
#ifdef WITHOUT_MPI
#define MPI_Initialized(up) (*(up) = 0)
#define MPI_Init(argc, argv) ((void)(argc))
#else
#include <mpi.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

#define MIB (1ul << 20)

extern int hooked;
void install(void);
void *map_in_library(size_t bytes);

static void *map(void)
{
	return mmap(NULL, MIB, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int main(int argc, char **argv)
{
	void *p = NULL;
	int up;

	MPI_Initialized(&up);

	for (int i = 0; i < 10; i++)
		p = map();
	install();
	for (int i = 0; i < 100; i++) {
		p = i % 2 ? map() : map_in_library(MIB);
		if (i % 2)
			munmap(p, MIB);
		if (i % 20 == 0)
			munmap((char *)p + 1, MIB);
	}
	printf("%d\n", hooked);
	if (argc > 1) {
		fflush(stdout);
		MPI_Init(&argc, &argv);
		raise(SIGKILL);
	}
	return 0;
}
