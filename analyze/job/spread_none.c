/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/spread.h"

#include <unistd.h>

const char *wm_spread_program(void)
{
	return "wm-analyze";
}

bool wm_spread_start(int *argc, char ***argv, int *status,
		     void (*prepare)(int argc, char **argv))
{
	(void)prepare;
	(void)argc;
	(void)argv;
	(void)status;
	return true;
}

int wm_spread_end(int status)
{
	return status;
}

bool wm_spread_terminal(void)
{
	return isatty(STDOUT_FILENO);
}

size_t wm_spread_helpers(void)
{
	return 0;
}

void wm_spread_serve(struct wm_crew *c, const struct wm_load *l,
		     unsigned threads)
{
	(void)c;
	(void)l;
	(void)threads;
}
