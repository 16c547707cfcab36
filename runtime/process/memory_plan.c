/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/process/memory_plan.h"

#include <sys/resource.h>

#include "wm/trace_format.h"

#include "runtime/base/file_text.h"
#include "runtime/base/on_stack.h"
#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/callpath/callpath.h"
#include "runtime/callpath/pathdb.h"
#include "runtime/trace/blocks.h"
#include "runtime/trace/encode.h"
#include "runtime/trace/head.h"
#include "runtime/trace/holders.h"
#include "runtime/trace/names.h"
#include "runtime/trace/crash_buffer.h"
#include "runtime/trace/writer.h"
#include "runtime/trace/xz.h"

#define MIB ((size_t)1 << 20)
/* In the executable: 270 KiB of code, 230 KiB of data, the parts of the C
 * library that the runtime needs, and the ends of pages. */
#define IMAGE_BYTES (640u << 10)
/* State, environment, modules, the ends of pages. */
#define SMALL_BYTES (256u << 10)
/* The dictionary takes one part in SHARE of the memory that a limit leaves. */
#define SHARE 32

/* Columns of an event: 20 for its time, 44 for it as one of OPS, 10 for
 * EXTRA. */
#define EVENT_BYTES 74u

/* Columns take no more than the block that they are packed into. */
static size_t writer_bytes(void)
{
	wm_memory_plan.block = (wm_options.buffer_bytes /
					sizeof(struct wm_rec) +
				1) * EVENT_BYTES +
			       WM_BLOCK_DICT + (64u << 10);
	return 2 * wm_memory_plan.block + WM_WRITER_STACK + WM_BLOCK_DICT +
	       WM_HEAD_ROOM + (2 * WMT_COL_LIMIT + 2) * WM_PAGE;
}

static size_t process_bytes(void)
{
	return SMALL_BYTES + WM_ASIDE_BYTES + WM_PAGE + writer_bytes() +
	       wm_encode_ops_bytes() + wm_xz_bytes() + wm_names_bytes() +
	       wm_holders_bytes();
}

static size_t thread_bytes(void)
{
	return wm_crash_buffer_slot_bytes() + wm_callpath_bytes();
}

static size_t crash_buffer_bytes(void)
{
	return wm_options.no_crash_buffer ? 0 : wm_crash_buffer_bytes();
}

/* Returns the bytes of address space in use, or with @data those of data. */
static uint64_t in_use(int data)
{
	char buf[128];
	const char *p = buf;
	uint64_t pages = 0;

	wm_file_text("/proc/self/statm", buf, sizeof(buf));
	/* size resident shared text lib data dt */
	for (int i = 0; i <= (data ? 5 : 0) && p; i++) {
		p = wm_str_uint(p, &pages);
		if (p && *p == ' ')
			p++;
	}
	return p ? pages * wm_kernel_page() : 0;
}

/* Returns the bytes that limits on address space leave, or UINT64_MAX. */
static uint64_t space_left(void)
{
	static const int limits[] = { RLIMIT_AS, RLIMIT_DATA };
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < 2; i++) {
		struct rlimit l;
		uint64_t used, left;

		if (WM_SYS4(SYS_prlimit64, 0, limits[i], 0, &l) ||
		    l.rlim_cur == RLIM_INFINITY)
			continue;
		used = in_use(i);
		left = l.rlim_cur > used ? l.rlim_cur - used : 0;
		least = left < least ? left : least;
	}
	return least;
}

static void warn_small(size_t wanted)
{
	struct wm_text t = wm_text_on(wm_options.warning,
				      sizeof(wm_options.warning));

	wm_text_add(&t, "WM_MEMORY is too small; taking ");
	wm_text_uint(&t, (wanted + 1023) / 1024, 1);
	wm_text_char(&t, 'K');
}

/* With WM_MEMORY: maps all memory that there will ever be. */
static bool start_alone(size_t least)
{
	size_t all = wm_options.memory,
	       outside = crash_buffer_bytes() + IMAGE_BYTES;

	if (all < least + outside + WM_PATHDB_MIN) {
		all = least + outside + WM_PATHDB_MIN;
		if (!wm_options.warning[0])
			warn_small(all);
	}
	wm_memory_plan.start = all;
	/* Tables and ends of regions take their part, too. */
	wm_memory_plan.dictionary = all - outside - least;
	if (wm_memory_plan.dictionary > WM_PATHDB_MAX)
		wm_memory_plan.dictionary = WM_PATHDB_MAX;
	return wm_pool_start(all - outside, true);
}

bool wm_memory_plan_start(void)
{
	size_t least = process_bytes() + thread_bytes(), paths = MIB, more = 0;
	uint64_t left;

	if (wm_options.memory)
		return start_alone(least);
	wm_memory_plan.dictionary = WM_PATHDB_MAX;
	wm_memory_plan.paths = WM_PATHDB_MAX - paths;
	left = space_left();
	if (left < (uint64_t)SHARE * WM_PATHDB_MAX) {
		wm_memory_plan.dictionary = (size_t)left / SHARE &
					    ~(MIB / 8 - 1);
		if (wm_memory_plan.dictionary < paths)
			wm_memory_plan.dictionary = paths;
		more = wm_memory_plan.dictionary - paths;
		wm_memory_plan.paths = 0;
	}
	wm_memory_plan.thread = thread_bytes() + 2 * WM_PAGE;
	wm_memory_plan.start = least + paths + more + crash_buffer_bytes() +
			       IMAGE_BYTES;
	return wm_pool_start(least + paths + more, false);
}
