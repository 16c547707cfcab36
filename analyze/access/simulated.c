/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/simulated.h"

#include <stdlib.h>
#include <string.h>

void wm_simulated_release(struct wm_simulated *s)
{
	free(s->cache);
	free(s->reuse);
	free(s->sharing);
	memset(s, 0, sizeof(*s));
}
