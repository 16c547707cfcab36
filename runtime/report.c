/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The only thing that the runtime ever says: one line at the end of the run,
 * on stderr, by rank 0 or the only process, if something was lost.
 */
#include <errno.h>

#include "runtime/identity.h"
#include "runtime/state.h"
#include "runtime/sys.h"
#include "runtime/text.h"

const char *wm_errno_text(int err)
{
	switch (err) {
	case EACCES: return "permission denied";
	case EDQUOT: return "disk quota exceeded";
	case EEXIST: return "too many files of this name";
	case EFBIG: return "file too large";
	case EIO: return "input/output error";
	case EISDIR: return "is a directory";
	case EMFILE: return "too many open files";
	case ENAMETOOLONG: return "file name too long";
	case ENFILE: return "too many open files in the system";
	case ENOENT: return "no such file or directory";
	case ENOMEM: return "out of memory";
	case ENOSPC: return "no space left on device";
	case ENOTDIR: return "not a directory";
	case EPERM: return "operation not permitted";
	case EROFS: return "read-only file system";
	case ESTALE: return "another file has taken its place";
	default: return "system error";
	}
}

void wm_report_losses(void)
{
	const struct wm_state *st = wm_state;
	uint64_t dropped = atomic_load(&st->dropped);
	char line[1024];
	struct wm_text t = wm_text_on(line, sizeof(line));

	if (wm_options.quiet || wm_identity.rank != 0)
		return;
	if (!dropped && !st->drop_reason[0] && !wm_options.warning[0])
		return;
	wm_text_add(&t, "wmtrace: ");
	if (dropped || st->drop_reason[0]) {
		wm_text_uint(&t, dropped, 1);
		wm_text_add(&t, " events of memory use were not recorded");
		if (st->drop_reason[0]) {
			wm_text_add(&t, ": ");
			wm_text_add(&t, st->drop_reason);
		}
		if (wm_options.warning[0])
			wm_text_add(&t, "; ");
	}
	wm_text_add(&t, wm_options.warning);
	if (t.full)
		t.len = t.room - 2;
	line[t.len] = '\n';
	wm_sys_write(2, line, t.len + 1);
}
