/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records the buffers of an MPI call as accesses: first those that are read,
 * then those that are written.
 *
 * This happens when the call has returned successfully, so MPI is asked only
 * about arguments that it has accepted.  Otherwise an error of a question would
 * precede the error of the call, in another error handler.  It works with any
 * MPI: handles are passed as values of pointer size, in Fortran as their
 * addresses, and MPI is asked by weak references to PMPI, which wmcc has linked
 * into static programs.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

#define WEAK __attribute__((weak))

/* Declares a function of MPI, which is NULL in a language that the program
 * lacks. */
#define WM_MPI_FUNCTION(Name, name, ...)                                       \
	WEAK int PMPI_##Name(__VA_ARGS__);                                     \
	WEAK void pmpi_##name##_(__VA_ARGS__, int *error)

/* Asks MPI in the language of @c.  The result is MPI's error, or 1 if there is
 * no such function. */
#define WM_MPI_ASK(c, Name, name, ...)                                         \
	__extension__({                                                        \
		int error_ = 1;                                                \
                                                                               \
		if (!(c)->fortran && PMPI_##Name)                              \
			error_ = PMPI_##Name(__VA_ARGS__);                     \
		else if ((c)->fortran && pmpi_##name##_)                       \
			pmpi_##name##_(__VA_ARGS__, &error_);                  \
		error_;                                                        \
	})

WM_MPI_FUNCTION(Comm_rank, comm_rank, const void *comm, int *rank);
extern WEAK char ompi_mpi_comm_world[];

#define WM_MPI_IN_PLACE ((const void *)1)
/* A buffer that is not in one piece, and so is not recorded. */
#define WM_MPI_SCATTERED ((const void *)2)

/* An array of int, or of 64 bits (for long counts), or none. */
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

/* Without @counts, @pieces times @count elements, one after the other.  With
 * @counts, piece i has counts[i] elements from displs[i] on, in extents of the
 * type; without displs, pieces follow each other.  With @types, each piece has
 * its own type, and displs[i] is in bytes. */
struct wm_mpi_part {
	const void *buf;
	bool any; /* false: the buffer is not accessed */
	const void *type; /* in Fortran its address */
	long first; /* elements of the buffer before the first piece */
	long count;
	int pieces;
	int left_out; /* number of a piece that is not accessed, or -1 */
	uint64_t absent; /* bit i: piece i is not accessed */
	struct wm_mpi_numbers counts, displs;
	const void *types;
};

struct wm_mpi_call {
	const void *caller; /* where the program's call returns to */
	bool fortran;
	struct wm_mpi_part in, also_in, out;
	const void *kept; /* the request that starts the accesses; NULL: they
			   * are made now */
	struct wm_mpi_kept *keeper; /* the entry of that request */
	struct wm_mpi_kept *freed; /* the entry of a request to be freed */
	uint64_t freed_made; /* .made of that entry, before the call */
	bool no_message; /* MPI_MESSAGE_NO_PROC: nothing is received */
	void *status; /* receives: address for the status; else NULL */
	uint64_t room[32]; /* for a status that the program ignores */
};

/* Whether MPI may be asked: it is between MPI_Init and MPI_Finalize. */
bool wm_mpi_is_running(const struct wm_mpi_call *c) wm_hidden;

/* Where MPI stores the status: @status, or c->room if the program wants
 * none. */
void *wm_mpi_status(struct wm_mpi_call *c, void *status) wm_hidden;

/* Reads the handle at @message, which the call resets.  Returns @message. */
void *wm_mpi_message(struct wm_mpi_call *c, void *message) wm_hidden;

/* Persistent requests (mpi_persistent.c).  c->kept is the request that was
 * made. */
struct wm_mpi_kept;
struct wm_mpi_bytes {
	void *at;
	size_t size;
};
/* Returns an empty entry, or NULL without memory; the loss is counted. */
struct wm_mpi_kept *wm_mpi_keeper(const struct wm_mpi_call *c) wm_hidden;
/* Adds bytes to the entry, in the order in which they are accessed. */
void wm_mpi_keep(struct wm_mpi_kept *keeper, struct wm_mpi_bytes bytes,
		 uint32_t what) wm_hidden;
/* Records the accesses of started requests.  Requests without an entry are
 * ignored. */
void wm_mpi_started(const struct wm_mpi_call *c, const void *requests,
		    int count) wm_hidden;
/* Called before and after @request is freed.  wm_mpi_freeing() returns
 * @request. */
void *wm_mpi_freeing(struct wm_mpi_call *c, void *request) wm_hidden;
void wm_mpi_freed(const struct wm_mpi_call *c) wm_hidden;

/* Whether handles in C are addresses (Open MPI, MPI-5's standard), not int. */
bool wm_mpi_has_wide_handles(void) wm_hidden;

/* Records the accesses of a call that has succeeded and has a plan. */
void wm_mpi_call_done(struct wm_mpi_call *c) wm_hidden;

/* Plans: each sets the buffers that the call of this name reads and writes.
 * Arguments have the standard's names.  A send and receive with replacement has
 * one buffer for both. */
void wm_mpi_plan_send(struct wm_mpi_call *c, const void *buf, long count,
		      const void *type, int dest) wm_hidden;
/* Needs a call of wm_mpi_status() before. */
void wm_mpi_plan_recv(struct wm_mpi_call *c, const void *buf, long count,
		      const void *type) wm_hidden;
/* Plans a receive of the whole buffer, as the message's size is unknown. */
void wm_mpi_plan_irecv(struct wm_mpi_call *c, const void *buf, long count,
		       const void *type, int source) wm_hidden;
/* Plans @pieces of @count elements each, which are received (@comes) or
 * sent. */
void wm_mpi_plan_partitions(struct wm_mpi_call *c, const void *buf, int pieces,
			    long count, const void *type, int rank,
			    bool comes) wm_hidden;
/* Needs a call of wm_mpi_message() before. */
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
/* Rank i gets @counts[i] elements or, without @counts, @count elements. */
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
	const void *types;
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

/* For calls of windows that return a value; MPI_NO_OP does not read @in. */
void wm_mpi_plan_fetch(struct wm_mpi_call *c, struct wm_mpi_side in,
		       struct wm_mpi_side out, int rank,
		       const void *op) wm_hidden;
void wm_mpi_plan_swap(struct wm_mpi_call *c, const void *in, const void *old,
		      const void *out, const void *type, int rank) wm_hidden;

/* Bit i of @absent is set if neighbour i is MPI_PROC_NULL, at the edge of a
 * grid. */
struct wm_mpi_neighbors {
	int sources, destinations;
	uint64_t absent;
};
bool wm_mpi_neighbors(const struct wm_mpi_call *c, const void *comm,
		      struct wm_mpi_neighbors *n) wm_hidden;
