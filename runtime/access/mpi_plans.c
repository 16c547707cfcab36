/* SPDX-License-Identifier: Apache-2.0 */
/* The buffers that each function reads and writes, by the MPI standard.  Left
 * out: collective calls of intercommunicators. */
#include "runtime/access/mpi_buffers.h"

WM_MPI_FUNCTION(Comm_size, comm_size, const void *comm, int *size);
WM_MPI_FUNCTION(Comm_test_inter, comm_test_inter, const void *comm, int *inter);

/* Addresses of Fortran's special values: in Open MPI, in MPICH's block, and in
 * MPICH's mpi_f08. */
extern WEAK char mpi_fortran_bottom_[], mpi_fortran_in_place_[],
	mpi_fortran_status_ignore_[], MPIR_F08_MPI_BOTTOM[],
	MPIR_F08_MPI_IN_PLACE[], MPIR_F08_MPI_STATUS_IGNORE_OBJ[],
	ompi_message_no_proc[], ompi_mpi_op_no_op[];
struct mpich_block {
	int bottom, in_place, status_ignore[8];
};
extern WEAK struct mpich_block mpipriv1_;

static bool is_one_of(const void *p, const void *a, const void *b,
		      const void *c)
{
	return p && (p == a || p == b || p == c);
}

static const void *buffer_of(const struct wm_mpi_call *c, const void *buf)
{
	const struct mpich_block *m = &mpipriv1_;

	if (!c->fortran) /* -1 is MPICH's */
		return (uintptr_t)buf == UINTPTR_MAX ? WM_MPI_IN_PLACE : buf;
	if (is_one_of(buf, mpi_fortran_in_place_, m ? &m->in_place : NULL,
		      MPIR_F08_MPI_IN_PLACE))
		return WM_MPI_IN_PLACE;
	if (is_one_of(buf, mpi_fortran_bottom_, m ? &m->bottom : NULL,
		      MPIR_F08_MPI_BOTTOM))
		return NULL;
	return buf;
}

/* In C a small number means that the program ignores the status. */
static bool is_ignored(const struct wm_mpi_call *c, const void *status)
{
	const struct mpich_block *m = &mpipriv1_;

	if (!c->fortran)
		return (uintptr_t)status <= 1;
	return is_one_of(status, mpi_fortran_status_ignore_,
			 m ? &m->status_ignore : NULL,
			 MPIR_F08_MPI_STATUS_IGNORE_OBJ);
}

void *wm_mpi_status(struct wm_mpi_call *c, void *status)
{
	c->status = is_ignored(c, status) ? (void *)c->room : status;
	return c->status;
}

static struct wm_mpi_part part(const struct wm_mpi_call *c, const void *buf,
			       long count, const void *type, int pieces)
{
	return (struct wm_mpi_part){
		.buf = buffer_of(c, buf),
		.any = buf != WM_MPI_SCATTERED,
		.type = type,
		.count = count,
		.pieces = pieces,
		.left_out = -1,
	};
}

static struct wm_mpi_part side(const struct wm_mpi_call *c,
			       const struct wm_mpi_side *s, int ranks)
{
	struct wm_mpi_part p = part(c, s->buf, s->count, s->type, ranks);

	p.counts = s->counts;
	p.displs = s->displs;
	p.types = s->types;
	return p;
}

static struct wm_mpi_numbers behind(struct wm_mpi_numbers n, int i)
{
	return (struct wm_mpi_numbers){ n.narrow ? n.narrow + i : NULL,
					n.wide ? n.wide + i : NULL };
}

static struct wm_mpi_part piece(struct wm_mpi_part p, int rank)
{
	p.pieces = 1;
	p.left_out = -1;
	if (!wm_mpi_has(p.counts)) {
		p.first = rank * p.count;
		return p;
	}
	p.counts = behind(p.counts, rank);
	p.displs = behind(p.displs, rank);
	return p;
}

static bool is_in_place(const struct wm_mpi_part *p)
{
	return p->buf == WM_MPI_IN_PLACE;
}

static bool place_in(const struct wm_mpi_call *c, const void *comm, int *rank,
		     int *ranks)
{
	int inter = 1;

	return !WM_MPI_ASK(c, Comm_test_inter, comm_test_inter, comm, &inter) &&
	       !inter && !WM_MPI_ASK(c, Comm_rank, comm_rank, comm, rank) &&
	       !WM_MPI_ASK(c, Comm_size, comm_size, comm, ranks);
}

void wm_mpi_plan_send(struct wm_mpi_call *c, const void *buf, long count,
		      const void *type, int dest)
{
	if (dest >= 0) /* else MPI_PROC_NULL */
		c->in = part(c, buf, count, type, 1);
}

void wm_mpi_plan_recv(struct wm_mpi_call *c, const void *buf, long count,
		      const void *type)
{
	c->out = part(c, buf, count, type, 1);
}

/* A constant handle: in Open MPI its object, and its number in Fortran; else
 * numbers of all languages. */
struct special {
	const void *openmpi;
	int openmpi_number;
	int standard; /* of the MPI-5 standard */
	int mpich;
};

/* The upper half of an int in a register is undefined. */
static bool is_handle(const struct wm_mpi_call *c, const void *handle,
		      struct special s)
{
	bool wide = wm_mpi_has_wide_handles();

	if (c->fortran)
		return *(const int *)handle == (ompi_mpi_comm_world ?
							s.openmpi_number :
						wide ? s.standard :
						       s.mpich);
	if (!wide)
		return (int)(uintptr_t)handle == s.mpich;
	if (!ompi_mpi_comm_world)
		return (uintptr_t)handle == (uintptr_t)s.standard;
	return s.openmpi && handle == s.openmpi;
}

static struct special no_proc(void)
{
	return (struct special){ ompi_message_no_proc, 1, 0x129, 0x6c000000 };
}

static struct special no_op(void)
{
	return (struct special){ ompi_mpi_op_no_op, 14, 0x3d, 0x5800000e };
}

void wm_mpi_plan_irecv(struct wm_mpi_call *c, const void *buf, long count,
		       const void *type, int source)
{
	/* Some MPIs have MPI_PROC_NULL where others have MPI_ANY_SOURCE. */
	if (source >= 0 || source == (wm_mpi_has_wide_handles() ? -1 : -2))
		c->out = part(c, buf, count, type, 1);
}

void wm_mpi_plan_partitions(struct wm_mpi_call *c, const void *buf, int pieces,
			    long count, const void *type, int rank, bool comes)
{
	if (rank >= 0) /* otherwise MPI_PROC_NULL */
		*(comes ? &c->out : &c->in) = part(c, buf, count, type, pieces);
}

void *wm_mpi_message(struct wm_mpi_call *c, void *message)
{
	const void *m = message;

	if (!message) /* MPI will report it */
		return message;
	if (!c->fortran && wm_mpi_has_wide_handles())
		m = *(const void **)message;
	else if (!c->fortran)
		m = (const void *)(uintptr_t) * (const unsigned *)message;
	c->no_message = is_handle(c, m, no_proc());
	return message;
}

void wm_mpi_plan_imrecv(struct wm_mpi_call *c, const void *buf, long count,
			const void *type)
{
	if (!c->no_message)
		c->out = part(c, buf, count, type, 1);
}

void wm_mpi_plan_fetch(struct wm_mpi_call *c, struct wm_mpi_side in,
		       struct wm_mpi_side out, int rank, const void *op)
{
	if (rank < 0) /* MPI_PROC_NULL */
		return;
	if (!is_handle(c, op, no_op()))
		c->in = side(c, &in, 1);
	c->out = side(c, &out, 1);
}

void wm_mpi_plan_swap(struct wm_mpi_call *c, const void *in, const void *old,
		      const void *out, const void *type, int rank)
{
	if (rank < 0)
		return;
	c->in = part(c, in, 1, type, 1);
	c->also_in = part(c, old, 1, type, 1);
	c->out = part(c, out, 1, type, 1);
}

void wm_mpi_plan_bcast(struct wm_mpi_call *c, const void *buf, long count,
		       const void *type, int root, const void *comm)
{
	int rank, ranks;

	if (!place_in(c, comm, &rank, &ranks))
		return;
	*(rank == root ? &c->in : &c->out) = part(c, buf, count, type, 1);
}

void wm_mpi_plan_allreduce(struct wm_mpi_call *c, const void *in,
			   const void *out, long count, const void *type,
			   const void *comm)
{
	int rank, ranks;

	if (!place_in(c, comm, &rank, &ranks))
		return;
	c->in = part(c, in, count, type, 1);
	c->out = part(c, out, count, type, 1);
	if (is_in_place(&c->in))
		c->in = c->out;
}

void wm_mpi_plan_reduce(struct wm_mpi_call *c, const void *in, const void *out,
			long count, const void *type, int root,
			const void *comm)
{
	int rank, ranks;

	wm_mpi_plan_allreduce(c, in, out, count, type, comm);
	if (c->in.any && place_in(c, comm, &rank, &ranks) && rank != root)
		c->out.any = false;
}

/* The first rank receives nothing. */
void wm_mpi_plan_exscan(struct wm_mpi_call *c, const void *in, const void *out,
			long count, const void *type, const void *comm)
{
	int rank, ranks;

	wm_mpi_plan_allreduce(c, in, out, count, type, comm);
	if (c->in.any && place_in(c, comm, &rank, &ranks) && rank == 0)
		c->out.any = false;
}

void wm_mpi_plan_reduce_scatter(struct wm_mpi_call *c, const void *in,
				const void *out, struct wm_mpi_numbers counts,
				long count, const void *type, const void *comm)
{
	struct wm_mpi_side all = {
		.buf = in, .count = count, .counts = counts, .type = type
	};
	int rank, ranks;

	if (!place_in(c, comm, &rank, &ranks))
		return;
	c->in = side(c, &all, ranks);
	c->out = part(c, out,
		      wm_mpi_has(counts) ? wm_mpi_number(counts, rank) : count,
		      type, 1);
	if (is_in_place(&c->in))
		c->in.buf = c->out.buf;
}

void wm_mpi_plan_gather(struct wm_mpi_call *c, struct wm_mpi_side in,
			struct wm_mpi_side out, int root, const void *comm)
{
	int rank, ranks;

	if (!place_in(c, comm, &rank, &ranks))
		return;
	c->in = side(c, &in, 1);
	if (rank != root)
		return;
	c->out = side(c, &out, ranks);
	if (is_in_place(&c->in)) {
		c->in.any = false;
		c->out.left_out = rank;
	}
}

void wm_mpi_plan_scatter(struct wm_mpi_call *c, struct wm_mpi_side in,
			 struct wm_mpi_side out, int root, const void *comm)
{
	int rank, ranks;

	if (!place_in(c, comm, &rank, &ranks))
		return;
	c->out = side(c, &out, 1);
	if (rank != root)
		return;
	c->in = side(c, &in, ranks);
	if (is_in_place(&c->out)) {
		c->out.any = false;
		c->in.left_out = rank;
	}
}

void wm_mpi_plan_allgather(struct wm_mpi_call *c, struct wm_mpi_side in,
			   struct wm_mpi_side out, const void *comm)
{
	int rank, ranks;

	if (!place_in(c, comm, &rank, &ranks))
		return;
	c->in = side(c, &in, 1);
	c->out = side(c, &out, ranks);
	if (!is_in_place(&c->in))
		return;
	/* The rank's own piece is in place, and is read. */
	c->in = piece(c->out, rank);
	c->out.left_out = rank;
}

void wm_mpi_plan_alltoall(struct wm_mpi_call *c, struct wm_mpi_side in,
			  struct wm_mpi_side out, const void *comm)
{
	int rank, ranks;

	if (!place_in(c, comm, &rank, &ranks))
		return;
	c->in = side(c, &in, ranks);
	c->out = side(c, &out, ranks);
	if (is_in_place(&c->in))
		c->in = c->out;
}

/* Topologies have no MPI_IN_PLACE. */

void wm_mpi_plan_neighbor_allgather(struct wm_mpi_call *c,
				    struct wm_mpi_side in,
				    struct wm_mpi_side out, const void *comm)
{
	struct wm_mpi_neighbors n;
	int there = 0;

	if (!wm_mpi_neighbors(c, comm, &n))
		return;
	for (int i = 0; i < n.destinations && !there; i++)
		there = i >= 64 || !(n.absent >> i & 1);
	if (there)
		c->in = side(c, &in, 1);
	c->out = side(c, &out, n.sources);
	c->out.absent = n.absent;
}

void wm_mpi_plan_neighbor_alltoall(struct wm_mpi_call *c, struct wm_mpi_side in,
				   struct wm_mpi_side out, const void *comm)
{
	struct wm_mpi_neighbors n;

	if (!wm_mpi_neighbors(c, comm, &n))
		return;
	c->in = side(c, &in, n.destinations);
	c->out = side(c, &out, n.sources);
	c->in.absent = c->out.absent = n.absent;
}
