/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 (FIPS 180-4) of bytes in memory, which identifies objects. */
#pragma once

#include <stddef.h>

#define WM_SHA256_DIGITS 64

/* Stores the digits of the hash and a zero in @hex. */
void wm_sha256(const void *bytes, size_t size, char hex[WM_SHA256_DIGITS + 1]);
