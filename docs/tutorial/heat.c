/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program of docs/tutorial.md: heat spreading over an N x N plate, rows
 * distributed over ranks.  It works, and it wastes memory in four ways that
 * the tutorial finds.
 *
 *   heat N STEPS
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct peer {
	char inbox[16384]; /* for messages from this peer, if it sends any */
};

struct plate {
	int n, rows; /* columns; own rows */
	double *now, *next; /* rows + 2 rows: the outer two are neighbours' */
	struct peer *peers; /* one for each rank */
};

static int rank, ranks;

static void *grab(size_t bytes)
{
	void *p = calloc(1, bytes);

	if (!p)
		MPI_Abort(MPI_COMM_WORLD, 1);
	return p;
}

static int rows_of(int n, int r)
{
	return n / ranks + (r < n % ranks);
}

/* Rank 0 makes the whole plate and hands out the parts. */
static void read_input(struct plate *p)
{
	int *count = grab((size_t)ranks * sizeof(*count));
	int *start = grab((size_t)ranks * sizeof(*start)), i;
	double *whole = NULL;

	for (i = 0; i < ranks; i++) {
		count[i] = rows_of(p->n, i) * p->n;
		start[i] = i ? start[i - 1] + count[i - 1] : 0;
	}
	if (rank == 0) {
		whole = grab((size_t)p->n * (size_t)p->n * sizeof(*whole));
		for (i = 0; i < p->n * p->n; i++)
			whole[i] = i < p->n ? 100 * sin(3.1416 * i / p->n) : 20;
	}
	MPI_Scatterv(whole, count, start, MPI_DOUBLE, p->now + p->n,
		     count[rank], MPI_DOUBLE, 0, MPI_COMM_WORLD);
	free(whole);
	free(count);
	free(start);
}

static void exchange(struct plate *p)
{
	int up = rank ? rank - 1 : MPI_PROC_NULL;
	int down = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
	size_t row = (size_t)p->n * sizeof(double);
	double *send = grab(row), *top = p->now;
	double *bottom = p->now + (size_t)(p->rows + 1) * (size_t)p->n;

	memcpy(send, p->now + p->n, row);
	MPI_Sendrecv(send, p->n, MPI_DOUBLE, up, 0, bottom, p->n, MPI_DOUBLE,
		     down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	memcpy(send, bottom - p->n, row);
	MPI_Sendrecv(send, p->n, MPI_DOUBLE, down, 1, top, p->n, MPI_DOUBLE,
		     up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	free(send);
}

static void relax(struct plate *p)
{
	double *swap = p->now;
	int i, j, n = p->n;

	for (i = 1; i <= p->rows; i++)
		for (j = 1; j < n - 1; j++) {
			const double *c = p->now + (size_t)i * (size_t)n + j;

			p->next[i * n + j] = *c + 0.2 * (c[-1] + c[1] + c[-n] +
							 c[n] - 4 * *c);
		}
	p->now = p->next;
	p->next = swap;
}

/* Find the hottest point.  The history is never freed. */
static void checkpoint(const struct plate *p)
{
	double *history = grab((size_t)p->n * sizeof(*history));
	int i;

	for (i = 0; i < p->rows * p->n; i++)
		if (p->now[p->n + i] > history[i % p->n])
			history[i % p->n] = p->now[p->n + i];
}

int main(int argc, char **argv)
{
	struct plate p = { .n = argc > 1 ? atoi(argv[1]) : 1024 };
	int steps = argc > 2 ? atoi(argv[2]) : 200, i;
	size_t cells;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	p.rows = rows_of(p.n, rank);
	cells = (size_t)(p.rows + 2) * (size_t)p.n;
	p.now = grab(cells * sizeof(*p.now));
	p.next = grab(cells * sizeof(*p.next));
	p.peers = grab((size_t)ranks * sizeof(*p.peers));
	read_input(&p);
	for (i = 0; i < steps; i++) {
		exchange(&p);
		relax(&p);
		if (i % 10 == 0)
			checkpoint(&p);
	}
	free(p.now);
	free(p.next);
	free(p.peers);
	MPI_Finalize();
	return 0;
}
