/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --fail-on: limits that end wm-analyze with status 1 when they are exceeded,
 * for the CI of programs.
 *
 *   leaks          any memory or handle was never freed, in any rank
 *   leaks=SIZE     all ranks together never freed more than SIZE
 *   held           a rank held memory when it was killed, or went on when its
 *                  trace ended; such memory does not count as leaks
 *   held=SIZE      all ranks together held more than SIZE in this way
 *   failed         a request of the program got no memory
 *   failed=SIZE    a request of more than SIZE got no memory
 *   peak=SIZE      the high-water mark of a rank is higher than SIZE
 *   growth=SIZE    of two runs, the second is more than SIZE above the first
 *   growth=N%      the same, in percent of the first run
 *
 * Gates are part of the options.  Findings are made after everything has been
 * read, and own the names in them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"

struct wm_analysis;

enum wm_gate_kind {
	WM_GATE_LEAKS,
	WM_GATE_HELD,
	WM_GATE_FAILED,
	WM_GATE_PEAK,
	WM_GATE_GROWTH,
};

struct wm_gate {
	enum wm_gate_kind kind;
	uint64_t bytes;
	double percent;
	bool is_percent;
	char text[48]; /* as given */
};

struct wm_gates {
#define WM_GATES_MAX 16
	struct wm_gate gate[WM_GATES_MAX];
	size_t count;
};

struct wm_finding {
	uint64_t bytes, limit; /* met: bytes > limit */
	uint64_t handles; /* handles among the memory; they may have no bytes */
	const char *whose; /* "MPI" */
	bool met, one_rank;
	uint64_t rank; /* with one_rank */
	char *holder; /* the function that holds most, or asked; NULL: none */
	uint64_t holder_bytes;
};

struct wm_findings {
	const struct wm_gates *gates;
	struct wm_finding result[WM_GATES_MAX]; /* one for each gate */
};

/* Adds the gates of @text, a value of --fail-on.  Returns WM_USAGE with a
 * message if @text is invalid. */
enum wm_status wm_gates_parse(struct wm_gates *g, const char *text,
			      struct wm_err *err);
/* Returns whether any of the gates needs two runs. */
bool wm_gates_need_two(const struct wm_gates *g);
/* Returns the passes that the gates need: a set of WM_NEEDS(...). */
unsigned wm_gates_need(const struct wm_gates *g);
/* Returns the ranks whose call paths the gates need: a set of
 * WM_RETAINS(...). */
unsigned wm_gates_keep(const struct wm_gates *g);

/* Evaluates the gates.  The caller releases @v, even after an error. */
enum wm_status wm_gates_judge(struct wm_findings *v, const struct wm_gates *g,
			      const struct wm_analysis *a, struct wm_err *err);
/* Evaluates growth from @a to @b bytes; @holder, which is copied, grew most. */
enum wm_status wm_gates_grown(struct wm_findings *v, const struct wm_gates *g,
			      uint64_t a, uint64_t b, const char *holder,
			      uint64_t holder_bytes, struct wm_err *err);
void wm_findings_release(struct wm_findings *v);
