/* SPDX-License-Identifier: Apache-2.0 */
#ifdef WM_DYNAMIC
#include "runtime/base/overwritten.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "wm/wrap_list.h"

#include "runtime/base/look_up.h"
#include "runtime/base/state.h"
#include "runtime/base/text.h"

#define X(name, family) #name,
static const char *const names[] = { WM_WRAP_MAP(X) WM_WRAP_ADVICE(X) };
#undef X
#define COUNT (sizeof(names) / sizeof(*names))
#define ENTRY_BYTES 16 /* more than a jump to any address takes */

_Static_assert(sizeof(((struct wmw_head *)0)->overwritten) ==
		       WM_OVERWRITTEN_ROOM,
	       "what the window holds");

static struct entry {
	const uint8_t *at;
	uint8_t bytes[ENTRY_BYTES];
} entries[COUNT];
static _Atomic uint32_t overwritten;

void wm_overwritten_begin(const uint8_t *const at[])
{
	if (entries[0].at)
		return; /* another thread was first */
	for (size_t i = 0; i < COUNT; i++) {
		const uint8_t *before = wm_look_up_before(names[i]);
		const uint8_t *entry = before ? before : at[i];

		memcpy(entries[i].bytes, entry, ENTRY_BYTES);
		entries[i].at = entry;
	}
}

/* One changed byte may be a debugger's breakpoint, which does no harm. */
static bool is_overwritten(const struct entry *e)
{
	unsigned others = 0;

	for (size_t i = 0; e->at && i < ENTRY_BYTES; i++)
		others += e->at[i] != e->bytes[i];
	return others > 1;
}

bool wm_overwritten_look(char list[WM_OVERWRITTEN_ROOM])
{
	struct wm_text t = wm_text_on(list, WM_OVERWRITTEN_ROOM);
	struct wmw_head *w = wm_state ? atomic_load(&wm_state->crash_buffer) :
					NULL;
	uint32_t now = 0;

	for (size_t i = 0; i < COUNT; i++)
		if (is_overwritten(&entries[i]))
			now |= 1u << i;
	now |= atomic_fetch_or(&overwritten, now);
	for (size_t i = 0; i < COUNT; i++)
		if (now >> i & 1) {
			wm_text_add(&t, t.len ? ", " : "");
			wm_text_add(&t, names[i]);
		}
	if (w && now)
		memcpy(w->overwritten, list, t.len + 1);
	return now != 0;
}
#endif
