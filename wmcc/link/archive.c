/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/link/archive.h"

#include <ar.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/regular.h"

#include "wmcc/base/file.h"
#include "wmcc/base/strv.h"

#define THIN "!<thin>\n"
/* Longer names are refused: in a damaged archive, each member could read the
 * table of names to its end, which would take very long. */
#define MAX_NAME ((size_t)4096)

static enum wm_archive_kind kind_of(const uint8_t *bytes, size_t size)
{
	if (size < SARMAG)
		return WM_ARCHIVE_NONE;
	if (!memcmp(bytes, THIN, SARMAG))
		return WM_ARCHIVE_THIN;
	return memcmp(bytes, ARMAG, SARMAG) ? WM_ARCHIVE_NONE :
					      WM_ARCHIVE_WHOLE;
}

enum wm_archive_kind wm_archive_kind(const char *path)
{
	uint8_t magic[SARMAG];
	int fd = wm_regular_open(path);
	size_t n = fd < 0 ? 0 : wm_read_all(fd, magic, SARMAG);

	if (fd >= 0)
		close(fd);
	return kind_of(magic, n);
}

char *wm_archive_of(const char *object)
{
	const char *open = strchr(object, '('), *last = strrchr(object, '(');
	char *file = wm_strdup(object);

	if (!open || !wm_ends(object, ")") || !access(file, F_OK))
		return file;
	/* names of folders and members may contain parentheses */
	for (; open != last; open = strchr(open + 1, '(')) {
		file[open - object] = 0;
		if (!access(file, F_OK))
			return file;
		file[open - object] = '(';
	}
	file[last - object] = 0;
	return file;
}

struct wm_archive {
	const char *path;
	const uint8_t *bytes;
	size_t size, at;
	const char *names; /* of members, if they are long */
	size_t names_size;
	char *name, *file; /* of the last entry */
	bool thin;
	bool odd; /* some members have the format of other systems */
};

/* Returns the name of a member from its header @h: NAME/, or /OFFSET. */
static char *member_name(const struct wm_archive *w, const struct ar_hdr *h)
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
	/* an index or the table of names is not a member */
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

/* Returns the name, which the caller frees, or NULL at the end. */
static char *next_member(struct wm_archive *w, size_t *start, size_t *size)
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

static char *thin_file(const char *path, const char *member)
{
	return *member == '/' ?
		       wm_strdup(member) :
		       wm_strf("%.*s%s", (int)(wm_basename(path) - path), path,
			       member);
}

struct wm_archive *wm_archive_open(const char *path, const uint8_t *bytes,
				   size_t size)
{
	enum wm_archive_kind kind = kind_of(bytes, size);
	struct wm_archive *a = kind ? calloc(1, sizeof(*a)) : NULL;

	if (!a)
		return NULL;
	*a = (struct wm_archive){ .path = path,
				  .bytes = bytes,
				  .size = size,
				  .at = SARMAG,
				  .thin = kind == WM_ARCHIVE_THIN };
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
	e->at = a->at;
	a->name = next_member(a, &start, &e->size);
	if (!a->name)
		return false;
	h = e->header = (const char *)a->bytes + e->at;
	e->name = a->name;
	e->bytes = a->bytes + start;
	e->special = h[0] == '/' && strchr("/ S", h[1]);
	if (!e->special && a->thin)
		e->file = a->file = thin_file(a->path, a->name);
	/* long names and index of BSD */
	a->odd |= !memcmp(h, "#1/", 3) || !memcmp(h, "__.SYMDEF", 9) ||
		  (!e->special && !*a->name);
	return true;
}

bool wm_archive_close(struct wm_archive *a)
{
	bool good = !a->odd && a->at >= a->size;

	forget_entry(a);
	free(a);
	return good;
}

struct wanted {
	bool (*is_it)(uint8_t *bytes, size_t size, const void *what);
	const void *what;
};

/* Frees @bytes and returns NULL if they are not the wanted member. */
static uint8_t *keep_if_wanted(uint8_t *bytes, size_t size,
			       const struct wanted *wanted)
{
	if (bytes && !wanted->is_it(bytes, size, wanted->what)) {
		free(bytes);
		bytes = NULL;
	}
	return bytes;
}

static uint8_t *take_member(const char *path, const uint8_t *bytes,
			    size_t archive_size, const char *name,
			    const struct wanted *wanted, size_t *size)
{
	struct wm_archive *a = wm_archive_open(path, bytes, archive_size);
	struct wm_archive_entry e;
	uint8_t *copy = NULL;

	while (a && !copy && wm_archive_next(a, &e)) {
		if (e.file && !strcmp(wm_basename(e.name), wm_basename(name))) {
			copy = wm_file_load(e.file, WM_OBJECT_MAX, size);
		} else if (!e.file && !strcmp(e.name, name)) {
			*size = e.size;
			copy = malloc(e.size + 1);
			if (copy)
				memcpy(copy, e.bytes, e.size);
		}
		copy = keep_if_wanted(copy, *size, wanted);
	}
	if (a)
		wm_archive_close(a);
	return copy;
}

uint8_t *wm_archive_load(const char *object,
			 bool (*is_it)(uint8_t *bytes, size_t size,
				       const void *what),
			 const void *what, size_t *size)
{
	const struct wanted wanted = { is_it, what };
	char *path = wm_archive_of(object), *name;
	/* the table of long names may lack its newline, not this zero */
	uint8_t *bytes = wm_file_load(path, WM_OBJECT_MAX, size), *member;

	if (!strcmp(path, object)) {
		bytes = keep_if_wanted(bytes, *size, &wanted);
	} else if (bytes) {
		name = wm_strdup(object + strlen(path) + 1);
		name[strlen(name) - 1] = 0;
		member = take_member(path, bytes, *size, name, &wanted, size);
		free(name);
		free(bytes);
		bytes = member;
	}
	free(path);
	return bytes;
}
