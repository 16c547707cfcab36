/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "analyze/trace/block.h"

/* Descriptors that are not for traces. */
#define SPARE_FILES 48

/* A file and the node that its beginning names. */
struct named {
	char *node; /* NULL: not told */
	size_t file, first; /* first: file of that node */
	int64_t booted; /* CLOCK_REALTIME - CLOCK_MONOTONIC, ns */
};

/* Setting a clock moves it by less, NTP by far less. */
#define SAME_BOOT_NS UINT64_C(5000000000)

int wm_boots_differ(int64_t a, int64_t b)
{
	/* a damaged trace may say any number */
	uint64_t ahead = (uint64_t)a - (uint64_t)b;

	return ahead > SAME_BOOT_NS && -ahead > SAME_BOOT_NS;
}

const char *wm_node_of(const char *boot_id, const char *host)
{
	static const char *const none[] = { "", "localhost", "(none)",
					    "localhost.localdomain" };
	size_t i;

	if (boot_id && boot_id[0])
		return boot_id;
	for (i = 0; host && i < sizeof(none) / sizeof(*none); i++)
		if (strcmp(host, none[i]) == 0)
			return NULL;
	return host;
}

static char *text_of(const struct wm_head *h, enum wmt_field f)
{
	const struct wm_head_field *v = &h->field[f];
	return v->data && v->size ? strndup((const char *)v->data, v->size) :
				    NULL;
}

/* Sets the node of @f, whose trace is @path. */
static void find_node(struct named *f, const char *path)
{
	struct wm_head *h = malloc(sizeof(*h));
	struct wm_xz xz = { 0 };
	struct wm_source src;
	struct wm_err why;
	uint8_t *buf = NULL;
	char *boot = NULL, *host = NULL;
	const char *node = NULL;
	size_t cap = 0;

	if (!h || wm_source_open(&src, path, &why))
		goto out;
	if (!wm_block_head(&src, &xz, 0, h, &buf, &cap, &why) &&
	    h->type == WMT_BLOCK_START) {
		const uint64_t *start = h->field[WMT_F_START_TIME].v;

		boot = text_of(h, WMT_F_BOOT_ID);
		host = text_of(h, WMT_F_HOST);
		node = wm_node_of(boot, host);
		f->booted = (int64_t)(start[2] - start[1]);
	}
	wm_xz_release(&xz);
	wm_source_release(&src);
out:
	if (node && asprintf(&f->node, "%s %s", node == boot ? "boot" : "host",
			     node) < 0)
		f->node = NULL;
	free(boot);
	free(host);
	free(buf);
	free(h);
}

static int by_node(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = 0;

	if (x->node && y->node)
		order = strcmp(x->node, y->node);
	else
		order = !x->node - !y->node;
	if (order)
		return order;
	return x->file < y->file ? -1 : x->file > y->file;
}

static int by_first(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->file < y->file ? -1 : x->file > y->file;
}

/* Who does not tell a node is alone. */
static void put_together(struct named *f, size_t n)
{
	size_t i;

	qsort(f, n, sizeof(*f), by_node);
	for (i = 0; i < n; i++)
		f[i].first = i && f[i].node && f[i - 1].node &&
					     strcmp(f[i].node, f[i - 1].node) ==
						     0 ?
				     f[i - 1].first :
				     f[i].file;
	qsort(f, n, sizeof(*f), by_first);
}

static size_t open_files(void)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l))
		return 256;
	if (l.rlim_cur < l.rlim_max) {
		l.rlim_cur = l.rlim_max;
		if (setrlimit(RLIMIT_NOFILE, &l) ||
		    getrlimit(RLIMIT_NOFILE, &l))
			return 256;
	}
	return l.rlim_cur < 1 << 20 ? (size_t)l.rlim_cur : 1 << 20;
}

enum wm_status wm_groups_make(struct wm_file_groups *g,
			      const struct wm_run *run, unsigned needs,
			      struct wm_err *err)
{
	size_t n = run->file_count, i;
	struct named *f = calloc(n + 1, sizeof(*f));
	const struct named *first = f;
	int by_nodes = (needs & WM_NEEDS(node)) != 0;

	memset(g, 0, sizeof(*g));
	g->group = calloc(n + 1, sizeof(*g->group));
	g->files = calloc(n + 1, sizeof(*g->files));
	if (!f || !g->group || !g->files) {
		free(f);
		wm_groups_release(g);
		return wm_no_memory(err, NULL);
	}
	for (i = 0; i < n; i++) {
		f[i].file = f[i].first = i;
		if (by_nodes)
			find_node(&f[i], run->files[i].path);
	}
	if (by_nodes)
		put_together(f, n);
	for (i = 0; i < n; i++) {
		if (!i || f[i].first != f[i - 1].first) {
			first = &f[i];
			g->group[g->count].node = by_nodes;
			g->group[g->count++].file = &g->files[i];
		}
		g->group[g->count - 1].count++;
		g->group[g->count - 1].real |= wm_boots_differ(f[i].booted,
							       first->booted);
		g->files[i] = f[i].file;
		free(f[i].node);
	}
	free(f);
	g->together = 1;
	if (by_nodes) {
		g->together = open_files() - SPARE_FILES;
		if (g->together > WM_GROUP_RANKS)
			g->together = WM_GROUP_RANKS;
	}
	return WM_OK;
}

void wm_groups_release(struct wm_file_groups *g)
{
	free(g->group);
	free(g->files);
	memset(g, 0, sizeof(*g));
}

unsigned wm_groups_jobs(const struct wm_file_groups *g, unsigned jobs)
{
	size_t most = 1, i, n;

	for (i = 0; i < g->count; i++)
		if (g->group[i].count > most)
			most = g->group[i].count;
	if (most > g->together)
		most = g->together;
	if (most == 1)
		return jobs;
	n = (open_files() - SPARE_FILES) / most;
	return n < jobs ? (n ? (unsigned)n : 1) : jobs;
}
