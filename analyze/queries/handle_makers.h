/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of MPI that make handles, and call paths below them (handles.h).
 */
#ifndef WM_ANALYZE_HANDLE_MAKERS_H
#define WM_ANALYZE_HANDLE_MAKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/job/analysis.h"
#include "analyze/symbols/symbols.h"

#define WM_HANDLE_MAKERS 36

/*
 * Functions whose handles have memory of their own.  Those with support 2 talk
 * to other ranks, or load parts of MPI, of which more may stay than handles:
 * one call path is not enough.  Those with content add to handles that others
 * make.
 */
struct wm_handle_maker {
	const char *pattern;
	unsigned char support;
	bool content;
};

extern const struct wm_handle_maker wm_handle_makers[WM_HANDLE_MAKERS];

/* A function of MPI, or its name for profilers, is one of @pattern. */
bool wm_handle_is_named(const char *name, const char *pattern);

/* Its number in wm_handle_makers; WM_HANDLE_MAKERS: it is none of them. */
size_t wm_handle_maker(const char *name);

/* The path ends in MPI itself, not in libc or a library that it called: these
 * keep what they have, as resolvers and transports do. */
bool wm_handle_path_is_mpi(const struct wm_analysis *a, uint32_t path);

/* MPI took it for parts of its own, or to exchange messages: it may well be as
 * much as some number of handles. */
bool wm_handle_path_is_for_mpi(const struct wm_analysis *a, uint32_t path);

#endif
