/* SPDX-License-Identifier: Apache-2.0 */
/* A nonblocking request that ends while it is being written into the trace: its
 * end comes after it, and once. */
#include <stdlib.h>
#include <string.h>

#include "wm/trace_format.h"

#include "runtime/base/clock.h"
#include "runtime/base/state.h"
#include "runtime/hooks.h"
#include "tests/unit/tap.h"

/* Stubs of the runtime: events are letters. */
_Atomic int wm_slow_reasons;
static struct wm_state state;
struct wm_state *wm_state = &state;
static char events[16];
static size_t used;
int wm_clock_kind;
static uint64_t ticks;
static void (*meanwhile)(void); /* done by another thread */

uint64_t wm_clock_slow_ticks(void)
{
	return ++ticks;
}

static void note(char c)
{
	events[used++] = c;
	events[used] = 0;
}

void wm_rec_known(unsigned kind, const void *p, size_t size,
		  const struct wm_known_path *path)
{
	(void)kind, (void)p, (void)size, (void)path;
	if (meanwhile)
		meanwhile();
	note('A');
}

void wm_rec_release(unsigned kind, const void *p)
{
	(void)kind, (void)p;
	note('F');
}

bool wm_rec_path(struct wm_known_path *path, const uintptr_t *frame)
{
	(void)path, (void)frame;
	return true;
}

void wm_aside(void (*f)(void *), void *arg)
{
	f(arg);
}

void *wm_pool_map(size_t bytes)
{
	return calloc(1, bytes);
}

void wm_pool_unmap(void *p, size_t bytes)
{
	(void)bytes;
	free(p);
}

static const void *const handle = (void *)(2ull << WMT_HANDLE_SHIFT | 77);
static int first, second;

static void begin(const int *where)
{
	wm_request_begins(handle, 1, where, NULL);
}

static void end(void)
{
	wm_request_ended(handle, &first);
}

static void end_and_begin(void)
{
	end();
	begin(&second);
	meanwhile = NULL;
}

static void is(const char *wanted, const char *what)
{
	ok(strcmp(events, wanted) == 0, "%s: %s of %s", what, events, wanted);
	used = 0;
	events[0] = 0;
}

int main(void)
{
	tap_plan(4);
	begin(&first);
	end();
	is("", "not written");
	begin(&first);
	wm_requests_write();
	end();
	is("AF", "ends after it was written");
	begin(&first);
	meanwhile = end;
	wm_requests_write();
	is("AF", "ends while it is written");
	begin(&first);
	meanwhile = end_and_begin;
	wm_requests_write();
	wm_requests_write();
	is("AFA", "another of its handle begins meanwhile");
	return tap_done();
}
