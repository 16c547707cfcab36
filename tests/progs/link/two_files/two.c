/* SPDX-License-Identifier: Apache-2.0 */
/* two() for main.c beside it.
 * Used by t1010. */
int two(void) { return 2; }
