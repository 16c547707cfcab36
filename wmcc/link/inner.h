/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of a function inside the object that defines it.  --wrap turns what is
 * undefined in an object only: a program that has its own malloc in the file
 * that uses it would not be seen.  The twin is linked with a copy of such an
 * object, in which these calls go to __wrap_malloc as those of all others do.
 *
 * That is right only where the compiler has treated these calls as any others.
 * gcc, when it optimizes, knows what such a function does to registers and how
 * little it needs of the stack's alignment (-fipa-ra, -fipa-stack-alignment);
 * a call of ours in its place would break the program.  There, and where calls
 * are inline or hidden until the link (LTO), nothing is redirected: it is told.
 *
 * One thread, may allocate.
 */
#ifndef WM_WMCC_INNER_H
#define WM_WMCC_INNER_H

#include "wmcc/link/givers.h"
#include "wmcc/base/strv.h"

/* The contents of an object. */
struct wm_inner_object {
	size_t redirected; /* references that now go to __wrap_ */
	size_t outside; /* those of them that the named functions do not make */
	bool clang; /* made by clang alone */
	bool others; /* it has functions beside those that are named */
	bool parts; /* the compiler has made another one: malloc.part.0 */
};

/* Does the object define one of @names[0..@n)?  @bytes came from malloc(). */
bool wm_inner_defines(uint8_t *bytes, size_t size, const char *const *names,
		      size_t n);

/*
 * Turn references to @names[0..@n) in the relocatable object *@bytes, which
 * came from malloc() and is replaced when there are any.  Returns 0, or -1: it
 * is not a 64-bit object for x86-64, or is damaged.
 */
int wm_inner_redirect(uint8_t **bytes, size_t *size, const char *const *names,
		      size_t n, struct wm_inner_object *found);

#define WM_INNER_COPIES 8

struct wm_inner {
	/* what stands in the plain link, and the copy for the twin */
	char *object[WM_INNER_COPIES];
	const char *copy[WM_INNER_COPIES];
	size_t n;
	char *unseen; /* calls that cannot be seen, in words; NULL: none */
};

/*
 * Make the copies for a program like @o that lies at @plain, and enter them in
 * @g.  @near: beside which file.
 */
void wm_inner_make(struct wm_inner *in, const struct wm_program_info *o,
		   struct wm_givers *g, const char *plain, const char *near);
/* Put them into the twin's command line. */
void wm_inner_use(const struct wm_inner *in, struct wm_strv *cmd);
/* The link with them has failed, and says @why. */
void wm_inner_give_up(struct wm_inner *in, const char *why);
void wm_inner_release(struct wm_inner *in);

/*
 * The debug information about the sources that gave @names[0..@n), which
 * are at @address[0..@n) of the program @plain; ld -r makes one object of
 * several.
 */
struct wm_inner_source {
	bool known; /* there is some of each */
	bool inlined; /* one of @names is inline in another function */
	bool unoptimized; /* all of them */
};
struct wm_inner_source wm_inner_source(const char *plain,
				       const uint64_t *address,
				       const char *const *names, size_t n);

#endif
