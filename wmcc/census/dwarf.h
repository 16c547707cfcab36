/* SPDX-License-Identifier: Apache-2.0 */
/* The DWARF of an ELF file, as far as it can be read without waiting. */
#ifndef WM_WMCC_DWARF_H
#define WM_WMCC_DWARF_H

#include <elfutils/libdw.h>
#include <stdint.h>

/*
 * The debug information of @elf, which was read from @fd.  NULL: there is none,
 * or it has a part of it in another file (.gnu_debugaltlink, .dwo) that is a
 * pipe or a device; libdw would open that when it comes to the first such word
 * or unit.
 */
Dwarf *wm_dwarf_begin(Elf *elf, int fd);

/*
 * For a child process that reads debug information of files of @bytes, which
 * may do anything when it is broken: limits of processor time (SIGXCPU ends
 * it) and of memory, no core file, and nothing on stderr.  @again: how many
 * attempts there were before, which leave it less time.
 */
void wm_dwarf_guard(uint64_t bytes, size_t again);

/* How many seconds of processor time that allows. */
unsigned wm_dwarf_seconds(uint64_t bytes, size_t again);

#endif
