/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The variable to which a line of source gives the memory that it allocates:
 * the local or the member of A->values = new double[n], of allocate(grid%u(n)).
 *
 * Reads text, not a language: where the text leaves a doubt there is no
 * receiver.  No state.
 */
#ifndef WM_WMCC_RECEIVERS_H
#define WM_WMCC_RECEIVERS_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a receiver, its end included; a longer one is none. */
#define WM_RECEIVER_SIZE 64

/*
 * The receiver of what the line at @line of @text (@size bytes) allocates;
 * several, of one line, have ", " between them.  The statement may begin on
 * lines before, and in Fortran end on lines behind.  false: none.
 */
bool wm_receiver_at(const char *text, size_t size, const char *line,
		    bool fortran, char out[WM_RECEIVER_SIZE]);

#endif
