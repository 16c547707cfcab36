/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which member and element of a variable accesses touch, as its users write
 * it: .pos.x, [3][7], (3,-2)%x.  Pure; bounded by types.h.
 */
#ifndef WM_ANALYZE_ELEMENT_TEXT_H
#define WM_ANALYZE_ELEMENT_TEXT_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Accesses of @bytes each, at offsets @first, @first + @stride, ... @last (or
 * some of these); @stride 0: all at @first. */
struct wm_spread {
	uint64_t first, last, stride, bytes;
};

/* Flags of a text. */
#define WM_ELEMENT_SEVERAL 1u /* further members or elements are meant, too */
#define WM_ELEMENT_UNION 2u /* other members of a union lie there as well */
#define WM_ELEMENT_REST 4u /* no type is known; the text ends in +bytes */
#define WM_ELEMENT_CUT 8u /* longer than there is room */

struct wm_element_text {
	char text[256];
	unsigned flags;
};

/*
 * Append to @out->text what of @type, which lies @base bytes from where its
 * places count from (0 but for COMMON), @spread touches.  Several elements of
 * an array are [], or (:) in Fortran; an access to more than one element is
 * [4..7] or (5:8); one to several bit fields is {a,b}.
 */
void wm_element_append(struct wm_element_text *out, Dwarf_Die *type,
		       uint64_t base, const struct wm_spread *spread);
void wm_element_put(struct wm_element_text *out, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
