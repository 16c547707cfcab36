/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/link/archive.h"

#include <ar.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wmcc/base/file.h"
#include "wmcc/base/strv.h"

#define THIN "!<thin>\n"
/* The most bytes of an object or archive. */
#define MAX_BYTES ((size_t)1 << 31)
/* Longer names of members are none: with them a damaged table, which each of
 * many members reads to its end, would take for ever. */
#define MAX_NAME ((size_t)4096)

/* With a zero behind it: the table of long names may lack its last newline. */
static uint8_t *load_file(const char *path, size_t *size)
{
	return (uint8_t *)wm_file_load(path, MAX_BYTES, size);
}

char *wm_archive_of(const char *object)
{
	const char *open = strchr(object, '('), *last = strrchr(object, '(');
	char *file = wm_strdup(object);

	if (!open || !wm_ends(object, ")") || !access(file, F_OK))
		return file;
	/* names of folders and members may have parentheses, too */
	for (; open != last; open = strchr(open + 1, '(')) {
		file[open - object] = 0;
		if (!access(file, F_OK))
			return file;
		file[open - object] = '(';
	}
	file[last - object] = 0;
	return file;
}

/* A walk over the members. */
struct members {
	const uint8_t *bytes;
	size_t size, at;
	const char *names; /* the table of long names */
	size_t names_size;
	bool thin;
};

/* The name of the member whose header is at @h: NAME/, or /OFFSET. */
static char *member_name(const struct members *w, const struct ar_hdr *h)
{
	size_t offset, room, n;
	const char *name;

	if (h->ar_name[0] != '/') {
		n = strnlen(h->ar_name, sizeof(h->ar_name));
		while (n && h->ar_name[n - 1] == ' ')
			n--;
		if (n && h->ar_name[n - 1] == '/')
			n--;
		return wm_strf("%.*s", (int)n, h->ar_name);
	}
	offset = strtoul(h->ar_name + 1, NULL, 10);
	/* an index or the table of names is no member */
	if (!strchr("0123456789", h->ar_name[1]) || !w->names ||
	    offset >= w->names_size)
		return wm_strdup("");
	name = w->names + offset;
	room = w->names_size - offset;
	for (n = 0; n < room && name[n] != '\n';)
		if (++n > MAX_NAME)
			return wm_strdup("");
	if (n && name[n - 1] == '/')
		n--;
	return wm_strf("%.*s", (int)n, name);
}

/* The next member: its name (the caller frees it), where its bytes are and how
 * many; NULL: no more. */
static char *next_member(struct members *w, size_t *start, size_t *size)
{
	const struct ar_hdr *h = (const void *)(w->bytes + w->at);
	char digits[sizeof(h->ar_size) + 1];

	if (w->at > w->size || w->size - w->at < sizeof(*h))
		return NULL;
	memcpy(digits, h->ar_size, sizeof(h->ar_size));
	digits[sizeof(h->ar_size)] = 0;
	*size = strtoul(digits, NULL, 10);
	*start = w->at + sizeof(*h);
	w->at = *start;
	if (!w->thin ||
	    (h->ar_name[0] == '/' && strchr("/ S", h->ar_name[1]))) {
		if (*size > w->size - *start)
			return NULL;
		w->at += *size + (*size & 1);
	}
	if (!memcmp(h->ar_name, "// ", 3)) {
		w->names = (const char *)w->bytes + *start;
		w->names_size = *size;
	}
	return member_name(w, h);
}

/* The member that is looked for. */
struct wanted {
	bool (*is_it)(uint8_t *bytes, size_t size, const void *what);
	const void *what;
};

/* @bytes when they are what is looked for; else NULL, and they are freed. */
static uint8_t *keep_if_wanted(uint8_t *bytes, size_t size,
			       const struct wanted *wanted)
{
	if (bytes && !wanted->is_it(bytes, size, wanted->what)) {
		free(bytes);
		bytes = NULL;
	}
	return bytes;
}

/* The file that member @member of the thin archive @path names. */
static char *thin_file(const char *path, const char *member)
{
	return *member == '/' ?
		       wm_strdup(member) :
		       wm_strf("%.*s%s", (int)(wm_basename(path) - path), path,
			       member);
}

static uint8_t *load_thin(const char *path, const char *member, size_t *size)
{
	char *file = thin_file(path, member);
	uint8_t *bytes = load_file(file, size);

	free(file);
	return bytes;
}

/* Bytes of member @name of the archive @path, which is @bytes. */
static uint8_t *take_member(const char *path, const uint8_t *bytes,
			    size_t archive_size, const char *name,
			    const struct wanted *wanted, size_t *size)
{
	struct members w = { bytes, archive_size, SARMAG, NULL, 0, 0 };
	size_t start;
	uint8_t *copy = NULL;
	char *member;

	if (archive_size < SARMAG)
		return NULL;
	w.thin = !memcmp(bytes, THIN, SARMAG);
	if (!w.thin && memcmp(bytes, ARMAG, SARMAG) != 0)
		return NULL;
	while (!copy && (member = next_member(&w, &start, size))) {
		if (w.thin && !strcmp(wm_basename(member), wm_basename(name))) {
			copy = load_thin(path, member, size);
		} else if (!w.thin && !strcmp(member, name)) {
			copy = malloc(*size + 1);
			if (copy)
				memcpy(copy, bytes + start, *size);
		}
		copy = keep_if_wanted(copy, *size, wanted);
		free(member);
	}
	return copy;
}

uint8_t *wm_archive_load(const char *object,
			 bool (*is_it)(uint8_t *bytes, size_t size,
				       const void *what),
			 const void *what, size_t *size)
{
	const struct wanted wanted = { is_it, what };
	char *path = wm_archive_of(object), *name;
	uint8_t *bytes = load_file(path, size), *member;

	if (!strcmp(path, object)) {
		bytes = keep_if_wanted(bytes, *size, &wanted);
	} else if (bytes) {
		name = wm_strf("%s", object + strlen(path) + 1);
		name[strlen(name) - 1] = 0;
		member = take_member(path, bytes, *size, name, &wanted, size);
		free(name);
		free(bytes);
		bytes = member;
	}
	free(path);
	return bytes;
}

struct wm_archive {
	struct members w;
	const char *path;
	char *name, *file; /* of the entry told last */
	bool odd; /* there are members as other systems write them */
};

struct wm_archive *wm_archive_open(const char *path, const uint8_t *bytes,
				   size_t size)
{
	bool thin = size >= SARMAG && !memcmp(bytes, THIN, SARMAG);
	struct wm_archive *a;

	if (!thin && (size < SARMAG || memcmp(bytes, ARMAG, SARMAG) != 0))
		return NULL;
	a = calloc(1, sizeof(*a));
	if (!a)
		return NULL;
	a->w = (struct members){ bytes, size, SARMAG, NULL, 0, thin };
	a->path = path;
	return a;
}

static void forget_entry(struct wm_archive *a)
{
	free(a->name);
	free(a->file);
	a->name = a->file = NULL;
}

bool wm_archive_next(struct wm_archive *a, struct wm_archive_entry *e)
{
	const char *h;
	size_t start;

	forget_entry(a);
	memset(e, 0, sizeof(*e));
	e->at = a->w.at;
	a->name = next_member(&a->w, &start, &e->size);
	if (!a->name)
		return false;
	h = e->header = (const char *)a->w.bytes + e->at;
	e->name = a->name;
	e->bytes = a->w.bytes + start;
	e->special = h[0] == '/' && strchr("/ S", h[1]);
	if (!e->special && a->w.thin)
		e->file = a->file = thin_file(a->path, a->name);
	/* BSD's long names and index */
	a->odd |= !memcmp(h, "#1/", 3) || !memcmp(h, "__.SYMDEF", 9) ||
		  (!e->special && !*a->name);
	return true;
}

bool wm_archive_close(struct wm_archive *a)
{
	bool good = !a->odd && a->w.at >= a->w.size;

	forget_entry(a);
	free(a);
	return good;
}
