/* SPDX-License-Identifier: Apache-2.0 */
/* Small files of the kernel: /proc, /sys. */
#pragma once

#include <stddef.h>

/* Reads the first @room - 1 bytes of the file at @path into @to and adds a
 * zero.  Returns the number of bytes, 0 if the file cannot be read. */
size_t wm_file_text(const char *path, char *to, size_t room);
