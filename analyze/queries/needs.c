/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/queries/needs.h"

#include <stdlib.h>
#include <string.h>

size_t wm_needs_node(const struct wm_analysis *a, size_t index)
{
	return a->run.files[a->ranks[index].source].node;
}

void wm_needs_release(struct wm_needs *n)
{
	free(n->rank);
	free(n->node);
	memset(n, 0, sizeof(*n));
}

enum wm_status wm_needs_find(struct wm_needs *n, const struct wm_analysis *a,
			     struct wm_err *err)
{
	size_t i;

	n->nodes = a->run.file_count + 1;
	n->rank = calloc(a->rank_count + 1, sizeof(*n->rank));
	n->node = calloc(n->nodes, sizeof(*n->node));
	if (!n->rank || !n->node) {
		wm_needs_release(n);
		return wm_no_memory(err, NULL);
	}
	for (i = 0; i < a->rank_count; i++) {
		wm_rank_need_find(&n->rank[i], a, i);
		wm_node_need_add(&n->node[wm_needs_node(a, i)], &n->rank[i]);
	}
	return WM_OK;
}
