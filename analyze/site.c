/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/site.h"

#include <fnmatch.h>
#include <string.h>

enum rule_kind {
	RULE_OBJECT, /* base name of the archive, "libc.a" of libc.a(x.o) */
	RULE_MODULE, /* base name of the executable or library */
	RULE_NAME, /* linkage name, or what debug information has instead */
	RULE_GUESS, /* the same, for a frame of which nothing else is known */
};

/*
 * Frames that match one of these never are the site.  Archives tell most in
 * static programs, libraries in dynamic ones; the names are for programs
 * without that knowledge, and for templates that the user's own objects hold.
 * A user may well have a getline() or clone() of his own, so such names only
 * count where neither object file nor library is known.
 */
static const struct rule {
	enum rule_kind kind;
	const char *pattern;
} rules[] = {
	/* allocators */
	{ RULE_NAME, "malloc" },
	{ RULE_NAME, "calloc" },
	{ RULE_NAME, "realloc" },
	{ RULE_NAME, "reallocarray" },
	{ RULE_NAME, "posix_memalign" },
	{ RULE_NAME, "aligned_alloc" },
	{ RULE_NAME, "memalign" },
	{ RULE_NAME, "valloc" },
	{ RULE_NAME, "pvalloc" },
	{ RULE_OBJECT, "libjemalloc*.a" },
	{ RULE_OBJECT, "libtcmalloc*.a" },
	{ RULE_OBJECT, "libmimalloc*.a" },
	{ RULE_MODULE, "libjemalloc*.so*" },
	{ RULE_MODULE, "libtcmalloc*.so*" },
	{ RULE_MODULE, "libmimalloc*.so*" },
	/* libc */
	{ RULE_OBJECT, "libc.a" },
	{ RULE_OBJECT, "libc_nonshared.a" },
	{ RULE_OBJECT, "libm.a" },
	{ RULE_OBJECT, "libm-[0-9]*.a" },
	{ RULE_OBJECT, "libpthread.a" },
	{ RULE_OBJECT, "libdl.a" },
	{ RULE_OBJECT, "librt.a" },
	{ RULE_OBJECT, "crt[1in].o" },
	{ RULE_OBJECT, "[rg]crt1.o" },
	{ RULE_OBJECT, "Scrt1.o" },
	{ RULE_MODULE, "libc.so*" },
	{ RULE_MODULE, "libc-[0-9]*.so" },
	{ RULE_MODULE, "libm.so*" },
	{ RULE_MODULE, "libpthread*.so*" },
	{ RULE_MODULE, "libdl*.so*" },
	{ RULE_MODULE, "librt*.so*" },
	{ RULE_MODULE, "ld-linux*" },
	{ RULE_MODULE, "ld-musl*" },
	{ RULE_MODULE, "ld-[0-9]*.so" },
	{ RULE_NAME, "_IO_*" },
	{ RULE_NAME, "__libc_*" },
	{ RULE_NAME, "_dl_*" },
	{ RULE_NAME, "_nl_*" },
	{ RULE_NAME, "_start" },
	{ RULE_GUESS, "strdup" },
	{ RULE_GUESS, "strndup" },
	{ RULE_GUESS, "wcsdup" },
	{ RULE_GUESS, "__strdup" },
	{ RULE_GUESS, "__strndup" },
	{ RULE_GUESS, "asprintf" },
	{ RULE_GUESS, "vasprintf" },
	{ RULE_GUESS, "__asprintf*" },
	{ RULE_GUESS, "__vasprintf*" },
	{ RULE_GUESS, "getline" },
	{ RULE_GUESS, "getdelim" },
	{ RULE_GUESS, "__getline" },
	{ RULE_GUESS, "__getdelim" },
	{ RULE_GUESS, "fopen" },
	{ RULE_GUESS, "fopen64" },
	{ RULE_GUESS, "fdopen" },
	{ RULE_GUESS, "__fopen_internal" },
	{ RULE_GUESS, "open_memstream" },
	{ RULE_GUESS, "opendir" },
	{ RULE_GUESS, "__alloc_dir" },
	{ RULE_GUESS, "realpath" },
	{ RULE_GUESS, "getcwd" },
	{ RULE_GUESS, "qsort" },
	{ RULE_GUESS, "qsort_r" },
	{ RULE_GUESS, "__qsort_r" },
	{ RULE_GUESS, "pthread_create*" },
	{ RULE_GUESS, "__pthread_create*" },
	{ RULE_GUESS, "allocate_stack" },
	{ RULE_GUESS, "start_thread" },
	{ RULE_GUESS, "clone" },
	{ RULE_GUESS, "clone3" },
	{ RULE_GUESS, "__clone3" },
	/* operator new */
	{ RULE_NAME, "_Zn[wa]*" },
	/* std:: and what libstdc++ and libc++ are made of */
	{ RULE_OBJECT, "libstdc++.a" },
	{ RULE_OBJECT, "libsupc++.a" },
	{ RULE_OBJECT, "libc++*.a" },
	{ RULE_OBJECT, "libgcc.a" },
	{ RULE_OBJECT, "libgcc_eh.a" },
	{ RULE_MODULE, "libstdc++.so*" },
	{ RULE_MODULE, "libc++*.so*" },
	{ RULE_MODULE, "libgcc_s.so*" },
	{ RULE_NAME, "_ZSt*" },
	{ RULE_NAME, "_ZNSt*" },
	{ RULE_NAME, "_ZNKSt*" },
	{ RULE_NAME, "_ZN[OR]St*" },
	{ RULE_NAME, "_ZNS[absiod]*" },
	{ RULE_NAME, "_ZNKS[absiod]*" },
	{ RULE_NAME, "_ZZNSt*" },
	{ RULE_NAME, "_ZZNKSt*" },
	{ RULE_NAME, "_ZZSt*" },
	{ RULE_NAME, "_ZN9__gnu_cxx*" },
	{ RULE_NAME, "_ZNK9__gnu_cxx*" },
	{ RULE_NAME, "_ZN10__cxxabiv1*" },
	{ RULE_NAME, "std::*" },
	{ RULE_NAME, "__gnu_cxx::*" },
	{ RULE_NAME, "__cxa_*" },
	{ RULE_NAME, "__gxx_*" },
	/* the Fortran runtime */
	{ RULE_OBJECT, "libgfortran.a" },
	{ RULE_OBJECT, "libquadmath.a" },
	{ RULE_OBJECT, "libcaf_single.a" },
	{ RULE_MODULE, "libgfortran.so*" },
	{ RULE_MODULE, "libquadmath.so*" },
	{ RULE_NAME, "_gfortran_*" },
	{ RULE_NAME, "_gfortrani_*" },
};

/* wmtools itself: the program does not know it, so it is not shown either. */
static const struct rule own[] = {
	{ RULE_NAME, "__wrap_*" },
	{ RULE_GUESS, "wm_*" },
	{ RULE_OBJECT, "wm-static.o" },
	{ RULE_OBJECT, "wm-dynamic.o" },
	{ RULE_MODULE, "libwmtrace.so*" },
};

/* Base name of the archive in "dir/libx.a(member.o)", or of the file. */
static void object_name(const char *object, char *out, size_t size)
{
	size_t n = strcspn(object, "("), i = n;

	while (i && object[i - 1] != '/')
		i--;
	n -= i;
	if (n >= size)
		n = size - 1;
	memcpy(out, object + i, n);
	out[n] = 0;
}

enum wm_site_class wm_site_classify(const char *linkage, const char *object,
				    const char *module)
{
	enum wm_site_class class = WM_SITE_USER;
	char text[2][128] = { "", "" };
	const char *what[4];
	size_t i;

	if (object)
		object_name(object, text[RULE_OBJECT], sizeof(text[0]));
	if (module)
		object_name(module, text[RULE_MODULE], sizeof(text[0]));
	what[RULE_OBJECT] = text[RULE_OBJECT];
	what[RULE_MODULE] = text[RULE_MODULE];
	what[RULE_NAME] = linkage ? linkage : "";
	what[RULE_GUESS] = object || module ? "" : what[RULE_NAME];
	for (i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (!fnmatch(own[i].pattern, what[own[i].kind], 0))
			return WM_SITE_OWN;
	for (i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		if (fnmatch(rules[i].pattern, what[rules[i].kind], 0) != 0)
			continue;
		if (rules[i].kind == RULE_OBJECT ||
		    rules[i].kind == RULE_MODULE)
			return WM_SITE_BY_PLACE;
		class = WM_SITE_BY_NAME;
	}
	return class;
}

struct wm_frame wm_site_find(struct wm_symbols *s, const struct wm_paths *paths,
			     uint32_t path)
{
	struct wm_frame f = wm_frame_first(s, paths, paths->leaf[path]);
	struct wm_frame first = f, second = f;

	if (!f.node)
		return f;
	do {
		if (f.symbol && f.symbol->site == WM_SITE_USER)
			return f;
		/* the innermost one is the allocator, whatever its name */
		if (f.symbol && f.symbol->site == WM_SITE_BY_NAME &&
		    second.symbol == first.symbol)
			second = f;
	} while (wm_frame_next(s, paths, &f));
	return second;
}
