/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/access/hooked.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wmcc/access/compile_cache.h"
#include "wmcc/access/hook_flags.h"
#include "wmcc/base/args.h"
#include "wmcc/base/subprocess.h"
#include "wmcc/base/file.h"
#include "wmcc/base/home.h"

/* Returns false if @path is an input of the linker. */
static bool classify_source(struct wm_hook_source *s, const char *path,
			    const char *language)
{
	const char *dot = strrchr(wm_basename(path), '.');
	const char *suffix = dot ? dot + 1 : "";

	s->path = path;
	if (language && strcmp(language, "none") != 0) {
		s->assembler = wm_starts(language, "assembler");
		s->fortran = wm_starts(language, "f77") ||
			     wm_starts(language, "f95");
		s->header = wm_ends(language, "-header");
		return true;
	}
	s->fortran = wm_equals_any(suffix,
				   "f for ftn f90 f95 f03 f08 F FOR fpp FPP "
				   "FTN F90 F95 F03 F08 f77 F77");
	s->assembler = wm_equals_any(suffix, "s S sx");
	s->header = wm_equals_any(suffix, "h hh H hp hxx hpp HPP h++ tcc pch");
	return s->fortran || s->assembler || s->header ||
	       wm_equals_any(suffix, "c i ii cc cp cxx cpp CPP c++ C m mm");
}

void wm_compile_init(struct wm_compile *c, const struct wm_strv *words,
		     char *const *args)
{
	const char *language = NULL;

	memset(c, 0, sizeof(*c));
	wm_strv_addv(&c->words, words->v);
	wm_strv_addv(&c->args, args);
	c->sources = calloc(c->args.n + 1, sizeof(*c->sources));
	if (!c->sources)
		wm_die("out of memory");
	for (size_t i = 0; i < c->args.n; i++) {
		const char *arg = c->args.v[i];
		struct wm_hook_source *s = &c->sources[c->source_count];

		if (*arg != '-' || !arg[1]) {
			s->at = i;
			c->source_count += classify_source(s, arg, language);
		} else if (wm_arg_takes_value(arg) && c->args.v[i + 1]) {
			if (!strcmp(arg, "-x"))
				language = c->args.v[i + 1];
			i++;
		} else if (wm_starts(arg, "-x")) {
			language = arg + 2;
		}
	}
}

void wm_compile_release(struct wm_compile *c)
{
	wm_strv_release(&c->words);
	wm_strv_release(&c->args);
	free(c->sources);
	memset(c, 0, sizeof(*c));
}

char *wm_compile_object(const struct wm_compile *c, size_t i)
{
	const char *base = wm_basename(c->sources[i].path), *dot;
	char *const *args = c->args.v;

	for (; *args; args++) {
		if (!strcmp(*args, "-o") || !strcmp(*args, "--output")) {
			if (args[1])
				return wm_strdup(args[1]);
		} else if (wm_starts(*args, "--output=")) {
			return wm_strdup(strchr(*args, '=') + 1);
		} else if (wm_starts(*args, "-o")) {
			return wm_strdup(*args + 2);
		} else if (wm_arg_takes_value(*args) && args[1]) {
			args++;
		}
	}
	dot = strrchr(base, '.');
	return wm_strf("%.*s.o", (int)(dot ? dot - base : (long)strlen(base)),
		       base);
}

int wm_compile_send(const struct wm_compile *c)
{
	char *count = wm_strf("%zu", c->words.n);
	int fd = memfd_create("wmcc", 0);
	bool sent = fd >= 0 && wm_write_all(fd, count, strlen(count) + 1);

	for (size_t i = 0; sent && i < c->words.n; i++)
		sent = wm_write_all(fd, c->words.v[i],
				    strlen(c->words.v[i]) + 1);
	for (size_t i = 0; sent && i < c->args.n; i++)
		sent = wm_write_all(fd, c->args.v[i], strlen(c->args.v[i]) + 1);
	if (fd >= 0 && !sent) {
		close(fd);
		fd = -1;
	}
	free(count);
	return fd;
}

bool wm_compile_receive(struct wm_compile *c, int fd)
{
	struct wm_strv words = { 0 }, args = { 0 };
	char *path = wm_strf("/proc/self/fd/%d", fd), *text, *end, *p;
	size_t size, n;

	text = wm_file_load(path, WM_OBJECT_MAX, &size);
	free(path);
	if (!text || !size || text[size - 1]) {
		free(text);
		return false;
	}
	n = strtoul(text, &end, 10);
	for (p = end + 1; p < text + size; p += strlen(p) + 1)
		wm_strv_add(words.n < n ? &words : &args, p);
	wm_compile_init(c, &words, args.v);
	wm_strv_release(&words);
	wm_strv_release(&args);
	free(text);
	return c->words.n > 0;
}

static bool has_hooks(const char *path)
{
	static const char hook[] = "__tsan_", magic[] = "\177ELF";
	size_t size;
	char *bytes = wm_file_load(path, WM_OBJECT_MAX, &size);
	bool has = bytes && size > 4 && !memcmp(bytes, magic, 4) &&
		   memmem(bytes, size, hook, sizeof(hook) - 1);

	free(bytes);
	return has;
}

/* Returns NULL, or the reason for a failure, like the next two functions. */
static char *compile_hooked(const struct wm_compile *c, size_t i,
			    enum wm_hook_family family, const char *work,
			    const char *file)
{
	struct wm_strv cmd = { 0 };
	char *why;

	wm_hook_command(&cmd, c, i, family, work, file);
	/* with these, the compiler would add to files of the user */
	unsetenv("DEPENDENCIES_OUTPUT");
	unsetenv("SUNPRO_DEPENDENCIES");
	why = wm_compiler_run(cmd.v);
	wm_strv_release(&cmd);
	if (!why && !has_hooks(file))
		why = wm_strdup("the compiler has put no hooks into it");
	return why;
}

static char *make_in(const struct wm_object_cache *cache, const char *work,
		     const struct wm_compile *c, size_t i,
		     enum wm_hook_family family, const char *plain)
{
	char *file = wm_strf("%s/hooked.o", work);
	char *why = compile_hooked(c, i, family, work, file);
	int renamed = why ? 0 : wm_block_calls_rename(file);
	struct stat st;

	if (renamed > 0)
		why = wm_strdup("its object is no ELF file of 64 bits with a "
				"table of symbols");
	else if (!why && (renamed || stat(file, &st) ||
			  wm_cache_keep(cache, plain, file)))
		why = wm_strf("cache '%s': %s", cache->dir, strerror(errno));
	/* the cache removed the object at once */
	else if (!why && (unsigned long long)st.st_size > cache->most)
		why = wm_strdup("it has more bytes than WM_ACCESS_CACHE_MAX");
	free(file);
	return why;
}

static char *make_hooked(const struct wm_compile *c, size_t i,
			 const char *bytes, size_t size)
{
	char plain[WM_SHA256_DIGITS + 1], *why, *work;
	enum wm_hook_family family;
	struct wm_object_cache cache;
	const char *clash = wm_hook_clash(c, i);

	if (clash)
		return wm_strdup(clash);
	family = wm_hook_family(&c->words, bytes, size);
	if (family == WM_HOOKS_NONE)
		return wm_strf("'%s' is neither gcc nor clang, whose hooks "
			       "are known",
			       c->words.v[0]);
	why = wm_cache_open(&cache);
	if (why)
		return why;
	wm_sha256(bytes, size, plain);
	work = wm_cache_work(&cache);
	if (work)
		why = make_in(&cache, work, c, i, family, plain);
	else
		why = wm_strf("cache '%s': %s", cache.dir, strerror(errno));
	wm_cache_work_free(work);
	wm_cache_release(&cache);
	if (wm_signal_pending()) /* the compiler did not fail by itself */
		wm_leave_by_signal(wm_signal_pending());
	return why;
}

void wm_hooked_make(const struct wm_compile *c, size_t i, const char *object)
{
	const struct wm_hook_source *s = &c->sources[i];
	char *bytes, *why;
	size_t size;

	/* the link reports another sanitizer */
	if (s->assembler || s->header || wm_hook_has_sanitizer(c))
		return;
	bytes = wm_file_load(object, WM_OBJECT_MAX, &size);
	if (!bytes)
		return;
	why = make_hooked(c, i, bytes, size);
	if (why && !c->quiet)
		wm_warn("no access hooks for '%s': %s: %s", s->path, why,
			wm_starts(why, "cache ") || wm_starts(why, "there is") ?
				wm_cache_advice :
				"'app.wma' will not see what it accesses");
	free(why);
	free(bytes);
}

struct stat *wm_compile_before(const struct wm_compile *c)
{
	struct stat *before = calloc(c->source_count + 1, sizeof(*before));

	if (!before)
		wm_die("out of memory");
	for (size_t i = 0; i < c->source_count; i++) {
		char *object = wm_compile_object(c, i);

		if (stat(object, &before[i]))
			memset(&before[i], 0, sizeof(before[i]));
		free(object);
	}
	return before;
}

static bool is_new(const char *object, const struct stat *before)
{
	struct stat st;

	return !stat(object, &st) && S_ISREG(st.st_mode) &&
	       (st.st_ino != before->st_ino || st.st_dev != before->st_dev ||
		st.st_ctim.tv_sec != before->st_ctim.tv_sec ||
		st.st_ctim.tv_nsec != before->st_ctim.tv_nsec);
}

void wm_hooked_make_all(const struct wm_compile *c, struct stat *before)
{
	for (size_t i = 0; i < c->source_count; i++) {
		char *object = wm_compile_object(c, i);

		if (is_new(object, &before[i]))
			wm_hooked_make(c, i, object);
		free(object);
	}
	free(before);
}
