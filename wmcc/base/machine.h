/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processors that programs are traced on: the only place of wmcc that knows
 * one from another.  docs/porting.md says what a further one needs.
 */
#ifndef WM_WMCC_MACHINE_H
#define WM_WMCC_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

struct wm_machine {
	int number; /* e_machine */
	const char *name; /* in messages */
	const char *folder; /* of its libraries, below /lib and /usr/lib */
	const char *first_libc; /* version of glibc's first functions */
	uint32_t unwind_section; /* sh_type of what describes code; 0: none */
	/* Relocations that end in 0.  Those of a call, and those that are
	 * relative likewise, reach a function's first byte with this addend;
	 * absolute ones with 0. */
	const unsigned *relative, *absolute;
	int64_t relative_addend;
};

/* NULL: there is no runtime for it. */
const struct wm_machine *wm_machine_find(int number);
/* The one that wmcc runs on. */
const struct wm_machine *wm_machine_own(void);

/* Does a relocation of @type with @addend mean a function's first byte?  Places
 * in its midst do not count. */
bool wm_machine_means_start(const struct wm_machine *m, unsigned type,
			    int64_t addend);

#endif
