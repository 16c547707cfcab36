/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/base/losses.h"
#include "runtime/base/report.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>

#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"

/* The file of descriptor 2 at the start; 0 and 0 if it was closed. */
static uint64_t stderr_id[2];

void wm_report_start(void)
{
	if (wm_sys_which(2, "", AT_EMPTY_PATH, stderr_id))
		stderr_id[0] = stderr_id[1] = 0;
}

/* Returns false if a line could get into a file of the program, raise SIGPIPE,
 * or wait for the reader of a full pipe. */
static bool stderr_is_fit(void)
{
	struct pollfd fd = { .fd = 2, .events = POLLOUT };
	struct timespec at_once = { 0, 0 };
	uint64_t id[2];

	return wm_sys_which(2, "", AT_EMPTY_PATH, id) == 0 &&
	       wm_sys_is_same(id, stderr_id) &&
	       WM_SYS6(SYS_ppoll, &fd, 1, &at_once, 0, 8, 0) == 1 &&
	       fd.revents == POLLOUT;
}

void wm_report_text(const char *line, size_t n)
{
	const uint64_t ours = UINT64_C(1) << (SIGPIPE - 1) |
			      UINT64_C(1) << (SIGXFSZ - 1);
	struct timespec at_once = { 0, 0 };
	uint64_t old, pending = 0, raised;

	wm_sys_block_signals(&old);
	WM_SYS2(SYS_rt_sigpending, &pending, 8);
	if (stderr_is_fit())
		wm_sys_write(2, line, n);
	raised = ours & ~pending;
	if (raised)
		WM_SYS4(SYS_rt_sigtimedwait, &raised, 0, &at_once, 8);
	wm_sys_restore_signals(&old);
}

static void add_part(struct wm_text *t, const char *s)
{
	if (t->len)
		wm_text_add(t, "; ");
	else
		wm_text_add(t, "wmtrace: ");
	wm_text_plain(t, s);
}

static void add_count(struct wm_text *t, uint64_t n, const char *what)
{
	wm_text_uint(t, n, 1);
	wm_text_add(t, what);
}

void wm_report_line(const char *what)
{
	char line[1024];
	struct wm_text t = wm_text_on(line, sizeof(line) - 1);

	if (wm_options.quiet)
		return;
	add_part(&t, what);
	line[t.len] = '\n';
	wm_report_text(line, t.len + 1);
}

void wm_report_say(const char *what)
{
	if (wm_identity.rank == 0)
		wm_report_line(what);
}

void wm_report_losses(void)
{
	const struct wm_state *st = wm_state;
	uint64_t dropped = st ? atomic_load(&st->dropped) : 0;
	uint64_t capped = st ? atomic_load(&st->not_written) : 0;
	const char *why = wm_drop_reason();
	uint64_t accesses = st ? atomic_load(&st->accesses_lost_told) : 0;
	char line[1024];
	struct wm_text t = wm_text_on(line, sizeof(line));

	if (wm_options.quiet || wm_identity.rank != 0 || wm_identity.parent)
		return;
	if (dropped || *why) {
		add_part(&t, dropped ? "" : "the end was not recorded");
		if (dropped)
			add_count(&t, dropped,
				  dropped == 1 ? " event of memory use was not "
						 "recorded" :
						 " events of memory use were "
						 "not recorded");
		if (*why) {
			wm_text_add(&t, ": ");
			wm_text_plain(&t, why);
		}
	}
	if (capped) {
		add_part(&t, "the trace has reached WM_MAX_BYTES: ");
		add_count(&t, capped,
			  capped == 1 ? " event was not written" :
					" events were not written");
	}
	if (accesses) {
		add_part(&t, "");
		add_count(&t, accesses,
			  " loads and stores or more were not recorded");
	}
	if (wm_options.warning[0])
		add_part(&t, wm_options.warning);
	if (!t.len)
		return;
	line[t.len] = '\n';
	wm_report_text(line, t.len + 1);
}
