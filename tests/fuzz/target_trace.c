/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of traces and what follows it, up to reports: heads and columns. */
#include "tests/fuzz/fuzz.h"

const unsigned fuzz_changes = 1u << FUZZ_HEAD | 1u << FUZZ_COLUMN;
