/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pages/page_mode.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "runtime/base/clock.h"
#include "runtime/base/file_text.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/pages/epochs.h"
#include "runtime/pages/service.h"

#define LOOK_NS UINT64_C(200000000)

static char why[] = "the process has changed its rights";
static uint64_t at_start; /* 0: unknown */
static bool ended;

static uint64_t add_line(uint64_t sum, const char *text, const char *key)
{
	const char *s = strstr(text, key);

	for (s = s ? s + 1 : ""; *s && *s != '\n'; s++)
		sum = (sum ^ (uint8_t)*s) * UINT64_C(0x100000001b3);
	return sum;
}

/* Returns 0 if the rights are unknown. */
static uint64_t rights_of(int tid)
{
	static const char *const keys[] = {
		"\nUid:",
		"\nGid:",
		"\nGroups:",
		"\nCapInh:",
		"\nCapPrm:",
		"\nCapEff:",
		"\nCapBnd:",
		"\nCapAmb:",
		"\nNoNewPrivs:",
		"\nSeccomp:",
		"\nSeccomp_filters:",
	};
	static char text[8192], path[64];
	struct wm_text t = wm_text_on(path, sizeof(path));
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	wm_text_add(&t, "/proc/self/task/");
	wm_text_uint(&t, (uint64_t)tid, 1);
	wm_text_add(&t, "/status");
	if (!wm_file_text(path, text, sizeof(text)))
		return 0;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		sum = add_line(sum, text, keys[i]);
	return sum;
}

void wm_rights_begin(void)
{
	at_start = rights_of(wm_sys_getpid());
}

long wm_rights_compare(void *tid)
{
	uint64_t rights = rights_of(*(int *)tid);

	if (rights && rights == at_start)
		return 1;
	return wm_pages_end_all(why);
}

uint64_t wm_rights_pause(void)
{
	static uint64_t looked;
	uint64_t now, rights;

	if (ended)
		return WM_SERVICE_ENDS;
	now = wm_clock_ns(CLOCK_MONOTONIC);
	if (now - looked >= LOOK_NS) {
		looked = now;
		rights = rights_of(wm_sys_getpid());
		ended = at_start && rights && rights != at_start &&
			wm_pages_end_all(why) == 0;
		if (ended)
			return WM_SERVICE_ENDS;
	}
	return wm_epochs_pause();
}
