/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/exit.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/job/analysis.h"
#include "analyze/answers/opts.h"
#include "analyze/answers/gates/report_gates.h"

int wm_exit_status(enum wm_status s, bool partial, const struct wm_err *err)
{
	if (s)
		fprintf(stderr, "wm-analyze: %s\n", err->text);
	if (s == WM_USAGE)
		return WM_EXIT_USAGE;
	if (s)
		return WM_EXIT_UNREADABLE;
	return partial ? WM_EXIT_PARTIAL : WM_EXIT_GOOD;
}

int wm_exit_gates(const struct wm_opts *o, enum wm_status s, bool partial,
		  const struct wm_findings *v, const struct wm_err *err)
{
	int status = wm_exit_status(s, partial, err);
	struct wm_err failed = { "" };
	enum wm_status written = wm_junit_write(o, s, err, partial, v, &failed);

	if (written)
		return wm_exit_status(written, partial, &failed);

	return !s && wm_findings_say(v) ? WM_EXIT_MET : status;
}

bool wm_notes_on_screen(const struct wm_opts *o)
{
	struct stat out, err;

	return !o->json && !o->csv && !o->output && !o->svg &&
	       !o->report->value && isatty(STDOUT_FILENO) &&
	       isatty(STDERR_FILENO) && !fstat(STDOUT_FILENO, &out) &&
	       !fstat(STDERR_FILENO, &err) && out.st_rdev == err.st_rdev;
}

void wm_print_notes(const struct wm_analysis *a, bool quiet)
{
	if (quiet && !a->partial)
		return;
	for (size_t i = 0; i < a->note_count; i++)
		fprintf(stderr, "wm-analyze: %s\n", a->notes[i]);
}
