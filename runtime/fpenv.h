/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Floating point without a trace of it: the program's rounding, traps and
 * flags are put aside, and what a process begins with is in force meanwhile.
 *
 * Any thread; signals blocked in between.  Of x86-64 the SSE unit alone: the
 * code in between uses no other.
 */
#ifndef WM_RUNTIME_FPENV_H
#define WM_RUNTIME_FPENV_H

#include <stdint.h>

struct wm_fpenv {
	uint64_t control, status;
};

#if defined(__x86_64__)
static inline void wm_fpenv_take(struct wm_fpenv *f)
{
	uint32_t now, plain = 0x1f80;

	__asm__ volatile("stmxcsr %0" : "=m"(now));
	__asm__ volatile("ldmxcsr %0" : : "m"(plain) : "memory");
	f->control = now;
	f->status = 0;
}

static inline void wm_fpenv_give_back(const struct wm_fpenv *f)
{
	uint32_t old = (uint32_t)f->control;

	__asm__ volatile("ldmxcsr %0" : : "m"(old) : "memory");
}
#elif defined(__aarch64__)
static inline void wm_fpenv_take(struct wm_fpenv *f)
{
	__asm__ volatile("mrs %0, fpcr" : "=r"(f->control));
	__asm__ volatile("mrs %0, fpsr" : "=r"(f->status));
	__asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0) : "memory");
}

static inline void wm_fpenv_give_back(const struct wm_fpenv *f)
{
	__asm__ volatile("msr fpsr, %0" : : "r"(f->status) : "memory");
	__asm__ volatile("msr fpcr, %0" : : "r"(f->control) : "memory");
}
#else
#error "runtime/fpenv.h: add the floating-point environment of this architecture"
#endif

#endif
