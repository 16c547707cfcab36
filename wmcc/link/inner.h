/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of a function inside the object that defines it. --wrap replaces only
 * undefined references, so calls of a program's own malloc in the file that
 * defines malloc would not be recorded.  The program is relinked with a copy of
 * such an object, in which these calls go to __wrap_malloc.
 *
 * When gcc optimizes, it knows which registers such a function changes and how
 * little stack alignment it needs (-fipa-ra, -fipa-stack-alignment), and a call
 * of our function would break the program.  In that case, and if calls are
 * inline or hidden until the link (LTO), nothing is redirected, and a message
 * reports it.
 */
#pragma once

#include "wmcc/link/givers.h"
#include "wmcc/base/strv.h"

struct wm_inner_object {
	size_t redirected; /* references that now lead to __wrap_ */
	size_t outside; /* references outside the named functions */
	bool clang; /* made only by clang */
	bool others; /* it has functions besides the named ones */
	bool parts; /* the compiler has split one: malloc.part.0 */
};

/* @bytes must be aligned as malloc() aligns. */
bool wm_inner_defines(uint8_t *bytes, size_t size, const char *const *names,
		      size_t n);

/* Redirects references to @names in the object *@bytes, which is malloc'ed, and
 * may be replaced.  Returns 0, or -1 if it is damaged, or for no known
 * processor. */
int wm_inner_redirect(uint8_t **bytes, size_t *size, const char *const *names,
		      size_t n, struct wm_inner_object *found);

#define WM_INNER_COPIES 8

struct wm_inner {
	/* objects of the plain link, and their copies */
	char *object[WM_INNER_COPIES];
	const char *copy[WM_INNER_COPIES];
	size_t n;
	char *unseen; /* calls that cannot be recorded, in words; NULL: none */
};

/* Makes copies, beside the file @near, for the program @plain, which @o
 * describes, and enters them in @g. */
void wm_inner_make(struct wm_inner *in, const struct wm_program_info *o,
		   struct wm_givers *g, const char *plain, const char *near);
void wm_inner_use(const struct wm_inner *in, struct wm_strv *cmd);
/* Gives up the copies, as the link with them has failed for the reason @why. */
void wm_inner_give_up(struct wm_inner *in, const char *why);
void wm_inner_release(struct wm_inner *in);

/* The sources of @names, at @address in the program @plain, by its debug
 * information.  After ld -r one object has several sources. */
struct wm_inner_source {
	bool known; /* all sources have debug information */
	bool inlined; /* one of @names is inlined in another function */
	bool unoptimized; /* no source was optimized */
};
struct wm_inner_source wm_inner_source(const char *plain,
				       const uint64_t *address,
				       const char *const *names, size_t n);
