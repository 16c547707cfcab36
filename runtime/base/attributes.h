/* SPDX-License-Identifier: Apache-2.0 */
/* Compiler attributes that all of the runtime uses. */
#pragma once

#define wm_likely(x) __builtin_expect(!!(x), 1)
#define wm_unlikely(x) __builtin_expect(!!(x), 0)
#define wm_hidden __attribute__((visibility("hidden")))
#define wm_export __attribute__((visibility("default")))

/* In static programs the linker knows the distance of the executable's
 * variables from the thread pointer, so an access needs no further register. */
#ifdef WM_STATIC_TLS
#define WM_TLS_MODEL "local-exec"
#else
#define WM_TLS_MODEL "initial-exec"
#endif

/* Bytes of the name of a job, with the final zero. */
#define WM_NAME_MAX 256
