/* SPDX-License-Identifier: Apache-2.0 */
/* The thread register holds an address, and the same address is stored there.
 * The program's variables are below it ("variant II" of U. Drepper, "ELF
 * Handling For Thread-Local Storage"), libc's own data above. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "runtime/arch/machine.h"
#include WM_MACHINE_HEADER(system_call.h)

/* Bytes of libc's own data; glibc's are 2,304. */
#define WM_THREAD_BYTES 4096

/* Called only in a thread that has storage. */
static inline void *wm_thread_register(void)
{
	void *p;

	__asm__("movq %%fs:0, %0" : "=r"(p));
	return p;
}

/* Asks the kernel.  Returns 0 if the thread has no storage. */
static inline uintptr_t wm_thread_register_asked(void)
{
	uintptr_t p = 0;

	wm_sys6(SYS_arch_prctl, 0x1003 /* ARCH_GET_FS */, (long)&p, 0, 0, 0, 0);
	return p;
}

static inline void wm_thread_register_set(uintptr_t p)
{
	wm_sys6(SYS_arch_prctl, 0x1002 /* ARCH_SET_FS */, (long)p, 0, 0, 0, 0);
}

/* Makes storage of the @bytes + WM_THREAD_BYTES zeros at @p.  Returns the value
 * for the thread register. */
static inline char *wm_thread_storage(char *p, size_t bytes)
{
	p += bytes;
	*(void **)(void *)p = p;
	return p;
}

/* The distance of @variable, a name, from the address in the thread register.
 * Needs no relocation and no storage. */
#define WM_THREAD_OFFSET(variable)                                             \
	__extension__({                                                        \
		intptr_t offset_;                                              \
                                                                               \
		__asm__("movq " #variable "@gottpoff(%%rip), %0"               \
			: "=r"(offset_));                                      \
		offset_;                                                       \
	})
