/* SPDX-License-Identifier: Apache-2.0 */
/* Words that turn a variable on or off. */
#ifndef WM_SWITCH_H
#define WM_SWITCH_H

/* Returns 1 for on, 0 for off, -1 for any other word.  Case does not matter. */
static inline int wm_switch(const char *value)
{
	static const char words[][6] = { "0",  "1",   "off",   "on",
					 "no", "yes", "false", "true" };

	for (int i = 0; i < (int)(sizeof(words) / sizeof(*words)); i++) {
		const char *w = words[i], *v = value;

		/* a letter and its capital differ in one bit */
		while (*w && (*w >= 'a' ? *v | 0x20 : *v) == *w)
			v++, w++;
		if (!*w && !*v)
			return i & 1;
	}
	return -1;
}

#endif
