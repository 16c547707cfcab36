/* SPDX-License-Identifier: Apache-2.0 */
/* What wm-collect says on stderr. */
#include "scripts/collect/collect.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "wm/plain.h"

/* Of a message: two paths and words. */
#define SAID_BYTES (2 * PATH_MAX + 256)

static const char *shown; /* the run directory that messages are about */

void wm_collect_about(const char *name)
{
	shown = name;
}

void wm_collect_say(const struct wm_collect *c, const char *fmt, ...)
{
	char line[WM_PLAIN_UNIT * SAID_BYTES], subject[4 * NAME_MAX + 1] = "";
	char text[SAID_BYTES];
	va_list ap;

	if (c->quiet)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (shown)
		wm_plain_put(subject, sizeof(subject), shown, strlen(shown));
	wm_plain_put(line, sizeof(line), text, strlen(text));
	fprintf(stderr, "wm-collect: %s%s%s\n", subject, shown ? ": " : "",
		line);
}
