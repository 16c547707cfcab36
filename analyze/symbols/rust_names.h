/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of Rust's symbols, version 0 (RFC 2603): _RNvCs1_4mesh5build is
 * mesh::build.
 */
#ifndef WM_ANALYZE_RUST_NAMES_H
#define WM_ANALYZE_RUST_NAMES_H

/* The readable name of @linkage, malloc'ed; NULL: it is none, has a constant
 * that is not an integer, or memory is short. */
char *wm_demangle_rust(const char *linkage);

#endif
