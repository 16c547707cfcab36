/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 10 bytes; the child malloc of 77, with a name, while the parent
 * is paused.
 * Used by t2020. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wm/wmtrace.h>
int main(void)
{
	void *p = malloc(10);

	wm_phase("parent");
	wm_pause();
	if (fork() == 0) {
		p = malloc(77);
		wm_name(p, "of the child");
		wm_phase("parent");
		exit(0);
	}
	wait(NULL);
	return 0;
}
