/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 1 byte, freed; defines what the twin's link defines, too, so that
 * a static one has no twin: __wrap_malloc, with -DINNER a function of the
 * runtime.
 * Used by t1050, t1240, t1300, t1320. */
#include <stdlib.h>
#ifdef INNER
void wm_enter_again(void)
{
}
#else
void *__wrap_malloc(size_t n) { return n ? NULL : NULL; }
#endif
int main(void)
{
	void *volatile p = malloc(1);

	free(p);
	return 0;
}
