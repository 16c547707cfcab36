/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of a function inside the object that defines it.  --wrap replaces only
 * undefined references, so calls of a program's own malloc in the file that
 * defines malloc would not be recorded.  The program is relinked with a copy of
 * such an object, in which these calls go to __wrap_malloc like all others.
 *
 * That is right only if the compiler has treated these calls like any other
 * calls.  When gcc optimizes, it knows which registers such a function changes
 * and how little stack alignment the function needs (-fipa-ra,
 * -fipa-stack-alignment); a call of ours in its place would break the program.
 * In that case, and if calls are inline or hidden until the link (LTO), nothing
 * is redirected, and a message reports it.
 *
 * One thread, may allocate.
 */
#pragma once

#include "wmcc/link/givers.h"
#include "wmcc/base/strv.h"

/* The contents of an object. */
struct wm_inner_object {
	size_t redirected; /* references that now go to __wrap_ */
	size_t outside; /* references outside of the named functions */
	bool clang; /* made only by clang */
	bool others; /* it has other functions besides the named ones */
	bool parts; /* the compiler has split one: malloc.part.0 */
};

/* Whether the object defines one of @names[0..@n).  @bytes come from
 * malloc(). */
bool wm_inner_defines(uint8_t *bytes, size_t size, const char *const *names,
		      size_t n);

/*
 * Redirects references to @names[0..@n) in the relocatable object *@bytes,
 * which came from malloc() and is replaced if there are such references.
 * Returns 0, or -1 if it is not a 64-bit object for x86-64, or is damaged.
 */
int wm_inner_redirect(uint8_t **bytes, size_t *size, const char *const *names,
		      size_t n, struct wm_inner_object *found);

#define WM_INNER_COPIES 8

struct wm_inner {
	/* an object of the plain link, and its copy */
	char *object[WM_INNER_COPIES];
	const char *copy[WM_INNER_COPIES];
	size_t n;
	char *unseen; /* calls that cannot be recorded, in words; NULL: none */
};

/*
 * Makes the copies for the program @plain, which @o describes, beside the file
 * @near, and enters them in @g.
 */
void wm_inner_make(struct wm_inner *in, const struct wm_program_info *o,
		   struct wm_givers *g, const char *plain, const char *near);
/* Puts the copies into the command line of the link. */
void wm_inner_use(const struct wm_inner *in, struct wm_strv *cmd);
/* Gives up the copies, because the link with them has failed for the reason
 * @why. */
void wm_inner_give_up(struct wm_inner *in, const char *why);
void wm_inner_release(struct wm_inner *in);

/*
 * Facts from the debug information about the sources of @names[0..@n), which
 * are at @address[0..@n) of the program @plain.  One object has several sources
 * after ld -r.
 */
struct wm_inner_source {
	bool known; /* each source has debug information */
	bool inlined; /* one of @names is inline in another function */
	bool unoptimized; /* all sources are */
};
struct wm_inner_source wm_inner_source(const char *plain,
				       const uint64_t *address,
				       const char *const *names, size_t n);
