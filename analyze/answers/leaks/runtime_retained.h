/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owner of a block that was never freed: the program, or a runtime that
 * keeps memory until the process ends (buffers of stdio, locales, memory of
 * MPI).
 *
 * A runtime owns the blocks that MPI or OpenMP allocated inside, that libc or
 * the Fortran runtime allocated for itself, that constructors of a library
 * allocated, and that no function of the program asked for.  The program owns a
 * block that libc hands to its caller (strdup(), getline(), fopen() ...) and
 * has to free the block.
 */
#pragma once

#include <stdint.h>

#include "analyze/symbols/rules.h"
#include "analyze/symbols/symbols.h"
#include "analyze/lib/trace/paths.h"

/* Returns the group of the runtime that keeps the blocks of @path, or
 * WM_GROUP_none if the blocks are the program's own. */
enum wm_group wm_runtime_retained_group(struct wm_symbols *s,
					const struct wm_paths *paths,
					uint32_t path);
