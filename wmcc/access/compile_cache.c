/* SPDX-License-Identifier: Apache-2.0 */
/* DIR/HASH.o is the hooked object and a line with the hash of the plain object
 * and its own hash.  DIR/tmp.XXXXXX is a work folder. */
#include "wmcc/access/compile_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "wmcc/base/subprocess.h"
#include "wmcc/base/file.h"
#include "wmcc/base/home.h"
#include "wmcc/base/strv.h"
#include "wm/search.h"

#define DEFAULT_MOST (2ull << 30)
/* After so many seconds, the owner of a work folder must be dead. */
#define WORK_LIFETIME (24 * 3600)

static const char work_name[] = "tmp.";
static const char file_suffix[] = ".o";

const char wm_cache_advice[] = "WM_ACCESS_CACHE=DIR names another folder";

static char *cache_name(void)
{
	const char *own = getenv("WM_ACCESS_CACHE"), *all = getenv("WM_CACHE"),
		   *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	const struct passwd *pw;

	if (own && *own)
		return wm_strdup(own);
	if (all && *all)
		return wm_strf("%s/access", all);
	/* a relative path does not count (XDG base directories) */
	if (caches && *caches == '/')
		return wm_strf("%s/wmtools/access", caches);
	if (!home || !*home) {
		pw = getpwuid(geteuid());
		home = pw ? pw->pw_dir : NULL;
	}
	return home && *home ? wm_strf("%s/.cache/wmtools/access", home) : NULL;
}

static bool read_bytes(const char *text, unsigned long long *bytes)
{
	static const char units[] = "KMG";
	unsigned long long n;
	unsigned shift = 0;
	const char *unit;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	n = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end & ~0x20) : NULL;
	if (unit) {
		shift = 10 * (unsigned)(unit - units + 1);
		end++;
	}
	if (*end || errno || n > ULLONG_MAX >> shift)
		return false;
	*bytes = n << shift;
	return true;
}

static unsigned long long cache_most(void)
{
	const char *v = getenv("WM_ACCESS_CACHE_MAX");
	unsigned long long most = DEFAULT_MOST;

	if (v && *v && !read_bytes(v, &most))
		wm_warn("WM_ACCESS_CACHE_MAX='%s' is no number of bytes: 2G "
			"is used",
			v);
	return most;
}

static const char *find_distrust(const char *dir)
{
	struct stat st;
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const char *why = NULL;

	if (fd < 0 || fstat(fd, &st))
		why = strerror(errno);
	else if (st.st_uid != geteuid() && st.st_uid != 0)
		why = "it is another user's";
	else if (st.st_mode & (S_IWGRP | S_IWOTH))
		why = "others may write to it";
	if (fd >= 0)
		close(fd);
	return why;
}

char *wm_cache_open(struct wm_object_cache *c)
{
	const char *why = NULL;
	char *text;

	c->most = cache_most();
	c->dir = cache_name();
	if (!c->dir)
		return wm_strdup("there is no HOME for a cache");
	text = wm_strf("%s/", c->dir);
	if (wm_folders_make(text, 0700))
		why = strerror(errno);
	free(text);
	if (!why)
		why = find_distrust(c->dir);
	if (!why)
		return NULL;
	text = wm_strf("cache '%s': %s", c->dir, why);
	wm_cache_release(c);
	return text;
}

void wm_cache_release(struct wm_object_cache *c)
{
	free(c->dir);
	c->dir = NULL;
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	remove(path);
	return 0;
}

static void remove_tree(const char *path)
{
	nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* The only work folder in use, or NULL. */
static char *work_now;

static void remove_work(void)
{
	if (work_now)
		remove_tree(work_now);
}

static char *make_work_in(const char *dir, const char *prefix)
{
	char *work = wm_strf("%s/%s%sXXXXXX", dir, prefix, work_name);

	if (mkdtemp(work)) {
		work_now = work;
		wm_before_leave(remove_work);
		return work;
	}
	free(work);
	return NULL;
}

char *wm_cache_work(const struct wm_object_cache *c)
{
	return make_work_in(c->dir, "");
}

char *wm_cache_reading_work(const struct wm_object_cache *c)
{
	const char *dir = getenv("TMPDIR");
	char *work = wm_cache_work(c);

	return work ? work : make_work_in(dir && *dir ? dir : "/tmp", "wmcc.");
}

void wm_cache_work_free(char *work)
{
	if (work)
		remove_tree(work);
	if (work == work_now)
		work_now = NULL;
	free(work);
}

static char *entry_path(const struct wm_object_cache *c, const char *plain)
{
	return wm_strf("%s/%s%s", c->dir, plain, file_suffix);
}

static bool is_entry(const char *name)
{
	return strspn(name, "0123456789abcdef") == WM_SHA256_DIGITS &&
	       !strcmp(name + WM_SHA256_DIGITS, file_suffix);
}

struct resident {
	char *name;
	unsigned long long bytes;
	struct timespec used;
};

static int compare_used(const void *va, const void *vb)
{
	const struct resident *a = va, *b = vb;

	return WM_KEYS(WM_ORDER(a->used.tv_sec, b->used.tv_sec),
		       WM_ORDER(a->used.tv_nsec, b->used.tv_nsec),
		       strcmp(a->name, b->name));
}

struct residents {
	struct resident *v;
	size_t n, capacity;
	unsigned long long bytes;
};

/* Lists the objects, and removes work folders of killed processes. */
static void residents_read(struct residents *all, const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *e;
	struct stat st;

	memset(all, 0, sizeof(*all));
	while (dir && (e = readdir(dir))) {
		bool work = wm_starts(e->d_name, work_name);
		char *name = wm_strf("%s/%s", path, e->d_name);

		if ((!work && !is_entry(e->d_name)) || lstat(name, &st)) {
			free(name);
		} else if (work) {
			if (S_ISDIR(st.st_mode) &&
			    time(NULL) - st.st_mtime > WORK_LIFETIME)
				remove_tree(name);
			free(name);
		} else {
			all->v = wm_grow(all->v, all->n, &all->capacity,
					 sizeof(*all->v));
			all->v[all->n++] = (struct resident){
				name, (unsigned long long)st.st_size, st.st_mtim
			};
			all->bytes += (unsigned long long)st.st_size;
		}
	}
	if (dir)
		closedir(dir);
}

static void residents_release(struct residents *all)
{
	for (size_t i = 0; i < all->n; i++)
		free(all->v[i].name);
	free(all->v);
}

/* Removes the least recently used objects; other processes may do so, too. */
static void let_go(const struct wm_object_cache *c)
{
	struct residents all;

	residents_read(&all, c->dir);
	if (all.bytes > c->most)
		qsort(all.v, all.n, sizeof(*all.v), compare_used);
	for (size_t i = 0; i < all.n && all.bytes > c->most; i++) {
		unlink(all.v[i].name);
		all.bytes -= all.v[i].bytes;
	}
	residents_release(&all);
}

int wm_cache_keep(const struct wm_object_cache *c, const char *plain,
		  const char *file)
{
	char own[WM_SHA256_DIGITS + 1], line[WM_CACHE_TRAILER + 1];
	char *name = entry_path(c, plain), *bytes;
	size_t size;
	int fd, status = -1, saved;

	bytes = wm_file_load(file, WM_OBJECT_MAX, &size);
	fd = bytes ? open(file, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
	if (fd >= 0) {
		wm_sha256(bytes, size, own);
		snprintf(line, sizeof(line), "\nwm-access 1 %s %s\n", plain,
			 own);
		if (wm_write_all(fd, line, WM_CACHE_TRAILER) && !close(fd) &&
		    !rename(file, name))
			status = 0;
	}
	saved = errno;
	free(bytes);
	free(name);
	if (!status)
		let_go(c);
	errno = saved;
	return status;
}

static bool is_whole(const char *bytes, size_t size, const char *plain)
{
	char own[WM_SHA256_DIGITS + 1], line[WM_CACHE_TRAILER + 1];

	if (size < WM_CACHE_TRAILER)
		return false;
	size -= WM_CACHE_TRAILER;
	wm_sha256(bytes, size, own);
	snprintf(line, sizeof(line), "\nwm-access 1 %s %s\n", plain, own);
	return !memcmp(bytes + size, line, WM_CACHE_TRAILER);
}

/* Returns a link to @name in @work, which stays if others remove @name, or a
 * copy of @name. */
static char *hold(const char *name, const char *work)
{
	char *held = work ? wm_strf("%s/%s", work, wm_basename(name)) : NULL;

	if (held && (!link(name, held) || errno == EEXIST))
		return held;
	free(held);
	return wm_strdup(name);
}

char *wm_cache_find(const struct wm_object_cache *c, const char *plain,
		    const char *work)
{
	char *name = entry_path(c, plain), *held = hold(name, work), *bytes;
	size_t size;
	bool whole;

	bytes = wm_file_load(held, WM_OBJECT_MAX, &size);
	whole = bytes && is_whole(bytes, size, plain);
	if (bytes && !whole) {
		unlink(name);
		unlink(held);
	}
	/* records the last use; fails in a read-only cache */
	if (whole)
		utimensat(AT_FDCWD, held, NULL, 0);
	free(bytes);
	free(name);
	if (whole)
		return held;
	free(held);
	return NULL;
}

bool wm_cache_is_full(const struct wm_object_cache *c)
{
	struct residents all;

	residents_read(&all, c->dir);
	residents_release(&all);
	return all.bytes > c->most / 8 * 7;
}
