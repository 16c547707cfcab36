/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts that are made on the way and live as long as what points to them.
 * Owns them; zeros are empty.  One thread at a time.
 */
#ifndef WM_ANALYZE_TEXTS_H
#define WM_ANALYZE_TEXTS_H

#include <stddef.h>

struct wm_texts {
	char **text;
	size_t count, cap;
};

/* Takes @text, which is malloc'ed or NULL; NULL: that, or memory is short. */
const char *wm_texts_keep(struct wm_texts *t, char *text);
void wm_texts_release(struct wm_texts *t);

#endif
