/* SPDX-License-Identifier: Apache-2.0 */
/* The processors on which programs are traced (docs/porting.md).  Only this
 * part of wmcc distinguishes them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct wm_machine {
	int number; /* e_machine */
	const char *name; /* in messages */
	const char *folder; /* of libraries, below /lib and /usr/lib */
	const char *first_libc; /* the version of glibc's first functions */
	uint32_t unwind_section; /* sh_type of unwind tables; 0: none */
	/* Types of relocations, ended by 0.  A relative relocation, as in a
	 * call, reaches a function's first byte with relative_addend, an
	 * absolute one with 0. */
	const unsigned *relative, *absolute;
	int64_t relative_addend;
};

/* Returns NULL for an unknown processor. */
const struct wm_machine *wm_machine_find(int number);
const struct wm_machine *wm_machine_own(void);

/* Returns whether a relocation refers to the first byte of a function. */
bool wm_machine_means_start(const struct wm_machine *m, unsigned type,
			    int64_t addend);
