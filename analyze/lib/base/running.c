/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/base/running.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A process that began more than this after the start of the trace is another
 * process with the same number.  Clock ticks are 10 ms. */
#define SLACK_NS 1000000000ull

static bool read_line(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, buf, size - 1);
	close(fd);
	if (n <= 0)
		return false;
	buf[n] = 0;
	buf[strcspn(buf, "\n")] = 0;
	return true;
}

static bool is_here(const struct wm_process_mark *p)
{
	char text[256];

	if (!p->boot_id ||
	    !read_line("/proc/sys/kernel/random/boot_id", text, sizeof(text)) ||
	    strcmp(text, p->boot_id) != 0)
		return false;
	/* the processes of another container cannot be seen from here */
	return !p->host ||
	       (!gethostname(text, sizeof(text)) && !strcmp(text, p->host));
}

/* Returns the time that the machine slept, which only CLOCK_BOOTTIME counts. */
static uint64_t slept_ns(void)
{
	struct timespec boot, mono;

	clock_gettime(CLOCK_MONOTONIC, &mono);
	clock_gettime(CLOCK_BOOTTIME, &boot);
	return (uint64_t)(boot.tv_sec - mono.tv_sec) * 1000000000u +
	       (uint64_t)(boot.tv_nsec - mono.tv_nsec);
}

/* Returns whether the process is a zombie, or began too late. */
static bool is_another(const struct wm_process_mark *p)
{
	unsigned long long ticks = 0;
	char path[64], stat[1024], state, *at;
	long hz = sysconf(_SC_CLK_TCK), threads = 0;
	int field;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)p->pid);
	if (!read_line(path, stat, sizeof(stat)) || !(at = strrchr(stat, ')')))
		return false;
	state = at[1] ? at[2] : 0;
	/* the state is field 3, the number of threads 20, the start 22 */
	for (at++, field = 3; field < 22; field++) {
		at += strspn(at, " ");
		at += strcspn(at, " ");
		if (field == 19)
			threads = strtol(at, NULL, 10);
	}
	/* if only the first thread has ended, other threads still run */
	if (state && strchr("ZXx", state) && threads <= 1)
		return true;
	ticks = strtoull(at, NULL, 10);
	return p->start_ns && ticks && hz > 0 &&
	       (double)ticks / (double)hz * 1e9 >
		       (double)(p->start_ns + slept_ns() + SLACK_NS);
}

enum wm_running wm_process_running(const struct wm_process_mark *p)
{
	char link[64], exe[4096];
	ssize_t n;

	if (!p->pid || !is_here(p))
		return WM_RUNNING_UNKNOWN;
	if (kill((pid_t)p->pid, 0) && errno == ESRCH)
		return WM_RUNNING_NO;
	if (is_another(p))
		return WM_RUNNING_NO;
	snprintf(link, sizeof(link), "/proc/%d/exe", (int)p->pid);
	n = readlink(link, exe, sizeof(exe) - 1);
	if (n <= 0)
		return WM_RUNNING_YES;
	exe[n] = 0;
	return !p->exe || !p->exe[0] || strcmp(exe, p->exe) == 0 ?
		       WM_RUNNING_YES :
		       WM_RUNNING_NO;
}
