/* MPI halo exchange on a square grid: stencil [CELLS [STEPS]].  Each rank
 * allocates in make_field(): two fields of (CELLS+2)^2 doubles; in
 * make_halos(): eight halos of CELLS doubles; in smooth(), per step: one row
 * of CELLS doubles that it frees again; in log_step(), per step: a 64-byte
 * note that it never frees.  Rank 0 also gathers CELLS doubles per rank in
 * collect() at the end and frees them.  Default: 1024 cells, 20 steps. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline)) /* so that the report names them */

struct note {
	struct note *next;
	char text[64 - sizeof(struct note *)];
};

static int cells = 1024, rank, ranks;
static double mask[4096]; /* static memory: 32 KiB in .bss */
static struct note *notes;

NOINLINE static double *make_field(void)
{
	size_t n = (size_t)(cells + 2) * (size_t)(cells + 2);
	double *f = malloc(n * sizeof(*f));

	for (size_t i = 0; i < n; i++)
		f[i] = (double)(i % 97) + rank;
	return f;
}

NOINLINE static void make_halos(double **halo)
{
	for (int i = 0; i < 8; i++) {
		halo[i] = malloc((size_t)cells * sizeof(double));
		memset(halo[i], 0, (size_t)cells * sizeof(double));
	}
}

NOINLINE static void exchange(double *f, double **halo)
{
	int up = (rank + 1) % ranks, down = (rank + ranks - 1) % ranks;
	size_t row = (size_t)cells + 2;

	memcpy(halo[0], f + row + 1, (size_t)cells * sizeof(double));
	MPI_Sendrecv(halo[0], cells, MPI_DOUBLE, down, 1, halo[1], cells,
		     MPI_DOUBLE, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	memcpy(f + row * (row - 1) + 1, halo[1],
	       (size_t)cells * sizeof(double));
}

NOINLINE static void smooth(const double *from, double *to)
{
	size_t row = (size_t)cells + 2;
	double *line = malloc((size_t)cells * sizeof(*line));

	for (size_t y = 1; y <= (size_t)cells; y++) {
		for (size_t x = 1; x <= (size_t)cells; x++)
			line[x - 1] = 0.25 * (from[y * row + x - 1] +
					      from[y * row + x + 1] +
					      from[(y - 1) * row + x] +
					      from[(y + 1) * row + x]) +
				      mask[x % 4096];
		memcpy(to + y * row + 1, line, (size_t)cells * sizeof(*line));
	}
	free(line);
}

NOINLINE static void log_step(int step)
{
	struct note *n = malloc(sizeof(*n));

	snprintf(n->text, sizeof(n->text), "step %d", step);
	n->next = notes;
	notes = n;
}

NOINLINE static double collect(const double *f)
{
	double *all = NULL, sum = 0;

	if (rank == 0)
		all = malloc((size_t)cells * (size_t)ranks * sizeof(*all));
	MPI_Gather(f + cells + 3, cells, MPI_DOUBLE, all, cells, MPI_DOUBLE, 0,
		   MPI_COMM_WORLD);
	if (rank == 0) {
		for (int i = 0; i < cells * ranks; i++)
			sum += all[i];
		free(all);
	}
	return sum;
}

int main(int argc, char **argv)
{
	double *a, *b, *t, *halo[8];
	int steps = 20;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (argc > 1)
		cells = atoi(argv[1]);
	if (argc > 2)
		steps = atoi(argv[2]);
	a = make_field();
	b = make_field();
	make_halos(halo);
	for (int i = 0; i < steps; i++) {
		exchange(a, halo);
		smooth(a, b);
		log_step(i);
		t = a;
		a = b;
		b = t;
	}
	double sum = collect(a);

	if (rank == 0)
		printf("%d ranks, %d x %d cells each, checksum %.6g\n", ranks,
		       cells, cells, sum);
	for (int i = 0; i < 8; i++)
		free(halo[i]);
	free(a);
	free(b);
	MPI_Finalize();
	return 0;
}
