/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of each archive and shared library: memory allocated by its
 * functions, memory allocated on paths through it, and its static memory.
 *
 * A frame belongs to the archive that its object file came from (by the link
 * map), else to its shared library, else to the program.
 *
 * The list owns its rows; strings belong to the analysis.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/symbols/intern.h"
#include "analyze/symbols/rules.h"

enum wm_library_kind {
	WM_LIBRARY_PROGRAM, /* the program's own object files */
	WM_LIBRARY_ARCHIVE,
	WM_LIBRARY_SHARED,
	WM_LIBRARY_NONE, /* addresses in no module, or no call path */
	WM_LIBRARY_PADDING, /* static memory between object files */
	WM_LIBRARY_KINDS
};
extern const char *const wm_library_kind_name[WM_LIBRARY_KINDS];

struct wm_library {
	char *path; /* NULL if .kind says all */
	/* base name of the path or of the program, or "??" */
	const char *name;
	enum wm_library_kind kind;
	/* group of the rules that fold the library, or none */
	enum wm_group group;
	/* of blocks with sites in the library, at the peak */
	uint64_t bytes, blocks;
	/* of blocks allocated on paths through the library */
	uint64_t through_bytes, through_blocks;
	bool has_static; /* .static_bytes is known from a census */
	uint64_t static_bytes; /* .data, .bss, TLS */
};

struct wm_libraries {
	struct wm_library *library; /* most bytes + static_bytes first */
	size_t count, cap;
	uint64_t bytes, blocks, static_bytes;
	bool has_static;
};

/* Lists libraries by the memory that is alive at the peak (@a->use), unless
 * @only_static is set, and by their static memory: that of the chosen rank, or
 * the sum over all ranks. */
enum wm_status wm_libraries_make(struct wm_libraries *l,
				 const struct wm_analysis *a, bool only_static,
				 struct wm_err *err);
void wm_libraries_release(struct wm_libraries *l);

/* Returns the length of the archive's name in @object, as the link map names
 * members: "dir/libx.a(x.o)".  Returns 0 for "x.o", and for "(temporary
 * object)", which stands for an object that was compiled and linked by one
 * command. */
static inline size_t wm_library_archive(const char *object)
{
	size_t n = strcspn(object, "(");

	return object[n] ? n : 0;
}
