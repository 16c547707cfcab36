/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Demangles names of Rust's symbols, version 0 (RFC 2603): _RNvCs1_4mesh5build
 * is mesh::build.
 */
#pragma once

/* Returns the readable name of @linkage, malloc'ed.  Returns NULL if @linkage
 * is not such a name, has a constant that is not an integer, or memory is
 * short. */
char *wm_demangle_rust(const char *linkage);
