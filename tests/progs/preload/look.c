/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 10 bytes, freed.  Prints what a program can see: environment,
 * arguments, errno, dlerror().
 * Used by t6700. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern char **environ;
__attribute__((constructor)) static void early(void)
{
	printf("early %s\n", getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "-");
}
int main(int argc, char **argv)
{
	const char *e;

	errno = 77;
	free(malloc(10));
	printf("errno %d\n", errno);
	e = dlerror();
	printf("dlerror %s\n", e ? e : "-");
	for (int i = 0; i < argc; i++)
		puts(argv[i]);
	for (char **v = environ; *v; v++)
		if (strncmp(*v, "_=", 2))
			puts(*v);
	return 7;
}
