/* SPDX-License-Identifier: Apache-2.0 */
/* Runs other programs, prints messages, handles signals and removes temporary
 * files when the process ends through wm_leave() or by SIGINT, SIGTERM or
 * SIGHUP. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Exit status of wmcc's own failures. */
#define WM_EXIT_OWN 127

/* Print `wmcc: ...`, `wmcc: warning: ...` and `wmcc: error: ...` on stderr in
 * one line, with all bytes printable (input/plain.h). */
__attribute__((format(printf, 1, 2))) void wm_say(const char *fmt, ...);

__attribute__((format(printf, 1, 2))) void wm_warn(const char *fmt, ...);

/* Exits with WM_EXIT_OWN. */
__attribute__((noreturn, format(printf, 1, 2))) void wm_die(const char *fmt,
							    ...);

/* Sets the name that begins messages.  @name must stay valid. */
void wm_message_name(const char *name);

/* Opens those of the descriptors 0 to 2 that are closed, so that no other file
 * gets their number.  Must be called first in main(). */
void wm_descriptors_reserve(void);

/* Forwards signals to a child; without a child, they remove temporary files. */
void wm_signals_catch(void);

/* Returns the last signal that came while a child ran, or 0. */
int wm_signal_pending(void);

/* Describes how to start a program, which is searched in PATH; zeros are
 * defaults. */
struct wm_command {
	char *const *argv;
	char *const *set; /* "NAME=value", ended by NULL */
	bool no_stdin; /* /dev/null instead of ours */
	bool no_stderr; /* to /dev/null */
	int out; /* descriptor for stdout; 0: ours */
	int err; /* descriptor for stderr; 0: ours */
};

/* Returns the pid, or -1 with errno if fork failed. */
pid_t wm_child_start(const struct wm_command *r);
/* Returns the wait status.  The exit status is 127 if the program is
 * missing. */
int wm_child_wait(pid_t pid);
int wm_child_run(const struct wm_command *r);

/* Becomes the program, or prints @why_name and exits with WM_EXIT_OWN. */
__attribute__((noreturn)) void wm_exec(char *const *argv, const char *why_name);

/* Ends with the exit status, or by the signal, of a child. */
__attribute__((noreturn)) void wm_leave(int wait_status);
__attribute__((noreturn)) void wm_leave_by_signal(int sig);

/* Returns an unused name beside @path: DIR/.BASE.PID-TIME.SUFFIX.  A file with
 * that name is removed at the end.  The string belongs to this module. */
const char *wm_temp_name(const char *path, const char *suffix);
/* Makes an empty file in TMPDIR.  Returns its name, or NULL if it cannot be
 * made, or has little space. */
const char *wm_temp_scratch(void);
/* Removes a temporary file, and frees @name. */
void wm_temp_remove(const char *name);
/* Forgets a file that was renamed, or that stays. */
void wm_temp_keep(const char *name);
void wm_temp_cleanup(void);
/* @leave is called once before the process ends, except by a signal while no
 * child runs.  It is for work that takes more than unlink(). */
void wm_before_leave(void (*leave)(void));

/* Returns an anonymous file for a child's output, or -1 with errno. */
int wm_capture_open(void);
/* Returns the text in @fd, at most 16 MiB, which the caller frees.  Closes
 * @fd. */
char *wm_capture_read(int fd);

/* Runs a compiler for objects of our own, without its messages.  Returns NULL,
 * or why @argv failed, which the caller frees: the first error that it printed,
 * or its first line. */
char *wm_compiler_run(char *const *argv);
