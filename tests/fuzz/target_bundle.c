/* SPDX-License-Identifier: Apache-2.0 */
/* The census and symbols of a program (program.wmc.xz). */
#include "tests/fuzz/fuzz.h"

const unsigned fuzz_changes = 1u << FUZZ_BUNDLE;
