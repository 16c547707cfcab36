/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/symbols/texts.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/base/vec.h"

const char *wm_texts_keep(struct wm_texts *t, char *text)
{
	if (!text)
		return NULL;
	if (!WM_ROOM(t->text, t->cap, t->count + 1)) {
		free(text);
		return NULL;
	}
	return t->text[t->count++] = text;
}

void wm_texts_release(struct wm_texts *t)
{
	size_t i;

	for (i = 0; i < t->count; i++)
		free(t->text[i]);
	free(t->text);
	memset(t, 0, sizeof(*t));
}
