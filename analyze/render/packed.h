/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stream whose bytes come out packed: gzip (RFC 1952), and that as base64 in
 * lines, so that a page can carry them as text.
 *
 * The stream that it comes out on is the caller's and must outlive it; errors
 * show there.  One thread at a time.
 */
#ifndef WM_ANALYZE_PACKED_H
#define WM_ANALYZE_PACKED_H

#include <stdio.h>

/* NULL: no memory.  fclose() writes the rest. */
FILE *wm_packed_open(FILE *out);

#endif
