/* SPDX-License-Identifier: Apache-2.0 */
/* Compiler attributes. */
#pragma once

#define wm_likely(x) __builtin_expect(!!(x), 1)
#define wm_unlikely(x) __builtin_expect(!!(x), 0)
#define wm_hidden __attribute__((visibility("hidden")))
#define wm_export __attribute__((visibility("default")))

/* In a static program the linker knows where thread-local variables are, so an
 * access needs one register less. */
#ifdef WM_STATIC_TLS
#define WM_TLS_MODEL "local-exec"
#else
#define WM_TLS_MODEL "initial-exec"
#endif

#define WM_NAME_MAX 256
