/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: its pages, its last address, the order of loads. */
#pragma once

/* Bytes of the smallest and of the largest page of any kernel. */
#define WM_PAGE_LEAST 4096ul
#define WM_PAGE_MOST 4096ul

/* On no kernel do programs have memory from this address on. */
#define WM_USER_END ((uintptr_t)1 << 47)

/* Each load acquires: a plain one suffices where another thread releases. */
#define WM_LOADS_ACQUIRE
