/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the objects of a program that define wrapped functions, and copies
 * them. */
#include "wmcc/link/inner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "wmcc/link/archive.h"
#include "wmcc/base/file.h"
#include "wmcc/base/subprocess.h"
#include "wmcc/link/twin.h"

struct source {
	const char *object;
	const char *names[WM_FOUND_SYMBOLS];
	uint64_t address[WM_FOUND_SYMBOLS];
	size_t n;
};

static bool source_read(struct source *s, const struct wm_program_info *o,
			const struct wm_givers *g, size_t first)
{
	s->object = g->of[first];
	s->n = 0;
	if (!s->object || wm_giver_is_libc(s->object))
		return false;
	for (size_t i = 0; i < WM_FOUND_SYMBOLS; i++) {
		if (!g->of[i] || strcmp(g->of[i], s->object) != 0)
			continue;
		/* the first such function of the object has been seen */
		if (i < first && wm_additions_wraps(o, i))
			return false;
		if (wm_additions_wraps(o, i)) {
			s->address[s->n] = o->found[i];
			s->names[s->n++] = wm_found_names[i].name;
		}
	}
	return s->n > 0;
}

static void not_seen(struct wm_inner *in, const struct source *s,
		     const char *why)
{
	char *text, *old = in->unseen;

	text = wm_strf("calls of %s%s in '%s', which defines %s: %s",
		       s->names[0], s->n > 1 ? " and others" : "",
		       wm_basename(s->object), s->n > 1 ? "them" : "it", why);
	in->unseen = old ? wm_strf("%s; %s", old, text) : text;
	if (old) {
		free(old);
		free(text);
	}
}

static void keep_copy(struct wm_inner *in, const struct source *s,
		      const uint8_t *bytes, size_t size, const char *near)
{
	const char *copy;

	if (in->n == WM_INNER_COPIES) {
		not_seen(in, s, "too many such files");
		return;
	}
	copy = wm_temp_name(near, "own.o");
	if (wm_file_make(copy, bytes, size)) {
		in->object[in->n] = wm_strdup(s->object);
		in->copy[in->n++] = copy;
	} else {
		not_seen(in, s, strerror(errno));
		wm_temp_remove(copy);
	}
}

static bool is_object_of(uint8_t *bytes, size_t size, const void *source)
{
	const struct source *s = source;

	return wm_inner_defines(bytes, size, s->names, s->n);
}

/* Adds a note if the calls cannot be redirected. */
static void redirect_source(struct wm_inner *in, const struct source *s,
			    const char *plain, const char *near)
{
	struct wm_inner_source source = { false, false, false };
	struct wm_inner_object found;
	size_t size = 0;
	uint8_t *bytes = wm_archive_load(s->object, is_object_of, s, &size);

	if (!bytes ||
	    wm_inner_redirect(&bytes, &size, s->names, s->n, &found)) {
		not_seen(
			in, s,
			wm_giver_is_lto(s->object) ?
				"link-time optimization hides them (-fno-lto for "
				"that file shows them)" :
				"it cannot be read");
		free(bytes);
		return;
	}
	if (found.others)
		source = wm_inner_source(plain, s->address, s->names, s->n);
	if (found.outside && !found.clang && !source.unoptimized)
		not_seen(in, s,
			 "the compiler has treated them as its own "
			 "(a file of their own shows them)");
	else if (found.parts || source.inlined)
		not_seen(in, s,
			 "the compiler has put them inline (a file of "
			 "their own shows them)");
	else if (found.others && !source.known)
		not_seen(in, s,
			 "those that the compiler has put inline, if "
			 "any (with -g it is known)");
	if (found.outside && (found.clang || source.unoptimized))
		keep_copy(in, s, bytes, size, near);
	free(bytes);
}

void wm_inner_make(struct wm_inner *in, const struct wm_program_info *o,
		   struct wm_givers *g, const char *plain, const char *near)
{
	struct source s;

	memset(in, 0, sizeof(*in));
	for (size_t i = 0; o->is_static && i < WM_FOUND_SYMBOLS; i++)
		if (wm_additions_wraps(o, i) && source_read(&s, o, g, i))
			redirect_source(in, &s, plain, near);
	for (size_t i = 0; i < WM_FOUND_SYMBOLS; i++)
		for (size_t k = 0; g->of[i] && k < in->n; k++)
			if (!strcmp(g->of[i], in->object[k]))
				g->copy[i] = in->copy[k];
}

static bool names_archive(const char *word, const char *path)
{
	const char *base = wm_basename(path);
	size_t n;

	if (!strcmp(word, path))
		return true;
	if (!wm_starts(word, "-l") || !wm_starts(base, "lib"))
		return false;
	if (word[2] == ':')
		return !strcmp(word + 3, base);
	n = strlen(word + 2);
	return !strncmp(base + 3, word + 2, n) && !strcmp(base + 3 + n, ".a");
}

static size_t of_ours(const struct wm_strv *cmd)
{
	size_t at = 0;

	while (at < cmd->n && !wm_ends(cmd->v[at], "wm-static.o"))
		at++;
	return at;
}

void wm_inner_use(const struct wm_inner *in, struct wm_strv *cmd)
{
	for (size_t i = 0; i < in->n; i++) {
		char *file = wm_archive_of(in->object[i]);
		bool member = strcmp(file, in->object[i]) != 0;
		size_t at = 0;

		while (at < cmd->n &&
		       (member ? !names_archive(cmd->v[at], file) :
				 strcmp(cmd->v[at], file) != 0))
			at++;
		if (at < cmd->n && !member) {
			free(cmd->v[at]);
			cmd->v[at] = wm_strdup(in->copy[i]);
		} else {
			/* before the archive, so that the member is not taken;
			 * or before all archives, as bfd's map does not name a
			 * thin archive */
			if (at == cmd->n)
				at = of_ours(cmd);
			wm_strv_insert(cmd, at, in->copy[i]);
		}
		free(file);
	}
}

void wm_inner_give_up(struct wm_inner *in, const char *why)
{
	char *files = wm_strdup(""), *old;

	for (size_t i = 0; i < in->n; i++) {
		old = files;
		files = wm_strf("%s%s'%s'", old, i ? ", " : "",
				wm_basename(in->object[i]));
		free(old);
	}
	old = in->unseen;
	in->unseen = wm_strf("calls of the memory functions that %s define%s, "
			     "in %s: %s%s%s",
			     files, in->n > 1 ? "" : "s",
			     in->n > 1 ? "these files" : "that file", why,
			     old ? "; " : "", old ? old : "");
	free(old);
	free(files);
}

void wm_inner_release(struct wm_inner *in)
{
	for (size_t i = 0; i < in->n; i++) {
		free(in->object[i]);
		wm_temp_remove(in->copy[i]);
	}
	free(in->unseen);
	memset(in, 0, sizeof(*in));
}
