/* SPDX-License-Identifier: Apache-2.0 */
/*
 * access-dump TRACE [--raw DIR | --count | --seen THREAD]
 *
 * The loads and stores of a trace, one a line: thread, number of the thread's
 * events before it, what, address, bytes, where from.  --raw: a file DIR/TID for
 * each thread with 32 bytes an access, as tests/tools/access_raw.c writes them.
 * --count: numbers alone.  --seen: events of THREAD before each access, in the
 * place of the thread's own.  Fails where the trace does.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/trace/read_accesses.h"
#include "wm/access_format.h"

#define BATCH 1024

struct raw {
	uint64_t pc, addr;
	uint32_t kind, how;
	uint64_t bytes;
};

static FILE *raw_file(const char *dir, uint64_t tid)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%" PRIu64, dir, tid);
	return fopen(path, "ab");
}

static void print(FILE *to, bool raw, uint64_t thread,
		  const struct wm_access_tokens *d, const struct wm_access *x)
{
	static const char kinds[4] = { 'r', 'w', 'm', 'f' };
	const struct wm_spot *p = &d->spot[x->spot];
	struct raw r = { p->pc, x->addr, p->kind, p->how, x->bytes };

	if (raw && r.kind == WMA_FRAME)
		return;
	if (raw)
		fwrite(&r, sizeof(r), 1, to);
	else
		printf("%" PRIu64 " %" PRIu64 " %c%u %" PRIx64 " %" PRIu64
		       " %" PRIx64 "\n",
		       thread, d->events, kinds[p->kind], p->how, x->addr,
		       x->bytes, p->pc);
}

/* The counts of others' accesses in one thread, in its order. */
static struct wm_access_seen *all;
static size_t all_count;

static int take_all(const struct wm_trace *t, uint64_t thread)
{
	static struct wm_access batch[BATCH];
	struct wm_accesses a;
	struct wm_err err;
	enum wm_status r;
	size_t n;

	wm_accesses_open(&a, t, thread);
	while (!(r = wm_accesses_next(&a, batch, BATCH, &n, &err))) {
		const struct wm_access_tokens *d = &a.tokens;
		size_t bytes = (all_count + d->seen_count) * sizeof(*all);

		if (!d->seen_count)
			continue;
		all = realloc(all, bytes);
		if (!all)
			break;
		memcpy(all + all_count, d->seen, d->seen_count * sizeof(*all));
		all_count += d->seen_count;
	}
	wm_accesses_release(&a);
	return r != WM_END;
}

/* Events before access number @at of @stream: the first that tells of it comes
 * behind.  *@from: where to look, for the accesses of a stream in turn. */
static uint64_t events_before(uint64_t stream, uint64_t at, size_t *from)
{
	for (; *from < all_count; ++*from)
		if (all[*from].stream == stream && all[*from].count > at)
			return all[*from].events - 1;
	return UINT64_MAX;
}

static void dump_seen(struct wm_accesses *a, const struct wm_access *x,
		      size_t n, uint64_t *at, size_t *from)
{
	const struct wm_access_tokens *d = &a->tokens;
	struct wm_access_tokens copy = *d;

	for (size_t i = 0; i < n; i++, ++*at) {
		copy.events = events_before(a->stream, a->base + *at, from);
		print(stdout, false, a->thread, &copy, &x[i]);
	}
}

static int dump_thread(const struct wm_trace *t, uint64_t thread,
		       const char *dir, bool count, bool seen)
{
	static struct wm_access batch[BATCH];
	struct wm_accesses a;
	uint64_t total = 0, at = 0;
	size_t from = 0;
	struct wm_err err;
	enum wm_status r;
	FILE *to = NULL;
	size_t n, i;

	wm_accesses_open(&a, t, thread);
	while (!(r = wm_accesses_next(&a, batch, BATCH, &n, &err))) {
		if (dir && !to && !(to = raw_file(dir, a.tid)))
			break;
		total += n;
		if (seen)
			dump_seen(&a, batch, n, &at, &from);
		for (i = 0; i < n && !count && !seen; i++)
			print(to, dir != NULL, thread, &a.tokens, &batch[i]);
	}
	if (r != WM_END)
		fprintf(stderr, "%s\n", err.text);
	if (count)
		printf("thread %" PRIu64 ": %" PRIu64 " accesses of %u spots, "
		       "%" PRIu64 " gaps\n",
		       thread, total, a.tokens.spots, a.tokens.gaps);
	if (to)
		fclose(to);
	wm_accesses_release(&a);
	return r != WM_END;
}

int main(int argc, char **argv)
{
	const char *dir = argc == 4 && !strcmp(argv[2], "--raw") ? argv[3] :
								   NULL;
	bool count = argc == 3 && !strcmp(argv[2], "--count");
	bool seen = argc == 4 && !strcmp(argv[2], "--seen");
	struct wm_trace t;
	struct wm_err err;
	uint64_t most = 0;
	int bad = 0;
	size_t i;

	if (argc < 2 || (argc > 2 && !dir && !count && !seen)) {
		fputs("usage: access-dump TRACE [--raw DIR | --count | "
		      "--seen THREAD]\n",
		      stderr);
		return 2;
	}
	if (wm_trace_open(&t, argv[1], argv[1], WM_ALL_BLOCKS, NULL, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	for (i = 0; i < t.access_block_count; i++)
		if (t.access_blocks[i].thread >= most)
			most = t.access_blocks[i].thread + 1;
	if (seen)
		bad = take_all(&t, strtoull(argv[3], NULL, 10));
	for (i = 0; i < most; i++)
		bad |= dump_thread(&t, i, dir, count,
				   seen && i != strtoull(argv[3], NULL, 10));
	free(all);
	wm_trace_release(&t);
	return bad;
}
