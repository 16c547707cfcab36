/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocates nothing.  Every atomic operation of every size, whose results say
 * that it operated; then four threads that count with them.  Used by t3400.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

static int bad;
#define WANT(what)                                                             \
	do {                                                                   \
		if (!(what)) {                                                 \
			printf("%s\n", #what);                                 \
			bad = 1;                                               \
		}                                                              \
	} while (0)
#define ORDER __ATOMIC_SEQ_CST

#define TRY(type, big)                                                         \
	static void try_##type(void)                                           \
	{                                                                      \
		static type v;                                                 \
		type e = 3;                                                    \
                                                                               \
		__atomic_store_n(&v, (type)(big), ORDER);                      \
		WANT(__atomic_load_n(&v, ORDER) == (type)(big));               \
		WANT(__atomic_exchange_n(&v, 7, ORDER) == (type)(big));        \
		WANT(__atomic_fetch_add(&v, 5, ORDER) == 7);                   \
		WANT(__atomic_fetch_sub(&v, 2, ORDER) == 12);                  \
		WANT(__atomic_fetch_and(&v, 6, ORDER) == 10);                  \
		WANT(__atomic_fetch_or(&v, 9, ORDER) == 2);                    \
		WANT(__atomic_fetch_xor(&v, 1, ORDER) == 11);                  \
		WANT(__atomic_fetch_nand(&v, 3, ORDER) == 10);                 \
		WANT(v == (type) ~(type)2);                                    \
		v = 4;                                                         \
		WANT(!__atomic_compare_exchange_n(&v, &e, 9, 0, ORDER,         \
						  ORDER));                     \
		WANT(e == 4 && v == 4);                                        \
		WANT(__atomic_compare_exchange_n(&v, &e, 9, 0, ORDER, ORDER)); \
		WANT(v == 9);                                                  \
		e = 9;                                                         \
		while (!__atomic_compare_exchange_n(&v, &e, 1, 1, ORDER,       \
						    ORDER))                    \
			WANT(e == 9);                                          \
		WANT(v == 1);                                                  \
	}
TRY(uint8_t, 0xfe)
TRY(uint16_t, 0xfedc)
TRY(uint32_t, 0xfedcba98)
TRY(uint64_t, 0xfedcba9876543210)
TRY(wide, (wide)0xfedcba98 << 96 | 5)

static uint32_t count;
static wide wide_count;

static void *add(void *unused)
{
	for (int i = 0; i < 100000; i++) {
		__atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
		__atomic_fetch_add(&wide_count, (wide)1 << 63, ORDER);
	}
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	__atomic_signal_fence(ORDER);
	return unused;
}

int main(void)
{
	pthread_t t[4];

	try_uint8_t();
	try_uint16_t();
	try_uint32_t();
	try_uint64_t();
	try_wide();
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, add, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	WANT(count == 400000);
	WANT(wide_count == (wide)400000 << 63);
	if (!bad)
		puts("all operate");
	return bad;
}
