/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The complaints of a compiler that was started for something of ours.
 *
 * One thread, may allocate.
 */
#ifndef WM_WMCC_COMPLAINT_H
#define WM_WMCC_COMPLAINT_H

/*
 * The first error in what it wrote into @fd (wm_capture_open()), else its first
 * line; maybe empty, the caller frees it.  Closes @fd.
 */
char *wm_complaint_read(int fd);

#endif
