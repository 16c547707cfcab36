/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic operations: with -fsanitize=thread the compiler calls these functions.
 * All are sequentially consistent.  Loads of 16 bytes need writable memory,
 * because they compare and exchange, like libatomic's without AVX. */
#include "runtime/arch/machine.h"
#include WM_MACHINE_HEADER(wide.h)

#include "runtime/access/access.h"

#define ORDER __ATOMIC_SEQ_CST

/* Such a call may return to the same place as another operation, if it is the
 * last instruction of a function; the kind distinguishes the two. */
#define TELL(p, kind)                                                          \
	wm_access_at((uintptr_t)(p),                                           \
		     WM_ACCESS_KEY(WM_ACCESS_CALLER,                           \
				   WM_ACCESS_WHAT(kind, ATOMIC, sizeof(*p))),  \
		     WM_ACCESS_WHAT(kind, ATOMIC, sizeof(*(p))))

#define LOAD_STORE(bits, type)                                                 \
	WM_ACCESS_EXPORT(type, __tsan_atomic##bits##_load,                     \
			 const volatile type *p, int order)                    \
	{                                                                      \
		(void)order;                                                   \
		TELL(p, READ);                                                 \
		return load_##bits(p);                                         \
	}                                                                      \
	WM_ACCESS_EXPORT(void, __tsan_atomic##bits##_store, volatile type *p,  \
			 type v, int order)                                    \
	{                                                                      \
		(void)order;                                                   \
		TELL(p, WRITE);                                                \
		exchange_##bits(p, v);                                         \
	}

#define UPDATE(bits, type, verb)                                               \
	WM_ACCESS_EXPORT(type, __tsan_atomic##bits##_##verb, volatile type *p, \
			 type v, int order)                                    \
	{                                                                      \
		(void)order;                                                   \
		TELL(p, MODIFY);                                               \
		return verb##_##bits(p, v);                                    \
	}

#define COMPARE(bits, type, how)                                               \
	WM_ACCESS_EXPORT(int, __tsan_atomic##bits##_compare_exchange_##how,    \
			 volatile type *p, type *expected, type v, int order,  \
			 int failed)                                           \
	{                                                                      \
		type was, want = *expected;                                    \
                                                                               \
		(void)order;                                                   \
		(void)failed;                                                  \
		TELL(p, MODIFY);                                               \
		was = compare_##bits(p, want, v);                              \
		if (was == want)                                               \
			return 1;                                              \
		*expected = was;                                               \
		return 0;                                                      \
	}

#define COMPARE_VALUE(bits, type)                                              \
	WM_ACCESS_EXPORT(type, __tsan_atomic##bits##_compare_exchange_val,     \
			 volatile type *p, type expected, type v, int order,   \
			 int failed)                                           \
	{                                                                      \
		(void)order;                                                   \
		(void)failed;                                                  \
		TELL(p, MODIFY);                                               \
		return compare_##bits(p, expected, v);                         \
	}

#define HOOKS(bits, type)                                                      \
	LOAD_STORE(bits, type)                                                 \
	UPDATE(bits, type, exchange)                                           \
	UPDATE(bits, type, fetch_add)                                          \
	UPDATE(bits, type, fetch_sub)                                          \
	UPDATE(bits, type, fetch_and)                                          \
	UPDATE(bits, type, fetch_or)                                           \
	UPDATE(bits, type, fetch_xor)                                          \
	UPDATE(bits, type, fetch_nand)                                         \
	COMPARE(bits, type, strong)                                            \
	COMPARE(bits, type, weak)                                              \
	COMPARE_VALUE(bits, type)

#define BUILTIN(bits, type, verb, builtin)                                     \
	static inline type verb##_##bits(volatile type *p, type v)             \
	{                                                                      \
		return builtin(p, v, ORDER);                                   \
	}
#define BUILTINS(bits, type)                                                   \
	static inline type load_##bits(const volatile type *p)                 \
	{                                                                      \
		return __atomic_load_n(p, ORDER);                              \
	}                                                                      \
	static inline type compare_##bits(volatile type *p, type want, type v) \
	{                                                                      \
		__atomic_compare_exchange_n(p, &want, v, 0, ORDER, ORDER);     \
		return want;                                                   \
	}                                                                      \
	BUILTIN(bits, type, exchange, __atomic_exchange_n)                     \
	BUILTIN(bits, type, fetch_add, __atomic_fetch_add)                     \
	BUILTIN(bits, type, fetch_sub, __atomic_fetch_sub)                     \
	BUILTIN(bits, type, fetch_and, __atomic_fetch_and)                     \
	BUILTIN(bits, type, fetch_or, __atomic_fetch_or)                       \
	BUILTIN(bits, type, fetch_xor, __atomic_fetch_xor)                     \
	BUILTIN(bits, type, fetch_nand, __atomic_fetch_nand)

BUILTINS(8, uint8_t)
BUILTINS(16, uint16_t)
BUILTINS(32, uint32_t)
BUILTINS(64, uint64_t)

HOOKS(8, uint8_t)
HOOKS(16, uint16_t)
HOOKS(32, uint32_t)
HOOKS(64, uint64_t)

static inline wm_wide load_128(const volatile wm_wide *p)
{
	return wm_wide_compare((volatile wm_wide *)(uintptr_t)p, 0, 0);
}

#define WIDE(verb, result)                                                     \
	static inline wm_wide verb##_128(volatile wm_wide *p, wm_wide v)       \
	{                                                                      \
		wm_wide old = load_128(p), was;                                \
                                                                               \
		while ((was = wm_wide_compare(p, old, result)) != old)         \
			old = was;                                             \
		return old;                                                    \
	}
#define compare_128 wm_wide_compare
WIDE(exchange, v)
WIDE(fetch_add, old + v)
WIDE(fetch_sub, old - v)
WIDE(fetch_and, old &v)
WIDE(fetch_or, old | v)
WIDE(fetch_xor, old ^ v)
WIDE(fetch_nand, ~(old &v))
HOOKS(128, wm_wide)

WM_ACCESS_EXPORT(void, __tsan_atomic_thread_fence, int order)
{
	(void)order;
	__atomic_thread_fence(ORDER);
}

WM_ACCESS_EXPORT(void, __tsan_atomic_signal_fence, int order)
{
	(void)order;
	__atomic_signal_fence(ORDER);
}
