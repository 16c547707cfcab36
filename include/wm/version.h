/* SPDX-License-Identifier: Apache-2.0 */
/* The version of wmtools as a whole.  The file formats have their own versions
 * (trace_format.h, census_format.h). */
#ifndef WM_VERSION_H
#define WM_VERSION_H

#define WM_VERSION "0.1.0"

#endif
