/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stream that packs its bytes with gzip (RFC 1952) and writes them as lines
 * of base64, the form of data in a page.
 *
 * The stream below belongs to the caller and must live longer; write errors
 * show there.  One thread at a time.
 */
#pragma once

#include <stdio.h>

/* Opens the stream, or returns NULL if memory is short.  fclose() writes the
 * rest. */
FILE *wm_packed_open(FILE *out);
