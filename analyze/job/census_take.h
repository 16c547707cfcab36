/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes the census of a program that was not relinked (wm-run), on demand, by
 * wm-census(1), which is beside wm-analyze.
 *
 * For one thread; starts a process and waits for it.
 */
#pragma once

/* Returns a descriptor of an anonymous file with the bundle of executable
 * @path, which the caller closes, or -1 if the bundle could not be made. */
int wm_census_take(const char *path);
