/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers the calls of wm/hdf5_list.h, which make and close identifiers of HDF5.
 * An identifier is recorded as a handle (docs/trace-format.md, 5.13) when it
 * has been made.  It is recorded as freed when its last reference is gone; HDF5
 * is asked for this after a call that closes an identifier.  Only the outermost
 * call counts, because HDF5's drivers call its public functions, too.
 *
 * H5close closes all identifiers, and closing a file with H5F_CLOSE_STRONG
 * closes the objects in it, so there is a table of open identifiers.  H5close
 * does not count while the process exits, because HDF5 for C++ calls it then.
 *
 * This is a separate object, for programs with HDF5.  It calls HDF5 only after
 * a call that succeeded, when HDF5's stack of errors is empty.
 *
 * Leaves out maps, event sets, stacks and classes of errors, drivers and
 * connectors; and identifiers that are returned through an argument, as by
 * H5Pget_fapl_family.  Identifiers of two HDF5 libraries in one process are not
 * distinguished.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "wm/hdf5_list.h"
#include "wm/trace_format.h"
#include "wm/wrap_list.h"

#include "wrappers/hand_on.h"

/* An identifier is in one of WINDOW entries of the first table that had room.
 * Each table is twice as large as the previous one; no table is freed. */
#define TABLES 24
#define WINDOW 16
#define FIRST 512

typedef _Atomic uint64_t place;

static place *_Atomic tables[TABLES];

static size_t places_of(size_t table)
{
	return (size_t)FIRST << table;
}

/* Returns NULL if there is no such table, or no memory for it. */
static place *window_of(size_t table, uint64_t id, bool make)
{
	size_t bytes = places_of(table) * sizeof(place);
	uint64_t at = (id * 0x9e3779b97f4a7c15) >> 32;
	place *p = atomic_load(&tables[table]), *other = NULL;

	if (!p && make) {
		p = wm_pool_map(bytes);
		if (p && !atomic_compare_exchange_strong(&tables[table], &other,
							 p)) {
			wm_pool_unmap(p, bytes);
			p = other;
		}
	}
	return p ? p + (at & (places_of(table) - 1) & -(size_t)WINDOW) : NULL;
}

static place *find_id(uint64_t id)
{
	for (size_t t = 0; t < TABLES; t++) {
		place *p = window_of(t, id, false);

		for (size_t i = 0; p && i < WINDOW; i++)
			if (atomic_load(&p[i]) == id)
				return &p[i];
	}
	return NULL;
}

/* Returns false if the identifier is open already. */
static bool add_id(uint64_t id)
{
	if (find_id(id))
		return false;
	for (size_t t = 0; t < TABLES; t++) {
		place *p = window_of(t, id, true);

		for (size_t i = 0; p && i < WINDOW; i++) {
			uint64_t none = 0;

			if (atomic_compare_exchange_strong(&p[i], &none, id))
				return true;
		}
	}
	return true;
}

/* Identifiers have 64 bits since HDF5 1.10, and had 32 bits before.  The upper
 * bits are the type. */
static _Atomic bool wide;
/* A file may close the objects in it. */
static _Atomic bool strong;

static uint64_t id_of(arg a)
{
	return wide ? a : (uint32_t)a;
}

static bool is_file(uint64_t id)
{
	return (wide ? id >> 56 : id >> 24) == 1;
}

static void *handle_of(uint64_t id)
{
	return (void *)wmt_handle(WMT_HANDLE_HDF5,
				  id >> 56 << 50 | (id & ((1ull << 50) - 1)));
}

/* For musl, whose exit() is in no call path.  musl calls this handler after all
 * handlers that were registered after the first identifier was made. */
extern const char *gnu_get_libc_version(void) __attribute__((weak));
static _Atomic bool watched, exits;

static void exit_begins(void)
{
	exits = true;
}

static void watch_exit(void)
{
	if (!gnu_get_libc_version && !atomic_exchange(&watched, true))
		atexit(exit_begins);
}

static void record_made(uint64_t id, unsigned number, const uintptr_t *frame)
{
	if (!wm_enter())
		return;
	if (add_id(id))
		wm_rec_alloc(WMT_EV_MPI_ALLOC, handle_of(id), number, frame);
	watch_exit();
	wm_leave();
}

static void record_closed(uint64_t id)
{
	place *p;

	if (!wm_enter())
		return;
	p = find_id(id);
	if (p)
		atomic_store(p, 0);
	wm_rec_release(WMT_EV_MPI_FREE, handle_of(id));
	wm_leave();
}

/* The address of a function of another library, or NULL. */
#ifdef WM_DYNAMIC
#define ADDRESS(name, frame)                                                   \
	__extension__({                                                        \
		static void *_Atomic kept;                                     \
		wm_next(&kept, #name, (void *)(frame)[1], NULL);               \
	})
#else
extern function H5Iis_valid __attribute__((weak));
#define ADDRESS(name, frame) ((void)(frame), (void *)&name)
#endif

static bool is_open(uint64_t id, const uintptr_t *frame)
{
	function *f = (function *)ADDRESS(H5Iis_valid, frame);
	arg a[MOST_ARGUMENTS] = { id };

	return f && (int)CALL_BEHIND(f, a) > 0;
}

/* Records as closed all open identifiers, or only those that HDF5 closed with a
 * file.  These may include a type that is not in the file. */
static void close_many(bool all, const uintptr_t *frame)
{
	for (size_t t = 0; t < TABLES; t++) {
		place *p = atomic_load(&tables[t]);

		for (size_t i = 0; p && i < places_of(t); i++) {
			uint64_t id = atomic_load(&p[i]);

			if (id && (all || !is_open(id, frame)))
				record_closed(id);
		}
	}
}

#define BYTES_OF_EXIT 64

/* Returns whether the path of the call leads through exit(). */
static bool is_at_exit(const uintptr_t *frame)
{
	uintptr_t after = (uintptr_t)ADDRESS(exit, frame) + 1;
	bool is = exits;

	if (wm_enter()) {
		is |= wm_path_leads_through(frame, after, BYTES_OF_EXIT);
		wm_leave();
	}
	return is;
}

/* A shim's description: the kind of call; number of a function or argument. */
#define MAKES (1u << 16)
#define CLOSES (2u << 16)
#define CLOSES_ALL (3u << 16)
#define SETS_DEGREE (4u << 16)
#define H5F_CLOSE_STRONG 3

#define NEXT(kept, name, caller) wm_next(kept, name, caller, NULL)

/* The stack address of this thread's outermost call, or 0. */
static __thread uintptr_t in_call;

static void has_returned(const arg *a, arg r, unsigned what,
			 const uintptr_t *frame)
{
	unsigned kind = what & ~0xffffu, number = what & 0xffff;
	uint64_t id;

	if (kind == MAKES) {
		if (r >> 32 ? (int64_t)r < 0 : (int32_t)r <= 0)
			return;
		if (r >> 32)
			wide = true;
		record_made(r, number, frame);
	} else if ((int)r >= 0 && kind == CLOSES) {
		id = id_of(a[number]);
		if (is_open(id, frame))
			return;
		record_closed(id);
		if (strong && is_file(id))
			close_many(false, frame);
	} else if ((int)r >= 0 && kind == CLOSES_ALL) {
		if (!is_at_exit(frame))
			close_many(true, frame);
	} else if ((int)r >= 0 && (int)a[1] == H5F_CLOSE_STRONG) {
		strong = true;
	}
}

static __attribute__((noinline)) arg
wm_hdf5_call(arg *a, unsigned what, const uintptr_t *frame, BEHIND)
{
	function *f = FIND(NEXT, frame);
	bool outer = wm_outermost(&in_call, frame);
	arg r = f ? CALL_BEHIND(f, a) : (arg)-1;
	int saved = errno;

	if (!outer)
		return r;
	has_returned(a, r, what, frame);
	in_call = 0;
	errno = saved;
	return r;
}

#define TAKE_0 void
#define SET_0 a[0] = 0
#define SHIM(what, name, n)                                                    \
	WM_HAND_ON(arg, wm_hdf5_, what, name, (SET_##n), TAKE_##n)
#define MADE_ROW(x, number, name, n) SHIM(MAKES | (number), name, n)
#define CLOSED_ROW(x, name, n, at) SHIM(CLOSES | (at - 1), name, n)

WM_HDF5_IN_FILE(MADE_ROW, none)
WM_HDF5_FREE(MADE_ROW, none)
WM_HDF5_CLOSED(CLOSED_ROW, none)
SHIM(CLOSES_ALL, H5close, 0)
SHIM(SETS_DEGREE, H5Pset_fclose_degree, 2)
