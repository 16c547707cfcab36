/* SPDX-License-Identifier: Apache-2.0 */
/*
 * first_block: malloc(100) once, never freed.  Prints where in its page the
 * block lies, how far the break is from it, and what dlerror() says.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
	char *volatile p = malloc(100);
	uintptr_t end = (uintptr_t)sbrk(0);
	const char *error = dlerror();

	printf("%lx %lx %s\n", (unsigned long)((uintptr_t)p & 0xfff),
	       (unsigned long)(end - (uintptr_t)p), error ? error : "-");
	return 0;
}
