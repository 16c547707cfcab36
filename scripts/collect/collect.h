/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wm-collect: run directories from the disks of nodes into one.
 *
 * One thread.  Everything is opened below a directory that is open already,
 * without following a link.  What fails is told on stderr, and stays where it
 * is; results are the status that the program ends with, the highest counts.
 */
#ifndef WM_SCRIPTS_COLLECT_H
#define WM_SCRIPTS_COLLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

enum wm_left {
	WM_LEFT_NOTHING = 0,
	WM_LEFT_SOME = 1, /* processes run, or a name is taken */
	WM_LEFT_USAGE = 2,
	WM_LEFT_FAILED = 3, /* could not be read or written */
};

struct wm_collect {
	const char *to; /* parent of run directories */
	char **names; /* patterns of run directories */
	size_t name_count;
	bool remove; /* what is there, verified, goes from here */
	bool ended; /* no process of the run can be running any more */
	bool quiet;
	char mark[128]; /* of this source among all, in temporary names */
	uint64_t files, bytes; /* copied by this process */
};

/*
 * say.c: one line on stderr, unless @c is quiet; whatever names hold, it is
 * plain text.  It begins with what the messages are about.
 */
void wm_collect_say(const struct wm_collect *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* From now on they are about the run directory @name, which is kept and not
 * copied; NULL: about none. */
void wm_collect_about(const char *name);

static inline int wm_worse(int a, int b)
{
	return a > b ? a : b;
}

/* run.c: the run directory @name below @from, of @owner. */
int wm_collect_run(struct wm_collect *c, int from, const char *name);

/*
 * copy.c: the file @from_name of directory @from under @to_name, or another
 * name if it is another file's, of directory @to; never replaces one.
 */
enum wm_put {
	WM_PUT_DONE, /* it is there, equal byte by byte */
	WM_PUT_TAKEN, /* another file has that name */
	WM_PUT_GONE, /* there is no such file here (any more) */
	WM_PUT_FAILED, /* told */
};
enum wm_put wm_collect_put(struct wm_collect *c, int from,
			   const char *from_name, int to, const char *to_name,
			   struct stat *seen);
/* Is that the same as what lies there?  WM_PUT_DONE, _TAKEN, or _GONE: the
 * name is free. */
enum wm_put wm_collect_look(int from, const char *from_name, int to,
			    const char *to_name);

/*
 * alive.c: the process of a trace.  @trace is open for reading, @crash_buffer
 * may be -1.  @place: "" or where its crash buffer lies, if not beside it.
 */
enum wm_alive {
	WM_ALIVE_ENDED, /* the trace has END: a crash buffer does not count */
	WM_ALIVE_DEAD,
	WM_ALIVE_RUNS, /* or nobody can tell */
};
enum wm_alive wm_collect_alive(int trace, int crash_buffer, char *place,
			       size_t room);
/* The id of this boot, "" and false if it is not told. */
bool wm_collect_boot(char *id, size_t room);
/* true: @crash_buffer belongs to the process whose trace is @trace. */
bool wm_collect_crash_buffer_fits(int trace, int crash_buffer);

#endif
