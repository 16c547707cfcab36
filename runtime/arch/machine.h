/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processor that the runtime is compiled for: the only place that asks which
 * one it is.  Each has a folder of headers of the same names; docs/porting.md is
 * the list of them, with the contract of each and the tests that hold it.
 *
 *	#include "runtime/arch/machine.h"
 *	#include WM_MACHINE_HEADER(counter.h)
 */
#ifndef WM_RUNTIME_MACHINE_H
#define WM_RUNTIME_MACHINE_H

#if defined(__x86_64__)
#define WM_MACHINE_HEADER(name) <runtime/arch/x86_64/name>
#else
#error "docs/porting.md: this processor has no folder in runtime/arch"
#endif

#endif
