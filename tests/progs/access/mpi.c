/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two ranks.  Calls each function of MPI whose buffers are recorded and writes
 * to the file said.RANK what it reads and writes: r or w, address, bytes; a
 * line is an access.  Used by t6040, which makes of this another one with
 * counts of 64 bits, too.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define N 100

#ifdef LONG_COUNTS
typedef MPI_Count count_type;
typedef MPI_Aint place_type;
#else
typedef int count_type, place_type;
#endif

static int in[8 * N], out[8 * N];
static double d[3 * N];
static FILE *file;
static int rank, other;

static void say(int what, const void *p, long bytes)
{
	if (bytes)
		fprintf(file, "%c %lx %ld\n", what, (long)p, bytes);
}
#define R(p, n) say('r', p, (long)((n) * sizeof(*(p))))
#define W(p, n) say('w', p, (long)((n) * sizeof(*(p))))
#define INTS(p, n) p, n, MPI_INT
#define WORLD MPI_COMM_WORLD

static void pairs(void)
{
	MPI_Request q[2];
	MPI_Message m;
	MPI_Status s;

	if (rank == 0) {
		R(in, 10), MPI_Send(INTS(in, 10), 1, 0, WORLD);
		R(in + 5, 11), MPI_Ssend(INTS(in + 5, 11), 1, 0, WORLD);
		R(in, 12), MPI_Send(INTS(in, 12), 1, 0, WORLD);
		R(in, 0), MPI_Send(INTS(in, 0), 1, 0, WORLD);
		R(d, 13);
		MPI_Isend(d, 13, MPI_DOUBLE, 1, 0, WORLD, q);
		MPI_Wait(q, MPI_STATUS_IGNORE);
	} else {
		MPI_Recv(INTS(out, N), 0, 0, WORLD, &s), W(out, 10);
		MPI_Recv(INTS(out, N), 0, 0, WORLD, MPI_STATUS_IGNORE);
		W(out, 11);
		MPI_Recv(INTS(out, 12), MPI_ANY_SOURCE, 0, WORLD, &s);
		W(out, 12);
		MPI_Recv(INTS(out, N), 0, 0, WORLD, &s);
		MPI_Irecv(d, N, MPI_DOUBLE, MPI_ANY_SOURCE, 0, WORLD, q);
		W(d, N); /* all of it: how much comes is not known */
		MPI_Wait(q, &s);
	}
	MPI_Send(INTS(in, 10), MPI_PROC_NULL, 0, WORLD);
	MPI_Recv(INTS(out, 10), MPI_PROC_NULL, 0, WORLD, &s);
	MPI_Irecv(INTS(out, 10), MPI_PROC_NULL, 0, WORLD, q);
	MPI_Wait(q, &s);
	R(in, 20);
	MPI_Sendrecv(INTS(in, 20), other, 1, INTS(out, 30), other, 1, WORLD,
		     MPI_STATUS_IGNORE);
	W(out, 20);
	R(in, 14), MPI_Isend(INTS(in, 14), other, 3, WORLD, q);
	MPI_Mprobe(other, 3, WORLD, &m, &s);
	MPI_Mrecv(INTS(out, N), &m, MPI_STATUS_IGNORE), W(out, 14);
	MPI_Wait(q, &s);
	R(in, 15), MPI_Isend(INTS(in, 15), other, 4, WORLD, q);
	MPI_Mprobe(other, 4, WORLD, &m, &s);
	MPI_Imrecv(INTS(out, N), &m, q + 1), W(out, N);
	MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
	MPI_Mprobe(MPI_PROC_NULL, 4, WORLD, &m, &s);
	MPI_Imrecv(INTS(out, N), &m, q);
	MPI_Wait(q, &s);
	R(out, 7);
	MPI_Sendrecv_replace(INTS(out, 7), other, 2, other, 2, WORLD, &s);
	W(out, 7);
}

/* Requests made once and started often; a type may go before its request. */
static void persistent(void)
{
	MPI_Datatype wide;
	MPI_Request q[5];
	int i;

	MPI_Type_create_resized(MPI_INT, 0, 8, &wide);
	MPI_Type_commit(&wide);
	MPI_Send_init(in, 10, wide, other, 5, WORLD, q);
	MPI_Recv_init(INTS(out, 40), other, 5, WORLD, q + 1);
	MPI_Ssend_init(INTS(in + 50, 17), other, 6, WORLD, q + 2);
	MPI_Recv_init(INTS(out + 50, 17), MPI_ANY_SOURCE, 6, WORLD, q + 3);
	MPI_Recv_init(INTS(out, 18), MPI_PROC_NULL, 6, WORLD, q + 4);
	MPI_Type_free(&wide);
	for (i = 0; i < 3; i++) {
		R(in, 19), W(out, 40), R(in + 50, 17), W(out + 50, 17);
		MPI_Startall(5, q);
		MPI_Waitall(5, q, MPI_STATUSES_IGNORE);
	}
	W(out, 40), MPI_Start(q + 1);
	R(in, 19), MPI_Start(q);
	MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
	for (i = 0; i < 5; i++)
		MPI_Request_free(q + i);
	/* more than one part of the table, and handles that come again */
	for (i = 0; i < 3; i++) {
		static MPI_Request many[2000];
		int k;

		for (k = 0; k < 2000; k++)
			MPI_Send_init(INTS(in + i, 1 + k % 50), MPI_PROC_NULL,
				      k, WORLD, many + k);
		MPI_Startall(2000, many);
		MPI_Waitall(2000, many, MPI_STATUSES_IGNORE);
		for (k = 0; k < 2000; k++)
			MPI_Request_free(many + k);
		MPI_Recv_init(INTS(out, 9), other, 7, WORLD, q + 1);
		MPI_Rsend_init(INTS(in + i, 9), other, 7, WORLD, q);
		W(out, 9), MPI_Start(q + 1);
		MPI_Barrier(WORLD);
		R(in + i, 9), MPI_Start(q);
		MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
		MPI_Request_free(q), MPI_Request_free(q + 1);
	}
}

/* Made once, freed while it is under way; and one that goes by a buffer. */
static void odd_ends(void)
{
	static char room[1000 + MPI_BSEND_OVERHEAD];
	MPI_Request q[2];
	void *back;
	int bytes;

	MPI_Recv_init(INTS(out, 16), other, 8, WORLD, q);
	MPI_Ssend_init(INTS(in, 16), other, 8, WORLD, q + 1);
	W(out, 16), R(in, 16), MPI_Startall(2, q);
	MPI_Request_free(q + 1);
	MPI_Wait(q, MPI_STATUS_IGNORE);
	MPI_Request_free(q);
	MPI_Buffer_attach(room, sizeof(room));
	MPI_Recv_init(INTS(out, 15), other, 9, WORLD, q);
	MPI_Bsend_init(INTS(in, 15), other, 9, WORLD, q + 1);
	W(out, 15), MPI_Start(q);
	R(in, 15), MPI_Start(q + 1);
	MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
	MPI_Request_free(q), MPI_Request_free(q + 1);
	MPI_Buffer_detach(&back, &bytes);
}

#if MPI_VERSION >= 4
#define EDGES 300

/* As many neighbours as edges, and a piece of each: 600 accesses a start. */
static void edges(void)
{
	static int who[EDGES];
	static count_type counts[EDGES];
	static place_type displs[EDGES];
	MPI_Request q;
	MPI_Comm graph;
	int i, k;

	for (i = 0; i < EDGES; i++) {
		who[i] = other;
		counts[i] = 1;
		displs[i] = 2 * i;
	}
	MPI_Dist_graph_create_adjacent(WORLD, EDGES, who, MPI_UNWEIGHTED, EDGES,
				       who, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
				       &graph);
	MPI_Neighbor_alltoallv_init(in, counts, displs, MPI_INT, out, counts,
				    displs, MPI_INT, graph, MPI_INFO_NULL, &q);
	MPI_Comm_free(&graph);
	for (k = 0; k < 2; k++) {
		for (i = 0; i < EDGES; i++)
			R(in + 2 * i, 1);
		for (i = 0; i < EDGES; i++)
			W(out + 2 * i, 1);
		MPI_Start(&q);
		MPI_Wait(&q, MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&q);
}

/* Where this MPI has them: MPICH's old device ends the program. */
static void partitions(void)
{
	MPI_Request q[2];
	int i;

	if (!getenv("PARTITIONS"))
		return;
	MPI_Psend_init(in, 4, 10, MPI_INT, other, 10, WORLD, MPI_INFO_NULL, q);
	MPI_Precv_init(out, 4, 10, MPI_INT, other, 10, WORLD, MPI_INFO_NULL,
		       q + 1);
	R(in, 40), W(out, 40), MPI_Startall(2, q);
	for (i = 0; i < 4; i++)
		MPI_Pready(i, q[0]);
	MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
	MPI_Request_free(q), MPI_Request_free(q + 1);
}

/* One after the other: with several at a time MPICH 4.0.2 may wait for ever. */
static void persistent_of_all(void)
{
	static const count_type counts[2] = { 30, 40 };
	static const place_type displs[2] = { 5, 60 };
	MPI_Info info = MPI_INFO_NULL;
	MPI_Request q;
	int which, k;

	for (which = 0; which < 4; which++) {
		if (which == 0)
			MPI_Bcast_init(INTS(in, 21), 0, WORLD, info, &q);
		else if (which == 1)
			MPI_Allreduce_init(in, INTS(out, 22), MPI_SUM, WORLD,
					   info, &q);
		else if (which == 2)
			MPI_Allgatherv_init(INTS(in, counts[rank]), out, counts,
					    displs, MPI_INT, WORLD, info, &q);
		else
			MPI_Gather_init(INTS(in, 23), INTS(out, 23), 1, WORLD,
					info, &q);
		for (k = 0; k < 2; k++) {
			if (which == 0)
				say(rank ? 'w' : 'r', in, 84);
			if (which == 1)
				R(in, 22), W(out, 22);
			if (which == 2) {
				R(in, counts[rank]);
				W(out + 5, 30), W(out + 60, 40);
			}
			if (which == 3) {
				R(in, 23);
				W(out, rank ? 46 : 0);
			}
			MPI_Start(&q);
			MPI_Wait(&q, MPI_STATUS_IGNORE);
		}
		MPI_Request_free(&q);
	}
	edges();
	partitions();
}
#else
static void persistent_of_all(void)
{
}
#endif

/* More than an int counts: all of it, as what does not come is not known
 * before; what has come is. */
static void many(void)
{
#ifdef LONG_COUNTS
	static char little[10];
	long count = 3000000000;
	char *huge = mmap(NULL, (size_t)count, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	MPI_Request q;

	R(little, 10), MPI_Isend(little, 10, MPI_CHAR, other, 11, WORLD, &q);
	MPI_Recv(huge, count, MPI_CHAR, other, 11, WORLD, MPI_STATUS_IGNORE);
	W(huge, 10);
	MPI_Wait(&q, MPI_STATUS_IGNORE);
	R(little, 10), MPI_Isend(little, 10, MPI_CHAR, other, 11, WORLD, &q);
	MPI_Wait(&q, MPI_STATUS_IGNORE);
	MPI_Irecv(huge, count, MPI_CHAR, other, 11, WORLD, &q), W(huge, count);
	MPI_Wait(&q, MPI_STATUS_IGNORE);
	munmap(huge, (size_t)count);
#endif
}

/* A column of a matrix, and every second one of these. */
static void types(void)
{
	int lengths[2] = { 2, 3 };
	MPI_Datatype column, wide, far;
	MPI_Aint at[2];

	MPI_Type_vector(10, 1, 8, MPI_INT, &column);
	MPI_Type_commit(&column);
	MPI_Type_create_resized(MPI_INT, 0, 8, &wide);
	MPI_Type_commit(&wide);
	R(in + 3, 73);
	MPI_Sendrecv(in + 3, 1, column, other, 0, INTS(out, 10), other, 0,
		     WORLD, MPI_STATUS_IGNORE);
	W(out, 10);
	R(in, 19);
	MPI_Sendrecv(in, 10, wide, other, 0, INTS(out, 10), other, 0, WORLD,
		     MPI_STATUS_IGNORE);
	W(out, 10);
	MPI_Get_address(in + 4, at);
	MPI_Get_address(in + 20, at + 1);
	MPI_Type_create_hindexed(2, lengths, at, MPI_INT, &far);
	MPI_Type_commit(&far);
	R(in + 4, 19);
	MPI_Sendrecv(MPI_BOTTOM, 1, far, other, 0, INTS(out, 5), other, 0,
		     WORLD, MPI_STATUS_IGNORE);
	W(out, 5);
	MPI_Type_free(&far);
	MPI_Type_free(&column);
	MPI_Type_free(&wide);
}

static void sums(void)
{
	static const count_type counts[2] = { 3, 5 };
	MPI_Request q;

	R(in, 30);
	MPI_Reduce(in, out, 30, MPI_INT, MPI_SUM, 1, WORLD);
	if (rank == 1)
		W(out, 30);
	if (rank == 1) {
		R(out, 31);
		MPI_Reduce(MPI_IN_PLACE, out, 31, MPI_INT, MPI_SUM, 1, WORLD);
		W(out, 31);
	} else {
		R(in, 31);
		MPI_Reduce(in, NULL, 31, MPI_INT, MPI_SUM, 1, WORLD);
	}
	R(d, 32);
	MPI_Allreduce(MPI_IN_PLACE, d, 32, MPI_DOUBLE, MPI_MAX, WORLD);
	W(d, 32);
	R(in, 33);
	MPI_Allreduce(in, out, 33, MPI_INT, MPI_MAX, WORLD);
	W(out, 33);
	R(in, 34), W(out, 34);
	MPI_Iallreduce(in, out, 34, MPI_INT, MPI_MAX, WORLD, &q);
	MPI_Wait(&q, MPI_STATUS_IGNORE);
	R(in, 35), MPI_Scan(in, out, 35, MPI_INT, MPI_SUM, WORLD), W(out, 35);
	R(in, 36), MPI_Exscan(in, out, 36, MPI_INT, MPI_SUM, WORLD);
	if (rank == 1)
		W(out, 36);
	R(in, 8);
	MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, WORLD);
	W(out, counts[rank]);
	R(in, 18);
	MPI_Reduce_scatter_block(in, out, 9, MPI_INT, MPI_SUM, WORLD);
	W(out, 9);
}

static void pieces(void)
{
	static const count_type counts[2] = { 4, 6 };
	static const place_type at[2] = { 10, 40 };
	int i;

	R(in, 5), MPI_Gather(INTS(in, 5), INTS(out, 5), 0, WORLD);
	if (rank == 0)
		W(out, 10);
	if (rank == 1) {
		MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, INTS(out, 6), 1,
			   WORLD);
		W(out, 6);
	} else {
		R(in, 6);
		MPI_Gather(INTS(in, 6), NULL, 0, MPI_DATATYPE_NULL, 1, WORLD);
	}
	R(in, counts[rank]);
	MPI_Gatherv(INTS(in, counts[rank]), out, counts, at, MPI_INT, 0, WORLD);
	for (i = 0; i < 2 && rank == 0; i++)
		W(out + at[i], counts[i]);
	if (rank == 1)
		R(in, 14);
	MPI_Scatter(INTS(in, 7), INTS(out, 7), 1, WORLD), W(out, 7);
	if (rank == 0) {
		R(in + at[1], counts[1]);
		MPI_Scatterv(in, counts, at, MPI_INT, MPI_IN_PLACE, 0, MPI_INT,
			     0, WORLD);
	} else {
		MPI_Scatterv(NULL, NULL, NULL, MPI_INT, INTS(out, counts[1]),
			     0, WORLD);
		W(out, counts[1]);
	}
	R(in, 8), MPI_Allgather(INTS(in, 8), INTS(out, 8), WORLD), W(out, 16);
	R(out + 9 * rank, 9);
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, INTS(out, 9), WORLD);
	W(out + 9 * other, 9);
	R(out + at[rank], counts[rank]);
	MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, out, counts, at, MPI_INT,
		       WORLD);
	W(out + at[other], counts[other]);
	R(in, 20), MPI_Alltoall(INTS(in, 10), INTS(out, 10), WORLD);
	W(out, 20);
	for (i = 0; i < 2; i++)
		R(in + at[i], counts[rank]);
	{
		count_type same[2] = { counts[rank], counts[rank] };

		MPI_Alltoallv(in, same, at, MPI_INT, out, counts, at, MPI_INT,
			      WORLD);
	}
	for (i = 0; i < 2; i++)
		W(out + at[i], counts[i]);
}

/* Each piece has a type, and a place in bytes. */
static void kinds(void)
{
	static const count_type counts[2] = { 4, 6 }, same[2] = { 3, 3 };
	static const place_type at[2] = { 40, 160 };
	count_type mine[2] = { counts[rank], counts[rank] };
	count_type none[2] = { 3, 3 };
	const MPI_Datatype kind[2] = { MPI_INT, MPI_DOUBLE };
	MPI_Datatype own[2] = { kind[rank], kind[rank] };
	MPI_Datatype ints[2] = { MPI_INT, MPI_INT };
	long size = rank ? 8 : 4;
	MPI_Request q;

	say('r', in + 10, counts[rank] * size);
	say('r', in + 40, counts[rank] * size);
	MPI_Alltoallw(in, mine, at, own, out, counts, at, kind, WORLD);
	W(out + 10, 4), say('w', out + 40, 48L);
	R(out + 10, 3), R(out + 40, 3), W(out + 10, 3), W(out + 40, 3);
	MPI_Ialltoallw(MPI_IN_PLACE, NULL, NULL, NULL, out, same, at, ints,
		       WORLD, &q);
	MPI_Wait(&q, MPI_STATUS_IGNORE);
	none[rank] = 0;
	R(in + at[other] / 4, 3);
	MPI_Alltoallw(in, none, at, ints, out, none, at, ints, WORLD);
	W(out + at[other] / 4, 3);
}

/* @grid: a line of both, with no neighbour at its ends; the other has @n
 * neighbours */
static void around(MPI_Comm grid, MPI_Comm graph, int n)
{
	static const count_type equal[2] = { 5, 5 };
	static const place_type displs[2] = { 10, 40 };
	static const MPI_Aint at[2] = { 80, 240 };
	const MPI_Datatype ints[2] = { MPI_INT, MPI_INT };
	int side = 1 - rank, i;
	MPI_Request q;

	R(in, 3), MPI_Neighbor_allgather(INTS(in, 3), INTS(out, 3), grid);
	W(out + 3 * side, 3);
	R(in + 4 * side, 4);
	MPI_Neighbor_alltoall(INTS(in, 4), INTS(out, 4), grid);
	W(out + 4 * side, 4);
	R(in + displs[side], 5), W(out + displs[side], 5);
	MPI_Ineighbor_alltoallv(in, equal, displs, MPI_INT, out, equal, displs,
				MPI_INT, grid, &q);
	MPI_Wait(&q, MPI_STATUS_IGNORE);
	R(in + at[side] / 4, 5);
	MPI_Neighbor_alltoallw(in, equal, at, ints, out, equal, at, ints, grid);
	W(out + at[side] / 4, 5);
	R(in, 5);
	MPI_Neighbor_allgatherv(INTS(in, 5), out, equal, displs, MPI_INT, grid);
	W(out + displs[side], 5);
	R(in, 6), W(out, 6 * n);
	MPI_Ineighbor_allgather(INTS(in, 6), INTS(out, 6), graph, &q);
	MPI_Wait(&q, MPI_STATUS_IGNORE);
	R(in, 7 * n);
	MPI_Neighbor_alltoall(INTS(in, 7), INTS(out, 7), graph);
	W(out, 7 * n);
	for (i = 0; i < n; i++)
		R(in + at[i] / 4, 5);
	for (i = 0; i < n; i++)
		W(out + at[i] / 4, 5);
	MPI_Ineighbor_alltoallw(in, equal, at, ints, out, equal, at, ints,
				graph, &q);
	MPI_Wait(&q, MPI_STATUS_IGNORE);
}

static void neighbors(void)
{
	static const int index[2] = { 1, 2 }, edges[2] = { 1, 0 };
	int sizes[1] = { 2 }, ends[1] = { 0 }, both[2] = { other, rank };
	int n = 2 - rank;
	MPI_Comm grid, graph;

	MPI_Cart_create(WORLD, 1, sizes, ends, 0, &grid);
	MPI_Graph_create(WORLD, 2, index, edges, 0, &graph);
	around(grid, graph, 1);
	MPI_Comm_free(&graph);
	MPI_Dist_graph_create_adjacent(WORLD, n, both, MPI_UNWEIGHTED, n, both,
				       MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
				       &graph);
	around(grid, graph, n);
	MPI_Comm_free(&graph);
	MPI_Comm_free(&grid);
}

/* Not each MPI has windows everywhere.  Nothing is known of the other side. */
static void windows(void)
{
	static int seen[N];
	MPI_Request q;
	MPI_Win win;

	MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
	if (MPI_Win_create(seen, sizeof(seen), 4, MPI_INFO_NULL, WORLD, &win))
		return;
	MPI_Win_fence(0, win);
	R(in, 21), MPI_Put(INTS(in, 21), other, 5, 21, MPI_INT, win);
	MPI_Put(INTS(in, 21), MPI_PROC_NULL, 5, 21, MPI_INT, win);
	MPI_Win_fence(0, win);
	MPI_Get(INTS(out, 22), other, 5, 22, MPI_INT, win), W(out, 22);
	MPI_Win_fence(0, win);
	R(in, 23);
	MPI_Accumulate(INTS(in, 23), other, 0, 23, MPI_INT, MPI_SUM, win);
	MPI_Win_fence(0, win);
	MPI_Win_lock_all(0, win);
	R(in, 24), MPI_Rput(INTS(in, 24), other, 5, 24, MPI_INT, win, &q);
	MPI_Wait(&q, MPI_STATUS_IGNORE);
	MPI_Rget(INTS(out, 25), other, 5, 25, MPI_INT, win, &q), W(out, 25);
	MPI_Wait(&q, MPI_STATUS_IGNORE);
	R(in, 26);
	MPI_Raccumulate(INTS(in, 26), other, 0, 26, MPI_INT, MPI_SUM, win, &q);
	MPI_Wait(&q, MPI_STATUS_IGNORE);
	R(in, 3), W(out, 3);
	MPI_Get_accumulate(INTS(in, 3), INTS(out, 3), other, 0, 3, MPI_INT,
			   MPI_SUM, win);
	W(out, 4);
	MPI_Get_accumulate(INTS(in, 4), INTS(out, 4), other, 0, 4, MPI_INT,
			   MPI_NO_OP, win);
	MPI_Get_accumulate(INTS(in, 4), INTS(out, 4), MPI_PROC_NULL, 0, 4,
			   MPI_INT, MPI_SUM, win);
	R(in, 5), W(out, 5);
	MPI_Rget_accumulate(INTS(in, 5), INTS(out, 5), other, 0, 5, MPI_INT,
			    MPI_SUM, win, &q);
	MPI_Wait(&q, MPI_STATUS_IGNORE);
	R(in, 1), W(out, 1);
	MPI_Fetch_and_op(in, out, MPI_INT, other, 0, MPI_SUM, win);
	W(out + 1, 1);
	MPI_Fetch_and_op(NULL, out + 1, MPI_INT, other, 0, MPI_NO_OP, win);
	R(in, 1), R(in + 1, 1), W(out + 2, 1);
	MPI_Compare_and_swap(in, in + 1, out + 2, MPI_INT, other, 0, win);
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	fprintf(stderr, "windows\n");
}

int main(int argc, char **argv)
{
	char name[32];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &rank);
	other = 1 - rank;
	snprintf(name, sizeof(name), "said.%d", rank);
	file = fopen(name, "w");
	pairs();
	types();
	persistent();
	odd_ends();
	persistent_of_all();
	many();
	if (rank == 0)
		R(in, 21), MPI_Bcast(INTS(in, 21), 0, WORLD);
	else
		MPI_Bcast(INTS(out, 21), 0, WORLD), W(out, 21);
	sums();
	pieces();
	kinds();
	neighbors();
	windows();
	fclose(file);
	MPI_Finalize();
	return 0;
}
