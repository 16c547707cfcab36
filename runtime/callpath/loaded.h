/* SPDX-License-Identifier: Apache-2.0 */
/* For dynamic programs: finds the file that is mapped at an address. */
#pragma once

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

struct wm_loaded {
	uintptr_t lo, hi; /* from its ELF header to its last byte */
	uint64_t name; /* a hash: another file may be mapped in its place */
	const struct link_map *map; /* valid as long as the file is loaded */
};

/*
 * Finds the file that is mapped at @at; returns false if there is none.  Never
 * waits for the loader: a thread in a dl_iterate_phdr() callback may wait for a
 * lock that the program holds around this very allocation.  Any thread may call
 * this at any time.
 */
bool wm_loaded_at(uintptr_t at, struct wm_loaded *l) wm_hidden;
/* Called in a traced child: the loader's list will be read again. */
void wm_loaded_forget(void) wm_hidden;
