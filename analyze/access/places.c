/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/places.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <gelf.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/access/debuginfod.h"
#include "analyze/lib/base/plain.h"
#include "analyze/lib/base/texts.h"
#include "input/path.h"
#include "input/regular.h"
#include "input/switch.h"

/* bytes of a build-id; linkers make 20 */
#define ID_MOST 64

struct named_file {
	char *name; /* NULL: any name */
	const char *file;
	uint8_t id[ID_MOST];
	size_t size;
};

/* Set only by wm_places_set(). */
static struct named_file files[WM_PLACES];
static size_t file_count;
static char *directories[2 * WM_PLACES + 1];
static size_t directory_count;
static bool any_build;

struct facts {
	uint8_t id[ID_MOST];
	size_t size; /* of the id; 0: no build-id */
	bool tells; /* has symbols or DWARF */
	bool whole; /* has instructions, not only debug information */
};

static bool is_debug_section(const char *name)
{
	return name &&
	       (!strcmp(name, ".debug_info") || !strcmp(name, ".zdebug_info") ||
		!strcmp(name, ".gnu_debugdata"));
}

static void read_sections(struct facts *f, Elf *elf)
{
	Elf_Scn *scn = NULL;
	size_t names;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS)
			continue;
		f->whole |= (sh.sh_flags & SHF_EXECINSTR) != 0;
		f->tells |= sh.sh_type == SHT_SYMTAB ||
			    is_debug_section(
				    elf_strptr(elf, names, sh.sh_name));
	}
}

bool wm_places_tells(Elf *elf)
{
	struct facts f = { .size = 0 };

	if (elf)
		read_sections(&f, elf);
	return f.tells;
}

static bool read_facts(struct facts *f, int fd)
{
	const void *id;
	Elf *elf;
	ssize_t n;
	bool good;

	memset(f, 0, sizeof(*f));
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	good = elf && elf_kind(elf) == ELF_K_ELF;
	if (good) {
		n = dwelf_elf_gnu_build_id(elf, &id);
		f->size = n < 0 ? 0 : n < ID_MOST ? (size_t)n : ID_MOST;
		if (f->size)
			memcpy(f->id, id, f->size);
		read_sections(f, elf);
	}
	elf_end(elf);
	return good;
}

static bool same_id(const uint8_t *a, size_t n, const uint8_t *b, size_t m)
{
	return n == m && (!n || memcmp(a, b, n) == 0);
}

/* Required parts of a file, besides its build-id. */
enum want { ANYTHING, NAMES, WHOLE };

/* Opens the ELF file @path if it has this build-id and the parts @want.
 * Otherwise returns -1, and sets *@other for a file of another build. */
static int open_build(const char *path, const uint8_t *id, size_t size,
		      enum want want, bool *other)
{
	int fd = wm_regular_open(path);
	struct facts f;

	if (fd < 0)
		return -1;
	if (read_facts(&f, fd)) {
		bool same = same_id(f.id, f.size, id, size);

		if (same && (want != NAMES || f.tells) &&
		    (want != WHOLE || f.whole))
			return fd;
		if (other)
			*other |= !same;
	}
	close(fd);
	return -1;
}

static enum wm_status add_file(const char *text, struct wm_err *err)
{
	struct named_file *f = &files[file_count];
	const char *equals = strchr(text, '=');
	struct facts facts;
	int fd, failed;
	bool good;

	*f = (struct named_file){ .file = text };
	if (equals && equals > text && access(text, F_OK)) {
		f->name = strndup(text, (size_t)(equals - text));
		if (!f->name)
			return wm_no_memory(err, NULL);
		f->file = equals + 1;
	}
	fd = wm_regular_open(f->file);
	failed = errno;
	good = fd >= 0 && read_facts(&facts, fd);
	if (fd >= 0)
		close(fd);
	file_count++; /* its name is freed with the others */
	if (good) {
		memcpy(f->id, facts.id, facts.size);
		f->size = facts.size;
	}
	if (fd < 0)
		return wm_err_set(err, WM_USAGE, "--exe %.300s: %s", text,
				  failed == EINVAL ? "not a file" :
						     strerror(failed));
	if (!good)
		return wm_err_set(err, WM_USAGE,
				  "--exe %.300s: neither a program nor a "
				  "library, nor debug information of one",
				  text);
	return WM_OK;
}

static bool add_directory(const char *path, size_t n)
{
	if (directory_count == sizeof(directories) / sizeof(*directories))
		return false;
	directories[directory_count] = strndup(path, n);
	return directories[directory_count] && ++directory_count;
}

/* Adds the directories of WM_DEBUG_PATH.  Missing directories are ignored. */
static void add_path(const char *text)
{
	size_t n;

	for (; text && *text; text += n + (text[n] == ':')) {
		n = strcspn(text, ":");
		if (n && directory_count < 2 * WM_PLACES)
			add_directory(text, n);
	}
}

static enum wm_status ask_servers(const struct wm_places *p, struct wm_err *err)
{
	const char *v = getenv("WM_DEBUGINFOD");
	int is = v && *v ? wm_switch(v) : 0;

	if (is < 0)
		return wm_err_set(err, WM_USAGE,
				  "WM_DEBUGINFOD='%.100s' is neither on nor "
				  "off",
				  v);
	if (p->debuginfod || is)
		wm_debuginfod_allow(!p->quiet && isatty(STDERR_FILENO));
	return WM_OK;
}

enum wm_status wm_places_set(const struct wm_places *p, struct wm_err *err)
{
	enum wm_status s = WM_OK;

	while (file_count)
		free(files[--file_count].name);
	while (directory_count)
		free(directories[--directory_count]);
	any_build = p->any_build;
	for (size_t i = 0; i < p->exes && !s; i++)
		s = add_file(p->exe[i], err);
	for (size_t i = 0; i < p->dirs && !s; i++) {
		const char *d = p->dir[i];
		char *slash = NULL;

		/* the slash makes access() fail unless it is a directory */
		if (asprintf(&slash, "%s/", d) < 0 ||
		    !add_directory(d, strlen(d)))
			s = wm_no_memory(err, NULL);
		else if (access(slash, R_OK | X_OK))
			s = wm_err_set(err, WM_USAGE, "--debug-dir %.300s: %s",
				       d, strerror(errno));
		free(slash);
	}
	add_path(getenv("WM_DEBUG_PATH"));
	add_directory(WM_PLACES_USUAL, strlen(WM_PLACES_USUAL));
	return s ? s : ask_servers(p, err);
}

bool wm_places_named(size_t i, struct wm_place_named *named)
{
	if (i >= file_count)
		return false;
	*named = (struct wm_place_named){ files[i].file, files[i].name,
					  files[i].id, files[i].size };
	return true;
}

const char *wm_places_ways(void)
{
	return wm_debuginfod_allowed() ?
		       "no debuginfod server has them; name its file with "
		       "--exe FILE, or a directory of debug files with "
		       "--debug-dir DIR" :
		       "name its file with --exe FILE, a directory of debug "
		       "files with --debug-dir DIR, or ask servers with "
		       "--debuginfod";
}

bool wm_places_any_build(void)
{
	return any_build;
}

bool wm_places_means(const struct wm_place_named *named,
		     const struct wm_module *m)
{
	if (!m->path || !*m->path)
		return false;
	if (!named->name)
		return m->main;
	return strcmp(named->name, m->path) == 0 ||
	       strcmp(named->name, wm_basename(m->path)) == 0;
}

bool wm_places_fits(const struct wm_place_named *named,
		    const struct wm_module *m)
{
	if (!same_id(named->id, named->size, m->build_id, m->build_id_size))
		return false;
	/* a file without a build-id fits only a module of its name */
	return named->size && !named->name ? true : wm_places_means(named, m);
}

const char *wm_build_text(char *text, const uint8_t *id, size_t size)
{
	size_t n = size < ID_MOST ? size : ID_MOST;

	for (size_t i = 0; i < n; i++)
		sprintf(text + 2 * i, "%02x", id[i]);
	if (!n)
		strcpy(text, "none");
	return text;
}

/* Makes "DIR/.build-id/12/345678END"; NULL without memory or for another id. */
static char *id_path(const char *dir, const uint8_t *id, size_t size,
		     const char *end)
{
	char text[WM_BUILD_TEXT], *path;

	if (size < 2)
		return NULL;
	wm_build_text(text, id, size);
	return asprintf(&path, "%s/.build-id/%.2s/%s%s", dir, text, text + 2,
			end) < 0 ?
		       NULL :
		       path;
}

static int take_build(char **path, const uint8_t *id, size_t size,
		      enum want want)
{
	int fd = *path ? open_build(*path, id, size, want, NULL) : -1;

	if (fd < 0) {
		free(*path);
		*path = NULL;
	}
	return fd;
}

static char *path_in(const char *dir, size_t i, const struct wm_module *m,
		     const char *own)
{
	switch (i) {
	case 0:
		return wm_text_make("%s%s%s", dir, *own == '/' ? "" : "/", own);
	case 1:
		return wm_text_make("%s/%s", dir, wm_basename(own));
	case 2:
		return id_path(dir, m->build_id, m->build_id_size, "");
	case 3:
		return id_path(dir, m->build_id, m->build_id_size, ".debug");
	default:
		return wm_text_make("%s/%s.debug", dir, wm_basename(own));
	}
}
#define PATHS_IN 5

static int find_in_directories(const struct wm_module *m, const char *own,
			       char **path, enum want want)
{
	int fd = -1;

	for (size_t d = 0; d < directory_count && fd < 0 && m->build_id_size;
	     d++)
		for (size_t i = 0; i < PATHS_IN && fd < 0; i++) {
			*path = path_in(directories[d], i, m, own);
			fd = take_build(path, m->build_id, m->build_id_size,
					want);
		}
	return fd;
}

/* Finds the file that the user names for the build of @m or, with @of_any, for
 * @m. */
static int find_named(const struct wm_module *m, char **path, bool *of_any,
		      enum want want)
{
	struct wm_place_named n;
	int fd = -1;

	for (size_t i = 0; wm_places_named(i, &n) && fd < 0; i++) {
		bool fits = wm_places_fits(&n, m);

		if (!fits && (!of_any || !any_build || !wm_places_means(&n, m)))
			continue;
		*path = strdup(n.file);
		fd = take_build(path, n.id, n.size, want);
		if (fd >= 0 && of_any)
			*of_any = !fits;
		/* further files without a name may be libraries, not the
		 * program */
		if (!fits && !n.name)
			of_any = NULL;
	}
	return fd;
}

/* Gets the file from a server, which may send anything. */
static int fetch(const uint8_t *id, size_t size, const char *what, char **path)
{
	int fd = wm_debuginfod_fetch(id, size, what, path);

	if (fd < 0)
		return -1;
	close(fd);
	return take_build(path, id, size, NAMES);
}

static int find_own(struct wm_place *place, const struct wm_module *m,
		    const char *own)
{
	int fd = *own == '/' ? open_build(own, m->build_id, m->build_id_size,
					  ANYTHING, &place->other) :
			       -1;

	if (fd >= 0)
		place->path = strdup(own);
	return fd;
}

void wm_places_find(struct wm_place *place, const struct wm_module *m)
{
	char *own = m->path ? strdup(m->path) : NULL;

	*place = (struct wm_place){ .fd = -1 };
	if (!own)
		return;
	wm_unplain(own);
	if (any_build)
		place->fd = find_named(m, &place->path, &place->insisted,
				       ANYTHING);
	place->elsewhere = place->fd >= 0;
	if (place->fd < 0)
		place->fd = find_own(place, m, own);
	if (place->fd < 0) {
		place->elsewhere = true;
		place->fd = find_named(m, &place->path, NULL, ANYTHING);
	}
	if (place->fd < 0)
		place->fd = find_in_directories(m, own, &place->path, ANYTHING);
	if (place->fd < 0)
		place->fd = fetch(m->build_id, m->build_id_size, m->path,
				  &place->path);
	free(own);
}

char *wm_places_path(const struct wm_module *m)
{
	char *own = m->path ? strdup(m->path) : NULL, *path = NULL;
	int fd = -1;

	if (own) {
		fd = find_named(m, &path, NULL, WHOLE);
		if (fd < 0)
			fd = find_in_directories(m, wm_unplain(own), &path,
						 WHOLE);
	}
	if (fd >= 0)
		close(fd);
	free(own);
	return path;
}

static bool read_crc(int fd, uint32_t *crc)
{
	uint8_t buffer[65536];
	off_t at = 0;
	ssize_t n;

	*crc = 0;
	while ((n = pread(fd, buffer, sizeof(buffer), at)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		*crc = lzma_crc32(buffer, (size_t)n, *crc);
		at += n;
	}
	return true;
}

/* Returns NULL if the file at @fd is the one of @link, else a malloc'ed
 * reason. */
static char *no_fit(int fd, const char *path, const struct wm_module *m,
		    const struct wm_debug_link *link)
{
	char has[WM_BUILD_TEXT], wants[WM_BUILD_TEXT];
	struct facts f;
	uint32_t crc;

	if (!read_facts(&f, fd))
		return wm_text_make("'%s' is not an ELF file", path);
	/* some tools make debug information without build-id */
	if (f.size && m->build_id_size &&
	    !same_id(f.id, f.size, m->build_id, m->build_id_size))
		return wm_text_make(
			"'%s' is debug information of another build: "
			"build-id %s instead of %s",
			path, wm_build_text(has, f.id, f.size),
			wm_build_text(wants, m->build_id, m->build_id_size));
	if (!read_crc(fd, &crc))
		return wm_text_make("'%s': %s", path, strerror(errno));
	if (crc != link->crc)
		return wm_text_make(
			"'%s' is damaged debug information, or that of "
			"another build: CRC %08x instead of %08x",
			path, crc, link->crc);
	return NULL;
}

/* Returns place @i where gdb looks for the file @link->name, too. */
static char *linked_path(size_t i, const struct wm_debug_link *link)
{
	const char *slash = strrchr(link->main, '/');
	int n = slash ? (int)(slash - link->main) : 0;
	const char *own = slash ? link->main : ".";

	n = slash ? n : 1;
	switch (i) {
	case 0:
		return wm_text_make("%.*s/%s", n, own, link->name);
	case 1:
		return wm_text_make("%.*s/.debug/%s", n, own, link->name);
	default:
		i -= 2;
		return i % 2 ? wm_text_make("%s/%s", directories[i / 2],
					    link->name) :
			       wm_text_make("%s/%.*s/%s", directories[i / 2], n,
					    own, link->name);
	}
}

static int find_linked(const struct wm_module *m,
		       const struct wm_debug_link *link, char **path,
		       char **why)
{
	size_t places = 2 + 2 * directory_count;

	for (size_t i = 0; link->name && i < places; i++) {
		char *at = linked_path(i, link), *reason = NULL;
		/* the file may have the program's name in another directory */
		int fd = at && strcmp(at, link->main) != 0 ?
				 wm_regular_open(at) :
				 -1;

		if (fd >= 0 && !(reason = no_fit(fd, at, m, link))) {
			*path = at;
			return fd;
		}
		if (fd >= 0)
			close(fd);
		free(at);
		if (*why)
			free(reason);
		else
			*why = reason;
	}
	return -1;
}

/* Opens "DIR/.build-id/12/34.debug" in one of the directories. */
static int find_by_id(const uint8_t *id, size_t size, char **path)
{
	int fd = -1;

	for (size_t d = 0; d < directory_count && fd < 0; d++) {
		*path = id_path(directories[d], id, size, ".debug");
		fd = take_build(path, id, size, NAMES);
	}
	return fd;
}

int wm_places_debug(const struct wm_module *m, const struct wm_debug_link *link,
		    char **path, char **why)
{
	int fd = find_named(m, path, NULL, NAMES);

	if (fd < 0)
		fd = find_by_id(m->build_id, m->build_id_size, path);
	if (fd < 0)
		fd = find_linked(m, link, path, why);
	if (fd < 0)
		fd = find_in_directories(m, link->main, path, NAMES);
	if (fd < 0)
		fd = fetch(m->build_id, m->build_id_size, m->path, path);
	return fd;
}

int wm_places_common(const char *debug, const char *name, const void *id,
		     size_t size, char **path)
{
	const char *slash = strrchr(debug, '/');
	int fd = find_by_id(id, size, path);

	if (fd < 0) {
		*path = *name == '/' || !slash ?
				strdup(name) :
				wm_text_make("%.*s/%s", (int)(slash - debug),
					     debug, name);
		fd = take_build(path, id, size, NAMES);
	}
	for (size_t i = 0; i < 2 * directory_count && fd < 0; i++) {
		*path = wm_text_make("%s%s/%s",
				     directories[i % directory_count],
				     i < directory_count ? "/.dwz" : "",
				     wm_basename(name));
		fd = take_build(path, id, size, NAMES);
	}
	return fd < 0 ? fetch(id, size, name, path) : fd;
}
