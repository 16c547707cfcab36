/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/base/env.h"

#include <stdbool.h>
#include <string.h>
#include <fcntl.h>

#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "wm/env_list.h"
#include "wm/switch.h"

extern char **environ;

/*
 * In a dynamic program the loader allocates before libc has set environ:
 * then the kernel's copy is read.  It is kept mapped; it is a few pages.
 */
static const char *proc_environ;
static size_t proc_environ_len;

static void read_proc_environ(void)
{
	static struct wm_buf buf;
	int fd = wm_sys_open("/proc/self/environ", O_RDONLY | O_CLOEXEC, 0);
	long n = 0;

	if (fd < 0)
		return;
	while (wm_buf_reserve(&buf, 4097) == 0 &&
	       (n = wm_sys_read(fd, buf.p + buf.len, 4096)) > 0)
		buf.len += (size_t)n;
	wm_sys_close(fd);
	proc_environ = (const char *)buf.p;
	proc_environ_len = buf.len;
}

/* Most entries differ in the first letter: no call for these. */
static inline const char *behind(const char *entry, const char *prefix)
{
	while (*prefix && *entry == *prefix)
		entry++, prefix++;
	return *prefix ? NULL : entry;
}

/*
 * While options are read: the entries that begin with WM_, so that each variable
 * does not look at all others.
 */
static struct {
	const char *entry[64];
	unsigned count;
	bool listed; /* all of them */
} own;

static inline void put_own(const char *entry)
{
	if (entry[0] != 'W' || entry[1] != 'M' || entry[2] != '_')
		return;
	if (own.count == sizeof(own.entry) / sizeof(*own.entry))
		own.listed = false;
	else
		own.entry[own.count++] = entry;
}

static void list_own(void)
{
	size_t at;

	own.count = 0;
	own.listed = true;
	if (environ) {
		for (char **e = environ; *e; e++)
			put_own(*e);
		return;
	}
	if (!proc_environ)
		read_proc_environ();
	for (at = 0; at < proc_environ_len; at += strlen(proc_environ + at) + 1)
		put_own(proc_environ + at);
}

static const char *find_own(const char *prefix, char end)
{
	const char *v;

	for (unsigned i = 0; i < own.count; i++)
		if ((v = behind(own.entry[i] + 3, prefix + 3)) &&
		    (!end || *v == end))
			return v;
	return NULL;
}

/* Behind @prefix in the first entry that has it, and @end there unless that is
 * 0. */
static const char *find_entry(const char *prefix, char end)
{
	const char *v;
	size_t at;

	if (own.listed)
		return find_own(prefix, end);
	if (environ) {
		for (char **e = environ; *e; e++)
			if ((v = behind(*e, prefix)) && (!end || *v == end))
				return v;
		return NULL;
	}
	if (!proc_environ)
		read_proc_environ();
	for (at = 0; at < proc_environ_len; at += strlen(proc_environ + at) + 1)
		if ((v = behind(proc_environ + at, prefix)) &&
		    (!end || *v == end))
			return v;
	return NULL;
}

const char *wm_env(const char *name)
{
	const char *v = find_entry(name, '=');

	return v ? v + 1 : NULL;
}

/* "@name='VALUE' @is @what; taking @taken" */
static void warn_value(const char *name, const char *value, const char *is,
		       const char *what, const char *taken)
{
	struct wm_text t = { wm_options.warning, strlen(wm_options.warning),
			     sizeof(wm_options.warning), 0 };

	if (t.len)
		wm_text_add(&t, "; ");
	wm_text_add(&t, name);
	wm_text_add(&t, "='");
	for (size_t i = 0; i < 80 && value[i]; i++)
		wm_text_char(&t, value[i]);
	wm_text_add(&t, "' is ");
	wm_text_add(&t, is);
	wm_text_add(&t, what);
	wm_text_add(&t, "; taking ");
	wm_text_add(&t, taken);
}

static void warn_bad(const char *name, const char *value, const char *wanted)
{
	warn_value(name, value, "not ", wanted, "the default");
}

void wm_options_warn(const char *what)
{
	struct wm_text t = { wm_options.warning, strlen(wm_options.warning),
			     sizeof(wm_options.warning), 0 };

	if (t.len)
		wm_text_add(&t, "; ");
	wm_text_add(&t, what);
}

/* Any other value is off, too: nobody who wants to keep something back shall
 * see it in the trace by a slip. */
static bool read_switch(const char *name, bool by_default)
{
	const char *v = wm_env(name);
	int is = v && *v ? wm_switch(v) : by_default;

	if (is < 0)
		warn_value(name, v, "neither on nor off", "", "off");
	return is > 0;
}

static uint64_t read_bytes(const char *name, uint64_t dflt, uint64_t min,
			   uint64_t max)
{
	const char *v = wm_env(name), *p;
	uint64_t n = 0;
	unsigned shift = 0;

	if (!v || !*v)
		return dflt;
	p = wm_str_uint(v, &n);
	if (p && *p) {
		shift = *p == 'K' || *p == 'k' ? 10 :
			*p == 'M' || *p == 'm' ? 20 :
			*p == 'G' || *p == 'g' ? 30 :
						 0;
		if (!shift || p[1])
			p = NULL;
	}
	if (!p || n > (max >> shift) || (n << shift) < min) {
		warn_bad(name, v, "a size in range (suffix K, M or G)");
		return dflt;
	}
	return n << shift;
}

static uint64_t read_time(const char *name, uint64_t dflt, uint64_t max,
			  const char *wanted)
{
	const char *v = wm_env(name), *p;
	uint64_t n, unit;

	if (!v || !*v)
		return dflt;
	p = wm_str_uint(v, &n);
	unit = !p					    ? 0 :
	       wm_str_equal(p, "") || wm_str_equal(p, "ns") ? 1 :
	       wm_str_equal(p, "us")			    ? 1000 :
	       wm_str_equal(p, "ms")			    ? 1000000 :
							      0;
	if (!unit || n > max / unit) {
		warn_bad(name, v, wanted);
		return dflt;
	}
	return n * unit;
}

/* A level, or one of enum wm_compress. */
static int read_compress(void)
{
	const char *v = wm_env("WM_COMPRESS");

	if (!v || !*v || wm_str_equal(v, "auto"))
		return WM_COMPRESS_AUTO;
	if (wm_str_equal(v, "store"))
		return WM_COMPRESS_STORE;
	if (*v >= '0' && *v <= '9' && !v[1])
		return *v - '0';
	warn_bad("WM_COMPRESS", v, "auto, store or 0-9");
	return WM_COMPRESS_AUTO;
}

static enum wm_unwind read_unwind(void)
{
	const char *v = wm_env("WM_UNWIND");

	if (!v || !*v)
		return WM_UNWIND_TABLE;
	if (wm_str_equal(v, "table"))
		return WM_UNWIND_TABLE;
	if (wm_str_equal(v, "libunwind"))
		return WM_UNWIND_LIBUNWIND;
	if (wm_str_equal(v, "check"))
		return WM_UNWIND_CHECK;
	if (wm_str_equal(v, "fp"))
		return WM_UNWIND_FRAMES;
	if (wm_str_equal(v, "none"))
		return WM_UNWIND_NONE;
	warn_bad("WM_UNWIND", v, "table, libunwind, check, fp or none");
	return WM_UNWIND_TABLE;
}

/* A directory, made absolute now: the program may change its own. */
static void read_dir(const char *v, char path[WM_PATH_MAX])
{
	struct wm_text t = wm_text_on(path, WM_PATH_MAX);

	if (*v != '/') {
		/* the kernel counts the final zero; a path outside of the
		 * process's root would begin with "(unreachable)" */
		if (WM_SYS2(SYS_getcwd, t.s, t.room) > 0 && t.s[0] == '/')
			t.len = strlen(t.s);
		else
			t.s[0] = 0;
		if (!wm_str_equal(v, ".")) {
			wm_text_char(&t, '/');
			wm_text_add(&t, v);
		} else if (t.len == 0) {
			wm_text_char(&t, '.');
		}
	} else {
		wm_text_add(&t, v);
	}
	while (t.len > 1 && t.s[t.len - 1] == '/')
		t.s[--t.len] = 0;
}

/* Others must not write: they could put other files in the place of ours. */
static unsigned read_mode(void)
{
	const char *v = wm_env("WM_MODE");
	unsigned mode = 0;
	size_t n = 0;

	if (!v || !*v)
		return 0600;
	while (n < 5 && v[n] >= '0' && v[n] <= '7')
		mode = mode << 3 | (unsigned)(v[n++] - '0');
	if (v[n] || (mode & 0600) != 0600 || (mode & ~0664u)) {
		warn_bad("WM_MODE", v,
			 "an octal mode from 600 to 664 by which "
			 "the owner reads and writes");
		return 0600;
	}
	return mode;
}

static void read_dirs(void)
{
	const char *v = wm_env("WM_DIR");

	read_dir(v && *v ? v : ".", wm_options.dir);
	v = wm_env("WM_WINDOW_DIR");
	if (v && *v)
		read_dir(v, wm_options.crash_buffer_dir);
	v = wm_env("WM_WINDOW");
	if (!v || !*v || wm_str_equal(v, "auto") || wm_switch(v) == 1)
		return;
	if (wm_switch(v) == 0)
		wm_options.no_crash_buffer = true;
	else
		warn_bad("WM_WINDOW", v, "auto or 0");
}

static void read_ranks(const char *name, char list[WM_RANK_LIST_MAX])
{
	struct wm_text t = wm_text_on(list, WM_RANK_LIST_MAX);
	const char *v = wm_env(name);
	uint64_t lowest;

	if (!v || !*v)
		return;
	wm_text_add(&t, v);
	if (t.full || !wm_rank_list_check(v, &lowest)) {
		warn_bad(name, v, "a list of ranks, as 0,7,100-199");
		list[0] = 0;
	}
}

static void read_pages_reads(void)
{
	const char *v = wm_env("WM_PAGES_READS"), *end;
	uint64_t n = 1;

	if (v && *v) {
		end = wm_str_uint(v, &n);
		if (!end || *end || n < 1 || n > 1000) {
			warn_bad("WM_PAGES_READS", v, "1 to 1000 epochs");
			n = 1;
		}
	}
	wm_options.pages_reads = (unsigned)n;
}

/* Milliseconds, or auto. */
static void read_pages(void)
{
	const char *v = wm_env("WM_PAGES"), *end;
	uint64_t ms = 0;

	if (!v || !*v || wm_switch(v) == 0)
		return;
	/* 1 is a number that is too small */
	if (!wm_str_equal(v, "auto") && (*v == '1' || wm_switch(v) < 0)) {
		end = wm_str_uint(v, &ms);
		if (!end || *end || ms < 5 || ms > 3600000) {
			warn_bad("WM_PAGES", v,
				 "auto or 5 to 3600000 milliseconds");
			return;
		}
	}
	wm_options.pages = true;
	wm_options.pages_ns = ms * 1000000;
	read_pages_reads();
	read_ranks("WM_PAGES_RANKS", wm_options.pages_ranks);
}

static void read_name(void)
{
	struct wm_text t = wm_text_on(wm_options.name, sizeof(wm_options.name));
	const char *v = wm_env("WM_NAME");

	if (!v || !*v)
		return;
	if (strchr(v, '/') || strlen(v) > 200) {
		warn_bad("WM_NAME", v, "a file name of up to 200 bytes");
		return;
	}
	wm_text_add(&t, v);
}

/* Objects with hooks bring it. */
void __tsan_init(void) __attribute__((weak));

/* What does not go with pages:MS; all of it is read by then. */
static void check_access_pages(void)
{
	if (!wm_options.access_pages_ns)
		return;
	if (!__tsan_init) {
		/* nothing is hooked: WM_PAGES is as ever */
		wm_options.access_pages_ns = 0;
		return;
	}
	if (wm_options.memory) {
		wm_options_warn("WM_ACCESS=pages does not go with WM_MEMORY; "
				"no loads and stores are recorded");
		wm_options.access_pages_ns = 0;
		wm_options.no_accesses = true;
		return;
	}
	if (wm_options.access_burst_ns || wm_options.access_locals)
		wm_options_warn("WM_ACCESS_BURST and WM_ACCESS_LOCALS do not "
				"go with WM_ACCESS=pages, which tells pages of "
				"all the time");
	if (wm_options.pages)
		wm_options_warn("WM_PAGES does not go with WM_ACCESS=pages, "
				"which tells the pages");
	wm_options.access_burst_ns = 0;
	wm_options.access_locals = false;
	wm_options.pages = false;
}

/* @v is pages:MS. */
static bool read_access_pages(const char *v)
{
	static const char key[] = "pages:";
	const char *end;
	uint64_t ms;

	if (strncmp(v, key, sizeof(key) - 1) != 0)
		return false;
	end = wm_str_uint(v + sizeof(key) - 1, &ms);
	if (!end || *end || ms < 5 || ms > 3600000)
		return false;
	wm_options.access_pages_ns = ms * 1000000;
	return true;
}

static void read_access(void)
{
	const char *v = wm_env("WM_ACCESS");

	if (!v || !*v || wm_switch(v) == 1)
		return;
	if (wm_switch(v) == 0)
		wm_options.no_accesses = true;
	else if (!read_access_pages(v))
		warn_bad("WM_ACCESS", v,
			 "on, off or pages: and 5 to 3600000 milliseconds");
}

static void read_access_only(void)
{
	struct wm_text t = wm_text_on(wm_options.access_only,
				      sizeof(wm_options.access_only));
	const char *v = wm_env("WM_ACCESS_ONLY");

	if (!v || !*v)
		return;
	wm_text_add(&t, v);
	if (t.full) {
		warn_bad("WM_ACCESS_ONLY", v, "a list of up to 1000 bytes");
		wm_options.access_only[0] = 0;
	}
}

/* A time of 1 ms to 1 h, in ns, and what follows it; NULL: it is none. */
static const char *burst_time(const char *v, uint64_t *ns)
{
	uint64_t unit;

	v = wm_str_uint(v, ns);
	if (!v)
		return NULL;
	if (v[0] == 'm' && v[1] == 's')
		unit = 1000000, v += 2;
	else if (v[0] == 's')
		unit = 1000000000, v++;
	else
		return NULL;
	if (!*ns || *ns > UINT64_C(3600000000000) / unit)
		return NULL;
	*ns *= unit;
	return v;
}

static void read_access_burst(void)
{
	const char *v = wm_env("WM_ACCESS_BURST"), *p;
	uint64_t burst, every;

	if (!v || !*v)
		return;
	p = burst_time(v, &burst);
	p = p && *p == '/' ? burst_time(p + 1, &every) : NULL;
	if (!p || *p || burst >= every) {
		warn_bad("WM_ACCESS_BURST", v,
			 "a time of a longer one, as 100ms/5s (1ms to 3600s)");
	} else if (wm_options.pages || wm_options.memory) {
		wm_options_warn("WM_ACCESS_BURST does not go with WM_PAGES or "
				"WM_MEMORY; all loads and stores are recorded");
	} else {
		wm_options.access_burst_ns = burst;
		wm_options.access_every_ns = every;
	}
}

/* Most programs have no hooks: one look for all of them. */
static void read_accesses(void)
{
	if (!find_entry("WM_ACCESS", 0))
		return;
	read_access();
	read_ranks("WM_ACCESS_RANKS", wm_options.access_ranks);
	wm_options.access_max_bytes = read_bytes("WM_ACCESS_MAX_BYTES", 0,
						 64u << 10, UINT64_C(1) << 60);
	read_access_only();
	wm_options.access_locals = read_switch("WM_ACCESS_LOCALS", false);
	read_access_burst();
	check_access_pages();
}

/* The names of wm/env_list.h, each with a "=" behind it. */
#define ENV_X(name, time, dflt, help) #name "=",
static const char known_names[][24] = { WM_ENV_LIST(ENV_X) };
#undef ENV_X
#define NAMES (sizeof(known_names) / sizeof(*known_names))

/* Letters up to "=". */
static size_t name_length(const char *name)
{
	size_t n = 0;

	while (name[n] && name[n] != '=')
		n++;
	return n;
}

/* Behind "WM_", which all have. */
static bool is_known(const char *entry)
{
	for (size_t i = 0; i < NAMES; i++)
		if (behind(entry + 3, known_names[i] + 3))
			return true;
	return false;
}

/* Is one letter missing, too many, another one, or in its neighbour's place? */
static bool is_slip(const char *a, size_t an, const char *b, size_t bn)
{
	size_t most = an > bn ? an : bn, front = 0, back = 0;

	while (front < an && front < bn && a[front] == b[front])
		front++;
	while (back < an - front && back < bn - front &&
	       a[an - 1 - back] == b[bn - 1 - back])
		back++;
	if (front + back + 1 >= most)
		return true;
	return an == bn && front + back + 2 == an && a[front] == b[front + 1] &&
	       a[front + 1] == b[front];
}

static const char *find_near(const char *entry)
{
	size_t n = name_length(entry);

	for (size_t i = 0; i < NAMES; i++)
		if (is_slip(entry, n, known_names[i],
			    name_length(known_names[i])))
			return known_names[i];
	return NULL;
}

static void add_name(struct wm_text *t, const char *name)
{
	for (size_t n = name_length(name), i = 0; i < n && i < 60; i++)
		wm_text_char(t, name[i]);
}

static void warn_unknown(const char *entry, const char *near)
{
	struct wm_text t = { wm_options.warning, strlen(wm_options.warning),
			     sizeof(wm_options.warning), 0 };

	if (t.len)
		wm_text_add(&t, "; ");
	add_name(&t, entry);
	wm_text_add(&t, " is no variable of wmtools");
	if (near) {
		wm_text_add(&t, ": did you mean ");
		add_name(&t, near);
		wm_text_char(&t, '?');
	} else {
		wm_text_add(&t, ": see wm-environment(7)");
	}
}

/* Nobody who mistypes a name should believe that it did something.  OpenFOAM's
 * variables begin so, too: where it is at home only slips are told. */
static void judge_names(void)
{
	bool foam = false;

	for (unsigned i = 0; i < own.count; i++)
		foam |= behind(own.entry[i] + 3, "PROJECT") != NULL;
	for (unsigned i = 0; i < own.count; i++) {
		const char *near;

		if (is_known(own.entry[i]))
			continue;
		near = find_near(own.entry[i]);
		if (near || !foam)
			warn_unknown(own.entry[i], near);
	}
}

static void read_options(void)
{
	wm_options.disable = read_switch("WM_DISABLE", false);
	if (wm_options.disable)
		return;
	wm_options.quiet = read_switch("WM_QUIET", false);
	wm_options.children = read_switch("WM_CHILDREN", false);
	wm_options.unwind = read_unwind();
	wm_options.compress = read_compress();
	wm_options.time_res_ns = read_time("WM_TIME_RES", 1000, 1000000000,
					   "a time up to 1000ms (ns, us, ms)");
	wm_options.buffer_bytes = read_bytes("WM_BUFFER", 512u << 10, 4u << 10,
					     1u << 20);
	wm_options.max_bytes = read_bytes("WM_MAX_BYTES", 0, 64u << 10,
					  UINT64_C(1) << 60);
	wm_options.memory = read_bytes("WM_MEMORY", 0, 1u << 20, 1u << 30);
	/* WM_QUIET: not a line */
	wm_options.summary = read_switch("WM_SUMMARY", false) &&
			     !wm_options.quiet;
	wm_options.mode = read_mode();
	read_dirs();
	read_name();
	wm_options.no_command = !read_switch("WM_COMMAND", true);
	wm_options.variables = read_switch("WM_VARIABLES", false);
	read_ranks("WM_RANKS", wm_options.ranks);
	read_pages();
	read_accesses();
}

void wm_options_read(void)
{
	list_own();
	read_options();
	if (!wm_options.disable)
		judge_names();
	own.listed = false; /* the environment may change from here on */
}
