/* An MPI solver in small, for pictures: waves N.  In phases "read mesh",
 * "assembly", "solve" and "output" a rank has n = N * (1.0, 1.1 or 1.2) cells,
 * the rank in the middle 0.4 N more: a mesh of 28 n bytes, twelve rows of a matrix
 * of 8 n, in smooth() levels of 8 n, 4 n, 2 n ..., which go again, and a note of
 * 4 KiB for each of 40 steps, which stays.  Used by scripts/page-picture. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wm/wmtrace.h>

#define NOINLINE __attribute__((noinline)) /* so that the report names them */
#define ROWS 12
#define STEPS 40

static int rank, ranks;
static double table[200000];

NOINLINE static void *field_new(size_t bytes)
{
	char *p = malloc(bytes);

	memset(p, rank + 1, bytes);
	return p;
}

NOINLINE static void mesh_read(void **mesh, size_t n)
{
	for (int i = 0; i < 3; i++)
		mesh[i] = field_new(n * sizeof(double));
	mesh[3] = field_new(n * sizeof(int));
	usleep(60000);
}

NOINLINE static void matrix_assemble(double **a, size_t n)
{
	for (int i = 0; i < ROWS; i++) {
		a[i] = malloc(n * sizeof(**a));
		memset(a[i], 1, n * sizeof(**a));
		usleep(8000);
	}
}

NOINLINE static void halo_exchange(int n)
{
	double *to = calloc((size_t)n, sizeof(*to));
	double *from = calloc((size_t)n, sizeof(*from));

	MPI_Sendrecv(to, n, MPI_DOUBLE, (rank + 1) % ranks, 0, from, n,
		     MPI_DOUBLE, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	free(to);
	free(from);
}

NOINLINE static void smooth(int level, size_t n)
{
	void *residual = field_new(n * sizeof(double) >> level);

	usleep(3000);
	if (level < 6)
		smooth(level + 1, n);
	halo_exchange(2000);
	free(residual);
}

NOINLINE static void note_step(int step)
{
	char *note = malloc(4096);

	if (note)
		sprintf(note, "step %d, %g", step, table[step]);
}

NOINLINE static void solve(size_t n)
{
	double *krylov = NULL;

	for (int step = 0; step < STEPS; step++) {
		if (step % 8 == 0)
			krylov = realloc(krylov, (size_t)(step + 8) * n);
		smooth(0, n);
		note_step(step);
	}
	free(krylov);
}

NOINLINE static void output_write(size_t n)
{
	void *all = rank == ranks / 2 ? field_new(n * 4 * (size_t)ranks) : NULL;

	usleep(120000);
	free(all);
}

int main(int argc, char **argv)
{
	double *a[ROWS];
	void *mesh[4];
	size_t n;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	n = (size_t)(argc > 1 ? atoi(argv[1]) : 60000) / 10 *
	    (size_t)(10 + rank % 3 + (rank == ranks / 2 ? 4 : 0));
	wm_phase("read mesh");
	mesh_read(mesh, n);
	wm_phase("assembly");
	matrix_assemble(a, n);
	wm_snapshot("assembled");
	wm_phase("solve");
	solve(n);
	wm_snapshot("solved");
	for (int i = 0; i < ROWS; i++)
		free(a[i]);
	wm_phase("output");
	output_write(n);
	for (int i = 0; i < 4; i++)
		free(mesh[i]);
	wm_phase(NULL);
	MPI_Finalize();
	return 0;
}
