/* SPDX-License-Identifier: Apache-2.0 */
/* The bundles of programs, and whether they belong to the traces. */
#include "analyze/job/analysis.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/access/places.h"
#include "analyze/lib/base/plain.h"
#include "analyze/symbols/namesakes.h"
#include "wm/census_format.h"

/* The most ranks of another build that a note names. */
#define BUILDS_SHOWN 5

static bool same_id(const uint8_t *a, size_t n, const uint8_t *b, size_t m)
{
	return n == m && (!n || memcmp(a, b, n) == 0);
}

/* Notes the ranks of program @p that ran another build than its first rank. */
static void note_builds(struct wm_analysis *a, size_t p)
{
	const struct wm_rank *first = NULL;
	char which[120] = "";
	size_t i, n = 0, len = 0;

	for (i = 0; i < a->rank_count; i++) {
		const struct wm_rank *r = &a->ranks[i];

		if (r->program_index != p)
			continue;
		if (!first)
			first = r;
		if (same_id(r->exe.build_id, r->exe.build_id_size,
			    first->exe.build_id, first->exe.build_id_size))
			continue;
		if (n++ < BUILDS_SHOWN)
			len += (size_t)snprintf(which + len,
						sizeof(which) - len,
						"%s%" PRIu64, n > 1 ? ", " : "",
						r->rank);
	}
	a->programs[p].mixed = n > 0;
	if (n)
		wm_analysis_note(a, true,
				 "'%s' holds traces of different builds: "
				 "rank%s %s%s not of the one that rank %" PRIu64
				 " ran; are they of another run?",
				 a->programs[p].dir, n > 1 ? "s" : "", which,
				 n > BUILDS_SHOWN ? " and others are" :
				 n > 1		  ? " are" :
						    " is",
				 first->rank);
}

/* Returns the number of ranks of program @p with the build of @b.  *@other
 * becomes the first rank with another build, or NULL. */
static size_t count_same(const struct wm_analysis *a, size_t p,
			 const struct wm_bundle *b,
			 const struct wm_rank **other)
{
	const uint8_t *id;
	size_t i, n, same = 0;

	*other = NULL;
	id = wm_bundle_build_id(b, &n);
	for (i = 0; i < a->rank_count; i++) {
		const struct wm_module *exe = &a->ranks[i].exe;

		if (a->ranks[i].program_index != p)
			continue;
		/* the process was killed before it recorded its build */
		if (!exe->build_id_size && !exe->path[0])
			continue;
		if (same_id(id, n, exe->build_id, exe->build_id_size))
			same++;
		else if (!*other)
			*other = &a->ranks[i];
	}
	return same;
}

/* Tries @path as the bundle of program @p.  A program need not have a bundle,
 * so there is a note only if the bundle is damaged or of another build. */
static enum wm_status try_bundle(struct wm_analysis *a, size_t p,
				 const char *path, struct wm_err *err)
{
	struct wm_program *pr = &a->programs[p];
	struct wm_bundle *b = NULL;
	const struct wm_rank *other;
	char id[WM_BUILD_TEXT];
	struct wm_err why;
	enum wm_status s;

	if (access(path, F_OK) != 0)
		return WM_OK;
	s = wm_bundle_open(&b, path, &why);
	if (s == WM_NO_MEMORY)
		return wm_no_memory(err, NULL);
	if (s == WM_NOT_FOUND)
		return WM_OK;
	if (s) {
		wm_analysis_note(a, true, "%s", why.text);
		return WM_OK;
	}
	if (count_same(a, p, b, &other) > 0) {
		pr->bundle = b;
		pr->bundle_path = strdup(path);
		if (!pr->bundle_path)
			return wm_no_memory(err, NULL);
	} else {
		wm_bundle_free(b);
	}
	if (!other)
		return WM_OK;
	pr->other_build = true;
	wm_analysis_note(a, true,
			 "'%s' is not the program that %s traced, "
			 "but another build: its names and static "
			 "memory are not used for it; for the traced one "
			 "(build-id %s) %s",
			 path, other->file,
			 wm_build_text(id, other->exe.build_id,
				       other->exe.build_id_size),
			 wm_places_ways());
	return WM_OK;
}

/* Takes the census of program @p from @exe, if that is the traced build. */
static enum wm_status take_census(struct wm_analysis *a, size_t p,
				  const char *exe, struct wm_err *err)
{
	struct wm_program *pr = &a->programs[p];
	struct wm_bundle *b = NULL;
	const struct wm_rank *other;
	char path[64];
	struct wm_err why;
	enum wm_status s;
	int fd = access(exe, R_OK) ? -1 : wm_census_take(exe);

	if (fd < 0)
		return WM_OK;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	s = wm_bundle_open(&b, path, &why);
	close(fd);
	if (s)
		return s == WM_NO_MEMORY ? wm_no_memory(err, NULL) : WM_OK;
	if (!count_same(a, p, b, &other)) {
		wm_bundle_free(b);
		return WM_OK;
	}
	pr->bundle = b;
	pr->census_only = true;
	pr->bundle_path = strdup(exe);
	return pr->bundle_path ? WM_OK : wm_no_memory(err, NULL);
}

/* Tries @path as the executable of program @p. */
static enum wm_status try_program(struct wm_analysis *a, size_t p,
				  const char *path, struct wm_err *err)
{
	enum wm_status s = try_bundle(a, p, path, err);

	if (!s && !a->programs[p].bundle && !a->programs[p].other_build)
		s = take_census(a, p, path, err);
	return s;
}

static enum wm_status open_bundle(struct wm_analysis *a, size_t p,
				  struct wm_err *err)
{
	enum wm_status s;
	char *path = NULL;
	size_t i;

	if (asprintf(&path, "%s/" WMC_FILE_NAME, a->programs[p].dir) < 0)
		return wm_no_memory(err, NULL);
	s = try_bundle(a, p, path, err);
	free(path);
	for (i = 0; i < a->rank_count && a->ranks[i].program_index != p; i++)
		;
	if (s || a->programs[p].bundle || i == a->rank_count)
		return s;
	/* the file that the user names, then the first rank's executable */
	path = wm_places_path(&a->ranks[i].exe);
	if (path)
		s = try_program(a, p, path, err);
	a->programs[p].named = a->programs[p].bundle != NULL;
	free(path);
	if (s || a->programs[p].bundle || a->ranks[i].exe.path[0] != '/')
		return s;
	path = strdup(a->ranks[i].exe.path);
	if (!path)
		return wm_no_memory(err, NULL);
	s = try_program(a, p, wm_unplain(path), err);
	free(path);
	return s;
}

/* Notes the calls that the linker of a program could not make visible. */
static void note_unseen(struct wm_analysis *a)
{
	for (size_t i = 0; i < a->program_count; i++) {
		const struct wm_bundle *b = a->programs[i].bundle;
		const char *what = b ? wm_bundle_census(b)->unseen : NULL;

		if (!what)
			continue;
		a->complete = false;
		wm_analysis_note(a, true, "not traced: %s", what);
	}
}

#define NAME_ROOM 4100

/* Writes the beginning of a note; the trace may lack the path. */
static const char *name_program(char name[NAME_ROOM], const struct wm_module *m)
{
	const bool known = m->path && *m->path;

	snprintf(name, NAME_ROOM, known ? "'%s'" : "the program%s",
		 known ? m->path : "");
	return name;
}

/* Notes why functions of the executable @m have no names, and the remedy. */
static void note_state(struct wm_analysis *a, const struct wm_module *m,
		       enum wm_module_state state, const char *why)
{
	static const char *const what[] = {
		[WM_MODULE_ABSENT] =
			"has no names: neither " WMC_FILE_NAME " in the run "
			"directory nor the program itself is there",
		[WM_MODULE_STRIPPED] = "has no names: it is stripped",
		[WM_MODULE_OTHER] =
			"has changed since the run (built again?): its "
			"functions have no names until it is run again",
		[WM_MODULE_INSISTED] =
			"has names of another build, as --any-build wants it: "
			"they may be wrong",
	};
	char id[WM_BUILD_TEXT], name[NAME_ROOM];
	bool help = state != WM_MODULE_INSISTED;

	if (state == WM_MODULE_GOOD)
		return;
	wm_build_text(id, m->build_id, m->build_id_size);
	wm_analysis_note(a,
			 state == WM_MODULE_OTHER ||
				 state == WM_MODULE_INSISTED,
			 "%s %s (build-id of the run: %s)%s%s%s%s",
			 name_program(name, m), what[state], id,
			 help ? "; " : "", help ? wm_places_ways() : "",
			 why ? "; " : "", why ? why : "");
}

static void note_split(struct wm_analysis *a, uint32_t module)
{
	char *where, *plain, name[NAME_ROOM];

	if (!wm_symbols_split(a->symbols, &a->paths, module, &where))
		return;
	plain = where ? wm_plain(where, strlen(where)) : NULL;
	wm_analysis_note(a, false,
			 "%s: inlined functions have no names, and their "
			 "lines are behind the functions around them: debug "
			 "information (-gsplit-dwarf) is in %s; or link with "
			 "wmcc",
			 name_program(name, &a->paths.modules[module]),
			 plain ? plain : "files that are not here");
	free(where);
	free(plain);
}

static void note_nameless(struct wm_analysis *a)
{
	/* a note is about another build */
	for (size_t i = 0; i < a->program_count; i++)
		if (a->programs[i].other_build)
			return;
	for (size_t i = 1; i < a->paths.module_count; i++) {
		const struct wm_module *m = &a->paths.modules[i];
		enum wm_module_state state;
		const char *why;

		if (!m->main)
			continue;
		state = wm_symbols_module(a->symbols, &a->paths, (uint32_t)i,
					  &why);
		note_state(a, m, state, why);
		note_split(a, (uint32_t)i);
	}
}

/* Returns the module that @n may stand for and that has the build of @n.
 * Otherwise returns NULL, and stores in *@meant the module with the name
 * of @n. */
static const struct wm_module *fitting_module(const struct wm_analysis *a,
					      const struct wm_place_named *n,
					      const struct wm_module **meant)
{
	size_t ranks = a->rank_count, i;

	*meant = NULL;
	for (i = 0; i < ranks + a->paths.module_count; i++) {
		const struct wm_module *m =
			i < ranks ? &a->ranks[i].exe :
				    &a->paths.modules[i - ranks];

		if (!m->path)
			continue;
		if (wm_places_fits(n, m))
			return m;
		if (!*meant &&
		    (wm_places_means(n, m) || (i < ranks && !n->name)))
			*meant = m;
	}
	return NULL;
}

/* Reports that @meant has another build than file @n, named for it. */
static enum wm_status wrong_build(const struct wm_place_named *n,
				  const struct wm_module *meant,
				  struct wm_err *err)
{
	char has[WM_BUILD_TEXT], wants[WM_BUILD_TEXT];

	if (!meant)
		return wm_err_set(err, WM_USAGE,
				  "--exe %.100s=%.100s: the traces name no "
				  "program or library so",
				  n->name, n->file);
	wm_build_text(has, n->id, n->size);
	wm_build_text(wants, meant->build_id, meant->build_id_size);
	return wm_err_set(err, WM_USAGE,
			  "--exe %.100s: its build-id is %.40s, that of the "
			  "traced '%.100s' is %.40s: names would be wrong; "
			  "--any-build uses the file anyway",
			  n->file, has, meant->path, wants);
}

/* Checks that each file that the user names has the build of a traced module.
 * With @several runs, a file may belong to another run if all programs of this
 * run have names anyway. */
static enum wm_status check_named(struct wm_analysis *a, bool several,
				  struct wm_err *err)
{
	const struct wm_module *meant;
	struct wm_place_named n;
	const char *why;

	for (size_t i = 0; wm_places_named(i, &n); i++) {
		bool good = several;

		if (fitting_module(a, &n, &meant) ||
		    (meant && wm_places_any_build()))
			continue;
		for (uint32_t k = 1; k < a->paths.module_count; k++)
			if (a->paths.modules[k].main)
				good &= wm_symbols_module(a->symbols, &a->paths,
							  k, &why) ==
					WM_MODULE_GOOD;
		if (!good)
			return wrong_build(&n, meant, err);
	}
	return WM_OK;
}

enum wm_status wm_analysis_programs(struct wm_analysis *a, bool several,
				    struct wm_err *err)
{
	enum wm_status s = WM_OK;

	a->name = a->run.name;
	a->id = a->run.id;
	a->programs = calloc(a->run.program_count, sizeof(*a->programs));
	if (!a->programs)
		return wm_no_memory(err, NULL);
	a->program_count = a->run.program_count;
	for (size_t i = 0; i < a->program_count; i++)
		a->programs[i].dir = a->run.programs[i];
	for (size_t i = 0; i < a->program_count && !s; i++) {
		note_builds(a, i);
		s = open_bundle(a, i, err);
	}
	if (s)
		return s;
	a->bundles = calloc(a->program_count, sizeof(*a->bundles));
	a->symbols = malloc(sizeof(*a->symbols));
	a->forwarders = calloc(1, sizeof(*a->forwarders));
	a->own_namesakes = calloc(1, sizeof(*a->own_namesakes));
	if (!a->bundles || !a->symbols || !a->forwarders || !a->own_namesakes)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < a->program_count; i++)
		if (a->programs[i].bundle && !a->programs[i].census_only)
			a->bundles[a->bundle_count++] = a->programs[i].bundle;
	wm_symbols_init(a->symbols, a->bundles, a->bundle_count, &a->rules);
	if (!a->namesakes)
		a->namesakes = a->own_namesakes;
	note_unseen(a);
	s = check_named(a, several, err);
	if (!s)
		note_nameless(a);
	return s;
}
