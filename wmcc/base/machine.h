/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processors on which programs are traced; this is the only part of wmcc
 * that distinguishes them.  docs/porting.md lists all that a further processor
 * needs.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct wm_machine {
	int number; /* e_machine */
	const char *name; /* in messages */
	const char *folder; /* its libraries, below /lib and /usr/lib */
	const char *first_libc; /* version of glibc's first functions */
	uint32_t unwind_section; /* sh_type of unwind tables; 0: none */
	/* Types of relocations, ended by 0.  A relative relocation, as in a
	 * call, reaches a function's first byte with this addend, an absolute
	 * one with addend 0. */
	const unsigned *relative, *absolute;
	int64_t relative_addend;
};

/* Returns NULL if there is no runtime for the processor. */
const struct wm_machine *wm_machine_find(int number);
/* Returns the processor on which wmcc runs. */
const struct wm_machine *wm_machine_own(void);

/* Whether a relocation of @type with @addend refers to a function's first byte,
 * and not to a place inside the function. */
bool wm_machine_means_start(const struct wm_machine *m, unsigned type,
			    int64_t addend);
