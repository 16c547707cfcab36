/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reader TRACE: by the public library, what wm-analyze --json prints of one
 * rank: peak, live bytes at the end, calls, and the call path of the largest
 * block, from main inward, as offsets.
 */
#include <wm/reader.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	char why[512] = "";
	struct wm_reader *r = wm_reader_open(argc > 1 ? argv[1] : "", why,
					     sizeof(why));
	const struct wm_reader_process *p;
	struct wm_reader_change c;
	struct wm_reader_frame frame[8];
	unsigned long long live = 0, peak = 0, gains = 0, largest = 0;
	uint32_t path = 0;
	size_t frames;
	int more;

	if (!r) {
		printf("not opened: %s\n", why);
		return 3;
	}
	p = wm_reader_process(r);
	while ((more = wm_reader_next(r, &c)) > 0) {
		if (!strcmp(wm_reader_family(c.family), "stacks"))
			continue;
		live += c.freed ? -c.bytes : c.bytes;
		peak = live > peak ? live : peak;
		gains += !c.freed;
		if (!c.freed && c.bytes > largest) {
			largest = c.bytes;
			path = c.path;
		}
	}
	printf("rank %llu of %llu %s ended %d peak %llu end %llu gains %llu\n",
	       (unsigned long long)p->rank, (unsigned long long)p->ranks,
	       p->program ? p->program : "-", p->ended, peak, live, gains);
	frames = wm_reader_path(r, path, frame, 8);
	for (size_t i = 0; i < frames && i < 8; i++)
		printf("%s 0x%llx\n", frame[i].module ? "module" : "none",
		       (unsigned long long)frame[i].offset);
	if (more < 0)
		printf("damaged: %s\n", wm_reader_why(r));
	wm_reader_close(r);
	return more < 0 ? 4 : 0;
}
