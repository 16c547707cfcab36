/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions, files and lines of frames.  A return address has several frames if
 * functions were inlined: its symbol is the innermost, and `outer` leads to the
 * callers.
 *
 * The symbols of the traced executable are in its bundle.  The symbols of other
 * modules, and of an executable without a bundle, are read by libdwfl from
 * files with the build-id that is in the trace.  All results are cached, and
 * belong to the wm_symbols.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/index.h"
#include "analyze/symbols/read_bundle.h"
#include "analyze/symbols/inlined.h"
#include "analyze/symbols/intern.h"
#include "analyze/lib/base/texts.h"
#include "analyze/lib/trace/paths.h"

struct wm_symbol {
	const char *name; /* readable; never NULL */
	const char *linkage; /* NULL: the function is unknown */
	/* the compiler's name of an OpenMP region, which @name describes; or
	 * NULL */
	const char *region;
	bool body; /* struct wm_openmp_name */
	const char *file; /* NULL: unknown */
	const char *object; /* object file, archive(member), or module */
	const char *source; /* source file of the function; NULL: unknown */
	uint32_t line;
	const char *receiver; /* struct wm_location; NULL: unknown */
	const char *variable; /* function::receiver; NULL: unknown */
	int site; /* enum wm_site_class */
	int group; /* enum wm_group of the rule that folds it */
	bool wrapper, forward; /* struct wm_verdict */
	uint32_t function; /* the same for all frames of a function */
	struct wm_symbol *outer; /* its caller, if it is inlined there; NULL */
};

/* Returns a name that does not depend on lines, for comparing runs. */
static inline const char *wm_symbol_stable(const struct wm_symbol *s)
{
	return s->region ? s->region : s->name;
}

struct wm_frame {
	uint32_t node;
	const struct wm_symbol *symbol; /* NULL: memory was short */
};

struct wm_rules;

struct wm_symbols {
	const struct wm_rules *rules; /* borrowed */
	struct wm_bundle *const *bundles; /* borrowed; chosen by build-id */
	size_t bundle_count;
	struct wm_symbol_answer *answer;
	size_t count, cap;
	struct wm_index index;
	/* the symbols of these paths' nodes; NULL: not requested yet */
	const struct wm_paths *paths;
	const struct wm_symbol **at_node;
	size_t node_count;
	struct wm_symbol_module *module;
	size_t module_count;
	struct wm_texts texts;
	struct wm_dwarf_units units;
	struct wm_intern functions;
	bool namesakes_found;
};

void wm_symbols_init(struct wm_symbols *s, struct wm_bundle *const *bundles,
		     size_t bundle_count, const struct wm_rules *rules);
void wm_symbols_release(struct wm_symbols *s);
/* Returns the path of module @number in the trace if names were read from
 * there, else NULL. */
const char *wm_symbols_file(const struct wm_symbols *s,
			    const struct wm_paths *paths, uint32_t number);
/* Returns the file from which names of module @number were read if it is not
 * the file in the trace (places.h), else NULL. */
const char *wm_symbols_elsewhere(const struct wm_symbols *s, uint32_t number);

/* Returns the innermost function at a return address, or NULL without memory.
 * All calls for one wm_symbols must have the same @paths. */
const struct wm_symbol *wm_symbols_at(struct wm_symbols *s,
				      const struct wm_paths *paths,
				      uint32_t module, uint64_t offset);

struct wm_frame wm_frame_first(struct wm_symbols *s,
			       const struct wm_paths *paths, uint32_t node);
/* Moves @frame to its caller, or returns false without a change. */
bool wm_frame_next(struct wm_symbols *s, const struct wm_paths *paths,
		   struct wm_frame *frame);

enum wm_module_state {
	WM_MODULE_GOOD, /* a bundle or the file itself has its symbols */
	WM_MODULE_ABSENT, /* its symbols were not found */
	WM_MODULE_OTHER, /* the file is there, but from another build */
	WM_MODULE_STRIPPED, /* the file has few names or none */
	WM_MODULE_INSISTED, /* from another build, and the user insists on it */
};

/* Stores in *@why a description of debug information that did not fit, or
 * NULL. */
enum wm_module_state wm_symbols_module(struct wm_symbols *s,
				       const struct wm_paths *paths,
				       uint32_t number, const char **why);
/* Returns the number of missing files of -gsplit-dwarf, without which inlined
 * functions have no names.  Stores their paths in *@text, malloc'ed. */
size_t wm_symbols_split(struct wm_symbols *s, const struct wm_paths *paths,
			uint32_t number, char **text);
/* Returns whether a requested function of the module has no name, and then
 * stores the results of wm_symbols_module(). */
bool wm_symbols_unnamed(const struct wm_symbols *s, uint32_t number,
			enum wm_module_state *state, const char **why);

/* Returns a readable name, malloc'ed, or NULL if it would be the same.  Names
 * of Fortran are recognized by their form or by the source @file. */
char *wm_demangle(const char *linkage, const char *file);
bool wm_is_fortran_file(const char *file); /* @file may be NULL */
/* Returns the length of the plain name in inner.0, a Fortran procedure inside
 * another one; otherwise 0.  The plain name may not be unique. */
size_t wm_demangle_contained(const char *linkage);
/* Demangles names of functions of MPI, in C and Fortran: MPI_Init. */
char *wm_demangle_mpi(const char *linkage);

/* Demangles Rust, version 0 (RFC 2603): _RNvCs1_4mesh5build is mesh::build.
 * Returns a malloc'ed name, or NULL if @linkage is not such a name, has a
 * constant that is not an integer, or without memory. */
char *wm_demangle_rust(const char *linkage);
