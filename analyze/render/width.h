/* SPDX-License-Identifier: Apache-2.0 */
/* The width of text on a terminal, independent of the locale, so that reports
 * are the same everywhere.  Any thread. */
#pragma once

#include <stddef.h>

/* Returns the columns of the UTF-8 character at @s; *@n gets its bytes. */
size_t wm_width_char(const char *s, size_t *n);
size_t wm_width(const char *s);
/* Returns how many bytes of @s, in whole characters, fit in @columns. */
size_t wm_width_fits(const char *s, size_t columns);
