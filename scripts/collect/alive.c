/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does the process of a trace still run?  A trace with END is complete.  Else
 * START, or the head of the crash buffer, tells pid, boot and start of the
 * process.  A trace that tells nothing may be at its very beginning: its age
 * decides.
 */
#include "scripts/collect/collect.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analyze/trace/reader.h"
#include "wm/window_format.h"

#define YOUNG_S 60
/* Clocks that were read one after the other, and rounded. */
#define SLACK_NS 2000000000

struct who {
	uint64_t pid;
	uint64_t start_ns; /* CLOCK_MONOTONIC */
	char boot_id[64];
};

bool wm_collect_boot(char *id, size_t room)
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");
	bool ok = f && fgets(id, (int)room, f);

	if (f)
		fclose(f);
	id[ok ? strcspn(id, "\n") : 0] = 0;
	return ok;
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* /proc/PID/stat: state, number of threads, start in ns since the boot. */
static bool read_stat(uint64_t pid, char *state, long *threads, uint64_t *start)
{
	char path[64], line[1024], *p;
	unsigned long long ticks;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/stat", pid);
	f = fopen(path, "r");
	if (!f)
		return false;
	p = fgets(line, sizeof(line), f);
	fclose(f);
	p = p ? strrchr(line, ')') : NULL;
	if (!p || sscanf(p + 1,
			 " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
			 "%*s %*s %*s %*s %*s %*s %ld %*s %llu",
			 state, threads, &ticks) != 3)
		return false;
	*start = ticks * (1000000000 / (uint64_t)sysconf(_SC_CLK_TCK));
	return true;
}

static bool process_runs(const struct who *w)
{
	uint64_t start, asleep;
	char id[64], state;
	long threads;

	/* before a reboot, where both tell their boot */
	if (w->boot_id[0] && wm_collect_boot(id, sizeof(id)) &&
	    strcmp(id, w->boot_id) != 0)
		return false;
	if (w->pid > INT_MAX || (kill((pid_t)w->pid, 0) && errno == ESRCH))
		return false;
	if (!read_stat(w->pid, &state, &threads, &start))
		return true;
	if (state == 'Z' && threads <= 1)
		return false;
	/* a later process that has got the number */
	asleep = clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC);
	return start <= w->start_ns + asleep + SLACK_NS;
}

static bool read_head(int crash_buffer, struct wmw_head *head)
{
	return crash_buffer >= 0 &&
	       pread(crash_buffer, head, sizeof(*head), 0) == sizeof(*head) &&
	       memcmp(head->magic, WMW_MAGIC, WMW_MAGIC_SIZE) == 0;
}

static enum wm_status open_trace(struct wm_trace *t, int fd)
{
	char path[40];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return wm_trace_open_heads(t, path, "", NULL);
}

static bool is_young(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_mtime + YOUNG_S > time(NULL);
}

enum wm_alive wm_collect_alive(int trace, int crash_buffer, char *place,
			       size_t room)
{
	struct who w = { 0 };
	struct wmw_head head;
	struct wm_trace t;

	place[0] = 0;
	if (open_trace(&t, trace) == WM_OK) {
		bool ended = t.ended;

		w.pid = t.pid;
		w.start_ns = t.start.mono_ns;
		snprintf(w.boot_id, sizeof(w.boot_id), "%s",
			 t.boot_id ? t.boot_id : "");
		if (t.crash_buffer_path)
			snprintf(place, room, "%s", t.crash_buffer_path);
		wm_trace_release(&t);
		if (ended)
			return WM_ALIVE_ENDED;
	}
	if (!w.pid && read_head(crash_buffer, &head)) {
		w.pid = head.pid;
		w.start_ns = head.start[1];
		snprintf(w.boot_id, sizeof(w.boot_id), "%.40s",
			 (const char *)head.boot_id);
	}
	if (!w.pid)
		return is_young(trace) ? WM_ALIVE_RUNS : WM_ALIVE_DEAD;
	return process_runs(&w) ? WM_ALIVE_RUNS : WM_ALIVE_DEAD;
}

bool wm_collect_crash_buffer_fits(int trace, int crash_buffer)
{
	struct wmw_head head;
	struct wm_trace t;
	bool fits;

	if (!read_head(crash_buffer, &head) || open_trace(&t, trace) != WM_OK)
		return false;
	fits = t.pid == head.pid && t.start.ticks == head.start[0] &&
	       t.start.mono_ns == head.start[1] &&
	       t.start.real_ns == head.start[2] && t.boot_id &&
	       strncmp(t.boot_id, (const char *)head.boot_id,
		       sizeof(head.boot_id)) == 0;
	wm_trace_release(&t);
	return fits;
}
