/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/access_table.h"

#include <stdlib.h>
#include <string.h>

void wm_access_table_release(struct wm_access_table *t)
{
	for (size_t i = 0; i < t->variables; i++)
		free(t->variable[i].name);
	free(t->cell);
	free(t->variable);
	free(t->spot);
	free(t->thread);
	free(t->pair);
	memset(t, 0, sizeof(*t));
}
