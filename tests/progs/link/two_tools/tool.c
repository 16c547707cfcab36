/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates nothing of its own: the wrappers of another tool, which count the
 * calls of malloc, free, fork and mmap.  That of malloc asks for 16 bytes more.
 * That of fork calls what is behind it with -DBEHIND, else another function.
 * Used by t1215. */
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

static int mallocs, frees, forks, maps;
void *__real_malloc(size_t n);
void __real_free(void *p);
int __real_fork(void);
int __fork(void);
void *__real_mmap(void *, size_t, int, int, int, off_t);

void *__wrap_malloc(size_t n)
{
	mallocs++;
	return __real_malloc(n + 16);
}

void __wrap_free(void *p)
{
	frees++;
	__real_free(p);
}

int __wrap_fork(void)
{
	forks++;
#ifdef BEHIND
	return __real_fork();
#else
	return __fork();
#endif
}

void *__wrap_mmap(void *a, size_t n, int prot, int flags, int fd, off_t at)
{
	maps++;
	return __real_mmap(a, n, prot, flags, fd, at);
}

void tool_report(void)
{
	char text[80];
	int n = snprintf(text, sizeof(text), "%d %d %d %d\n", mallocs, frees,
			 forks, maps);

	if (write(1, text, (size_t)n) != n)
		_exit(9);
}
