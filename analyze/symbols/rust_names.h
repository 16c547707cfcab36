/* SPDX-License-Identifier: Apache-2.0 */
/* Demangles Rust, version 0 (RFC 2603): _RNvCs1_4mesh5build is mesh::build. */
#pragma once

/* Returns a malloc'ed name, or NULL if @linkage is not such a name, has a
 * constant that is not an integer, or without memory. */
char *wm_demangle_rust(const char *linkage);
