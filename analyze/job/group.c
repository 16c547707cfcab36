/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/group.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "analyze/job/facts.h"

/* Descriptors that are not for traces. */
#define SPARE_FILES 48

/* A file and the node that its heads name. */
struct named {
	const char *node; /* NULL: not told */
	int is_host; /* else a boot */
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

static struct named find_node(const struct wm_run_file *f, size_t file)
{
	const struct wm_facts *k = f->facts;
	struct named n = { .file = file, .first = file };

	if (!k)
		return n;
	n.node = wm_node_of(k->boot_id, k->host);
	n.is_host = n.node && n.node == k->host;
	n.booted = k->booted;
	return n;
}

static int compare_nodes(const struct named *x, const struct named *y)
{
	if (!x->node || !y->node)
		return !x->node - !y->node;
	if (x->is_host != y->is_host)
		return x->is_host - y->is_host;
	return strcmp(x->node, y->node);
}

static int by_node(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = compare_nodes(x, y);

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
	for (i = 1; i < n; i++)
		if (f[i].node && !compare_nodes(&f[i], &f[i - 1]))
			f[i].first = f[i - 1].first;
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
			f[i] = find_node(&run->files[i], i);
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
