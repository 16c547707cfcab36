/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records the buffers of a call of MPI as accesses: first the buffers that are
 * read, then those that are written.
 *
 * The accesses are recorded when the call has returned successfully, so MPI is
 * asked only about arguments that it has accepted.  Otherwise an error of a
 * question would come before the error of the call, in another error handler.
 *
 * This works with any MPI: handles are passed as values of pointer size, in
 * Fortran as their addresses, and MPI itself is asked about them by weak
 * references to PMPI.  If these are absent, nothing is recorded (wmcc has them
 * linked into static programs, wm/mpi_list.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

#define WEAK __attribute__((weak))

/* Functions of MPI; they are NULL for a language that the program lacks. */
WEAK int PMPI_Comm_rank(const void *comm, int *rank);
WEAK void pmpi_comm_rank_(const void *comm, int *rank, int *error);
extern WEAK char ompi_mpi_comm_world[];

/* MPI_IN_PLACE, as the plans get it. */
#define WM_MPI_IN_PLACE ((const void *)1)
/* A buffer that is not in one piece, and so is not recorded. */
#define WM_MPI_SCATTERED ((const void *)2)

/* An array of int, or of 64 bits (a call with long counts); if both are NULL,
 * there is no array. */
struct wm_mpi_numbers {
	const int *narrow;
	const int64_t *wide;
};

static inline bool wm_mpi_has(struct wm_mpi_numbers n)
{
	return n.narrow || n.wide;
}

static inline long wm_mpi_number(struct wm_mpi_numbers n, int i)
{
	return n.wide ? n.wide[i] : n.narrow[i];
}

/*
 * Elements of a buffer.  Without @counts, these are @pieces times @count
 * elements, one after the other.  With @counts, piece i has counts[i] elements
 * from displs[i] on, in extents of the type; without displs, pieces follow each
 * other.  With @types, each piece has a type of its own, and displs[i] is in
 * bytes.
 */
struct wm_mpi_part {
	const void *buf;
	bool any; /* false: nothing */
	const void *type; /* in Fortran its address */
	long first; /* elements of the buffer before them */
	long count;
	int pieces;
	int left_out; /* number of a piece that is not accessed, or -1 */
	uint64_t absent; /* bit i: the same of piece i */
	struct wm_mpi_numbers counts, displs;
	const void *types; /* an array of handles */
};

struct wm_mpi_call {
	const void *caller; /* where the program's call returns to */
	bool fortran;
	struct wm_mpi_part in, also_in, out;
	const void *kept; /* accessed when this request is started; NULL: now */
	struct wm_mpi_kept *keeper; /* where that is remembered */
	struct wm_mpi_kept *freed; /* the same of a request to be freed, */
	uint64_t freed_made; /* as it was then */
	bool no_message; /* MPI_MESSAGE_NO_PROC: nothing is received */
	void *status; /* receives: address for the status; else NULL */
	uint64_t room[32]; /* for a status that the program ignores */
};

/* Whether MPI is between MPI_Init and MPI_Finalize, as it must be when it is
 * asked anything. */
bool wm_mpi_is_running(const struct wm_mpi_call *c) wm_hidden;

/* Returns the address at which MPI shall store the status: @status, or @c->room
 * if the program wants no status. */
void *wm_mpi_status(struct wm_mpi_call *c, void *status) wm_hidden;

/* Reads the handle at @message before the call resets it; returns @message. */
void *wm_mpi_message(struct wm_mpi_call *c, void *message) wm_hidden;

/* Persistent requests (mpi_persistent.c).  c->kept is the request that was
 * made. */
struct wm_mpi_kept;
struct wm_mpi_bytes {
	void *at;
	size_t size;
};
/* Returns the request's entry, without bytes, or NULL without memory, which is
 * counted. */
struct wm_mpi_kept *wm_mpi_keeper(const struct wm_mpi_call *c) wm_hidden;
/* Adds bytes to the entry, in the order in which they are accessed. */
void wm_mpi_keep(struct wm_mpi_kept *keeper, struct wm_mpi_bytes bytes,
		 uint32_t what) wm_hidden;
/* Records the accesses of the @count requests at @requests, which have been
 * started.  Requests without an entry are ignored. */
void wm_mpi_started(const struct wm_mpi_call *c, const void *requests,
		    int count) wm_hidden;
/* Called before and after @request is freed; wm_mpi_freeing() returns
 * @request. */
void *wm_mpi_freeing(struct wm_mpi_call *c, void *request) wm_hidden;
void wm_mpi_freed(const struct wm_mpi_call *c) wm_hidden;

/* Whether handles of C are addresses (Open MPI, the MPI-5 standard) and not
 * int. */
bool wm_mpi_has_wide_handles(void) wm_hidden;

/* Records the accesses of a call that has succeeded and whose plan is made. */
void wm_mpi_call_done(struct wm_mpi_call *c) wm_hidden;

/* Plans: each sets the buffers that the call of this name reads and writes.
 * Arguments have the names of the standard.  In a send and receive with
 * replacement the same buffer is read and written. */
void wm_mpi_plan_send(struct wm_mpi_call *c, const void *buf, long count,
		      const void *type, int dest) wm_hidden;
/* Plans a receive for which wm_mpi_status() was called. */
void wm_mpi_plan_recv(struct wm_mpi_call *c, const void *buf, long count,
		      const void *type) wm_hidden;
/* Plans a receive of all of the buffer, as the size of the message is
 * unknown. */
void wm_mpi_plan_irecv(struct wm_mpi_call *c, const void *buf, long count,
		       const void *type, int source) wm_hidden;
/* Plans @pieces of @count elements each, which are received (@comes) or
 * sent. */
void wm_mpi_plan_partitions(struct wm_mpi_call *c, const void *buf, int pieces,
			    long count, const void *type, int rank,
			    bool comes) wm_hidden;
/* Plans a receive for which wm_mpi_message() was called. */
void wm_mpi_plan_imrecv(struct wm_mpi_call *c, const void *buf, long count,
			const void *type) wm_hidden;
void wm_mpi_plan_bcast(struct wm_mpi_call *c, const void *buf, long count,
		       const void *type, int root, const void *comm) wm_hidden;
void wm_mpi_plan_reduce(struct wm_mpi_call *c, const void *in, const void *out,
			long count, const void *type, int root,
			const void *comm) wm_hidden;
void wm_mpi_plan_allreduce(struct wm_mpi_call *c, const void *in,
			   const void *out, long count, const void *type,
			   const void *comm) wm_hidden;
void wm_mpi_plan_exscan(struct wm_mpi_call *c, const void *in, const void *out,
			long count, const void *type,
			const void *comm) wm_hidden;
/* Plans with @counts[i] elements of rank i, or without @counts with @count
 * elements of each rank. */
void wm_mpi_plan_reduce_scatter(struct wm_mpi_call *c, const void *in,
				const void *out, struct wm_mpi_numbers counts,
				long count, const void *type,
				const void *comm) wm_hidden;

/* One side of a call that moves pieces.  It has either @counts or @count. */
struct wm_mpi_side {
	const void *buf;
	long count;
	struct wm_mpi_numbers counts, displs;
	const void *type;
	const void *types; /* as in struct wm_mpi_part */
};
void wm_mpi_plan_gather(struct wm_mpi_call *c, struct wm_mpi_side in,
			struct wm_mpi_side out, int root,
			const void *comm) wm_hidden;
void wm_mpi_plan_scatter(struct wm_mpi_call *c, struct wm_mpi_side in,
			 struct wm_mpi_side out, int root,
			 const void *comm) wm_hidden;
void wm_mpi_plan_allgather(struct wm_mpi_call *c, struct wm_mpi_side in,
			   struct wm_mpi_side out, const void *comm) wm_hidden;
void wm_mpi_plan_alltoall(struct wm_mpi_call *c, struct wm_mpi_side in,
			  struct wm_mpi_side out, const void *comm) wm_hidden;
void wm_mpi_plan_neighbor_allgather(struct wm_mpi_call *c,
				    struct wm_mpi_side in,
				    struct wm_mpi_side out,
				    const void *comm) wm_hidden;
void wm_mpi_plan_neighbor_alltoall(struct wm_mpi_call *c, struct wm_mpi_side in,
				   struct wm_mpi_side out,
				   const void *comm) wm_hidden;

/* Plans calls of windows that return a value; MPI_NO_OP does not read @in. */
void wm_mpi_plan_fetch(struct wm_mpi_call *c, struct wm_mpi_side in,
		       struct wm_mpi_side out, int rank,
		       const void *op) wm_hidden;
void wm_mpi_plan_swap(struct wm_mpi_call *c, const void *in, const void *old,
		      const void *out, const void *type, int rank) wm_hidden;

/* The numbers of neighbours in a communicator's topology.  Bit i of @absent is
 * set if neighbour i is MPI_PROC_NULL, at the edge of a grid. */
struct wm_mpi_neighbors {
	int sources, destinations;
	uint64_t absent;
};
/* Stores the neighbours of @comm in *@n.  Returns false if they are unknown. */
bool wm_mpi_neighbors(const struct wm_mpi_call *c, const void *comm,
		      struct wm_mpi_neighbors *n) wm_hidden;
