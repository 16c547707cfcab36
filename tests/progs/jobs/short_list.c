/* SPDX-License-Identifier: Apache-2.0 */
/* A readdir() for LD_PRELOAD that fails with EIO after as many entries as
 * LISTED says.  Allocates nothing.
 * Used by t6410. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
struct dirent *readdir(DIR *d)
{
	static struct dirent *(*real)(DIR *);
	static int n;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "readdir");
	if (n++ < atoi(getenv("LISTED")))
		return real(d);
	errno = EIO;
	return NULL;
}
