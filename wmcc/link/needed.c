/* SPDX-License-Identifier: Apache-2.0 */
/* A relinked program must need the same shared libraries as the plain program.
 * As it defines the functions that it wraps, --as-needed would drop a library
 * that the program needs only for these functions. */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/regular.h"

#include "wmcc/base/file.h"
#include "wmcc/base/machine.h"
#include "wmcc/link/twin.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

enum { LONGEST_SCRIPT = 1 << 16, DEEPEST = 4 };

struct search {
	struct wm_strv needed;
	struct wm_strv folders; /* the linker's search path */
	int depth;
};

static bool is_needed(const struct search *s, const char *name)
{
	for (size_t i = 0; i < s->needed.n; i++)
		if (!strcmp(wm_basename(s->needed.v[i]), wm_basename(name)))
			return true;
	return false;
}

static void read_names(Elf *elf, GElf_Sxword tag, struct wm_strv *names)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Dyn dyn;

	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_DYNAMIC)
			continue;
		data = elf_getdata(scn, NULL);
		for (int i = 0; data && gelf_getdyn(data, i, &dyn); i++) {
			const char *name = NULL;

			if (dyn.d_tag == tag)
				name = elf_strptr(elf, sh.sh_link,
						  dyn.d_un.d_val);
			if (name)
				wm_strv_add(names, name);
		}
	}
}

/* Returns false if @path is not a program or shared library. */
static bool read_file(const char *path, GElf_Sxword tag, struct wm_strv *names)
{
	int fd = wm_regular_open(path);
	Elf *elf = NULL;
	GElf_Ehdr eh;
	bool is;

	if (fd < 0)
		return false;
	if (elf_version(EV_CURRENT) != EV_NONE)
		elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	is = elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &eh) &&
	     eh.e_type != ET_REL;
	if (is)
		read_names(elf, tag, names);
	elf_end(elf);
	close(fd);
	return is;
}

static bool is_word(struct search *s, const char *file, const char *library);

/* Returns whether a linker script names a needed library, as a file or
 * -lNAME. */
static bool is_script(struct search *s, const char *path)
{
	static const char between[] = " \t\r\n(),;\"";
	char *text, *rest, *word;
	bool found = false;
	size_t size;

	if (s->depth == DEEPEST)
		return false;
	text = wm_file_load(path, LONGEST_SCRIPT, &size);
	if (!text)
		return false;
	s->depth++;
	for (word = strtok_r(text, between, &rest); word && !found;
	     word = strtok_r(NULL, between, &rest)) {
		if (wm_starts(word, "-l"))
			found = is_word(s, NULL, word + 2);
		else if (strstr(word, ".so"))
			found = is_word(s, word, NULL);
	}
	s->depth--;
	free(text);
	return found;
}

static bool is_file(struct search *s, const char *path)
{
	struct wm_strv own = { 0 };
	bool found;

	if (!strstr(wm_basename(path), ".so"))
		return false;
	if (read_file(path, DT_SONAME, &own))
		found = is_needed(s, own.n ? own.v[0] : path);
	else
		found = is_script(s, path);
	wm_strv_release(&own);
	return found;
}

/* Looks in all folders: if the linker takes another file, an option about
 * shared libraries does not affect that file. */
static bool is_word(struct search *s, const char *file, const char *library)
{
	bool found = file && is_file(s, file);

	for (size_t i = 0; library && !found && i < s->folders.n; i++) {
		const char *dir = s->folders.v[i];
		char *path = *library == ':' ?
				     wm_strf("%s/%s", dir, library + 1) :
				     wm_strf("%s/lib%s.so", dir, library);

		found = is_file(s, path);
		free(path);
	}
	return found;
}

static void find_folders(struct wm_strv *folders, const struct wm_ldargs *link)
{
	static const char *const usual[] = {
		"/usr/local/lib", "/lib64", "/usr/lib64", "/lib", "/usr/lib",
	};
	struct wm_ldarg arg;

	for (size_t i = 0; i < link->args.n; i += arg.words) {
		arg = wm_ldargs_at(link, i);
		if (arg.folder)
			wm_strv_add(folders, arg.folder);
	}
	for (size_t i = 0; i < COUNT(usual); i++)
		wm_strv_add(folders, usual[i]);
	wm_strv_addf(folders, "/lib/%s", wm_machine_own()->folder);
	wm_strv_addf(folders, "/usr/lib/%s", wm_machine_own()->folder);
}

void wm_needed_find(struct wm_strv *keep, const struct wm_ldargs *link,
		    const char *plain)
{
	struct search s = { .depth = 0 };
	struct wm_ldarg arg;

	read_file(plain, DT_NEEDED, &s.needed);
	find_folders(&s.folders, link);
	for (size_t i = 0; s.needed.n && i < link->args.n; i += arg.words) {
		arg = wm_ldargs_at(link, i);
		if (is_word(&s, arg.file, arg.library))
			wm_strv_add(keep, arg.file ? arg.file : arg.library);
	}
	wm_strv_release(&s.needed);
	wm_strv_release(&s.folders);
}
