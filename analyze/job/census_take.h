/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The census of a program that was not relinked (wm-run), made on demand by
 * wm-census(1), which is beside wm-analyze.
 *
 * For one thread; starts a process and waits for it.
 */
#ifndef WM_ANALYZE_CENSUS_TAKE_H
#define WM_ANALYZE_CENSUS_TAKE_H

/* A descriptor of an anonymous file with the bundle of executable @path, to be
 * closed by the caller; -1: it could not be made. */
int wm_census_take(const char *path);

#endif
