/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/base/clock.h"
#include "runtime/event/event_hooks.h"
#include "runtime/event/put_record.h"

void wm_rec_mark(unsigned kind, const void *p, uint64_t extra)
{
	struct wm_slot *s = slot_with_room();

	if (wm_likely(s != NULL))
		put_record(s, kind, p, extra, 0, wm_clock_stamp(&s->stamp));
	note_accesses();
}
