/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wm-alive: does the process of a trace still run?  For wm-collect, in a run
 * directory: names of traces on stdin, a line for each on stdout,
 *
 *	ended NAME		the trace has END: a crash buffer does not count
 *	dead NAME [PLACE]	PLACE: its crash buffer, if not beside it
 *	runs NAME		or it is unknown
 *	other NAME		it is not a regular file; a link has no line
 *	failed NAME REASON	it, or its crash buffer, cannot be read
 *
 * START, or the head of the crash buffer, has pid, boot and start of the
 * process.  A trace without them may have just begun: its age decides.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analyze/lib/base/running.h"
#include "analyze/lib/trace/reader.h"
#include "wm/trace_format.h"
#include "wm/window_format.h"

#define YOUNG_S 60

struct process {
	uint64_t pid;
	uint64_t start_ns; /* CLOCK_MONOTONIC */
	char boot_id[64];
};

/* Does the process run on this node?  One from another boot does not. */
static bool is_running(const struct process *p)
{
	struct wm_process_mark mark = { .pid = p->pid,
					.start_ns = p->start_ns };
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");
	char boot[64] = "";

	if (f && fgets(boot, sizeof(boot), f))
		boot[strcspn(boot, "\n")] = 0;
	if (f)
		fclose(f);
	if (boot[0] && p->boot_id[0] && strcmp(boot, p->boot_id) != 0)
		return false;
	mark.boot_id = boot;
	return wm_process_running(&mark) != WM_RUNNING_NO;
}

static bool read_head(int crash_buffer, struct wmw_head *head)
{
	return crash_buffer >= 0 &&
	       pread(crash_buffer, head, sizeof(*head), 0) == sizeof(*head) &&
	       memcmp(head->magic, WMW_MAGIC, WMW_MAGIC_SIZE) == 0;
}

/* Open without following a link or waiting for a pipe. */
static int open_file(const char *name)
{
	return open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

static bool is_refused(const char *name)
{
	if (errno == ENOENT || errno == ELOOP || errno == ENOTDIR)
		return false;
	printf("failed %s %s\n", name, strerror(errno));
	return true;
}

/*
 * The crash buffer in the trace, if it belongs to the process; "": none.
 * NULL: there may be one, which is printed as the reason why @name stays.
 */
static const char *elsewhere(const struct wm_trace *t, const char *name)
{
	const char *path = t->crash_buffer_path;
	struct wmw_head head;
	bool fits;
	int fd;

	if (!path || path[0] != '/')
		return "";
	fd = open_file(path);
	if (fd < 0)
		return is_refused(name) ? NULL : "";
	fits = read_head(fd, &head) && t->pid == head.pid &&
	       t->start.ticks == head.start[0] &&
	       t->start.mono_ns == head.start[1] &&
	       t->start.real_ns == head.start[2] && t->boot_id &&
	       strncmp(t->boot_id, (const char *)head.boot_id,
		       sizeof(head.boot_id)) == 0;
	close(fd);
	errno = EILSEQ; /* a newline would end our line */
	if (fits && strchr(path, '\n') && is_refused(name))
		return NULL;
	return fits ? path : "";
}

static void judge(const char *name, int trace, int crash_buffer,
		  const struct stat *st)
{
	char path[40], place[PATH_MAX] = "";
	const char *buffer = "";
	struct process p = { 0 };
	bool ended = false, runs;
	struct wmw_head head;
	struct wm_trace t;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", trace);
	if (wm_trace_open_heads(&t, path, "", NULL) == WM_OK) {
		ended = t.ended;
		p.pid = t.pid;
		p.start_ns = t.start.mono_ns;
		snprintf(p.boot_id, sizeof(p.boot_id), "%s",
			 t.boot_id ? t.boot_id : "");
		if (!ended && crash_buffer < 0)
			buffer = elsewhere(&t, name);
		snprintf(place, sizeof(place), "%s", buffer ? buffer : "");
		wm_trace_release(&t);
		if (!buffer)
			return;
	}
	if (!p.pid && read_head(crash_buffer, &head)) {
		p.pid = head.pid;
		p.start_ns = head.start[1];
		snprintf(p.boot_id, sizeof(p.boot_id), "%.40s",
			 (const char *)head.boot_id);
	}
	runs = p.pid ? is_running(&p) : st->st_mtime + YOUNG_S > time(NULL);
	printf("%s %s %s\n",
	       ended ? "ended" :
	       runs  ? "runs" :
		       "dead",
	       name, place);
}

static void look_at(const char *name)
{
	char crash_buffer[NAME_MAX + 1];
	int fd = open_file(name), w;
	struct stat st;

	if (fd < 0) {
		is_refused(name);
		return;
	}
	snprintf(crash_buffer, sizeof(crash_buffer), "%.*s%s",
		 (int)(strlen(name) - strlen(WMT_FILE_SUFFIX)), name,
		 WMW_FILE_SUFFIX);
	w = open_file(crash_buffer);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		printf("other %s \n", name);
	else if (w >= 0 || !is_refused(crash_buffer))
		judge(name, fd, w, &st);
	if (w >= 0)
		close(w);
	close(fd);
}

int main(void)
{
	char name[NAME_MAX + 2];

	while (fgets(name, sizeof(name), stdin)) {
		name[strcspn(name, "\n")] = 0;
		if (strlen(name) > strlen(WMT_FILE_SUFFIX))
			look_at(name);
	}
	return fflush(stdout) || ferror(stdin) ? 1 : 0;
}
