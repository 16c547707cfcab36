/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers the calls of <wm/wmtrace.h> and of the Fortran module wmtrace: phases,
 * names of blocks and regions, marks, pauses, snapshots, and the choice of
 * loads and stores to record.
 *
 * These functions are in no library: when wmcc links this object, weak
 * references in the program find them, and in Fortran a common block does.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wm/trace_format.h"

#include "runtime/hooks.h"

void wm_api_phase(const char *name) wm_export;
void wm_api_name(const void *block, const char *name) wm_export;
void wm_api_pause(void) wm_export;
void wm_api_resume(void) wm_export;
void wm_api_snapshot(const char *name) wm_export;
void wm_api_accesses(int on, int all) wm_export;
void wm_api_say(int what, const void *address, size_t bytes, size_t element,
		const char *text, size_t most) wm_export;

static void annotate(unsigned kind, const void *block, const char *name,
		     size_t length)
{
	if (!wm_enter())
		return;
	wm_annotate(kind, block, name, length);
	wm_leave();
}

static void pause_recording(bool on)
{
	if (!wm_enter())
		return;
	wm_annotate_pause(on);
	wm_leave();
}

void wm_api_phase(const char *name)
{
	annotate(WMT_EV_PHASE, NULL, name, SIZE_MAX);
}

void wm_api_name(const void *block, const char *name)
{
	if (block)
		annotate(WMT_EV_NAME, block, name, SIZE_MAX);
}

void wm_api_pause(void)
{
	pause_recording(true);
}

void wm_api_resume(void)
{
	pause_recording(false);
}

void wm_api_snapshot(const char *name)
{
	annotate(WMT_EV_SNAPSHOT, NULL, name, SIZE_MAX);
}

/* Records nothing, so it may be called during an allocation. */
void wm_api_accesses(int on, int all)
{
	wm_annotate_accesses(on, all);
}

void wm_api_say(int what, const void *address, size_t bytes, size_t element,
		const char *text, size_t most)
{
	if (!wm_enter())
		return;
	switch (what) { /* as in wmtrace.h and wmtrace.f90 */
	case 1:
		wm_annotate_saying(WMT_SAYING_NEXT, text, most);
		break;
	case 2:
		wm_annotate_saying(WMT_SAYING_MARK, text, most);
		break;
	case 3:
		wm_annotate_region(address, bytes, element, text, most);
		break;
	case 4:
		wm_annotate_region_end(address);
		break;
	}
	wm_leave();
}

static void fortran_phase(const char *name, size_t length)
{
	annotate(WMT_EV_PHASE, NULL, name, length);
}

static void fortran_name(const void *block, const char *name, size_t length)
{
	if (block)
		annotate(WMT_EV_NAME, block, name, length);
}

static void fortran_snapshot(const char *name, size_t length)
{
	annotate(WMT_EV_SNAPSHOT, NULL, name, length);
}

/* The hooks in the order of include/wm/wmtrace.f90.  The linker complains if
 * the struct is smaller or less aligned than the common block. */
struct fortran_hooks {
	_Alignas(64) void (*phase)(const char *, size_t);
	void (*name)(const void *, const char *, size_t);
	void (*pause)(void);
	void (*resume)(void);
	void (*snapshot)(const char *, size_t);
	void (*accesses)(int, int);
	void (*say)(int, const void *, size_t, size_t, const char *, size_t);
	void *more;
};
extern const struct fortran_hooks wm_fortran_hooks wm_export;
const struct fortran_hooks wm_fortran_hooks = {
	.phase = fortran_phase,
	.name = fortran_name,
	.pause = wm_api_pause,
	.resume = wm_api_resume,
	.snapshot = fortran_snapshot,
	.accesses = wm_api_accesses,
	.say = wm_api_say,
};
