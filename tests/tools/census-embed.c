/* SPDX-License-Identifier: Apache-2.0 */
/*
 * census-embed PLAIN TWIN [MAP]: add a census to TWIN, as wmcc does after its
 * second link.  "-" stands for no map.
 */
#include <stdio.h>
#include <string.h>

#include "wmcc/census/census.h"
#include "wmcc/census/linkmap.h"

int main(int argc, char **argv)
{
	struct wm_linkmap map = { 0 };
	struct wm_census_input in = { .map = &map };
	char err[512];

	if (argc < 3) {
		fputs("usage: census-embed PLAIN TWIN [MAP]\n", stderr);
		return 2;
	}
	in.plain = argv[1];
	in.twin = argv[2];
	if (argc > 3 && strcmp(argv[3], "-"))
		(void)wm_linkmap_read(&map, argv[3]);
	if (wm_census_embed(&in, err, sizeof(err)) < 0) {
		fprintf(stderr, "census-embed: %s\n", err);
		return 1;
	}
	wm_linkmap_release(&map);
	return 0;
}
