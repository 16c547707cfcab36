/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and decodes the bytes of a bundle. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"

/* Stores the decoded bytes, which the caller frees, in *@bytes.  @path is a
 * relinked program or a bundle file. */
enum wm_status wm_bundle_load(const char *path, uint8_t **bytes, size_t *size,
			      struct wm_err *err);
