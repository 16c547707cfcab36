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
	const char *name; /* after one or two dashes */
	enum value value;
	enum kind kind;
};

/* Options that matter here or have a separate value. */
static const struct option options[] = {
	{ "output", EITHER, OUTPUT },
	{ "Map", EITHER, MAP },
	{ "M", NONE, MAP_WANTED },
	{ "print-map", NONE, MAP_WANTED },
	{ "cref", NONE, MAP_WANTED },
	{ "print-map-discarded", NONE, MAP_WANTED },
	{ "print-map-locals", NONE, MAP_WANTED },
	{ "r", NONE, OTHER },
	{ "i", NONE, OTHER },
	{ "Ur", NONE, OTHER },
	{ "relocatable", NONE, OTHER },
	{ "relocateable", NONE, OTHER },
	{ "shared", NONE, OTHER },
	{ "Bshareable", NONE, OTHER },
	{ "dylib", NONE, OTHER },
	{ "dll", NONE, OTHER },
	{ "help", NONE, OTHER },
	{ "target-help", NONE, OTHER },
	{ "version", NONE, OTHER },
	{ "print-output-format", NONE, OTHER },
	{ "print-sysroot", NONE, OTHER },
	{ "thinlto-index-only", MAYBE, OTHER },
	{ "oformat", EITHER, OTHER },
	{ "s", NONE, STRIP },
	{ "strip-all", NONE, STRIP },
	{ "retain-symbols-file", EITHER, STRIP },
	{ "S", NONE, DROP },
	{ "strip-debug", NONE, DROP },
	{ "x", NONE, DROP },
	{ "discard-all", NONE, DROP },
	{ "t", NONE, DROP },
	{ "trace", NONE, DROP },
	{ "v", NONE, DROP },
	{ "V", NONE, DROP },
	{ "verbose", MAYBE, DROP },
	{ "stats", NONE, DROP },
	{ "print-gc-sections", NONE, DROP },
	{ "print-icf-sections", NONE, DROP },
	{ "print-memory-usage", NONE, DROP },
	{ "print-dependencies", MAYBE, DROP },
	{ "print-archive-stats", EQUAL, DROP },
	{ "print-symbol-order", EQUAL, DROP },
	{ "why-extract", EQUAL, DROP },
	{ "trace-symbol", EITHER, DROP },
	{ "y", NEXT, DROP },
	{ "fatal-warnings", NONE, DROP },
	{ "dependency-file", EITHER, DROP },
	{ "reproduce", EITHER, DROP },
	{ "repro", NONE, DROP },
	{ "out-implib", EITHER, DROP },
	{ "time-trace", MAYBE, DROP },
	{ "save-temps", MAYBE, DROP },
	{ "lto-obj-path", EQUAL, DROP },
	{ "opt-remarks-filename", EITHER, DROP },
	{ "thinlto-emit-imports-files", NONE, DROP },
	{ "thinlto-emit-index-files", NONE, DROP },
	{ "build-id", MAYBE, BUILD_ID },
	{ "plugin-opt", EITHER, PLUGIN_OPT },
	/* the other options have a separate value */
	{ "plugin", EITHER, KEEP },
	{ "L", NEXT, KEEP },
	{ "library-path", EITHER, KEEP },
	{ "l", NEXT, KEEP },
	{ "library", EITHER, KEEP },
	{ "T", NEXT, READ },
	{ "script", EITHER, READ },
	{ "default-script", EITHER, READ },
	{ "dT", NEXT, READ },
	{ "c", NEXT, READ },
	{ "mri-script", EITHER, READ },
	{ "e", NEXT, KEEP },
	{ "entry", EITHER, KEEP },
	{ "u", NEXT, KEEP },
	{ "undefined", EITHER, KEEP },
	{ "require-defined", EITHER, KEEP },
	{ "z", NEXT, KEEP },
	{ "m", NEXT, KEEP },
	{ "b", NEXT, KEEP },
	{ "format", EITHER, KEEP },
	{ "A", NEXT, KEEP },
	{ "architecture", EITHER, KEEP },
	{ "a", NEXT, KEEP },
	{ "h", NEXT, KEEP },
	{ "soname", EITHER, KEEP },
	{ "f", NEXT, KEEP },
	{ "auxiliary", EITHER, KEEP },
	{ "F", NEXT, KEEP },
	{ "filter", EITHER, KEEP },
	{ "I", NEXT, KEEP },
	{ "dynamic-linker", EITHER, KEEP },
	{ "G", NEXT, KEEP },
	{ "gpsize", EITHER, KEEP },
	{ "O", NEXT, KEEP },
	{ "R", NEXT, READ },
	{ "just-symbols", EITHER, READ },
	{ "P", NEXT, KEEP },
	{ "audit", EITHER, KEEP },
	{ "depaudit", EITHER, KEEP },
	{ "Y", NEXT, KEEP },
	{ "rpath", EITHER, KEEP },
	{ "rpath-link", EITHER, KEEP },
	{ "init", EITHER, KEEP },
	{ "fini", EITHER, KEEP },
	{ "defsym", EITHER, KEEP },
	{ "wrap", EITHER, WRAP },
	{ "assert", NEXT, KEEP },
	{ "Ttext", EITHER, KEEP },
	{ "Tdata", EITHER, KEEP },
	{ "Tbss", EITHER, KEEP },
	{ "Ttext-segment", EITHER, KEEP },
	{ "Trodata-segment", EITHER, KEEP },
	{ "Tldata-segment", EITHER, KEEP },
	{ "section-start", EITHER, KEEP },
	{ "section-ordering-file", EITHER, READ },
	{ "symbol-ordering-file", EITHER, READ },
	{ "version-script", EITHER, VERSION_SCRIPT },
	{ "dynamic-list", EITHER, READ },
	{ "export-dynamic-symbol", EITHER, KEEP },
	{ "export-dynamic-symbol-list", EITHER, READ },
	{ "exclude-libs", EITHER, KEEP },
	{ "ignore-unresolved-symbol", EITHER, KEEP },
	{ "task-link", EITHER, KEEP },
	{ "sort-section", EITHER, KEEP },
	{ "hash-style", EITHER, KEEP },
	{ "image-base", EITHER, KEEP },
	{ "mllvm", EITHER, KEEP },
	{ "chroot", EITHER, KEEP },
	{ "thread-count", EITHER, KEEP },
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
	size_t n = strlen(o->name);

	if (strncmp(text, o->name, n) != 0)
		return false;
	if (text[n] == '=') {
		if (o->value == NONE || o->value == NEXT)
			return false;
		it->value = text + n + 1;
		it->n = 1;
	} else if (text[n]) {
		return false;
	} else if (o->value == NEXT || o->value == EITHER) {
		it->value = av[1];
		it->n = av[1] ? 2 : 1;
	} else if (o->value == EQUAL) {
		return false;
	}
	it->kind = o->kind;
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
		if (match_option(&options[i], text, av, it)) {
			it->input = !strcmp(options[i].name, "l") ||
				    !strcmp(options[i].name, "library");
			return;
		}
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
	static const char *const names[] = {
		"asan",	 "tsan", "lsan",  "msan",  "hwasan",
		"dfsan", "nsan", "rtsan", "tysan", "memprof",
	};
	const char *base = wm_basename(arg);

	if (wm_starts(base, "libclang_rt."))
		base += strlen("libclang_rt.");
	else if (wm_starts(base, "-l"))
		base += 2;
	else if (wm_starts(base, "lib"))
		base += 3;
	for (size_t i = 0; i < COUNT(names); i++) {
		size_t n = strlen(names[i]);

		if (!strncmp(base, names[i], n) &&
		    (!base[n] || strchr("._-", base[n])))
			return true;
	}
	return false;
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
	wm_strv_init(&a->args);
	wm_strv_init(&a->streams);
	wm_strv_init(&a->wraps);
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
	static const char *const names[] = {
		"save-temps",
		"obj-path=",
		"opt-remarks-filename=",
		"stats-file=",
		"thinlto-emit-imports-files",
	};

	return option && wm_starts_any(option, names, COUNT(names));
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
		if (keep) {
			wm_strv_add(cmd, "--push-state");
			wm_strv_add(cmd, "--no-as-needed");
		}
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
	wm_strv_init(&to->args);
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
	static const char *const system_dirs[] = {
		"/lib64",
		"/usr/lib64",
		"/lib",
		"/usr/lib",
	};
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
