/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions, files and lines of frames.
 *
 * One return address has several frames if functions were inlined: the symbol
 * of a node is the innermost function, and its callers follow.
 *
 * The symbols of the traced executable are in its bundle.  The symbols of other
 * modules, and of an executable without a bundle, are read from the module's
 * file by libdwfl, but only if the file has the build-id that is in the trace.
 * All answers are cached, and belong to the wm_symbols.  One thread at a time.
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
	const char *name; /* for people; never NULL */
	const char *linkage; /* NULL: the function is unknown */
	/* the compiler's name, if the function is a region of OpenMP and its
	 * name is therefore made for people (openmp.h); else NULL */
	const char *region;
	bool body; /* struct wm_openmp_name */
	const char *file; /* NULL: unknown */
	const char *object; /* object file, archive(member), or module */
	const char *source; /* file that has the function; NULL: unknown */
	uint32_t line; /* 0: unknown */
	const char *receiver; /* struct wm_location; NULL: unknown */
	const char *variable; /* function::receiver; NULL: unknown */
	int site; /* enum wm_site_class: can it be an allocation site */
	int group; /* enum wm_group: of the rule that folds it */
	bool wrapper, forward; /* struct wm_verdict */
	uint32_t function; /* the same for all frames of a function */
	struct wm_symbol *outer; /* it is inlined in this one; NULL */
};

/* Returns a name that does not depend on lines, for comparing runs. */
static inline const char *wm_symbol_stable(const struct wm_symbol *s)
{
	return s->region ? s->region : s->name;
}

/* One function on a call path. */
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
	struct wm_index index; /* of answers */
	/* of each node of these paths, once requested */
	const struct wm_paths *paths;
	const struct wm_symbol **at_node;
	size_t node_count;
	struct wm_symbol_module *module;
	size_t module_count;
	struct wm_texts texts; /* texts of answers */
	struct wm_dwarf_units units;
	struct wm_intern functions;
	bool namesakes_found; /* namesakes.h */
};

void wm_symbols_init(struct wm_symbols *s, struct wm_bundle *const *bundles,
		     size_t bundle_count, const struct wm_rules *rules);
void wm_symbols_release(struct wm_symbols *s);
/* Returns the trace's path of the file of module @number, if names have been
 * read from that file; NULL if no names have been read, or from another
 * file. */
const char *wm_symbols_file(const struct wm_symbols *s,
			    const struct wm_paths *paths, uint32_t number);
/* Returns the file from which names of module @number have been read, if this
 * is not the trace's file (places.h); else NULL. */
const char *wm_symbols_elsewhere(const struct wm_symbols *s, uint32_t number);

/*
 * Returns the innermost function of the return address at @offset of module
 * number @module, or NULL when memory is short.  All calls for one wm_symbols
 * have the same @paths.
 */
const struct wm_symbol *wm_symbols_at(struct wm_symbols *s,
				      const struct wm_paths *paths,
				      uint32_t module, uint64_t offset);

/* Returns the innermost frame of the call path that ends in @node. */
struct wm_frame wm_frame_first(struct wm_symbols *s,
			       const struct wm_paths *paths, uint32_t node);
/* Moves @frame to the caller; returns false, without a change, if there is
 * none. */
bool wm_frame_next(struct wm_symbols *s, const struct wm_paths *paths,
		   struct wm_frame *frame);

enum wm_module_state {
	WM_MODULE_GOOD, /* a bundle or the file itself has its symbols */
	WM_MODULE_ABSENT, /* its symbols were not found */
	WM_MODULE_OTHER, /* the file is there, but from another build */
	WM_MODULE_STRIPPED, /* it is there, and has few names or none */
	WM_MODULE_INSISTED, /* a file from another build, as the user wants */
};

/* Returns where names of module @number of @paths come from.  Stores in *@why a
 * description of debug information that did not fit, or NULL. */
enum wm_module_state wm_symbols_module(struct wm_symbols *s,
				       const struct wm_paths *paths,
				       uint32_t number, const char **why);
/* Returns the number of missing files with the module's debug information
 * (-gsplit-dwarf); without these files inlined functions have no names.  Stores
 * their paths in *@text, malloc'ed. */
size_t wm_symbols_split(struct wm_symbols *s, const struct wm_paths *paths,
			uint32_t number, char **text);
/* Returns whether a requested function of module @number has no name.  If so,
 * the results of wm_symbols_module() are in *@state and *@why. */
bool wm_symbols_unnamed(const struct wm_symbols *s, uint32_t number,
			enum wm_module_state *state, const char **why);

/*
 * Returns a readable form of a linkage name: C++ names demangled, names of
 * Fortran module procedures and of procedures in Fortran files without their
 * decorations.  The text is malloc'ed; NULL if it would be the same as the
 * linkage name.
 */
char *wm_demangle(const char *linkage, const char *file);
bool wm_is_fortran_file(const char *file); /* NULL: no */
/* Returns the length of the plain name in a linkage name such as inner.0 of a
 * Fortran procedure that is inside another one; otherwise 0.  Other procedures
 * in the file may have the same plain name. */
size_t wm_demangle_contained(const char *linkage);
/* Demangles names of functions of MPI, in C and Fortran: MPI_Init. */
char *wm_demangle_mpi(const char *linkage);
