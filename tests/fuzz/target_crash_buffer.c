/* SPDX-License-Identifier: Apache-2.0 */
/* The crash buffer of a killed process; its trace stays as it is. */
#include "tests/fuzz/fuzz.h"

const unsigned fuzz_changes = 1u << FUZZ_CRASH_BUFFER;
