/* SPDX-License-Identifier: Apache-2.0 */
/* Opens debug information without waiting for pipes, and limits its use. */
#pragma once

#include <elfutils/libdw.h>
#include <stdint.h>

/* Returns the debug information of @elf in @fd, or NULL if there is none, or if
 * a part of it is in a pipe or device (.gnu_debugaltlink, .dwo), which libdw
 * would open later. */
Dwarf *wm_dwarf_begin(Elf *elf, int fd);

/*
 * Protects a child that reads debug information of @bytes, as it may have any
 * effect if broken: limits CPU time (SIGXCPU ends the process) and memory, and
 * prevents core files and output on stderr.  @again is the number of earlier
 * attempts, after which there is less time.
 */
void wm_dwarf_guard(uint64_t bytes, size_t again);

unsigned wm_dwarf_seconds(uint64_t bytes, size_t again);
