/* SPDX-License-Identifier: Apache-2.0 */
/* Asks MPI for the bytes of elements of a datatype, and for the number of
 * received elements.  An element of a datatype with gaps counts from its first
 * byte to its last, gaps included; so do elements that follow each other. */
#include "runtime/access/access.h"
#include "runtime/access/mpi_buffers.h"

#include <limits.h>

WEAK int PMPI_Type_size(const void *type, int *size);
WEAK int PMPI_Type_get_extent(const void *type, intptr_t *low,
			      intptr_t *extent);
WEAK int PMPI_Type_get_true_extent(const void *type, intptr_t *low,
				   intptr_t *extent);
WEAK int PMPI_Get_count(const void *status, const void *type, int *count);
/* In MPICH's archive it is beside PMPI_Get_count.  Other MPIs have none. */
WEAK int PMPI_Get_count_c(const void *status, const void *type, int64_t *count);

WEAK int PMPI_Initialized(int *flag);
WEAK int PMPI_Finalized(int *flag);

WEAK void pmpi_initialized_(int *flag, int *error);
WEAK void pmpi_finalized_(int *flag, int *error);
WEAK void pmpi_type_size_(const void *type, int *size, int *error);
WEAK void pmpi_type_get_extent_(const void *type, intptr_t *low,
				intptr_t *extent, int *error);
WEAK void pmpi_type_get_true_extent_(const void *type, intptr_t *low,
				     intptr_t *extent, int *error);
WEAK void pmpi_get_count_(const void *status, const void *type, int *count,
			  int *error);

/* In bytes: the distance of elements, the distance of an element's first byte
 * from its address, and the size from its first to its last byte. */
struct layout {
	intptr_t extent, low, span;
};

bool wm_mpi_is_running(const struct wm_mpi_call *c)
{
	int begun = 0, ended = 0, error;

	if (!c->fortran) {
		if (!PMPI_Initialized || !PMPI_Finalized)
			return false;
		PMPI_Initialized(&begun);
		PMPI_Finalized(&ended);
	} else {
		if (!pmpi_initialized_ || !pmpi_finalized_)
			return false;
		pmpi_initialized_(&begun, &error);
		pmpi_finalized_(&ended, &error);
	}
	return begun && !ended;
}

static bool layout_in_c(const void *type, struct layout *l)
{
	intptr_t low;
	int size = 0;

	return PMPI_Type_size && PMPI_Type_get_extent &&
	       PMPI_Type_get_true_extent && !PMPI_Type_size(type, &size) &&
	       size && !PMPI_Type_get_extent(type, &low, &l->extent) &&
	       !PMPI_Type_get_true_extent(type, &l->low, &l->span);
}

static bool layout_in_fortran(const void *type, struct layout *l)
{
	int size = 0, error = 0;
	intptr_t low;

	if (!pmpi_type_size_ || !pmpi_type_get_extent_ ||
	    !pmpi_type_get_true_extent_)
		return false;
	pmpi_type_size_(type, &size, &error);
	if (!error && size)
		pmpi_type_get_extent_(type, &low, &l->extent, &error);
	if (!error && size)
		pmpi_type_get_true_extent_(type, &l->low, &l->span, &error);
	return !error && size;
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

static bool ask_layout(const struct wm_mpi_call *c, const void *type,
		       struct layout *l)
{
	return c->fortran ? layout_in_fortran(type, l) : layout_in_c(type, l);
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
	int i;

	for (i = 0; i < p->pieces; i++) {
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
	int i;

	for (i = 0; i < p->pieces; i++) {
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
	int from = 0, i;

	for (i = 0; i <= p->pieces; i++) {
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
	int i;

	if (!wm_mpi_has(p->counts))
		return p->count > 0;
	for (i = 0; i < p->pieces; i++)
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

/* Calls of Fortran with long counts are MPICH's, where the handles are the same
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
	int count = -1, error = 0;

	if (!c->fortran && PMPI_Get_count)
		error = PMPI_Get_count(c->status, c->out.type, &count);
	else if (c->fortran && pmpi_get_count_)
		pmpi_get_count_(c->status, c->out.type, &count, &error);
	return error ? -1 : count;
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
