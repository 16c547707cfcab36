/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selects the processor for which the runtime is compiled; no other file asks
 * which it is.  Each processor has a folder with headers of the same names.
 * docs/porting.md lists these headers, the contract of each, and the tests that
 * check it.
 *
 * #include "runtime/arch/machine.h"
 * #include WM_MACHINE_HEADER(counter.h)
 */
#pragma once

#if defined(__x86_64__)
#define WM_MACHINE_HEADER(name) <runtime/arch/x86_64/name>
#else
#error "docs/porting.md: this processor has no folder in runtime/arch"
#endif
