/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage builds alone: lets the counters of a runtime object lie in a file
 * that is mapped shared, whatever way the process ends.  clang adds
 * __llvm_profile_counter_bias to the address of each counter
 * (-runtime-counter-relocation).  Until the constructor has run, counters are
 * those of the section SECTION; what they have is added.
 *
 * Context: the traced process.  System calls only, as libc's may be wrapped;
 * errno stays.  Without the file nothing is counted for others to see.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define JOIN(a, b) a##b
#define START(s) JOIN(__start_, s)
#define STOP(s) JOIN(__stop_, s)

extern char START(SECTION)[], STOP(SECTION)[];

/* Symbols to which clang's code refers. */
int __llvm_profile_runtime;
intptr_t __llvm_profile_counter_bias;

static long call(long n, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
			   "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

__attribute__((constructor(101))) static void map_counters(void)
{
	size_t bytes = (size_t)(STOP(SECTION) - START(SECTION));
	uint64_t *own = (uint64_t *)START(SECTION), *shared;
	long fd = call(SYS_open, (long)FILE_NAME, O_RDWR | O_CREAT | O_CLOEXEC,
		       0666, 0, 0, 0);
	long at;

	if (fd < 0)
		return;
	call(SYS_ftruncate, fd, (long)bytes, 0, 0, 0, 0);
	at = call(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		  fd, 0);
	call(SYS_close, fd, 0, 0, 0, 0, 0);
	if (at < 0 && at > -4096)
		return;
	shared = (uint64_t *)at;
	for (size_t i = 0; i < bytes / sizeof(*own); i++)
		if (own[i])
			shared[i] += own[i];
	__llvm_profile_counter_bias = (char *)at - START(SECTION);
}
