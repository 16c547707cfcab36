/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the runtime's own copy of the reader makes of a trace:
 *   inside FILE [BYTES [NANOSECONDS]]
 * prints result, peak, events, last live bytes, highest of the curve, and
 * how much memory is still mapped afterwards.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/clock.h"
#include "runtime/inside.h"

static const char *path;

static int open_trace(int flags)
{
	int fd = open(path, flags);

	return fd < 0 ? -errno : fd;
}

int main(int argc, char **argv)
{
	static const char *const name[] = { "done", "short", "late", "bad" };
	size_t bytes = argc > 2 ? strtoul(argv[2], NULL, 0) : 1u << 30;
	uint64_t ns = argc > 3 ? strtoul(argv[3], NULL, 0) : 60000000000u;
	struct wm_replayed out = { 0 };
	enum wm_replay_result r;
	uint64_t high = 0;
	uint32_t i;

	if (argc < 2)
		return 2;
	path = argv[1];
	r = wm_inside_replay(open_trace, UINT64_MAX, bytes,
			     wm_clock_ns(CLOCK_MONOTONIC) + ns, &out);
	for (i = 0; i < out.curve.count; i++)
		if (out.curve.bin[i].max > high)
			high = out.curve.bin[i].max;
	printf("%s %llu %llu %llu %llu %llu\n", name[r],
	       (unsigned long long)out.peak_bytes,
	       (unsigned long long)out.events,
	       out.curve.count ? (unsigned long long)out.curve
		       .bin[out.curve.count - 1].end : 0,
	       (unsigned long long)high, (unsigned long long)wm_inside_left());
	return 0;
}
