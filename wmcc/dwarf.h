/* SPDX-License-Identifier: Apache-2.0 */
/* The DWARF of an ELF file, as far as it can be read without waiting. */
#ifndef WM_WMCC_DWARF_H
#define WM_WMCC_DWARF_H

#include <elfutils/libdw.h>

/*
 * Of @elf, which was read from @fd.  NULL: there is none, or it has a part of
 * it in another file (.gnu_debugaltlink) that is a pipe or a device; libdw
 * would open that when it comes to the first such word.
 */
Dwarf *wm_dwarf_begin(Elf *elf, int fd);

#endif
