/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/symbols/texts.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/base/vec.h"

const char *wm_texts_keep(struct wm_texts *t, char *text)
{
	char **grown;

	if (!text)
		return NULL;
	grown = wm_grow(t->text, &t->cap, t->count + 1, sizeof(*grown));
	if (!grown) {
		free(text);
		return NULL;
	}
	t->text = grown;
	return grown[t->count++] = text;
}

void wm_texts_release(struct wm_texts *t)
{
	size_t i;

	for (i = 0; i < t->count; i++)
		free(t->text[i]);
	free(t->text);
	memset(t, 0, sizeof(*t));
}
