/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/link/ldargs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wmcc/base/args.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

enum kind {
	KEEP, /* repeated in the second link */
	DROP, /* not repeated */
	OUTPUT,
	MAP,
	MAP_WANTED, /* likewise */
	OTHER, /* makes no executable */
	STRIP, /* not repeated */
	BUILD_ID,
	PLUGIN_OPT,
	READ, /* a file that the linker reads; repeated */
	VERSION_SCRIPT, /* not repeated with wm_additions.exports */
	WRAP, /* repeated */
	LIBRARY, /* repeated */
};

/* How an option takes its value. */
enum value {
	NONE,
	NEXT, /* -opt value */
	EQUAL, /* -opt=value */
	EITHER, /* -opt value, -opt=value */
	MAYBE, /* -opt, -opt=value */
};

struct option {
	enum kind kind;
	enum value value;
	const char *names; /* after one or two dashes; blanks separate them */
};

/* Options that matter here or have a separate value. */
static const struct option options[] = {
	{ OUTPUT, EITHER, "output" },
	{ MAP, EITHER, "Map" },
	{ MAP_WANTED, NONE,
	  "M print-map cref print-map-discarded print-map-locals" },
	{ OTHER, NONE,
	  "r i Ur relocatable relocateable shared Bshareable dylib dll help "
	  "target-help version print-output-format print-sysroot" },
	{ OTHER, EITHER, "oformat" },
	{ OTHER, MAYBE, "thinlto-index-only" },
	{ STRIP, NONE, "s strip-all" },
	{ STRIP, EITHER, "retain-symbols-file" },
	{ DROP, NONE,
	  "S strip-debug x discard-all t trace v V stats print-gc-sections "
	  "print-icf-sections print-memory-usage fatal-warnings repro "
	  "thinlto-emit-imports-files thinlto-emit-index-files" },
	{ DROP, NEXT, "y" },
	{ DROP, EQUAL,
	  "print-archive-stats print-symbol-order why-extract lto-obj-path" },
	{ DROP, EITHER,
	  "trace-symbol dependency-file reproduce out-implib "
	  "opt-remarks-filename" },
	{ DROP, MAYBE, "verbose print-dependencies time-trace save-temps" },
	{ BUILD_ID, MAYBE, "build-id" },
	{ PLUGIN_OPT, EITHER, "plugin-opt" },
	{ WRAP, EITHER, "wrap" },
	{ LIBRARY, NEXT, "l" },
	{ LIBRARY, EITHER, "library" },
	{ READ, NEXT, "T dT c R" },
	{ READ, EITHER,
	  "script default-script mri-script just-symbols section-ordering-file "
	  "symbol-ordering-file dynamic-list export-dynamic-symbol-list" },
	{ VERSION_SCRIPT, EITHER, "version-script" },
	{ KEEP, NEXT, "L e u z m b A a h f F I G O P Y assert" },
	{ KEEP, EITHER,
	  "plugin library-path entry undefined require-defined format "
	  "architecture soname auxiliary filter dynamic-linker gpsize audit "
	  "depaudit rpath rpath-link init fini defsym Ttext Tdata Tbss "
	  "Ttext-segment Trodata-segment Tldata-segment section-start "
	  "export-dynamic-symbol exclude-libs ignore-unresolved-symbol "
	  "task-link sort-section hash-style image-base mllvm chroot "
	  "thread-count" },
};

struct item {
	enum kind kind;
	size_t n; /* 1, or 2 with a separate value */
	const char *value; /* or NULL */
	bool input; /* a file or library */
	bool file;
};

/* Reads a letter that the value follows directly, such as -oFILE or -LDIR. */
static bool letter_item(const char *arg, char *const *av, struct item *it)
{
	static const char letters[] = "oLlTeuzmybhfFIGRPYAac";

	if (arg[0] != '-' || arg[1] == '-' || !strchr(letters, arg[1]))
		return false;
	it->value = arg[2] ? arg + 2 : av[1];
	it->n = arg[2] || !av[1] ? 1 : 2;
	if (arg[1] == 'o')
		it->kind = OUTPUT;
	else if (arg[1] == 'y')
		it->kind = DROP;
	else if (strchr("TcR", arg[1]))
		it->kind = READ;
	it->input = arg[1] == 'l';
	return true;
}

static bool match_option(const struct option *o, const char *text,
			 char *const *av, struct item *it)
{
	size_t n = strcspn(text, "=");

	if (!wm_is_word(text, n, o->names))
		return false;
	if (text[n]) {
		if (o->value == NONE || o->value == NEXT)
			return false;
		it->value = text + n + 1;
	} else if (o->value == NEXT || o->value == EITHER) {
		it->value = av[1];
		it->n = av[1] ? 2 : 1;
	} else if (o->value == EQUAL) {
		return false;
	}
	it->kind = o->kind;
	it->input = o->kind == LIBRARY;
	return true;
}

static void item_read(char *const *av, struct item *it)
{
	const char *arg = *av;
	const char *text = arg + 1;

	*it = (struct item){ .kind = KEEP, .n = 1 };
	if (*arg != '-' || !arg[1]) {
		it->input = it->file = true;
		return;
	}
	if (*text == '-')
		text++;
	for (size_t i = 0; i < COUNT(options); i++) {
		if (match_option(&options[i], text, av, it))
			return;
	}
	letter_item(arg, av, it);
}

/* Start files of the compiler must precede the objects of wmtools. */
static bool is_start_file(const char *path)
{
	const char *base = wm_basename(path);

	return wm_ends(base, ".o") &&
	       (wm_starts(base, "crtbegin") || !strcmp(base, "crti.o") ||
		wm_ends(base, "crt0.o") || wm_ends(base, "crt1.o"));
}

/* Recognizes runtimes of sanitizers that replace malloc, unlike ubsan. */
static bool is_sanitizer(const char *arg)
{
	const char *base = wm_basename(arg);

	if (wm_starts(base, "libclang_rt."))
		base += strlen("libclang_rt.");
	else if (wm_starts(base, "-l"))
		base += 2;
	else if (wm_starts(base, "lib"))
		base += 3;
	return wm_is_word(base, strcspn(base, "._-"),
			  "asan tsan lsan msan hwasan dfsan nsan rtsan tysan "
			  "memprof");
}

/* Returns the file that the linker reads for the argument, or NULL. */
static const char *file_read(char *const *av, const struct item *it)
{
	if (it->file)
		return *av;
	return it->kind == READ || it->kind == VERSION_SCRIPT ? it->value :
								NULL;
}

static bool is_stream(const char *path)
{
	struct stat st;

	if (wm_starts(path, "/dev/") || wm_starts(path, "/proc/"))
		return true;
	return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

void wm_ldargs_scan(struct wm_ldargs *a, char *const *argv)
{
	const char *read;
	bool start = true;
	struct item it;

	memset(a, 0, sizeof(*a));
	a->response = wm_strv_expand(&a->args, argv);
	a->output = "a.out";
	for (size_t i = 0; i < a->args.n; i += it.n) {
		char *const *av = a->args.v + i;

		item_read(av, &it);
		read = file_read(av, &it);
		if (read && is_stream(read))
			wm_strv_add(&a->streams, read);
		if (it.input) {
			if (it.file && wm_is_probe(*av))
				a->probe = true;
			if (is_sanitizer(*av))
				a->sanitizer = true;
			if (start && it.file && is_start_file(*av))
				a->first = i + 1;
			else if (start && !a->inputs)
				a->first = i;
			if (!it.file || !is_start_file(*av))
				start = false;
			a->inputs = true;
		}
		switch (it.kind) {
		case OUTPUT:
			if (it.value)
				a->output = it.value;
			break;
		case MAP:
			a->map = it.value;
			a->map_wanted = true;
			break;
		case MAP_WANTED:
			a->map_wanted = true;
			break;
		case OTHER:
			a->other = true;
			break;
		case WRAP:
			if (it.value)
				wm_strv_add(&a->wraps, it.value);
			break;
		case STRIP:
			a->stripped = true;
			a->retained |= it.value != NULL;
			break;
		case BUILD_ID:
			a->build_id = !it.value ||
				      strcmp(it.value, "none") != 0;
			break;
		default:
			break;
		}
	}
	if (wm_is_probe(a->output))
		a->probe = true;
	/* "-", a folder or a pattern cannot be read */
	if (a->map && (!strcmp(a->map, "-") || strchr(a->map, '%')))
		a->map = NULL;
}

struct wm_ldarg wm_ldargs_at(const struct wm_ldargs *a, size_t i)
{
	const char *arg = a->args.v[i];
	struct wm_ldarg what = { 0 };
	struct item it;

	item_read(a->args.v + i, &it);
	what.words = it.n;
	if (it.file)
		what.file = arg;
	else if (it.input)
		what.library = it.value;
	else if (wm_starts(arg, "-L") || wm_starts(arg, "--library-path"))
		what.folder = it.value;
	return what;
}

void wm_ldargs_release(struct wm_ldargs *a)
{
	wm_strv_release(&a->args);
	wm_strv_release(&a->streams);
	wm_strv_release(&a->wraps);
}

static bool is_dropped(enum kind kind)
{
	return kind == DROP || kind == OUTPUT || kind == MAP ||
	       kind == MAP_WANTED || kind == STRIP;
}

/* The user needs these files of LLVM's LTO from the plain program. */
static bool is_file_of_lto(const char *option)
{
	return option &&
	       wm_starts_any(option, "save-temps obj-path= stats-file= "
				     "opt-remarks-filename= "
				     "thinlto-emit-imports-files");
}

static bool is_kept(char *const *av, const struct item *it,
		    const struct wm_strv *keep)
{
	const char *name = it->file ? av[0] : it->value;

	return it->input && name && wm_strv_has(keep, name);
}

void wm_ldargs_rewrite(const struct wm_ldargs *a, const char *output,
		       const char *resolution, const struct wm_additions *add,
		       struct wm_strv *cmd)
{
	static const char res[] = "-fresolution=";
	struct item it;
	bool keep;

	wm_strv_add(cmd, "-o");
	wm_strv_add(cmd, output);
	for (size_t i = 0; i < a->args.n; i += it.n) {
		char *const *av = a->args.v + i;

		if (add && i == a->first)
			wm_strv_addv(cmd, add->first.v);
		item_read(av, &it);
		if (is_dropped(it.kind) ||
		    (it.kind == VERSION_SCRIPT && add && add->exports))
			continue;
		if (it.kind == PLUGIN_OPT && it.value &&
		    wm_starts(it.value, res)) {
			wm_strv_addf(cmd, "-plugin-opt=%s%s", res, resolution);
			continue;
		}
		if (it.kind == PLUGIN_OPT && is_file_of_lto(it.value))
			continue;
		keep = add && is_kept(av, &it, &add->keep);
		if (keep)
			wm_strv_split(cmd, "--push-state --no-as-needed");
		wm_strv_add(cmd, av[0]);
		if (it.n == 2)
			wm_strv_add(cmd, av[1]);
		if (keep)
			wm_strv_add(cmd, "--pop-state");
	}
	if (add)
		wm_strv_addv(cmd, add->last.v);
}

void wm_ldargs_replace(struct wm_ldargs *to, const struct wm_ldargs *from,
		       wm_ldargs_word *choose, void *context)
{
	struct wm_ldarg arg;

	*to = *from;
	to->first = 0;
	to->args = (struct wm_strv){ 0 };
	for (size_t i = 0; i < from->args.n; i += arg.words) {
		char *word = NULL;

		if (i <= from->first)
			to->first = to->args.n;
		arg = wm_ldargs_at(from, i);
		if (arg.file || arg.library)
			word = choose(from, &arg, context);
		if (word)
			wm_strv_add(&to->args, word);
		for (size_t k = 0; !word && k < arg.words; k++)
			wm_strv_add(&to->args, from->args.v[i + k]);
		free(word);
	}
}

static bool library_in(const char *dir, const char *name)
{
	static const char *const suffix[] = { "so", "a" };
	bool found = false;

	for (size_t i = 0; i < COUNT(suffix) && !found; i++) {
		char *file = wm_strf("%s/lib%s.%s", dir, name, suffix[i]);

		found = access(file, R_OK) == 0;
		free(file);
	}
	return found;
}

bool wm_ldargs_has_library(const struct wm_ldargs *a, const char *name)
{
	static const char *const system_dirs[] = { "/lib64", "/usr/lib64",
						   "/lib", "/usr/lib" };
	struct wm_ldarg arg;

	for (size_t i = 0; i < a->args.n; i += arg.words) {
		arg = wm_ldargs_at(a, i);
		if (arg.folder && !wm_starts(arg.folder, "=") &&
		    library_in(arg.folder, name))
			return true;
	}
	for (size_t i = 0; i < COUNT(system_dirs); i++) {
		if (library_in(system_dirs[i], name))
			return true;
	}
	return false;
}
