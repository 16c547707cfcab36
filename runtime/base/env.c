/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/base/env.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <fcntl.h>

#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "wm/env_list.h"
#include "input/switch.h"

extern char **environ;

/* Returns the environment.  In a dynamic program the loader allocates before
 * libc has set environ; then the kernel's copy is read and stays mapped. */
static char **read_entries(void)
{
	static struct wm_buf text, list;
	int fd = wm_sys_open("/proc/self/environ", O_RDONLY | O_CLOEXEC, 0);
	char **entry = NULL;
	size_t at, count = 0;
	long n = 0;

	if (fd < 0)
		return NULL;
	while (wm_buf_reserve(&text, 4097) == 0 &&
	       (n = wm_sys_read(fd, text.p + text.len, 4096)) > 0)
		text.len += (size_t)n;
	wm_sys_close(fd);
	for (at = 0; at < text.len; at += strlen((char *)text.p + at) + 1)
		count++;
	if (wm_buf_reserve(&list, (count + 1) * sizeof(*entry)))
		return NULL;
	entry = (char **)(void *)list.p;
	for (at = 0; at < text.len; at += strlen(*entry++) + 1)
		*entry = (char *)text.p + at;
	return (char **)(void *)list.p;
}

static char **entries(void)
{
	static char **ours;

	if (environ)
		return environ;
	if (!ours)
		ours = read_entries();
	return ours;
}

/* Inline, because most entries differ in the first letter. */
static inline const char *behind(const char *entry, const char *prefix)
{
	while (*prefix && *entry == *prefix)
		entry++, prefix++;
	return *prefix ? NULL : entry;
}

/* The entries that begin with WM_.  Valid while options are read. */
static struct {
	const char *entry[64];
	unsigned count;
} own;

static void list_own(void)
{
	char **e;

	own.count = 0;
	for (e = entries(); e && *e; e++)
		if ((*e)[0] == 'W' && (*e)[1] == 'M' && (*e)[2] == '_' &&
		    own.count < sizeof(own.entry) / sizeof(*own.entry))
			own.entry[own.count++] = *e;
}

static const char *find_own(const char *name)
{
	const char *v;

	for (unsigned i = 0; i < own.count; i++)
		if ((v = behind(own.entry[i] + 3, name + 3)) && *v == '=')
			return v + 1;
	return NULL;
}

const char *wm_env(const char *name)
{
	const char *v;
	char **e;

	for (e = entries(); e && *e; e++)
		if ((v = behind(*e, name)) && *v == '=')
			return v + 1;
	return NULL;
}

static struct wm_text begin_warning(void)
{
	struct wm_text t = { wm_options.warning, strlen(wm_options.warning),
			     sizeof(wm_options.warning), 0 };

	if (t.len)
		wm_text_add(&t, "; ");
	return t;
}

void wm_options_warn(const char *what)
{
	struct wm_text t = begin_warning();

	wm_text_add(&t, what);
}

static void add_part(struct wm_text *t, const char *text, char end, size_t n)
{
	for (; *text && *text != end && n--; text++)
		wm_text_char(t, *text);
}

/* A value that is a word, or a unit after a number.  The name "" ends a
 * list. */
struct word {
	char name[10];
	int64_t value;
};

static const struct word unwinders[] = {
	{ "table", WM_UNWIND_TABLE }, { "libunwind", WM_UNWIND_LIBUNWIND },
	{ "check", WM_UNWIND_CHECK }, { "fp", WM_UNWIND_FRAMES },
	{ "none", WM_UNWIND_NONE },   { "", 0 }
};
static const struct word levels[] = { { "auto", WM_COMPRESS_AUTO },
				      { "store", WM_COMPRESS_STORE },
				      { "0", 0 },
				      { "1", 1 },
				      { "2", 2 },
				      { "3", 3 },
				      { "4", 4 },
				      { "5", 5 },
				      { "6", 6 },
				      { "7", 7 },
				      { "8", 8 },
				      { "9", 9 },
				      { "", 0 } };
static const struct word bytes[] = { { "K", 1 << 10 }, { "k", 1 << 10 },
				     { "M", 1 << 20 }, { "m", 1 << 20 },
				     { "G", 1 << 30 }, { "g", 1 << 30 },
				     { "", 1 } };
static const struct word times[] = {
	{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "", 1 }
};
static const struct word long_times[] = { { "ms", 1000000 },
					  { "s", 1000000000 },
					  { "", 0 } };
static const struct word milliseconds[] = { { "", 1000000 } };
static const struct word plain[] = { { "", 1 } };

#define HOUR_NS INT64_C(3600000000000)
#define MOST (INT64_C(1) << 60)

/* The variables are in the order in which their values are checked. */
struct variable {
	char name[20];
	void (*take)(const struct variable *x, const char *value);
	unsigned field, size; /* in wm_options */
	const struct word *words;
	uint64_t least, most; /* the range of a number; the bytes of a text */
	const char *wanted;
};

static void *field_of(const struct variable *x)
{
	return (char *)&wm_options + x->field;
}

static void warn_value(const struct variable *x, const char *value,
		       const char *what, const char *taken)
{
	struct wm_text t = begin_warning();

	wm_text_add(&t, x->name);
	wm_text_add(&t, "='");
	add_part(&t, value, 0, 80);
	wm_text_add(&t, "' is ");
	wm_text_add(&t, what);
	wm_text_add(&t, x->wanted);
	wm_text_add(&t, "; taking ");
	wm_text_add(&t, taken);
}

static void refuse(const struct variable *x, const char *v)
{
	warn_value(x, v, "not ", "the default");
}

/* A malformed value means off: a mistake must not put data into the trace that
 * the user wants to keep out of it. */
static void take_switch(const struct variable *x, const char *v)
{
	int is = wm_switch(v);

	if (is < 0)
		warn_value(x, v, "neither ", "off");
	*(bool *)field_of(x) = (is > 0) == x->most;
}

static void take_word(const struct variable *x, const char *v)
{
	const struct word *w = x->words;

	while (w->name[0] && !wm_str_equal(v, w->name))
		w++;
	if (w->name[0])
		*(int *)field_of(x) = (int)w->value;
	else
		refuse(x, v);
}

static const char *read_number(const char *v, const struct word *units,
			       uint64_t *n)
{
	const char *p = wm_str_uint(v, n), *end = p;

	for (; p && units->name[0]; units++)
		if ((end = behind(p, units->name)))
			break;
		else
			end = p;
	if (!p || !units->value || *n > UINT64_MAX / (uint64_t)units->value)
		return NULL;
	*n *= (uint64_t)units->value;
	return end;
}

static bool is_number(const struct variable *x, const char *v, uint64_t *n)
{
	const char *end = read_number(v, x->words, n);

	return end && !*end && *n >= x->least && *n <= x->most;
}

static void take_number(const struct variable *x, const char *v)
{
	uint64_t n;

	if (!is_number(x, v, &n))
		refuse(x, v);
	else if (x->size == sizeof(n))
		*(uint64_t *)field_of(x) = n;
	else
		*(unsigned *)field_of(x) = (unsigned)n;
}

/* Refuses modes with which other users could replace our files. */
static void take_mode(const struct variable *x, const char *v)
{
	unsigned mode = 0;
	size_t n = 0;

	while (n < 5 && v[n] >= '0' && v[n] <= '7')
		mode = mode << 3 | (unsigned)(v[n++] - '0');
	if (v[n] || (mode & 0600) != 0600 || (mode & ~0664u))
		refuse(x, v);
	else
		wm_options.mode = mode;
}

static void take_text(const struct variable *x, const char *v)
{
	struct wm_text t = wm_text_on(field_of(x), x->size);

	if (strlen(v) > x->most)
		refuse(x, v);
	else
		wm_text_add(&t, v);
}

static void take_name(const struct variable *x, const char *v)
{
	if (strchr(v, '/'))
		refuse(x, v);
	else
		take_text(x, v);
}

static void take_ranks(const struct variable *x, const char *v)
{
	uint64_t lowest;

	if (wm_rank_list_check(v, &lowest))
		take_text(x, v);
	else
		refuse(x, v);
}

/* Makes a directory absolute now, because the program may change its own. */
static void take_dir(const struct variable *x, const char *v)
{
	struct wm_text t = wm_text_on(field_of(x), WM_PATH_MAX);

	if (*v != '/') {
		/* getcwd counts the final zero.  The path of a directory
		 * outside the process's root begins with "(unreachable)". */
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

static void take_crash_buffer(const struct variable *x, const char *v)
{
	int is = wm_str_equal(v, "auto") ? 1 : wm_switch(v);

	if (is < 0)
		refuse(x, v);
	else
		wm_options.no_crash_buffer = !is;
}

/* The value is "auto", "off" or a time.  "1" is a time that is too short,
 * although wm_switch() takes it for "on". */
static void take_pages(const struct variable *x, const char *v)
{
	bool number = *v == '1' ||
		      (wm_switch(v) < 0 && !wm_str_equal(v, "auto"));
	uint64_t ns = 0;

	if (number && !is_number(x, v, &ns)) {
		refuse(x, v);
		return;
	}
	wm_options.pages = number || wm_switch(v) != 0;
	wm_options.pages_ns = ns;
}

/* The value is "on", "off", or "pages:" and a time. */
static void take_access(const struct variable *x, const char *v)
{
	const char *time = behind(v, "pages:");
	uint64_t ns;

	if (time && is_number(x, time, &ns))
		wm_options.access_pages_ns = ns;
	else if (wm_switch(v) < 0)
		refuse(x, v);
	else
		wm_options.no_accesses = !wm_switch(v);
}

/* The value is a time, "/" and a longer time. */
static void take_burst(const struct variable *x, const char *v)
{
	uint64_t burst, every;
	const char *p = read_number(v, x->words, &burst);

	if (!p || *p != '/' || !is_number(x, p + 1, &every) || !burst ||
	    burst >= every) {
		refuse(x, v);
		return;
	}
	wm_options.access_burst_ns = burst;
	wm_options.access_every_ns = every;
}

#define X(name, function, member)                                              \
	name, .take = take_##function,                                         \
	      .field = offsetof(struct wm_options, member),                    \
	      .size = sizeof(wm_options.member)
#define SWITCH(name, member, on)                                               \
	X(name, switch, member), .most = on, .wanted = "on nor off"
#define RANKS(name, member)                                                    \
	X(name, ranks, member), .most = WM_RANK_LIST_MAX - 1,                  \
				.wanted = "a list of ranks, as 0,7,100-199"
#define RANGE(units, from, to) .words = units, .least = (from), .most = (to)
#define EPOCH RANGE(milliseconds, 5000000, HOUR_NS)
#define SIZE(name, member, from, to)                                           \
	X(name, number, member), RANGE(bytes, from, to),                       \
		.wanted = "a size in range (suffix K, M or G)"

static const struct variable variables[] = {
	{ SWITCH("WM_DISABLE", disable, 1) }, /* the others are not read then */
	{ SWITCH("WM_QUIET", quiet, 1) },
	{ SWITCH("WM_CHILDREN", children, 1) },
	{ X("WM_UNWIND", word, unwind), .words = unwinders,
	  .wanted = "table, libunwind, check, fp or none" },
	{ X("WM_COMPRESS", word, compress), .words = levels,
	  .wanted = "auto, store or 0-9" },
	{ X("WM_TIME_RES", number, time_res_ns), RANGE(times, 0, 1000000000),
	  .wanted = "a time up to 1000ms (ns, us, ms)" },
	{ SIZE("WM_BUFFER", buffer_bytes, 4u << 10, 1u << 20) },
	{ SIZE("WM_MAX_BYTES", max_bytes, 64u << 10, MOST) },
	{ SIZE("WM_MEMORY", memory, 1u << 20, 1u << 30) },
	{ SWITCH("WM_SUMMARY", summary, 1) },
	{ X("WM_MODE", mode, mode),
	  .wanted = "an octal mode from 600 to 664 by which the owner reads "
		    "and writes" },
	{ X("WM_DIR", dir, dir) },
	{ X("WM_WINDOW_DIR", dir, crash_buffer_dir) },
	{ X("WM_WINDOW", crash_buffer, no_crash_buffer),
	  .wanted = "auto or 0" },
	{ X("WM_NAME", name, name), .most = 200,
	  .wanted = "a file name of up to 200 bytes" },
	{ SWITCH("WM_COMMAND", no_command, 0) },
	{ SWITCH("WM_VARIABLES", variables, 1) },
	{ RANKS("WM_RANKS", ranks) },
	{ X("WM_PAGES", pages, pages_ns), EPOCH,
	  .wanted = "auto or 5 to 3600000 milliseconds" },
	{ X("WM_PAGES_READS", number, pages_reads), RANGE(plain, 1, 1000),
	  .wanted = "1 to 1000 epochs" },
	{ RANKS("WM_PAGES_RANKS", pages_ranks) },
	{ X("WM_ACCESS", access, access_pages_ns), EPOCH,
	  .wanted = "on, off or pages: and 5 to 3600000 milliseconds" },
	{ RANKS("WM_ACCESS_RANKS", access_ranks) },
	{ SIZE("WM_ACCESS_MAX_BYTES", access_max_bytes, 64u << 10, MOST) },
	{ X("WM_ACCESS_ONLY", text, access_only), .most = 1000,
	  .wanted = "a list of up to 1000 bytes" },
	{ SWITCH("WM_ACCESS_LOCALS", access_locals, 1) },
	{ X("WM_ACCESS_BURST", burst, access_burst_ns),
	  RANGE(long_times, 1, HOUR_NS),
	  .wanted = "a time of a longer one, as 100ms/5s (1ms to 3600s)" },
};
#undef X

void __tsan_init(void) __attribute__((weak));

static void check_access_pages(void)
{
	if (!wm_options.access_pages_ns)
		return;
	if (!__tsan_init) {
		/* There are no hooks, so WM_PAGES keeps its meaning. */
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
				"go with WM_ACCESS=pages, which records "
				"pages all the time");
	if (wm_options.pages)
		wm_options_warn("WM_PAGES does not go with WM_ACCESS=pages, "
				"which records pages");
	wm_options.access_burst_ns = 0;
	wm_options.access_locals = false;
	wm_options.pages = false;
}

#define ENV_X(name, time, dflt, help) #name "=",
static const char known_names[][24] = { WM_ENV_LIST(ENV_X) };
#undef ENV_X
#define NAMES (sizeof(known_names) / sizeof(*known_names))

static bool is_known(const char *entry)
{
	for (size_t i = 0; i < NAMES; i++)
		if (behind(entry + 3, known_names[i] + 3))
			return true;
	return false;
}

/* Returns whether the names differ by one letter that is missing, added,
 * changed, or exchanged with its neighbour. */
static bool is_slip(const char *a, const char *b)
{
	size_t an = strcspn(a, "="), bn = strcspn(b, "="), front = 0, back = 0;

	while (front < an && front < bn && a[front] == b[front])
		front++;
	while (back < an - front && back < bn - front &&
	       a[an - 1 - back] == b[bn - 1 - back])
		back++;
	return front + back + 1 >= (an > bn ? an : bn) ||
	       (an == bn && front + back + 2 == an &&
		a[front] == b[front + 1] && a[front + 1] == b[front]);
}

static void warn_unknown(const char *entry, const char *near)
{
	struct wm_text t = begin_warning();

	add_part(&t, entry, '=', 60);
	wm_text_add(&t, " is no variable of wmtools: ");
	wm_text_add(&t, near ? "did you mean " : "see wm-environment(7)");
	if (near) {
		add_part(&t, near, '=', 60);
		wm_text_char(&t, '?');
	}
}

/* OpenFOAM's variables also begin with WM_: if they are set, only names similar
 * to ours are reported. */
static void check_names(void)
{
	bool foam = false;

	for (unsigned i = 0; i < own.count; i++)
		foam |= behind(own.entry[i] + 3, "PROJECT") != NULL;
	for (unsigned i = 0; i < own.count; i++) {
		const char *e = own.entry[i], *near = NULL;

		if (is_known(e))
			continue;
		for (size_t k = 0; k < NAMES; k++)
			if (is_slip(e, known_names[k]))
				near = known_names[k];
		if (near || !foam)
			warn_unknown(e, near);
	}
}

static void set_defaults(void)
{
	wm_options.unwind = WM_UNWIND_TABLE;
	wm_options.compress = WM_COMPRESS_AUTO;
	wm_options.time_res_ns = 1000;
	wm_options.buffer_bytes = 512u << 10;
	wm_options.mode = 0600;
	wm_options.pages_reads = 1;
}

static void read_variables(void)
{
	const struct variable *x,
		*end = variables + sizeof(variables) / sizeof(*variables);
	const char *v;

	for (x = variables; x < end && !wm_options.disable; x++)
		if ((v = find_own(x->name)) && *v)
			x->take(x, v);
}

static void check_options(void)
{
	static const char here[] = ".";

	if (!wm_options.dir[0])
		take_dir(&(struct variable){ .field =
						     offsetof(struct wm_options,
							      dir) },
			 here);
	wm_options.summary &= !wm_options.quiet;
	if (wm_options.access_burst_ns &&
	    (wm_options.pages || wm_options.memory)) {
		wm_options_warn("WM_ACCESS_BURST does not go with WM_PAGES or "
				"WM_MEMORY; all loads and stores are recorded");
		wm_options.access_burst_ns = 0;
	}
	check_access_pages();
	check_names();
}

void wm_options_read(void)
{
	set_defaults();
	list_own();
	read_variables();
	if (!wm_options.disable)
		check_options();
}
