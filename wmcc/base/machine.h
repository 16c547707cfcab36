/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processors that programs are traced on: the only part of wmcc that
 * distinguishes them.  docs/porting.md lists what another one needs.
 */
#ifndef WM_WMCC_MACHINE_H
#define WM_WMCC_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

struct wm_machine {
	int number; /* e_machine */
	const char *name; /* in messages */
	const char *folder; /* its libraries, below /lib and /usr/lib */
	const char *first_libc; /* version of glibc's first functions */
	uint32_t unwind_section; /* sh_type of unwind tables; 0: none */
	/* Types of relocations, ended by 0.  Relative ones, as in a call,
	 * reach a function's first byte with this addend, absolute ones
	 * with 0. */
	const unsigned *relative, *absolute;
	int64_t relative_addend;
};

/* NULL: there is no runtime for it. */
const struct wm_machine *wm_machine_find(int number);
/* The processor that wmcc runs on. */
const struct wm_machine *wm_machine_own(void);

/* Does a relocation of @type with @addend refer to a function's first byte, not
 * to a place inside it? */
bool wm_machine_means_start(const struct wm_machine *m, unsigned type,
			    int64_t addend);

#endif
