/* SPDX-License-Identifier: Apache-2.0 */
/* The resident pages of files that have code.  Under the writer lock. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* Stores their bytes, with constants, or returns false if they are not
 * known. */
bool wm_resident_code(uint64_t *bytes) wm_hidden;
