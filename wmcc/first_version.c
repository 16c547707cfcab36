/* SPDX-License-Identifier: Apache-2.0 */
/* Calls wm_libc_versions_set() in the build of libwmtrace.so. */
#include <stdio.h>

#include "wmcc/link/libc_versions.h"

int main(int argc, char **argv)
{
	const char *why = argc == 2 ? wm_libc_versions_set(argv[1], false) :
				      "one file is wanted";

	if (why)
		fprintf(stderr, "first-version: '%s': %s\n",
			argc > 1 ? argv[1] : "", why);
	return why != NULL;
}
