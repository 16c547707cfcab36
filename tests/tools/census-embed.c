/* SPDX-License-Identifier: Apache-2.0 */
/*
 * census-embed PLAIN TWIN [MAP [TWIN-SYMBOLS]]: add a census to TWIN, as wmcc
 * does after its second link.  "-" stands for no map.
 */
#include <stdio.h>
#include <string.h>

#include "wmcc/census/census.h"

int main(int argc, char **argv)
{
	struct wm_census_input in = { 0 };
	char err[512];

	if (argc < 3) {
		fputs("usage: census-embed PLAIN TWIN [MAP [SYMBOLS]]\n",
		      stderr);
		return 2;
	}
	in.plain = argv[1];
	in.twin = argv[2];
	if (argc > 3 && strcmp(argv[3], "-"))
		in.map = argv[3];
	if (argc > 4)
		in.twin_symbols = argv[4];
	if (wm_census_embed(&in, err, sizeof(err)) < 0) {
		fprintf(stderr, "census-embed: %s\n", err);
		return 1;
	}
	return 0;
}
