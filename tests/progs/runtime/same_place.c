/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes ./one.so and ./two.so in turn, which come to the same
 * place: 6 malloc of 24 bytes in their plug(), freed.
 * Used by t3010. */
#include <dlfcn.h>
#include <stdlib.h>
int main(void)
{
	for (int i = 0; i < 6; i++) {
		void *h = dlopen(i & 1 ? "./two.so" : "./one.so", RTLD_NOW);
		void *(*plug)(void);
		if (!h)
			return 1;
		*(void **)&plug = dlsym(h, "plug");
		free(plug());
		dlclose(h);
	}
	return 0;
}
