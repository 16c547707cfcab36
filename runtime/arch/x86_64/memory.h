/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: its pages, its last address, the order of loads. */
#pragma once

/* Bytes of a page, on the kernels with the smallest pages and on those with the
 * largest. */
#define WM_PAGE_LEAST 4096ul
#define WM_PAGE_MOST 4096ul

/* Programs have no memory at or above this address, on any kernel. */
#define WM_USER_END ((uintptr_t)1 << 47)

/* Each load acquires: a plain one is enough where another thread releases. */
#define WM_LOADS_ACQUIRE
