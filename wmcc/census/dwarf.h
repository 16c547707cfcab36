/* SPDX-License-Identifier: Apache-2.0 */
/* The DWARF of an ELF file, as far as it can be read without waiting. */
#pragma once

#include <elfutils/libdw.h>
#include <stdint.h>

/*
 * Returns the debug information of @elf, which was read from @fd.  Returns NULL
 * if there is none, or if a part of it is in another file (.gnu_debugaltlink,
 * .dwo) that is a pipe or a device, which libdw would open later.
 */
Dwarf *wm_dwarf_begin(Elf *elf, int fd);

/*
 * Protects a child process that reads debug information of files of @bytes,
 * which may have any effect when it is broken: sets limits of CPU time (SIGXCPU
 * ends the process) and of memory, and prevents core files and output on
 * stderr. @again is the number of earlier attempts; after these, there is less
 * time.
 */
void wm_dwarf_guard(uint64_t bytes, size_t again);

/* Returns the limit of CPU time in seconds. */
unsigned wm_dwarf_seconds(uint64_t bytes, size_t again);
