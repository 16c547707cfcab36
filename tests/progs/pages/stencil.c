/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A field that is smoothed plane by plane, planes shared out over ranks, with
 * the neighbours' planes exchanged in each step.  Large messages go from one
 * rank's memory into the other's (process_vm_readv, shared memory).  All of it
 * is done again, from the start, until each rank has used 0.4 s of CPU time.
 * Rank 0 prints sums that any lost byte would change.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define N 128
#define PLANES 12
#define STEPS 40

static double field[(PLANES + 2) * N * N];
static long history[STEPS];

static double *plane(double *f, int i)
{
	return f + (size_t)i * N * N;
}

static void exchange(double *f, int rank, int ranks)
{
	int up = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
	int down = rank ? rank - 1 : MPI_PROC_NULL;

	MPI_Sendrecv(plane(f, PLANES), N * N, MPI_DOUBLE, up, 0, plane(f, 0),
		     N * N, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	MPI_Sendrecv(plane(f, 1), N * N, MPI_DOUBLE, down, 1,
		     plane(f, PLANES + 1), N * N, MPI_DOUBLE, up, 1,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void smooth(const double *from, double *to)
{
	for (int i = 1; i <= PLANES; i++)
		for (int j = 1; j < N - 1; j++)
			for (int k = 1; k < N - 1; k++) {
				size_t at = ((size_t)i * N + (size_t)j) * N +
					    (size_t)k;

				to[at] = (from[at - 1] + from[at + 1] +
					  from[at - N] + from[at + N] +
					  from[at - N * N] + from[at + N * N]) /
					 6;
			}
}

static void work(int rank, int ranks, double *other)
{
	for (size_t i = 0; i < sizeof(field) / sizeof(double); i++)
		field[i] = (double)((i * 2654435761u + (size_t)rank) % 1000);
	memcpy(other, field, sizeof(field));
	for (int s = 0; s < STEPS; s++) {
		exchange(field, rank, ranks);
		smooth(field, other);
		exchange(other, rank, ranks);
		smooth(other, field);
		history[s] = (long)field[(size_t)N * N * 3 + 64 * N + 64];
	}
}

/* The rank that has used least of the CPU has used @seconds of it. */
static int all_used(double seconds)
{
	double used = (double)clock() / CLOCKS_PER_SEC, least;

	MPI_Allreduce(&used, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
	return least >= seconds;
}

int main(int argc, char **argv)
{
	int rank, ranks;
	double *other, *all, sum = 0, total = 0;
	const size_t bytes = sizeof(field);

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	other = malloc(bytes);
	MPI_Alloc_mem((MPI_Aint)(bytes * (size_t)ranks), MPI_INFO_NULL, &all);
	do
		work(rank, ranks, other);
	while (!all_used(0.4));
	MPI_Allgather(field, (int)(bytes / sizeof(double)), MPI_DOUBLE, all,
		      (int)(bytes / sizeof(double)), MPI_DOUBLE,
		      MPI_COMM_WORLD);
	for (size_t i = 0; i < bytes / sizeof(double) * (size_t)ranks; i++)
		sum += all[i] * (double)(i % 97);
	MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%.17g %ld %ld\n", total, history[0],
		       history[STEPS - 1]);
	MPI_Free_mem(all);
	free(other);
	MPI_Finalize();
	return 0;
}
