/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folding rules choose the frames of a call path that are not the place where
 * memory is allocated, because they belong to an allocator, a language's
 * runtime, MPI, or wmtools itself.  With --fold, users disable the built-in
 * groups and add rules.  A struct wm_rules owns its patterns.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analyze/lib/base/error.h"

/* X(name, text, what).  The first group with a matching rule takes the
 * frame. */
#define WM_GROUP_LIST(X)                                                       \
	X(own, "own", "wmtools itself: not shown at all")                      \
	X(show, "show", "never folded, whatever the rules below say")          \
	X(mpi, "mpi", "MPI: what it allocates counts for the function called") \
	X(mpi_base, "mpi-base", "libraries below MPI: count as MPI's in it")   \
	X(allocator, "allocator", "malloc and its like")                       \
	X(openmp, "openmp", "OpenMP: counts for its outermost function")       \
	X(libc, "libc", "the C library")                                       \
	X(cxx, "c++", "operator new, std::, the C++ runtime")                  \
	X(fortran, "fortran", "the Fortran runtime")                           \
	X(library, "library", "libraries: what their constructors allocate")   \
	X(wrapper, "wrapper", "the program's own, folded in text only")

#define WM_GROUP_X(name, text, what) WM_GROUP_##name,
enum wm_group { WM_GROUP_none = -1, WM_GROUP_LIST(WM_GROUP_X) WM_GROUPS };
#undef WM_GROUP_X
extern const char *const wm_group_name[WM_GROUPS];

enum wm_rule_kind {
	WM_RULE_OBJECT, /* base name of the object file, or of its archive */
	WM_RULE_LIBRARY, /* base name of the shared library */
	WM_RULE_NAME, /* linkage name, or its substitute in debug information */
	WM_RULE_BARE, /* likewise, for a frame without object and library */
	WM_RULE_FORWARD, /* likewise, for a function that only forwards */
	WM_RULE_KINDS
};

struct wm_rule {
	enum wm_group group;
	enum wm_rule_kind kind;
	char *pattern; /* fnmatch(3) */
	bool given; /* by the user: also compared with readable names */
};

struct wm_rules {
	struct wm_rule *rule;
	size_t count, cap;
};

/* Applies the @count values of --fold to the built-in rules: "none", "-GROUP",
 * "+GROUP" (the group's built-in rules), or a file. */
enum wm_status wm_rules_init(struct wm_rules *r, const char *const *fold,
			     size_t count, struct wm_err *err);
void wm_rules_release(struct wm_rules *r);

struct wm_rule_frame {
	const char *linkage;
	const char *name; /* readable name of the function */
	const char *object;
	const char *module; /* shared library; NULL in the executable */
};

struct wm_verdict {
	enum wm_group group; /* never WM_GROUP_wrapper */
	bool by_object; /* a rule by object or library matches */
	bool wrapper; /* a rule of group wrapper matches */
	bool forward; /* a rule of kind forward matches */
};

struct wm_verdict wm_rules_judge(const struct wm_rules *r,
				 const struct wm_rule_frame *f);

enum wm_site_class {
	WM_SITE_USER = 0,
	WM_SITE_BY_NAME, /* runtime by its name */
	WM_SITE_BY_OBJECT, /* runtime by its archive or library */
	WM_SITE_OWN, /* wmtools: not shown in call paths */
	WM_SITE_MPI, /* the outermost of adjacent ones is the site */
	WM_SITE_MPI_BASE, /* as MPI when MPI calls it, else as USER */
	WM_SITE_OPENMP, /* the outermost of adjacent ones is the site */
};

enum wm_site_class wm_site_class(const struct wm_verdict *v);

/* Prints the rules as a file that --fold reads. */
void wm_rules_print(const struct wm_rules *r, FILE *out);
