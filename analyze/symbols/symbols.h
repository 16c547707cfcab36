/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From frames to functions, files and lines.
 *
 * One return address stands for several frames where functions were inlined:
 * the symbol of a node is the innermost, its callers follow.
 *
 * The traced executable is looked up in its bundle, other modules (and an
 * executable without bundle) in the file itself by libdwfl, but only when its
 * build-id is the one in the trace.  Every answer is cached; it belongs to the
 * wm_symbols.  One thread at a time.
 */
#ifndef WM_ANALYZE_SYMBOLS_H
#define WM_ANALYZE_SYMBOLS_H

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
	const char *name; /* as people read it; never NULL */
	const char *linkage; /* NULL: the function is unknown */
	/* of a region of OpenMP, which has a name for people (openmp.h): what
	 * the compiler calls it; NULL: it is none */
	const char *region;
	bool body; /* struct wm_openmp_name */
	const char *file; /* NULL: unknown */
	const char *object; /* object file, archive(member), or module */
	const char *source; /* file that the function is in; NULL: unknown */
	uint32_t line; /* 0: unknown */
	const char *receiver; /* struct wm_location; NULL: unknown */
	const char *variable; /* function::receiver; NULL: unknown */
	int site; /* enum wm_site_class: may it be an allocation site */
	int group; /* enum wm_group: of the rule that folds it */
	bool wrapper, forward; /* struct wm_verdict */
	uint32_t function; /* the same for all frames of a function */
	struct wm_symbol *outer; /* this one is inlined in it; NULL */
};

/* A name that changes of other lines leave as it is: for what compares runs. */
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
	/* of each node of these paths, when it was asked for */
	const struct wm_paths *paths;
	const struct wm_symbol **at_node;
	size_t node_count;
	struct wm_symbol_module *module;
	size_t module_count;
	struct wm_texts texts; /* what answers point to */
	struct wm_dwarf_units units;
	struct wm_intern functions;
	bool namesakes_found; /* namesakes.h */
};

void wm_symbols_init(struct wm_symbols *s, struct wm_bundle *const *bundles,
		     size_t bundle_count, const struct wm_rules *rules);
void wm_symbols_release(struct wm_symbols *s);
/* The file that the trace names, which names of module @number have been read
 * from; NULL: none yet, or another one. */
const char *wm_symbols_file(const struct wm_symbols *s,
			    const struct wm_paths *paths, uint32_t number);
/* The file that they have been read from which the trace does not name (places.h);
 * NULL: none. */
const char *wm_symbols_elsewhere(const struct wm_symbols *s, uint32_t number);

/*
 * The innermost function of the return address at @offset of module number
 * @module; NULL when memory is short.  Always the same @paths for one
 * wm_symbols.
 */
const struct wm_symbol *wm_symbols_at(struct wm_symbols *s,
				      const struct wm_paths *paths,
				      uint32_t module, uint64_t offset);

/* The innermost frame of the call path that ends in @node. */
struct wm_frame wm_frame_first(struct wm_symbols *s,
			       const struct wm_paths *paths, uint32_t node);
/* To the caller; false, and @frame stays, when there is none. */
bool wm_frame_next(struct wm_symbols *s, const struct wm_paths *paths,
		   struct wm_frame *frame);

enum wm_module_state {
	WM_MODULE_GOOD, /* a bundle or the file itself has its symbols */
	WM_MODULE_ABSENT, /* nothing has */
	WM_MODULE_OTHER, /* the file is there, but of another build */
	WM_MODULE_STRIPPED, /* it is there, and has few names or none */
	WM_MODULE_INSISTED, /* a file of another build, as the user wants it */
};

/* Where names of module @number of @paths come from; *@why is NULL, or what
 * debug information was there but did not fit. */
enum wm_module_state wm_symbols_module(struct wm_symbols *s,
				       const struct wm_paths *paths,
				       uint32_t number, const char **why);
/* How many files with its debug information are missing (-gsplit-dwarf), for
 * which inlined functions have no names; *@text, malloc'ed: where these are. */
size_t wm_symbols_split(struct wm_symbols *s, const struct wm_paths *paths,
			uint32_t number, char **text);
/* Whether a function of module @number that was asked for has no name; then the
 * same of it. */
bool wm_symbols_unnamed(const struct wm_symbols *s, uint32_t number,
			enum wm_module_state *state, const char **why);

/*
 * The text for people of a linkage name: C++ demangled, names of Fortran module
 * procedures and of procedures in Fortran files without their decorations.
 * malloc'ed, or NULL when it stays as it is.
 */
char *wm_demangle(const char *linkage, const char *file);
bool wm_is_fortran_file(const char *file); /* NULL: no */
/* Length of the name of a Fortran procedure that another one contains, as
 * inner.0; 0: it is none.  There may be others of the name in the file. */
size_t wm_demangle_contained(const char *linkage);
/* The same for functions of MPI, in C and Fortran: MPI_Init. */
char *wm_demangle_mpi(const char *linkage);

#endif
