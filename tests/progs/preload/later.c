/* SPDX-License-Identifier: Apache-2.0 */
/* A C program that loads ./plug.so and ends as its plug(1000) says; allocates
 * nothing itself.
 * Used by t6700, t6710. */
#include <dlfcn.h>
#include <stdlib.h>
int main(void)
{
	void *h = dlopen("./plug.so", RTLD_NOW | RTLD_LOCAL);
	int (*plug)(int);

	if (!h)
		return 1;
	*(void **)&plug = dlsym(h, "plug");
	return plug ? plug(1000) : 2;
}
