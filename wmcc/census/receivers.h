/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the variable to which a line of source gives the memory that it
 * allocates: A->values in A->values = new double[n], grid%u in
 * allocate(grid%u(n)).
 *
 * This reads text and does not know the language: in doubt there is no
 * receiver. No state.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a receiver with its final zero; a longer receiver is left out. */
#define WM_RECEIVER_SIZE 64

/*
 * Stores in @out the receivers of memory that the line at @line in @text (@size
 * bytes) allocates, with ", " between them.  The statement may begin on earlier
 * lines, and in Fortran end on later lines.  Returns false if there is no
 * receiver.
 */
bool wm_receiver_at(const char *text, size_t size, const char *line,
		    bool fortran, char out[WM_RECEIVER_SIZE]);
