/* SPDX-License-Identifier: Apache-2.0 */
/* Rank r of an MPI job: 1,000,000 * (r + 1) bytes, freed, then 1,000 bytes from mmap; then arguments, see main(). */
#include <errno.h>
#include <fenv.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void *volatile p;

int main(int argc, char **argv)
{
	int r, n, e;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &r);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	p = malloc(1000000 * (size_t)(r + 1));
	MPI_Barrier(MPI_COMM_WORLD);
	free(p);
	p = mmap(NULL, 1000, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	/* late SECONDS: the last rank comes to MPI_Finalize that much later */
	if (argc > 2 && strcmp(argv[1], "late") == 0 && r == n - 1)
		sleep((unsigned)atoi(argv[2]));
	/* stop FILE: it stops until it is let go on, its pid is in FILE */
	if (argc > 2 && strcmp(argv[1], "stop") == 0 && r == n - 1) {
		FILE *to = fopen(argv[2], "w");

		if (to) {
			fprintf(to, "%d\n", getpid());
			fclose(to);
		}
		raise(SIGSTOP);
	}
	/* die: the last rank never comes there */
	if (argc > 1 && strcmp(argv[1], "die") == 0 && r == n - 1)
		raise(SIGKILL);
	feclearexcept(FE_ALL_EXCEPT);
	errno = EDOM;
	e = MPI_Finalize();
	if (argc > 1 && strcmp(argv[1], "state") == 0)
		printf("%d %s %d\n", e, errno == EDOM ? "EDOM" : "changed",
		       fetestexcept(FE_ALL_EXCEPT));
	return e;
}
