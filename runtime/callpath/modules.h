/* SPDX-License-Identifier: Apache-2.0 */
/* The modules of the process: the executable and, in dynamic programs,
 * libraries.  The picture is the list of modules for the trace. */
#pragma once

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"

/* Like dl_iterate_phdr(3), but only for the module of @ip, without the loader's
 * lock, and at any time, even before the C library is ready. */
int wm_modules_at(uintptr_t ip,
		  int (*visit)(struct dl_phdr_info *, size_t, void *),
		  void *data) wm_hidden;

/* Begins the picture with the executable, if there is no picture yet. */
void wm_modules_look(void) wm_hidden;

/* Adds the modules of a call path, which are in use and so cannot be
 * unmapped. */
void wm_modules_enter(const uint64_t *frames, size_t count) wm_hidden;

/* After a dlclose(): wm_modules_gone() stores up to @room ranges whose
 * libraries are no longer mapped, and wm_modules_drop() removes such ranges. */
struct wm_code_range {
	uintptr_t lo, hi;
};
size_t wm_modules_gone(struct wm_code_range *gone, size_t room) wm_hidden;
void wm_modules_drop(const struct wm_code_range *gone, size_t count) wm_hidden;
/* Returns false if the picture has another library at a frame's address. */
bool wm_modules_agree(const uint64_t *frames, size_t count) wm_hidden;

/* Appends the picture as column MODULES if it is newer than version *@sent.
 * Returns whether it is.  The caller holds the writer lock. */
bool wm_modules_encode(struct wm_buf *out, uint32_t *sent) wm_hidden;

/* wm_modules_sent() is called when picture @version is in the trace.  Any
 * thread may call both. */
void wm_modules_sent(uint32_t version) wm_hidden;
bool wm_modules_unsent(void) wm_hidden;
void wm_modules_forget(void) wm_hidden;

/* Stores the first @room modules of the picture; returns their number. */
#define WM_MODULE_ID 8u /* the first bytes of a build-id */
struct wm_module_range {
	uint64_t bias, lo, hi;
	uint8_t id[WM_MODULE_ID];
	size_t id_size; /* 0: the module has none */
};
size_t wm_modules_list(struct wm_module_range *list, size_t room) wm_hidden;

/* Stores the executable's build-id; returns its bytes, 0 if it has none. */
size_t wm_modules_build_id(uint8_t *id, size_t room) wm_hidden;
