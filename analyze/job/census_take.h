/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the census of a program that wmcc did not link, by wm-census(1). */
#pragma once

/* Returns a descriptor, which the caller closes, of an anonymous file with the
 * bundle of executable @path, or -1. */
int wm_census_take(const char *path);
