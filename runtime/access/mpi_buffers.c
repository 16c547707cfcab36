/* SPDX-License-Identifier: Apache-2.0 */
/* Asks MPI for the bytes of elements, and for the number of received
 * elements.  An element with gaps counts from its first byte to its last,
 * gaps included. */
#include "runtime/access/access.h"
#include "runtime/access/mpi_buffers.h"

#include <limits.h>

WM_MPI_FUNCTION(Initialized, initialized, int *flag);
WM_MPI_FUNCTION(Finalized, finalized, int *flag);
WM_MPI_FUNCTION(Type_size, type_size, const void *type, int *size);
WM_MPI_FUNCTION(Type_get_extent, type_get_extent, const void *type,
		intptr_t *low, intptr_t *extent);
WM_MPI_FUNCTION(Type_get_true_extent, type_get_true_extent, const void *type,
		intptr_t *low, intptr_t *extent);
WM_MPI_FUNCTION(Get_count, get_count, const void *status, const void *type,
		int *count);
/* In MPICH's archive it is beside PMPI_Get_count.  Other MPIs have none. */
WEAK int PMPI_Get_count_c(const void *status, const void *type, int64_t *count);

/* In bytes: from element to element, from an element's address to its first
 * byte, and from its first to its last byte. */
struct layout {
	intptr_t extent, low, span;
};

bool wm_mpi_is_running(const struct wm_mpi_call *c)
{
	int begun = 0, ended = 0;

	return !WM_MPI_ASK(c, Initialized, initialized, &begun) &&
	       !WM_MPI_ASK(c, Finalized, finalized, &ended) && begun && !ended;
}

static struct wm_mpi_bytes bytes_of(const void *buf, long first, long count,
				    const struct layout *l)
{
	intptr_t steps = (count - 1) * l->extent;
	uintptr_t at = (uintptr_t)buf + (uintptr_t)(first * l->extent + l->low);

	if (count <= 0)
		return (struct wm_mpi_bytes){ NULL, 0 };
	if (steps < 0) {
		at += (uintptr_t)steps;
		steps = -steps;
	}
	return (struct wm_mpi_bytes){ (void *)at, (size_t)(steps + l->span) };
}

static void record(const struct wm_mpi_call *c, const void *buf, long first,
		   long count, const struct layout *l, uint32_t what)
{
	struct wm_mpi_bytes b = bytes_of(buf, first, count, l);

	if (b.size && c->kept)
		wm_mpi_keep(c->keeper, b, what);
	else if (b.size)
		wm_access_range(b.at, b.size, c->caller, what);
}

static bool is_left_out(const struct wm_mpi_part *p, int i)
{
	return i == p->left_out || (i < 64 && p->absent >> i & 1);
}

/* Returns false if the layout is unknown. */
static bool ask_layout(const struct wm_mpi_call *c, const void *type,
		       struct layout *l)
{
	intptr_t low;
	int size = 0;

	return !WM_MPI_ASK(c, Type_size, type_size, type, &size) && size &&
	       !WM_MPI_ASK(c, Type_get_extent, type_get_extent, type, &low,
			   &l->extent) &&
	       !WM_MPI_ASK(c, Type_get_true_extent, type_get_true_extent, type,
			   &l->low, &l->span);
}

static const void *type_of_piece(const struct wm_mpi_call *c,
				 const struct wm_mpi_part *p, int i)
{
	if (c->fortran)
		return (const int *)p->types + i;
	if (wm_mpi_has_wide_handles())
		return ((const void *const *)p->types)[i];
	return (const void *)(uintptr_t)((const unsigned *)p->types)[i];
}

static void record_types(const struct wm_mpi_call *c,
			 const struct wm_mpi_part *p, uint32_t what)
{
	for (int i = 0; i < p->pieces; i++) {
		struct layout l = { 0, 0, 0 };
		intptr_t at;

		if (is_left_out(p, i) || wm_mpi_number(p->counts, i) <= 0 ||
		    !ask_layout(c, type_of_piece(c, p, i), &l))
			continue;
		at = wm_mpi_number(p->displs, i);
		record(c, (void *)((uintptr_t)p->buf + (uintptr_t)at), 0,
		       wm_mpi_number(p->counts, i), &l, what);
	}
}

static void record_pieces(const struct wm_mpi_call *c,
			  const struct wm_mpi_part *p, const struct layout *l,
			  uint32_t what)
{
	long all = 0;

	for (int i = 0; i < p->pieces; i++) {
		if (wm_mpi_has(p->displs) && !is_left_out(p, i))
			record(c, p->buf, wm_mpi_number(p->displs, i),
			       wm_mpi_number(p->counts, i), l, what);
		all += wm_mpi_number(p->counts, i);
	}
	if (!wm_mpi_has(p->displs))
		record(c, p->buf, 0, all, l, what);
}

/* Pieces of one size that follow each other become one access. */
static void record_equal(const struct wm_mpi_call *c,
			 const struct wm_mpi_part *p, const struct layout *l,
			 uint32_t what)
{
	int from = 0;

	for (int i = 0; i <= p->pieces; i++) {
		if (i < p->pieces && !is_left_out(p, i))
			continue;
		record(c, p->buf, p->first + from * p->count,
		       (i - from) * p->count, l, what);
		from = i + 1;
	}
}

/* If there are no elements, the datatype may be invalid. */
static bool has_elements(const struct wm_mpi_part *p)
{
	if (!wm_mpi_has(p->counts))
		return p->count > 0;
	for (int i = 0; i < p->pieces; i++)
		if (wm_mpi_number(p->counts, i) > 0 && !is_left_out(p, i))
			return true;
	return false;
}

static void record_part(const struct wm_mpi_call *c,
			const struct wm_mpi_part *p, uint32_t what)
{
	struct layout l = { 0, 0, 0 };

	if (!p->any || !has_elements(p))
		return;
	if (p->types)
		record_types(c, p, what);
	else if (!ask_layout(c, p->type, &l))
		return;
	else if (wm_mpi_has(p->counts))
		record_pieces(c, p, &l, what);
	else
		record_equal(c, p, &l, what);
}

/* Fortran's calls with long counts are MPICH's, where the handles are the same
 * numbers and the status is the same as in C. */
static long received_of_many(const struct wm_mpi_call *c)
{
	const void *type = c->fortran ? (const void *)(uintptr_t) *
						(const unsigned *)c->out.type :
					c->out.type;
	int64_t count = -1;

	if (!PMPI_Get_count_c || PMPI_Get_count_c(c->status, type, &count))
		return -1;
	return count;
}

static long received_of_few(const struct wm_mpi_call *c)
{
	int count = -1;

	return WM_MPI_ASK(c, Get_count, get_count, c->status, c->out.type,
			  &count) ?
		       -1 :
		       count;
}

/* If the last element is incomplete, all elements that fit are counted. */
static long received(const struct wm_mpi_call *c)
{
	long fit = c->out.count, count;

	count = fit > INT_MAX ? received_of_many(c) : received_of_few(c);
	return count < 0 || count > fit ? fit : count;
}

void wm_mpi_call_done(struct wm_mpi_call *c)
{
	struct wm_mpi_part out = c->out;

	if (c->kept)
		c->keeper = wm_mpi_keeper(c);
	if (c->kept && !c->keeper)
		return;
	record_part(c, &c->in, WM_ACCESS_WHAT(READ, BLOCK, 0));
	record_part(c, &c->also_in, WM_ACCESS_WHAT(READ, BLOCK, 0));
	if (c->status && out.any)
		out.count = received(c);
	record_part(c, &out, WM_ACCESS_WHAT(WRITE, BLOCK, 0));
}
