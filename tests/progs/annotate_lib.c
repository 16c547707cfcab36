/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A shared library that names what it allocates: 1 malloc of 4321 bytes in
 * lib_work(), kept.
 */
#include <stdlib.h>

#include <wm/wmtrace.h>

void *lib_work(const char *phase);
void *lib_work(const char *phase)
{
	void *p = malloc(4321);

	wm_phase(phase);
	wm_name(p, "of a library");
	return p;
}
