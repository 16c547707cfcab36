/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the variable that receives the memory that a line of source allocates:
 * A->values in A->values = new double[n], grid%u in allocate(grid%u(n)).  In
 * doubt there is no receiver. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Bytes of receivers with the final zero.  Longer receivers are left out. */
#define WM_RECEIVER_SIZE 64

/* Stores the receivers of memory that the line at @line allocates in @out, with
 * ", " between them.  The statement may begin on earlier lines and, in Fortran,
 * end on later lines.  Returns false if there is no receiver. */
bool wm_receiver_at(const char *text, size_t size, const char *line,
		    bool fortran, char out[WM_RECEIVER_SIZE]);
