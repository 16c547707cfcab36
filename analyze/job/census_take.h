/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The census of a program that was not relinked (wm-run): taken when a report
 * wants it, by wm-census(1), which lies beside wm-analyze.
 *
 * One thread; starts a process and waits for it.
 */
#ifndef WM_ANALYZE_CENSUS_TAKE_H
#define WM_ANALYZE_CENSUS_TAKE_H

/*
 * A descriptor of an anonymous file with the bundle of executable @path, to be
 * closed; -1: there is none to be had.
 */
int wm_census_take(const char *path);

#endif
