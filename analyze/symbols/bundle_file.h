/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the decoded bytes of a bundle.
 *
 * One thread; the result belongs to the caller, who releases it with free().
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"

/* @path is an ELF file with the section .wm_census, or the bundle itself. */
enum wm_status wm_bundle_load(const char *path, uint8_t **bytes, size_t *size,
			      struct wm_err *err);
