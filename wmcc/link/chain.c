/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/link/chain.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wmcc/base/subprocess.h"
#include "wmcc/base/file.h"
#include "wmcc/link/archive.h"
#include "wmcc/link/archive_copy.h"
#include "wmcc/link/object.h"
#include "wmcc/link/twin.h"

static const char wrap[] = "__wrap_", real[] = "__real_";

/* A function that both the program and wmtools wrap. */
struct function {
	char *name;
	char *wrapper, *behind; /* __wrap_X, __real_X */
	bool wrapped; /* by the user's link */
	bool wraps; /* the link of the relinked program wraps it */
	bool plain; /* the tool's wrapper is in the plain program */
	/* symbols in linked objects, and in any member of an archive */
	bool defined, calls, may_define, may_call;
};

struct work {
	struct wm_chain *chain;
	const struct wm_linkmap *map;
	const char *near;
	struct function *functions;
	size_t n, capacity;
	/* new names for symbols of the tool and of wmtools */
	struct wm_symbol_rename *theirs, *ours;
	size_t their_count, our_count;
	bool hidden; /* link-time optimization hides its callers */
	bool failed; /* a name cannot be changed */
};

static bool has_wrapper(const struct wm_program_info *o, const char *name)
{
	for (size_t i = 0; i < WM_FOUND_SYMBOLS; i++)
		if (o->found_wrap[i] && !strcmp(wm_found_names[i].name, name))
			return true;
	for (size_t i = 0; i < WM_MPI_SYMBOLS; i++)
		if (o->mpi_wrap[i] && !strcmp(wm_mpi_symbol_names[i], name))
			return true;
	for (size_t i = 0; i < WM_HDF5_SYMBOLS; i++)
		if (o->hdf5_wrap[i] && !strcmp(wm_hdf5_symbol_names[i], name))
			return true;
	return false;
}

/* Returns whether the symbol is a definition that other objects see. */
static bool is_definition(const Elf64_Sym *s)
{
	return s->st_shndx != SHN_UNDEF &&
	       ELF64_ST_BIND(s->st_info) != STB_LOCAL;
}

static void add_function(struct work *w, const char *name,
			 const struct wm_additions *add,
			 const struct wm_program_info *o,
			 const struct wm_ldargs *link)
{
	struct function f = { 0 };
	char *option;

	f.wrapped = wm_strv_has(&link->wraps, name);
	f.plain = has_wrapper(o, name);
	for (size_t i = 0; i < w->n; i++)
		if (!strcmp(w->functions[i].name, name))
			return;
	if (!f.wrapped && !f.plain)
		return;
	option = wm_strf("--wrap=%s", name);
	f.wraps = wm_strv_has(&add->first, option);
	free(option);
	f.name = wm_strdup(name);
	f.wrapper = wm_strf("%s%s", wrap, name);
	f.behind = wm_strf("%s%s", real, name);
	w->functions = wm_grow(w->functions, w->n, &w->capacity,
			       sizeof(*w->functions));
	w->functions[w->n++] = f;
}

/* Returns whether word @i is a file, and not an option or the name after -u. */
static bool is_object(const struct wm_additions *add, size_t i)
{
	return *add->first.v[i] != '-' &&
	       (!i || strcmp(add->first.v[i - 1], "-u") != 0);
}

/* Finds the functions that have wrappers in the added objects. */
static void find_functions(struct work *w, const struct wm_additions *add,
			   const struct wm_program_info *o,
			   const struct wm_ldargs *link)
{
	struct wm_elf_object object;
	size_t size;

	for (size_t i = 0; i < add->first.n; i++) {
		const char *word = add->first.v[i];
		uint8_t *bytes;

		if (!is_object(add, i))
			continue;
		bytes = wm_file_load(word, SIZE_MAX / 2, &size);
		if (!bytes || wm_object_open(&object, bytes, size))
			object.symbol_count = 0;
		for (size_t k = 1; k < object.symbol_count; k++) {
			const char *name = wm_object_symbol(&object, k);

			if (wm_starts(name, wrap) &&
			    is_definition(&object.symbols[k]))
				add_function(w, name + strlen(wrap), add, o,
					     link);
		}
		free(bytes);
	}
}

/* Without a map, any member may have been taken. */
static bool is_linked(const struct work *w, const char *path,
		      const char *member)
{
	char *object = wm_strf("%s(%s)", path, member);
	bool linked = !w->map->piece_count;

	for (size_t i = 0; !linked && i < w->map->piece_count; i++)
		linked = w->map->pieces[i].object &&
			 !strcmp(w->map->pieces[i].object, object);
	free(object);
	return linked;
}

/* Returns whether the linker would use the object's code for LTO. */
static bool is_for_lto(const struct wm_elf_object *o)
{
	for (size_t i = 0; i < o->section_count; i++)
		if (o->sections[i].sh_name < o->names_size &&
		    wm_starts(o->names + o->sections[i].sh_name, ".gnu.lto_"))
			return true;
	return false;
}

/* Records which functions @o has.  Returns true if it has any. */
static bool look_at_object(struct work *w, const struct wm_elf_object *o,
			   bool linked)
{
	bool any = false;

	for (size_t i = 1; i < o->symbol_count; i++) {
		const char *name = wm_object_symbol(o, i);

		if (*name != '_')
			continue;
		for (size_t k = 0; k < w->n; k++) {
			struct function *f = &w->functions[k];
			bool defines = !strcmp(name, f->wrapper) &&
				       is_definition(&o->symbols[i]);
			bool calls = !strcmp(name, f->behind);

			f->may_define |= defines;
			f->may_call |= calls;
			f->defined |= defines && linked;
			f->calls |= calls && linked;
			any |= calls || !strcmp(name, f->wrapper);
		}
	}
	w->hidden |= any && is_for_lto(o);
	return any;
}

/* Returns an aligned copy, or NULL if it cannot contain such names. */
static uint8_t *copy_bytes(const uint8_t *bytes, size_t size)
{
	uint8_t *copy;

	if (!memmem(bytes, size, wrap, strlen(wrap)) &&
	    !memmem(bytes, size, real, strlen(real)))
		return NULL;
	copy = malloc(size);
	if (!copy)
		wm_die("out of memory");
	return memcpy(copy, bytes, size);
}

static bool look_at_member(struct work *w, const uint8_t *bytes, size_t size,
			   bool linked)
{
	uint8_t *copy = copy_bytes(bytes, size);
	struct wm_elf_object o;
	bool any = copy && !wm_object_open(&o, copy, size) &&
		   look_at_object(w, &o, linked);

	free(copy);
	return any;
}

static bool look_at_file(struct work *w, const char *path)
{
	struct wm_archive_entry e;
	struct wm_archive *a;
	size_t size, n;
	uint8_t *bytes = wm_file_load(path, SIZE_MAX / 2, &size);
	bool any = false;

	if (!bytes)
		return false;
	a = wm_archive_open(path, bytes, size);
	if (!a)
		any = look_at_member(w, bytes, size, true);
	while (a && wm_archive_next(a, &e)) {
		uint8_t *file = NULL;

		if (e.special)
			continue;
		if (e.file)
			file = wm_file_load(e.file, SIZE_MAX / 2, &n);
		any |= look_at_member(w, file ? file : e.bytes,
				      file ? n : e.size,
				      e.file || is_linked(w, path, e.name));
		free(file);
	}
	if (a)
		wm_archive_close(a);
	free(bytes);
	return any;
}

/* Returns NULL if -lNAME is a shared library, or in the linker's own
 * folders. */
static char *find_archive(const struct wm_ldargs *link, const char *name,
			  const struct wm_linkmap *map)
{
	bool exact = *name == ':';
	char *path, *shared, *mark;
	struct wm_ldarg arg;

	for (size_t i = 0; i < link->args.n; i += arg.words) {
		bool here, used = false;

		arg = wm_ldargs_at(link, i);
		if (!arg.folder)
			continue;
		path = wm_strf("%s/%s%s%s", arg.folder, exact ? "" : "lib",
			       exact ? name + 1 : name, exact ? "" : ".a");
		mark = wm_strf("%s(", path);
		shared = wm_strf("%s/lib%s.so", arg.folder, name);
		here = access(path, R_OK) == 0;
		for (size_t k = 0; here && !used && k < map->piece_count; k++)
			used = map->pieces[k].object &&
			       wm_starts(map->pieces[k].object, mark);
		here = here && (used || access(shared, R_OK) != 0);
		free(mark);
		free(shared);
		if (here)
			return path;
		free(path);
	}
	return NULL;
}

static char *file_of(const struct wm_ldargs *link, const struct wm_ldarg *arg,
		     const struct wm_linkmap *map)
{
	if (arg->file)
		return wm_strdup(arg->file);
	return arg->library ? find_archive(link, arg->library, map) : NULL;
}

static void look_at_inputs(struct work *w, const struct wm_ldargs *link)
{
	struct wm_ldarg arg;

	for (size_t i = 0; i < link->args.n; i += arg.words) {
		char *path;

		arg = wm_ldargs_at(link, i);
		path = file_of(link, &arg, w->map);
		if (path && !wm_strv_has(&w->chain->was, path) &&
		    look_at_file(w, path))
			wm_strv_add(&w->chain->was, path);
		free(path);
	}
}

static void rename_to(struct wm_symbol_rename *r, size_t *n, const char *was,
		      const char *prefix, const struct function *f)
{
	r[(*n)++] = (struct wm_symbol_rename){ was, wm_strf("%s_%s", prefix,
							    f->name) };
}

static void choose_names(struct work *w, struct wm_additions *add)
{
	w->theirs = calloc(2 * w->n, sizeof(*w->theirs));
	w->ours = calloc(w->n, sizeof(*w->ours));
	if (!w->theirs || !w->ours)
		wm_die("out of memory");
	for (size_t i = 0; i < w->n; i++) {
		const struct function *f = &w->functions[i];
		bool calls = f->defined ? f->calls : f->may_call;

		if (f->wrapped && calls) {
			rename_to(w->ours, &w->our_count, f->wrapper, "wmreal",
				  f);
			if (f->wraps)
				rename_to(w->theirs, &w->their_count, f->behind,
					  "wmreal", f);
			continue;
		}
		rename_to(w->theirs, &w->their_count, f->wrapper, "wmwrap", f);
		if (f->wrapped) {
			rename_to(w->ours, &w->our_count, f->behind, "wmwrap",
				  f);
			/* the reference may be weak, and would pull nothing
			 * from an archive */
			wm_additions_ask(add, w->ours[w->our_count - 1].is);
		} else {
			rename_to(w->theirs, &w->their_count, f->behind,
				  "wmreal", f);
		}
	}
}

/* Drops functions whose wrappers are in no input.  Returns NULL, or the reason
 * if the program nevertheless has such a wrapper. */
static char *drop_functions(struct work *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct function *f = &w->functions[i];

		if ((f->plain && !f->may_define) ||
		    (f->may_define && w->hidden))
			return wm_strf("the program has a __wrap_%s of its "
				       "own, which link-time optimization or a "
				       "linker script hides",
				       f->name);
		if (f->may_define)
			w->functions[n++] = *f;
	}
	w->n = n;
	return NULL;
}

static uint8_t *rename_member(const struct wm_member *m, size_t *size,
			      void *context)
{
	struct work *w = context;
	uint8_t *copy = copy_bytes(m->bytes, m->size);
	long n = 0;
	struct wm_elf_object o;

	*size = m->size;
	if (copy && !wm_object_open(&o, copy, m->size))
		n = wm_rename_symbols(copy, m->size, w->theirs, w->their_count);
	w->failed |= n < 0;
	if (n > 0)
		return copy;
	free(copy);
	return NULL;
}

static void rename_index(uint8_t *bytes, size_t size, bool wide, void *context)
{
	const struct work *w = context;

	wm_rename_index(bytes, size, wide, w->theirs, w->their_count);
}

static long copy_object(const char *path, const char *copy,
			const struct wm_symbol_rename *r, size_t count)
{
	size_t size;
	uint8_t *bytes = wm_file_load(path, SIZE_MAX / 2, &size);
	long n = bytes ? wm_rename_symbols(bytes, size, r, count) : -1;

	if (n > 0 && !wm_file_make(copy, bytes, size))
		n = -1;
	free(bytes);
	return n;
}

/* Copies the user's files, except those in which no name is changed. */
static char *copy_inputs(struct work *w)
{
	struct wm_strv *was = &w->chain->was;

	for (size_t i = 0; i < was->n; i++) {
		const char *path = was->v[i];
		const char *copy = wm_temp_name(w->near, wm_basename(path));
		long n = wm_archive_kind(path) ?
				 wm_archive_copy(path, copy, rename_member,
						 rename_index, w) :
				 copy_object(path, copy, w->theirs,
					     w->their_count);

		if (n < 0 || w->failed)
			return wm_strf("'%s', which wraps %s as the twin does, "
				       "cannot be copied with other names",
				       path, w->functions[0].name);
		wm_strv_add(&w->chain->is, n ? copy : "");
	}
	return NULL;
}

static char *copy_ours(struct work *w, struct wm_additions *add)
{
	for (size_t i = 0; i < add->first.n; i++) {
		const char *word = add->first.v[i], *copy;
		long n;

		if (!is_object(add, i))
			continue;
		copy = wm_temp_name(w->near, wm_basename(word));
		n = copy_object(word, copy, w->ours, w->our_count);
		if (n < 0)
			return wm_strf("'%s' cannot be copied with other "
				       "names",
				       word);
		if (!n)
			continue;
		free(add->first.v[i]);
		add->first.v[i] = wm_strdup(copy);
	}
	return NULL;
}

static char *copy_of(const struct wm_ldargs *link, const struct wm_ldarg *arg,
		     void *context)
{
	const struct work *w = context;
	const struct wm_chain *c = w->chain;
	char *path = file_of(link, arg, w->map), *copy = NULL;

	for (size_t i = 0; path && !copy && i < c->is.n; i++)
		if (*c->is.v[i] && !strcmp(path, c->was.v[i]))
			copy = wm_strdup(c->is.v[i]);
	free(path);
	return copy;
}

static void work_release(struct work *w)
{
	for (size_t i = 0; i < w->their_count; i++)
		free(w->theirs[i].is);
	for (size_t i = 0; i < w->our_count; i++)
		free(w->ours[i].is);
	free(w->theirs);
	free(w->ours);
	free(w->functions);
}

char *wm_chain_make(struct wm_chain *c, struct wm_additions *add,
		    const struct wm_program_info *o,
		    const struct wm_ldargs *link, const struct wm_linkmap *map,
		    const char *near)
{
	struct work w = { .chain = c, .map = map, .near = near };
	char *why = NULL;

	memset(c, 0, sizeof(*c));
	if (link->wraps.n || o->own_wrap)
		find_functions(&w, add, o, link);
	if (w.n) {
		look_at_inputs(&w, link);
		why = drop_functions(&w);
	}
	if (w.n && !why) {
		choose_names(&w, add);
		why = copy_inputs(&w);
		if (!why)
			why = copy_ours(&w, add);
		wm_ldargs_replace(&c->link, link, copy_of, &w);
		c->needed = true;
	}
	work_release(&w);
	return why;
}

void wm_chain_givers(struct wm_chain *c, struct wm_givers *g)
{
	for (size_t i = 0; i < WM_FOUND_SYMBOLS; i++)
		for (size_t k = 0; g->of[i] && k < c->is.n; k++) {
			const char *was = c->was.v[k];
			size_t n = strlen(was);

			if (!*c->is.v[k] || strncmp(g->of[i], was, n) != 0 ||
			    (g->of[i][n] && g->of[i][n] != '('))
				continue;
			wm_strv_addf(&c->giver, "%s%s", c->is.v[k],
				     g->of[i] + n);
			g->copy[i] = c->giver.v[c->giver.n - 1];
		}
}

void wm_chain_release(struct wm_chain *c)
{
	if (c->needed)
		wm_strv_release(&c->link.args);
	wm_strv_release(&c->was);
	wm_strv_release(&c->is);
	wm_strv_release(&c->giver);
}
