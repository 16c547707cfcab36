/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analyze/lib/base/plain.h"
#include "input/path.h"

#define LIBRARY "libdebuginfod.so.1"
/* without a byte, a request ends after this time */
#define PATIENCE 10

/* No needed package has the library's header. */
typedef struct debuginfod_client client;
typedef client *begin_client(void);
typedef int find_file(client *c, const unsigned char *id, int size,
		      char **path);
typedef int (*progress_function)(client *c, long a, long b);
typedef void set_progress(client *c, progress_function f);

/* The lock protects all variables but the first two. */
static bool allowed, shows_progress;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool tried, over;
static client *server;
static find_file *find_debuginfo;
static char why[300];
static const char *about;
static long bytes;
static time_t since;
static bool shown, late;

void wm_debuginfod_allow(bool progress)
{
	allowed = true;
	shows_progress = progress;
}

bool wm_debuginfod_allowed(void)
{
	return allowed;
}

static time_t seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

/* The library's callback; a result other than 0 ends the request.  Until a
 * server answers, @got counts the calls, and @all is 0. */
static int go_on(client *c, long got, long all)
{
	time_t now = seconds_now();

	(void)c;
	if (got > bytes + 1 || (all > 0 && got > bytes))
		since = now;
	bytes = got;
	late = now - since >= PATIENCE;
	if (shows_progress && !late) {
		shown = true;
		fprintf(stderr,
			"\r\033[Kwm-analyze: debug information of %s: ", about);
		if (all > 0 && got >= 0)
			fprintf(stderr, "%.1f of %.1f MiB",
				(double)got / 1048576, (double)all / 1048576);
		else
			fputs("asking", stderr);
		fflush(stderr);
	}
	return late;
}

static void give_up(const char *reason)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	char *plain = wm_plain(urls ? urls : "", 200);

	over = true;
	if (plain && *plain)
		snprintf(why, sizeof(why), "%s: %s", plain, reason);
	else
		snprintf(why, sizeof(why), "%s", reason);
	free(plain);
}

static void load_library(void)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	begin_client *begin = NULL;
	set_progress *set = NULL;

	tried = true;
	if (library) {
		*(void **)&begin = dlsym(library, "debuginfod_begin");
		*(void **)&set = dlsym(library, "debuginfod_set_progressfn");
		*(void **)&find_debuginfo = dlsym(library,
						  "debuginfod_find_debuginfo");
	}
	if (begin && set && find_debuginfo)
		server = begin();
	if (server) {
		set(server, go_on);
		return;
	}
	over = true;
	snprintf(why, sizeof(why), LIBRARY "%s",
		 library ? " does not work" :
			   " is not there (Debian's package libdebuginfod1)");
}

static bool names_server(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	return urls && urls[strspn(urls, " ")];
}

static void judge_answer(int r)
{
	char late_text[40];

	snprintf(late_text, sizeof(late_text), "no answer for %d s", PATIENCE);
	if (late)
		give_up(late_text);
	else if (r != -ENOENT)
		give_up(strerror(-r));
}

int wm_debuginfod_fetch(const uint8_t *id, size_t size, const char *what,
			char **path)
{
	int r = -1;

	*path = NULL;
	if (!allowed || !size)
		return -1;
	pthread_mutex_lock(&lock);
	if (!tried && !names_server()) {
		tried = true;
		give_up("DEBUGINFOD_URLS names no server");
	}
	if (!tried)
		load_library();
	if (!over) {
		about = wm_basename(what);
		bytes = 0;
		shown = late = false;
		since = seconds_now();
		r = find_debuginfo(server, id, (int)size, path);
		if (shown)
			fputs("\r\033[K", stderr);
		if (r < 0)
			judge_answer(r);
	}
	pthread_mutex_unlock(&lock);
	return r;
}

const char *wm_debuginfod_why(void)
{
	return *why ? why : NULL;
}
