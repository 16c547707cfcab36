/* SPDX-License-Identifier: Apache-2.0 */
/* A stream that packs its bytes with gzip (RFC 1952) and writes them as lines
 * of base64, for data in a page.  The caller owns the stream below, which must
 * live longer and reports write errors.  One thread at a time. */
#pragma once

#include <stdio.h>

/* Returns NULL without memory.  fclose() writes the rest. */
FILE *wm_packed_open(FILE *out);
