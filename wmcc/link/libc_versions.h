/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives functions that map memory the version of libc's functions in our
 * dynamic programs, but not as the default of their names.  Libraries that call
 * these functions reach ours as before; dlsym() finds libc's functions, as
 * without us. UCX and Open MPI look up by dlsym() the function over whose
 * beginning they write a jump: they would overwrite ours, and nothing would be
 * recorded from then on.
 *
 * Changes a file in place; one thread.
 */
#pragma once

/* Returns NULL, or the reason why @path cannot be changed.  A file that is not
 * ELF, or whose C library has no versions (musl), is left unchanged. */
const char *wm_libc_versions_set(const char *path);

/* Gives libc's first version the number that the version of those functions has
 * to have, and changes nothing else: libwmtrace.so does the rest in memory, in
 * some programs (runtime/process/hide_mappings.c).  Results are as for
 * wm_libc_versions_set(). */
const char *wm_libc_version_first(const char *path);
