/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The MPI calls whose buffers are recorded: the arguments and the plan of each
 * (mpi_buffers.h), written once for both languages.
 *
 * The including file defines the words of its language: INT, an int argument;
 * PLACE, an MPI_Aint; LONG, an MPI_Count; VALUE(x), the value of argument x;
 * HANDLE; DATA(x), the address of a buffer; COUNT, an argument of type NUMBER;
 * and NUMBER, int or 64 bits, with WIDTH, narrow or wide.
 *
 * Each row is X(names of both lists, (parameters), (arguments), plan).  In
 * WM_MPI_NOW the data is complete when the call returns; WM_MPI_SHORT is the
 * same without a form for counts of 64 bits.  Calls of WM_MPI_ALL and
 * WM_MPI_WINDOWS have a second form with a request after the arguments; calls
 * of WM_MPI_LATER have only that form.  Calls of WM_MPI_ALL have a third form,
 * NAME_init, which is persistent and has an MPI_Info before the request.
 */
#pragma once

/* clang-format off */
#define SEND_PARAMETERS                                                        \
	(const void *buf, COUNT count, HANDLE type, INT dest, INT tag,         \
	 HANDLE comm)
#define SEND_ARGUMENTS (buf, count, type, dest, tag, comm)
#define SEND_PLAN                                                              \
	wm_mpi_plan_send(&c, DATA(buf), VALUE(count), type, VALUE(dest))

/* Accesses to the target of a window are not recorded. */
#define WINDOW_PARAMETERS                                                      \
	(const void *buf, COUNT count, HANDLE type, INT rank, PLACE place,     \
	 COUNT count_there, HANDLE type_there, HANDLE win)
#define WINDOW_ARGUMENTS                                                       \
	(buf, count, type, rank, place, count_there, type_there, win)
#define WINDOW_PLAN(what)                                                      \
	wm_mpi_plan_##what(&c, DATA(buf), VALUE(count), type, VALUE(rank))

#define STATUS wm_mpi_status(&c, status)

/* The message is read before the call resets it. */
#define MESSAGE wm_mpi_message(&c, message)

/* The plan of a persistent request is used when the request is started. */
#define KEPT(plan) (c.kept = request, plan)
#define SEND_KEPT                                                              \
	KEPT(wm_mpi_plan_send(&c, DATA(buf), VALUE(count), type, VALUE(dest)))

/* All partitions are recorded when the request is started. */
#define PARTITIONS_PARAMETERS                                                  \
	(const void *buf, INT pieces, LONG count, HANDLE type, INT rank,       \
	 INT tag, HANDLE comm, HANDLE info, void *request)
#define PARTITIONS_ARGUMENTS                                                   \
	(buf, pieces, count, type, rank, tag, comm, info, request)
#define PARTITIONS_KEPT(comes)                                                 \
	KEPT(wm_mpi_plan_partitions(&c, DATA(buf), VALUE(pieces),              \
				    VALUE(count), type, VALUE(rank), comes))

#define REDUCE_PARAMETERS                                                      \
	(const void *in, void *out, COUNT count, HANDLE type, HANDLE op,       \
	 HANDLE comm)
#define REDUCE_ARGUMENTS (in, out, count, type, op, comm)
#define REDUCE_PLAN(what)                                                      \
	wm_mpi_plan_##what(&c, DATA(in), DATA(out), VALUE(count), type, comm)

#define NUMBERS(x) ((struct wm_mpi_numbers){ .WIDTH = (x) })

/* The sides of a call with pieces: one count for all, or one each. */
#define EQUAL(b, n, t)                                                         \
	(struct wm_mpi_side)                                                   \
	{                                                                      \
		.buf = DATA(b), .count = VALUE(n), .type = t                   \
	}
#define MANY(b, n, at, t)                                                      \
	(struct wm_mpi_side)                                                   \
	{                                                                      \
		.buf = DATA(b), .counts = NUMBERS(n), .displs = NUMBERS(at),   \
		.type = t                                                      \
	}

/* Pieces of one size on each side. */
#define EQUAL_PARAMETERS                                                       \
	(const void *in, COUNT ins, HANDLE intype, void *out, COUNT outs,      \
	 HANDLE outtype, HANDLE comm)
#define EQUAL_ARGUMENTS (in, ins, intype, out, outs, outtype, comm)
#define EQUAL_PLAN(what)                                                       \
	wm_mpi_plan_##what(&c, EQUAL(in, ins, intype),                         \
			   EQUAL(out, outs, outtype), comm)

/* A side of one element, and sides whose pieces have a type each.  Their places
 * are in bytes, in calls of neighbours always as MPI_Aint. */
#define ONE(b, t) (struct wm_mpi_side){ .buf = DATA(b), .count = 1, .type = t }
#define TYPES(b, n, at, t)                                                     \
	(struct wm_mpi_side)                                                   \
	{                                                                      \
		.buf = DATA(b), .counts = NUMBERS(n), .displs = NUMBERS(at),   \
		.types = t                                                     \
	}
#define FAR_TYPES(b, n, at, t)                                                 \
	(struct wm_mpi_side)                                                   \
	{                                                                      \
		.buf = DATA(b), .counts = NUMBERS(n), .displs = { .wide = at }, .types = t \
	}

#define WM_MPI_NOW(X)                                                          \
	X(Send, send, SEND_PARAMETERS, SEND_ARGUMENTS, SEND_PLAN)              \
	X(Bsend, bsend, SEND_PARAMETERS, SEND_ARGUMENTS, SEND_PLAN)            \
	X(Ssend, ssend, SEND_PARAMETERS, SEND_ARGUMENTS, SEND_PLAN)            \
	X(Rsend, rsend, SEND_PARAMETERS, SEND_ARGUMENTS, SEND_PLAN)            \
	X(Recv, recv,                                                          \
	  (void *buf, COUNT count, HANDLE type, INT source, INT tag,           \
	   HANDLE comm, void *status),                                         \
	  (buf, count, type, source, tag, comm, STATUS),                       \
	  wm_mpi_plan_recv(&c, DATA(buf), VALUE(count), type))                 \
	X(Mrecv, mrecv,                                                        \
	  (void *buf, COUNT count, HANDLE type, void *message, void *status),  \
	  (buf, count, type, message, STATUS),                                 \
	  wm_mpi_plan_recv(&c, DATA(buf), VALUE(count), type))                 \
	X(Sendrecv, sendrecv,                                                  \
	  (const void *out, COUNT outs, HANDLE outtype, INT dest, INT outtag,  \
	   void *buf, COUNT count, HANDLE type, INT source, INT tag,           \
	   HANDLE comm, void *status),                                         \
	  (out, outs, outtype, dest, outtag, buf, count, type, source, tag,    \
	   comm, STATUS),                                                      \
	  (wm_mpi_plan_send(&c, DATA(out), VALUE(outs), outtype, VALUE(dest)), \
	   wm_mpi_plan_recv(&c, DATA(buf), VALUE(count), type)))               \
	X(Sendrecv_replace, sendrecv_replace,                                  \
	  (void *buf, COUNT count, HANDLE type, INT dest, INT outtag,          \
	   INT source, INT tag, HANDLE comm, void *status),                    \
	  (buf, count, type, dest, outtag, source, tag, comm, STATUS),         \
	  (wm_mpi_plan_send(&c, DATA(buf), VALUE(count), type, VALUE(dest)),   \
	   wm_mpi_plan_recv(&c, DATA(buf), VALUE(count), type)))

#define WM_MPI_SHORT(X)                                                        \
	X(Psend_init, psend_init, PARTITIONS_PARAMETERS, PARTITIONS_ARGUMENTS, \
	  PARTITIONS_KEPT(false))                                              \
	X(Precv_init, precv_init, PARTITIONS_PARAMETERS, PARTITIONS_ARGUMENTS, \
	  PARTITIONS_KEPT(true))                                               \
	X(Start, start, (void *request), (request),                            \
	  wm_mpi_started(&c, request, 1))                                      \
	X(Startall, startall, (INT count, void *requests), (count, requests),  \
	  wm_mpi_started(&c, requests, VALUE(count)))                          \
	X(Request_free, request_free, (void *request),                         \
	  (wm_mpi_freeing(&c, request)), wm_mpi_freed(&c))                     \
	X(Fetch_and_op, fetch_and_op,                                          \
	  (const void *in, void *out, HANDLE type, INT rank, PLACE place,      \
	   HANDLE op, HANDLE win),                                             \
	  (in, out, type, rank, place, op, win),                               \
	  wm_mpi_plan_fetch(&c, ONE(in, type), ONE(out, type), VALUE(rank), op)) \
	X(Compare_and_swap, compare_and_swap,                                  \
	  (const void *in, const void *old, void *out, HANDLE type, INT rank,  \
	   PLACE place, HANDLE win),                                           \
	  (in, old, out, type, rank, place, win),                              \
	  wm_mpi_plan_swap(&c, DATA(in), DATA(old), DATA(out), type,           \
			   VALUE(rank)))

#define WM_MPI_LATER(X)                                                        \
	X(Isend, isend, SEND_PARAMETERS, SEND_ARGUMENTS, SEND_PLAN)            \
	X(Ibsend, ibsend, SEND_PARAMETERS, SEND_ARGUMENTS, SEND_PLAN)          \
	X(Issend, issend, SEND_PARAMETERS, SEND_ARGUMENTS, SEND_PLAN)          \
	X(Irsend, irsend, SEND_PARAMETERS, SEND_ARGUMENTS, SEND_PLAN)          \
	X(Send_init, send_init, SEND_PARAMETERS, SEND_ARGUMENTS, SEND_KEPT)    \
	X(Bsend_init, bsend_init, SEND_PARAMETERS, SEND_ARGUMENTS, SEND_KEPT)  \
	X(Ssend_init, ssend_init, SEND_PARAMETERS, SEND_ARGUMENTS, SEND_KEPT)  \
	X(Rsend_init, rsend_init, SEND_PARAMETERS, SEND_ARGUMENTS, SEND_KEPT)  \
	X(Recv_init, recv_init,                                                \
	  (void *buf, COUNT count, HANDLE type, INT source, INT tag,           \
	   HANDLE comm),                                                       \
	  (buf, count, type, source, tag, comm),                               \
	  KEPT(wm_mpi_plan_irecv(&c, DATA(buf), VALUE(count), type,            \
				 VALUE(source))))                              \
	X(Irecv, irecv,                                                        \
	  (void *buf, COUNT count, HANDLE type, INT source, INT tag,           \
	   HANDLE comm),                                                       \
	  (buf, count, type, source, tag, comm),                               \
	  wm_mpi_plan_irecv(&c, DATA(buf), VALUE(count), type, VALUE(source))) \
	X(Imrecv, imrecv,                                                      \
	  (void *buf, COUNT count, HANDLE type, void *message),                \
	  (buf, count, type, MESSAGE),                                         \
	  wm_mpi_plan_imrecv(&c, DATA(buf), VALUE(count), type))

#define WM_MPI_ALL(X)                                                          \
	X(Bcast, bcast, Ibcast, ibcast,                                        \
	  (void *buf, COUNT count, HANDLE type, INT root, HANDLE comm),        \
	  (buf, count, type, root, comm),                                      \
	  wm_mpi_plan_bcast(&c, DATA(buf), VALUE(count), type, VALUE(root), comm)) \
	X(Reduce, reduce, Ireduce, ireduce,                                    \
	  (const void *in, void *out, COUNT count, HANDLE type, HANDLE op,     \
	   INT root, HANDLE comm),                                             \
	  (in, out, count, type, op, root, comm),                              \
	  wm_mpi_plan_reduce(&c, DATA(in), DATA(out), VALUE(count), type, VALUE(root), \
			     comm))                                            \
	X(Allreduce, allreduce, Iallreduce, iallreduce,                        \
	  REDUCE_PARAMETERS, REDUCE_ARGUMENTS, REDUCE_PLAN(allreduce))         \
	X(Scan, scan, Iscan, iscan,                                            \
	  REDUCE_PARAMETERS, REDUCE_ARGUMENTS, REDUCE_PLAN(allreduce))         \
	X(Exscan, exscan, Iexscan, iexscan,                                    \
	  REDUCE_PARAMETERS, REDUCE_ARGUMENTS, REDUCE_PLAN(exscan))            \
	X(Gather, gather, Igather, igather,                                    \
	  (const void *in, COUNT ins, HANDLE intype, void *out, COUNT outs,    \
	   HANDLE outtype, INT root, HANDLE comm),                             \
	  (in, ins, intype, out, outs, outtype, root, comm),                   \
	  wm_mpi_plan_gather(&c, EQUAL(in, ins, intype),                       \
			     EQUAL(out, outs, outtype), VALUE(root), comm))    \
	X(Gatherv, gatherv, Igatherv, igatherv,                                \
	  (const void *in, COUNT ins, HANDLE intype, void *out,                \
	   const NUMBER *outs, const NUMBER *displs, HANDLE outtype, INT root, \
	   HANDLE comm),                                                       \
	  (in, ins, intype, out, outs, displs, outtype, root, comm),           \
	  wm_mpi_plan_gather(&c, EQUAL(in, ins, intype),                       \
			     MANY(out, outs, displs, outtype),                 \
			     VALUE(root), comm))                               \
	X(Scatter, scatter, Iscatter, iscatter,                                \
	  (const void *in, COUNT ins, HANDLE intype, void *out, COUNT outs,    \
	   HANDLE outtype, INT root, HANDLE comm),                             \
	  (in, ins, intype, out, outs, outtype, root, comm),                   \
	  wm_mpi_plan_scatter(&c, EQUAL(in, ins, intype),                      \
			      EQUAL(out, outs, outtype), VALUE(root), comm))   \
	X(Scatterv, scatterv, Iscatterv, iscatterv,                            \
	  (const void *in, const NUMBER *ins, const NUMBER *displs, HANDLE intype, \
	   void *out, COUNT outs, HANDLE outtype, INT root, HANDLE comm),      \
	  (in, ins, displs, intype, out, outs, outtype, root, comm),           \
	  wm_mpi_plan_scatter(&c, MANY(in, ins, displs, intype),               \
			      EQUAL(out, outs, outtype), VALUE(root), comm))   \
	X(Allgather, allgather, Iallgather, iallgather,                        \
	  EQUAL_PARAMETERS, EQUAL_ARGUMENTS, EQUAL_PLAN(allgather))            \
	X(Allgatherv, allgatherv, Iallgatherv, iallgatherv,                    \
	  (const void *in, COUNT ins, HANDLE intype, void *out,                \
	   const NUMBER *outs, const NUMBER *displs, HANDLE outtype, HANDLE comm), \
	  (in, ins, intype, out, outs, displs, outtype, comm),                 \
	  wm_mpi_plan_allgather(&c, EQUAL(in, ins, intype),                    \
				MANY(out, outs, displs, outtype), comm))       \
	X(Alltoall, alltoall, Ialltoall, ialltoall,                            \
	  EQUAL_PARAMETERS, EQUAL_ARGUMENTS, EQUAL_PLAN(alltoall))             \
	X(Alltoallv, alltoallv, Ialltoallv, ialltoallv,                        \
	  (const void *in, const NUMBER *ins, const NUMBER *indispls,          \
	   HANDLE intype, void *out, const NUMBER *outs, const NUMBER *displs, \
	   HANDLE outtype, HANDLE comm),                                       \
	  (in, ins, indispls, intype, out, outs, displs, outtype, comm),       \
	  wm_mpi_plan_alltoall(&c, MANY(in, ins, indispls, intype),            \
			       MANY(out, outs, displs, outtype), comm))        \
	X(Alltoallw, alltoallw, Ialltoallw, ialltoallw,                        \
	  (const void *in, const NUMBER *ins, const NUMBER *inat,              \
	   const void *intypes, void *out, const NUMBER *outs, const NUMBER *at, \
	   const void *outtypes, HANDLE comm),                                 \
	  (in, ins, inat, intypes, out, outs, at, outtypes, comm),             \
	  wm_mpi_plan_alltoall(&c, TYPES(in, ins, inat, intypes),              \
			       TYPES(out, outs, at, outtypes), comm))          \
	X(Neighbor_allgather, neighbor_allgather, Ineighbor_allgather,         \
	  ineighbor_allgather,                                                 \
	  EQUAL_PARAMETERS, EQUAL_ARGUMENTS, EQUAL_PLAN(neighbor_allgather))   \
	X(Neighbor_allgatherv, neighbor_allgatherv, Ineighbor_allgatherv,      \
	  ineighbor_allgatherv,                                                \
	  (const void *in, COUNT ins, HANDLE intype, void *out,                \
	   const NUMBER *outs, const NUMBER *displs, HANDLE outtype, HANDLE comm), \
	  (in, ins, intype, out, outs, displs, outtype, comm),                 \
	  wm_mpi_plan_neighbor_allgather(&c, EQUAL(in, ins, intype),           \
					 MANY(out, outs, displs, outtype),     \
					 comm))                                \
	X(Neighbor_alltoall, neighbor_alltoall, Ineighbor_alltoall,            \
	  ineighbor_alltoall,                                                  \
	  EQUAL_PARAMETERS, EQUAL_ARGUMENTS, EQUAL_PLAN(neighbor_alltoall))    \
	X(Neighbor_alltoallv, neighbor_alltoallv, Ineighbor_alltoallv,         \
	  ineighbor_alltoallv,                                                 \
	  (const void *in, const NUMBER *ins, const NUMBER *indispls,          \
	   HANDLE intype, void *out, const NUMBER *outs, const NUMBER *displs, \
	   HANDLE outtype, HANDLE comm),                                       \
	  (in, ins, indispls, intype, out, outs, displs, outtype, comm),       \
	  wm_mpi_plan_neighbor_alltoall(&c, MANY(in, ins, indispls, intype),   \
					MANY(out, outs, displs, outtype),      \
					comm))                                 \
	X(Neighbor_alltoallw, neighbor_alltoallw, Ineighbor_alltoallw,         \
	  ineighbor_alltoallw,                                                 \
	  (const void *in, const NUMBER *ins, const intptr_t *inat,            \
	   const void *intypes, void *out, const NUMBER *outs,                 \
	   const intptr_t *at, const void *outtypes, HANDLE comm),             \
	  (in, ins, inat, intypes, out, outs, at, outtypes, comm),             \
	  wm_mpi_plan_neighbor_alltoall(&c,                                    \
					FAR_TYPES(in, ins, inat, intypes),     \
					FAR_TYPES(out, outs, at, outtypes),    \
					comm))                                 \
	X(Reduce_scatter, reduce_scatter, Ireduce_scatter, ireduce_scatter,    \
	  (const void *in, void *out, const NUMBER *counts, HANDLE type,       \
	   HANDLE op, HANDLE comm),                                            \
	  (in, out, counts, type, op, comm),                                   \
	  wm_mpi_plan_reduce_scatter(&c, DATA(in), DATA(out),                  \
				     NUMBERS(counts), 0, \
				     type, comm))                              \
	X(Reduce_scatter_block, reduce_scatter_block, Ireduce_scatter_block,   \
	  ireduce_scatter_block,                                               \
	  REDUCE_PARAMETERS, REDUCE_ARGUMENTS,                                 \
	  wm_mpi_plan_reduce_scatter(&c, DATA(in), DATA(out),                  \
				     (struct wm_mpi_numbers){ NULL, NULL },    \
				     VALUE(count), type, comm))

#define WM_MPI_WINDOWS(X)                                                      \
	X(Put, put, Rput, rput, WINDOW_PARAMETERS, WINDOW_ARGUMENTS,           \
	  WINDOW_PLAN(send))                                                   \
	X(Get, get, Rget, rget, WINDOW_PARAMETERS, WINDOW_ARGUMENTS,           \
	  WINDOW_PLAN(irecv))                                                  \
	X(Get_accumulate, get_accumulate, Rget_accumulate, rget_accumulate,    \
	  (const void *in, COUNT ins, HANDLE intype, void *out, COUNT outs,    \
	   HANDLE outtype, INT rank, PLACE place, COUNT count_there,           \
	   HANDLE type_there, HANDLE op, HANDLE win),                          \
	  (in, ins, intype, out, outs, outtype, rank, place, count_there,      \
	   type_there, op, win),                                               \
	  wm_mpi_plan_fetch(&c, EQUAL(in, ins, intype),                        \
			    EQUAL(out, outs, outtype), VALUE(rank), op))       \
	X(Accumulate, accumulate, Raccumulate, raccumulate,                    \
	  (const void *buf, COUNT count, HANDLE type, INT rank, PLACE place,   \
	   COUNT count_there, HANDLE type_there, HANDLE op, HANDLE win),       \
	  (buf, count, type, rank, place, count_there, type_there, op, win),   \
	  WINDOW_PLAN(send))
/* clang-format on */

#define BARE(...) __VA_ARGS__

/* Defines all forms of a call by NOW and LATER of the including file. */
#define BOTH(Name, name, Iname, iname, parameters, arguments, plan)            \
	NOW(Name, name, parameters, arguments, plan)                           \
	LATER(Iname, iname, parameters, arguments, plan)
#define ALL(Name, name, Iname, iname, parameters, arguments, plan)             \
	BOTH(Name, name, Iname, iname, parameters, arguments, plan)            \
	LATER(Name##_init, name##_init, (BARE parameters, HANDLE info),        \
	      (BARE arguments, info), KEPT(plan))

/* All calls that have a form for counts of 64 bits. */
#define WM_MPI_CALLS                                                           \
	WM_MPI_NOW(NOW)                                                        \
	WM_MPI_LATER(LATER)                                                    \
	WM_MPI_ALL(ALL)                                                        \
	WM_MPI_WINDOWS(BOTH)
