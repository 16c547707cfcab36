/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/reader.h"

#include <inttypes.h>

enum wm_status wm_trace_blame(const struct wm_trace *t, uint64_t number,
			      uint64_t offset, enum wm_status status,
			      const char *reason, struct wm_err *err)
{
	if (t->blamed)
		*t->blamed = number;
	return wm_err_set(err, status,
			  "%s: block %" PRIu64 " at offset 0x%" PRIx64
			  ": %.300s",
			  t->name, number, offset, reason);
}
