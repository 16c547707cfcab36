/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running other programs, messages, temporary files, signals.
 *
 * One thread, may allocate.  Temporary files registered here are removed when
 * the process ends through wm_leave() or by SIGINT, SIGTERM or SIGHUP.
 */
#ifndef WM_WMCC_SUBPROCESS_H
#define WM_WMCC_SUBPROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Exit status of our own failures, as opposed to the compiler's. */
#define WM_EXIT_OWN 127

/* Print `wmcc: ...` on stderr: one line of plain text, whatever bytes names
 * have (input/plain.h).  The same holds for the next two functions. */
__attribute__((format(printf, 1, 2))) void wm_say(const char *fmt, ...);

/* `wmcc: warning: ...` */
__attribute__((format(printf, 1, 2))) void wm_warn(const char *fmt, ...);

/* `wmcc: error: ...`, then exit with WM_EXIT_OWN. */
__attribute__((noreturn, format(printf, 1, 2))) void wm_die(const char *fmt,
							    ...);

/* The name that messages begin with; kept, not copied. */
void wm_message_name(const char *name);

/*
 * Called first in main(): those of descriptors 0 to 2 that are closed remain
 * unusable for programs that we start, but no file of ours takes their number.
 */
void wm_descriptors_reserve(void);

/* Catch signals that would end us: forward them to a child, or remove
 * temporary files. */
void wm_signals_catch(void);

/* The signal that came while a child ran, or 0. */
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

/* Start; returns the pid, or -1 with errno (fork failed). */
pid_t wm_child_start(const struct wm_command *r);
/* Returns the wait status; exit status 127: the program is missing. */
int wm_child_wait(pid_t pid);
int wm_child_run(const struct wm_command *r);

/* Become the program; ends with WM_EXIT_OWN and @why_name if that fails. */
__attribute__((noreturn)) void wm_exec(char *const *argv, const char *why_name);

/* End as a child ended: with its exit status, or by its signal. */
__attribute__((noreturn)) void wm_leave(int wait_status);
/* End by signal @sig. */
__attribute__((noreturn)) void wm_leave_by_signal(int sig);

/*
 * A name beside @path that is not in use: DIR/.BASE.PID-TIME.SUFFIX.
 * Nothing is created; a file with that name is removed at the end.  The string
 * belongs to this module.
 */
const char *wm_temp_name(const char *path, const char *suffix);
/*
 * An empty file in TMPDIR, for data that need not be beside the output; NULL if
 * it cannot be made, or has little space.
 */
const char *wm_temp_scratch(void);
/* Remove one temporary file now, and forget it: @name is freed. */
void wm_temp_remove(const char *name);
/* Forget a file that was renamed, or stays. */
void wm_temp_keep(const char *name);
/* Remove the files that are left. */
void wm_temp_cleanup(void);
/*
 * @leave is called once before we end, unless a signal arrives while no child
 * runs: for work that takes more than unlink().
 */
void wm_before_leave(void (*leave)(void));

/* An anonymous file for a child's output; -1 with errno. */
int wm_capture_open(void);
/* The text written to @fd, at most 16 MiB, which the caller frees; closes
 * @fd. */
char *wm_capture_read(int fd);

#endif
