/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives functions that map memory the version of libc's functions in dynamic
 * programs of ours, but not as the default of their names.  Calls still reach
 * ours, while dlsym() finds those of libc.  UCX and Open MPI write a jump over
 * the beginning of the function that dlsym() finds: they would overwrite ours,
 * and nothing would be recorded from then on.
 */
#pragma once

#include <stdbool.h>

/* Changes @path in place, unless it is not ELF or its C library has no versions
 * (musl).  Returns NULL, or the reason for a failure.  Without @hides, only
 * gives libc's first version the number that those functions need;
 * libwmtrace.so does the rest in memory (runtime/process/hide_mappings.c). */
const char *wm_libc_versions_set(const char *path, bool hides);
