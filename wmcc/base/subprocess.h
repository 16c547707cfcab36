/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running other programs, messages, temporary files, signals.
 *
 * One thread, may allocate.  Temporary files registered here are removed when
 * the process ends through wm_leave() or by SIGINT, SIGTERM or SIGHUP.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Exit status of our own failures, as opposed to the compiler's. */
#define WM_EXIT_OWN 127

/* Prints `wmcc: ...` on stderr: one line of plain text, whatever bytes names
 * have (input/plain.h).  The next two functions print in the same way. */
__attribute__((format(printf, 1, 2))) void wm_say(const char *fmt, ...);

/* Prints `wmcc: warning: ...`. */
__attribute__((format(printf, 1, 2))) void wm_warn(const char *fmt, ...);

/* Prints `wmcc: error: ...`, then exits with WM_EXIT_OWN. */
__attribute__((noreturn, format(printf, 1, 2))) void wm_die(const char *fmt,
							    ...);

/* Sets the name with which messages begin; @name is kept, not copied. */
void wm_message_name(const char *name);

/*
 * Reserves those of the descriptors 0 to 2 that are closed, so that no file of
 * ours takes their number.  They stay unusable for programs that we start.
 * Called first in main().
 */
void wm_descriptors_reserve(void);

/* Catches signals that would end us: forwards them to a child, or removes
 * temporary files. */
void wm_signals_catch(void);

/* Returns the signal that came while a child ran, or 0. */
int wm_signal_pending(void);

/*
 * How to start a program; zeros are defaults.  @argv[0] is searched in PATH.
 * @set (NULL-terminated) changes the child's environment.
 */
struct wm_command {
	char *const *argv;
	char *const *set; /* "NAME=value" */
	bool no_stdin; /* /dev/null instead of ours */
	bool no_stderr; /* to /dev/null */
	int out; /* descriptor for stdout; 0: ours */
	int err; /* descriptor for stderr; 0: ours */
};

/* Starts the program.  Returns its pid, or -1 with errno if fork failed. */
pid_t wm_child_start(const struct wm_command *r);
/* Returns the wait status; its exit status is 127 if the program is missing. */
int wm_child_wait(pid_t pid);
int wm_child_run(const struct wm_command *r);

/* Becomes the program.  If that fails, prints @why_name and ends with
 * WM_EXIT_OWN. */
__attribute__((noreturn)) void wm_exec(char *const *argv, const char *why_name);

/* Ends as a child ended: with the child's exit status, or by its signal. */
__attribute__((noreturn)) void wm_leave(int wait_status);
/* Ends by signal @sig. */
__attribute__((noreturn)) void wm_leave_by_signal(int sig);

/*
 * Returns a name beside @path that is not in use: DIR/.BASE.PID-TIME.SUFFIX.
 * Nothing is created; a file with that name is removed at the end.  The string
 * belongs to this module.
 */
const char *wm_temp_name(const char *path, const char *suffix);
/*
 * Makes an empty file in TMPDIR, for data that need not be beside the output.
 * Returns its name, or NULL if it cannot be made, or has little space.
 */
const char *wm_temp_scratch(void);
/* Removes one temporary file now, and forgets it: @name is freed. */
void wm_temp_remove(const char *name);
/* Forgets a temporary file that was renamed, or that stays. */
void wm_temp_keep(const char *name);
/* Removes the temporary files that are left. */
void wm_temp_cleanup(void);
/*
 * Sets @leave, which is called once before we end, unless a signal arrives
 * while no child runs.  It is for work that takes more than unlink().
 */
void wm_before_leave(void (*leave)(void));

/* Opens an anonymous file for a child's output; returns -1 with errno. */
int wm_capture_open(void);
/* Returns the text written to @fd, at most 16 MiB, which the caller frees;
 * closes @fd. */
char *wm_capture_read(int fd);
