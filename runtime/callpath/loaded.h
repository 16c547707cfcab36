/* SPDX-License-Identifier: Apache-2.0 */
/* For dynamic programs: finds the file that is mapped at an address. */
#pragma once

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

struct wm_loaded {
	uintptr_t lo, hi; /* from its ELF header to its last byte */
	uint64_t name; /* hash of the name: another file may be mapped there
		        * later */
	const struct link_map *map; /* valid as long as the file is loaded */
};

/* Returns false if no file is mapped at @at.  Any thread may call this at any
 * time.  The loader's lock is not taken: a callback of dl_iterate_phdr() holds
 * it, and may wait for a lock that the program holds during this allocation. */
bool wm_loaded_at(uintptr_t at, struct wm_loaded *l) wm_hidden;
void wm_loaded_forget(void) wm_hidden;
