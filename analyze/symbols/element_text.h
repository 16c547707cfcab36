/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the member and element of a variable that accesses touch, in the
 * syntax of the source's language: .pos.x, [3][7], (3,-2)%x. */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Accesses of @bytes each, at some or all of the offsets from @first to @last
 * in steps of @stride.  If @stride is 0, all accesses are at @first. */
struct wm_spread {
	uint64_t first, last, stride, bytes;
};

#define WM_ELEMENT_SEVERAL 1u /* other members or elements are touched, too */
#define WM_ELEMENT_UNION 2u /* other members of a union are there, too */
#define WM_ELEMENT_REST 4u /* the type is unknown; the text ends in +bytes */
#define WM_ELEMENT_CUT 8u

struct wm_element_text {
	char text[256];
	unsigned flags;
};

/*
 * Appends to @out->text the parts of @type that @spread touches.  Offsets in
 * @type count from @base, which is 0 except in COMMON blocks.  Several elements
 * are written [] or, in Fortran, (:); an access across elements [4..7] or
 * (5:8); an access to several bit fields {a,b}.
 */
void wm_element_append(struct wm_element_text *out, Dwarf_Die *type,
		       uint64_t base, const struct wm_spread *spread);
void wm_element_put(struct wm_element_text *out, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
