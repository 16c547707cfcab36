/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 12345 bytes, named "victim" in the phase "short", then SIGKILL.
 * Used by t2020. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <wm/wmtrace.h>
int main(void)
{
	void *p = malloc(12345);

	wm_phase("short");
	wm_name(p, "victim");
	kill(getpid(), SIGKILL);
	return 0;
}
