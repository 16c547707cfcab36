/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the owner of a block that was never freed: the program, or a runtime
 * that keeps memory until the process ends (buffers of stdio, locales, memory
 * of MPI).
 *
 * A runtime owns blocks that MPI or OpenMP allocated internally, that libc or
 * the Fortran runtime allocated for itself, that constructors of a library
 * allocated, and that no function of the program asked for.  The program owns
 * blocks that libc hands to its caller (strdup(), getline(), fopen() ...).
 */
#pragma once

#include <stdint.h>

#include "analyze/symbols/rules.h"
#include "analyze/symbols/symbols.h"
#include "analyze/lib/trace/paths.h"

/* Returns the group of the runtime that keeps the blocks of @path, or
 * WM_GROUP_none if the program owns them. */
enum wm_group wm_runtime_retained_group(struct wm_symbols *s,
					const struct wm_paths *paths,
					uint32_t path);
