/* SPDX-License-Identifier: Apache-2.0 */
/*
 * elements-dump FILE BUILD-ID
 *
 * Print the text of wm-analyze for static variables of the executable FILE;
 * questions on stdin, one a line, addresses in hex as linked:
 *   g ADDRESS BYTES STRIDE LAST ...   text of accesses there; t: thread's own
 *   v ADDRESS                         name, shape, bytes, element, elements
 *   m ADDRESS                         members as NAME@OFFSET+BYTES
 * First of all: why there are no types.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/symbols/elements.h"

static void tell_text(struct wm_elements *e, bool in_thread, uint64_t address,
		      const char *rest)
{
	const struct wm_elements_variable *v;
	struct wm_element_text text;
	struct wm_spread s = { 0 };

	sscanf(rest, "%" SCNu64 " %" SCNu64 " %" SCNx64, &s.bytes, &s.stride,
	       &s.last);
	v = wm_elements_find(e, address, in_thread);
	if (!v) {
		puts("?");
		return;
	}
	s.first = address - v->address;
	s.last = s.last > address ? s.last - v->address : s.first;
	wm_elements_text(e, v, &s, &text);
	printf("%s%s%s\n", text.text,
	       text.flags & WM_ELEMENT_UNION ? " (union)" : "",
	       text.flags & WM_ELEMENT_CUT ? " (cut)" : "");
}

static void tell_variable(struct wm_elements *e, char kind, uint64_t address)
{
	static const char *const shapes[] = { "unknown", "scalar", "structure",
					      "array" };
	const struct wm_elements_variable *v;
	struct wm_elements_member list[64];
	size_t n;

	v = wm_elements_find(e, address, false);
	if (!v) {
		puts("?");
		return;
	}
	printf("%s", v->name);
	if (kind == 'v')
		printf(" %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %s",
		       shapes[v->shape], v->bytes, v->element_bytes,
		       v->elements, v->unit ? v->unit : "-");
	n = kind == 'm' ? wm_elements_members(e, v, list, 64) : 0;
	for (size_t i = 0; i < n; i++)
		printf(" %s@%" PRIu64 "+%" PRIu64, list[i].name, list[i].offset,
		       list[i].bytes);
	puts("");
}

int main(int argc, char **argv)
{
	static uint8_t id[64];
	struct wm_module m = { .main = true };
	struct wm_elements *e;
	struct wm_err err;
	char line[4096];

	if (argc != 3)
		return 2;
	m.path = argv[1];
	m.build_id = id;
	while (m.build_id_size < sizeof(id) &&
	       sscanf(argv[2] + 2 * m.build_id_size, "%2hhx",
		      &id[m.build_id_size]) == 1)
		m.build_id_size++;
	if (wm_elements_open(&e, &m, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	printf("%s\n", wm_elements_why(e) ? wm_elements_why(e) : "-");
	while (fgets(line, sizeof(line), stdin)) {
		uint64_t address;
		int n = 0;
		char kind;

		if (sscanf(line, "%c %" SCNx64 "%n", &kind, &address, &n) != 2)
			continue;
		if (kind == 'g' || kind == 't')
			tell_text(e, kind == 't', address, line + n);
		else
			tell_variable(e, kind, address);
	}
	wm_elements_free(e);
	return 0;
}
