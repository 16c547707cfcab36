/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/link/hooked_inputs.h"

#include <ar.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wmcc/access/hook_flags.h"
#include "wmcc/base/subprocess.h"
#include "wmcc/base/file.h"
#include "wmcc/base/home.h"
#include "wmcc/link/archive.h"
#include "wmcc/link/archive_copy.h"

/* Most names in a line. */
#define MOST_NAMES 4

/* The objects that the plain link took, by its map. */
struct taken_list {
	const char **objects; /* FILE or ARCHIVE(MEMBER), sorted, each once */
	size_t object_count;
	struct archive {
		char *path;
		size_t members;
	} * archives; /* in order of path */
	size_t archive_count;
	bool lto; /* the map does not show all objects */
};

/* Returns whether @path is the compiler's, the C library's or the system's. */
static bool is_of_system(const char *path)
{
	static const char folders[] = "/usr/lib /lib /opt/cray /usr/libexec";
	char *whole = realpath(path, NULL);
	bool is = whole && wm_starts_any(whole, folders);

	free(whole);
	return is;
}

/* Takes ownership of @name. */
static void add_hookless(struct wm_hooked_inputs *h, char *name, size_t members,
			 bool system)
{
	h->hookless = wm_grow(h->hookless, h->hookless_count,
			      &h->hookless_capacity, sizeof(*h->hookless));
	h->hookless[h->hookless_count++] = (struct wm_hookless){ name, members,
								 system };
}

static int compare_names(const void *va, const void *vb)
{
	const char *const *a = va, *const *b = vb;

	return strcmp(*a, *b);
}

/* Counts @object for its archive, if it is a member of one. */
static void add_archive(struct taken_list *t, const char *object)
{
	struct archive *last = t->archives + t->archive_count - 1;
	char *path;

	if (t->archive_count && wm_starts(object, last->path) &&
	    object[strlen(last->path)] == '(') {
		last->members++;
		return;
	}
	path = wm_archive_of(object);
	if (!strcmp(path, object))
		free(path);
	else
		t->archives[t->archive_count++] = (struct archive){ path, 1 };
}

static void taken_init(struct taken_list *t, const struct wm_linkmap *map)
{
	size_t n = 0;

	memset(t, 0, sizeof(*t));
	t->lto = !map->piece_count;
	t->objects = calloc(map->piece_count + 1, sizeof(*t->objects));
	t->archives = calloc(map->piece_count + 1, sizeof(*t->archives));
	if (!t->objects || !t->archives)
		wm_die("out of memory");
	for (size_t i = 0; i < map->piece_count; i++)
		if (map->pieces[i].object)
			t->objects[n++] = map->pieces[i].object;
	qsort(t->objects, n, sizeof(*t->objects), compare_names);
	for (size_t i = 0; i < n; i++) {
		const char *object = t->objects[i];

		if (i && !strcmp(object, t->objects[t->object_count - 1]))
			continue;
		t->objects[t->object_count++] = object;
		t->lto |= wm_giver_is_lto(object);
		if (wm_ends(object, ")"))
			add_archive(t, object);
	}
}

static void taken_release(struct taken_list *t)
{
	for (size_t i = 0; i < t->archive_count; i++)
		free(t->archives[i].path);
	free(t->archives);
	free(t->objects);
}

static void note_replaced(struct wm_hooked_inputs *h, const char *was,
			  const char *is)
{
	wm_strv_add(&h->was, was);
	wm_strv_add(&h->is, is);
	h->hooked++;
}

static char *find_hooked(struct wm_hooked_inputs *h, const void *bytes,
			 size_t size)
{
	char hash[WM_SHA256_DIGITS + 1];

	wm_sha256(bytes, size, hash);
	return wm_cache_find(&h->cache, hash, h->work);
}

struct search {
	struct wm_hooked_inputs *h;
	const struct taken_list *taken;
	const char *path, *copy;
	bool thin;
	struct wm_strv lacking; /* members that were taken, but have no hooks */
	size_t found;
};

static uint8_t *choose_member(const struct wm_member *m, size_t *size,
			      void *context)
{
	struct search *s = context;
	char *was = s->thin ? wm_strdup(m->name) :
			      wm_strf("%s(%s)", s->path, m->name);
	bool taken = bsearch(&was, s->taken->objects, s->taken->object_count,
			     sizeof(*s->taken->objects), compare_names);
	uint8_t *bytes = NULL;
	char *file, *is;

	file = taken || s->taken->lto ? find_hooked(s->h, m->bytes, m->size) :
					NULL;
	if (file)
		bytes = wm_file_load(file, WM_OBJECT_MAX, size);
	free(file);
	if (bytes) {
		*size -= WM_CACHE_TRAILER;
		is = wm_strf("%s(%s)", s->copy, m->name);
		note_replaced(s->h, was, is);
		free(is);
		s->found++;
	} else if (taken) {
		wm_strv_add(&s->lacking, m->name);
	}
	free(was);
	return bytes;
}

/* Adds the members without hooks, or the archive if no member has hooks. */
static void note_lacking(struct search *s)
{
	bool system = is_of_system(s->path);

	if (!s->found && s->lacking.n)
		add_hookless(s->h, wm_strdup(s->path), s->lacking.n, system);
	for (size_t i = 0; s->found && i < s->lacking.n; i++)
		add_hookless(s->h,
			     wm_strf("%s(%s)", s->path,
				     wm_basename(s->lacking.v[i])),
			     0, system);
}

static char *replace_archive(struct wm_hooked_inputs *h, const char *path,
			     const struct taken_list *taken)
{
	size_t before = h->hooked;
	struct search s = { .h = h, .taken = taken, .path = path };
	char *folder, *copy;
	long n = 0;

	if (!h->work)
		return NULL;
	/* messages and maps show the base name, so it is the same */
	folder = wm_strf("%s/%zu", h->work, h->was.n);
	copy = wm_strf("%s/%s", folder, wm_basename(path));
	s.copy = copy;
	s.thin = wm_archive_kind(path) == WM_ARCHIVE_THIN;
	if (mkdir(folder, 0700) && errno != EEXIST)
		n = -1;
	if (n >= 0)
		n = wm_archive_copy(path, copy, choose_member, NULL, &s);
	if (n < 0) {
		h->hooked = before;
		s.found = 0;
		if (!s.lacking.n)
			wm_strv_add(&s.lacking, path);
	}
	note_lacking(&s);
	wm_strv_release(&s.lacking);
	free(folder);
	if (n > 0)
		return copy;
	free(copy);
	return NULL;
}

static char *replace_object(struct wm_hooked_inputs *h, const char *path)
{
	size_t size;
	char *bytes = wm_file_load(path, WM_OBJECT_MAX, &size), *file = NULL;
	bool archive = bytes && size >= SARMAG && !memcmp(bytes, ARMAG, SARMAG);
	/* e_type is ET_DYN */
	bool shared = bytes && size > 18 && !memcmp(bytes, "\177ELF", 4) &&
		      bytes[16] == 3;
	bool text = bytes && !archive && memcmp(bytes, "\177ELF", 4) != 0 &&
		    memcmp(bytes, "BC\xc0\xde", 4) != 0;

	/* linker scripts and the like */
	if (!bytes || archive || text) {
		free(bytes);
		return NULL;
	}
	if (!shared)
		file = find_hooked(h, bytes, size);
	if (file)
		note_replaced(h, path, file);
	else
		add_hookless(h, wm_strdup(path), 0, is_of_system(path));
	free(bytes);
	return file;
}

static bool is_used(const struct taken_list *t, const char *path)
{
	for (size_t i = 0; i < t->archive_count; i++)
		if (!strcmp(t->archives[i].path, path))
			return true;
	return t->lto && wm_archive_kind(path);
}

/* The map may not show a thin archive: then it is the first that the linker
 * would find.  Returns NULL for unknown files, and those in the linker's own
 * folders. */
static char *find_library(const struct wm_ldargs *link, const char *name,
			  const struct taken_list *taken)
{
	struct wm_ldarg arg;
	char *base = *name == ':' ? wm_strdup(name + 1) :
				    wm_strf("lib%s.a", name);
	char *found = NULL;
	bool thin;

	for (size_t i = 0; !found && i < link->args.n; i += arg.words) {
		char *path, *shared;

		arg = wm_ldargs_at(link, i);
		if (!arg.folder)
			continue;
		path = wm_strf("%s%s%s", arg.folder,
			       wm_ends(arg.folder, "/") ? "" : "/", base);
		shared = wm_strf("%s/lib%s.so", arg.folder, name);
		thin = wm_archive_kind(path) == WM_ARCHIVE_THIN;
		if (is_used(taken, path) || (thin && access(shared, F_OK)) ||
		    (*name != ':' && wm_is_regular(shared) &&
		     !is_of_system(shared)))
			found = wm_strdup(
				is_used(taken, path) || thin ? path : shared);
		free(shared);
		free(path);
	}
	free(base);
	return found;
}

struct place {
	struct wm_hooked_inputs *h;
	const struct taken_list *taken;
};

static char *replace_input(const struct wm_ldargs *link,
			   const struct wm_ldarg *arg, void *context)
{
	const struct place *p = context;
	const struct taken_list *taken = p->taken;
	char *library = arg->library ? find_library(link, arg->library, taken) :
				       NULL;
	const char *path = arg->file ? arg->file : library;
	enum wm_archive_kind kind = path ? wm_archive_kind(path) : 0;
	char *word = NULL;

	if (kind)
		word = (is_used(taken, path) || kind == WM_ARCHIVE_THIN) &&
				       !is_of_system(path) ?
			       replace_archive(p->h, path, taken) :
			       NULL;
	else if (path)
		word = replace_object(p->h, path);
	free(library);
	return word;
}

/* Adds the archives that were not read. */
static void note_others(struct wm_hooked_inputs *h, const struct taken_list *t)
{
	for (size_t i = 0; i < t->archive_count; i++) {
		const char *path = t->archives[i].path;
		bool known = false;

		for (size_t k = 0; k < h->hookless_count; k++)
			known |= wm_starts(h->hookless[k].name, path);
		for (size_t k = 0; k < h->was.n; k++)
			known |= wm_starts(h->was.v[k], path);
		if (!known)
			add_hookless(h, wm_strdup(path), t->archives[i].members,
				     is_of_system(path));
	}
}

char *wm_hooked_inputs_find(struct wm_hooked_inputs *h,
			    const struct wm_ldargs *link,
			    const struct wm_linkmap *map)
{
	struct taken_list taken;
	struct place place = { h, &taken };
	char *why;

	memset(h, 0, sizeof(*h));
	why = wm_cache_open(&h->cache);
	if (why)
		return why;
	h->work = wm_cache_reading_work(&h->cache);
	taken_init(&taken, map);
	wm_ldargs_replace(&h->link, link, replace_input, &place);
	note_others(h, &taken);
	taken_release(&taken);
	if (h->hooked)
		return NULL;
	return wm_strf("none of its objects has access hooks%s",
		       wm_cache_is_full(&h->cache) ?
			       " (WM_ACCESS_CACHE_MAX is reached)" :
			       "");
}

void wm_hooked_inputs_release(struct wm_hooked_inputs *h)
{
	wm_strv_release(&h->link.args);
	wm_strv_release(&h->was);
	wm_strv_release(&h->is);
	wm_cache_work_free(h->work);
	wm_cache_release(&h->cache);
	for (size_t i = 0; i < h->hookless_count; i++)
		free(h->hookless[i].name);
	free(h->hookless);
	memset(h, 0, sizeof(*h));
}

void wm_hooked_inputs_givers(const struct wm_hooked_inputs *h,
			     struct wm_givers *g)
{
	for (size_t i = 0; i < WM_FOUND_SYMBOLS; i++)
		for (size_t k = 0; g->of[i] && k < h->was.n; k++)
			if (!strcmp(g->of[i], h->was.v[k]))
				g->copy[i] = h->is.v[k];
}

char *wm_hooked_inputs_lack(const struct wm_hooked_inputs *h)
{
	size_t n = 0, all = h->hooked;
	char *names = wm_strdup(""), *line;

	for (size_t i = 0; i < h->hookless_count; i++) {
		const struct wm_hookless *l = &h->hookless[i];

		if (l->system)
			continue;
		all += l->members ? l->members : 1;
		n += l->members ? l->members : 1;
	}
	for (size_t i = 0, k = 0; i < h->hookless_count; i++) {
		const struct wm_hookless *l = &h->hookless[i];

		if (l->system || ++k > MOST_NAMES + 1)
			continue;
		line = k > MOST_NAMES ? wm_strf("%s, ...", names) :
					wm_strf("%s%s'%s'", names,
						k > 1 ? ", " : "", l->name);
		free(names);
		names = line;
	}
	line = n ? wm_strf("%zu of %zu objects (%s%s)", n, all, names,
			   wm_cache_is_full(&h->cache) ?
				   "; WM_ACCESS_CACHE_MAX is reached" :
				   "") :
		   NULL;
	free(names);
	return line;
}

static bool is_compilers(const char *path)
{
	return wm_starts(wm_basename(path), "crt") || wm_ends(path, "crt1.o") ||
	       wm_ends(path, "crt0.o");
}

void wm_hooked_inputs_compile(const struct wm_compile *c,
			      const struct wm_ldargs *link)
{
	struct wm_strv objects = { 0 };
	struct wm_ldarg arg;

	/* the link reports that there is no relinked program */
	if (wm_hook_has_sanitizer(c))
		return;
	for (size_t i = 0; i < link->args.n; i += arg.words) {
		arg = wm_ldargs_at(link, i);
		if (arg.file && wm_ends(arg.file, ".o") &&
		    !wm_strv_has(&c->args, arg.file) && !is_compilers(arg.file))
			wm_strv_add(&objects, arg.file);
	}
	/* compilers keep the order of sources */
	if (objects.n == c->source_count)
		for (size_t i = 0; i < objects.n; i++)
			wm_hooked_make(c, i, objects.v[i]);
	else if (!c->quiet)
		wm_warn("no access hooks for '%s': it is unknown from which "
			"source each object is: compile with -c and link in a "
			"second step",
			link->output);
	wm_strv_release(&objects);
}
