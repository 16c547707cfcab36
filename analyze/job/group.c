/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/group.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "analyze/lib/base/whole.h"
#include "analyze/job/facts.h"
#include "wm/search.h"

/* Descriptors that are not for traces, but at most half of all. */
#define SPARE_FILES 48

/* Corrections of a clock are smaller, and those by NTP much smaller. */
#define SAME_BOOT_NS UINT64_C(5000000000)

bool wm_boots_differ(const struct wm_clocks *a, const struct wm_clocks *b)
{
	/* unsigned, as a damaged trace may have any number */
	uint64_t ahead = (a->real_ns - a->mono_ns) - (b->real_ns - b->mono_ns);

	return ahead > SAME_BOOT_NS && -ahead > SAME_BOOT_NS;
}

/* A file and the node that its heads name. */
struct named {
	const char *node;
	bool is_boot; /* a boot id, not a host */
	size_t file;
};

/* Finds the boot of @f or else its host, unless that name means nothing. */
static struct named find_node(const struct wm_run_file *f, size_t file)
{
	static const char *const none[] = { "", "localhost", "(none)",
					    "localhost.localdomain" };
	const struct wm_facts *k = f->facts;
	struct named n = { .file = file };

	n.is_boot = k && k->boot_id && k->boot_id[0];
	n.node = n.is_boot ? k->boot_id : k ? k->host : NULL;
	for (size_t i = 0;
	     n.node && !n.is_boot && i < sizeof(none) / sizeof(*none); i++)
		if (strcmp(n.node, none[i]) == 0)
			n.node = NULL;
	return n;
}

static int compare_nodes(const struct named *x, const struct named *y)
{
	if (!x->node || !y->node)
		return !x->node - !y->node;
	if (x->is_boot != y->is_boot)
		return x->is_boot - y->is_boot;
	return strcmp(x->node, y->node);
}

static int by_node(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return WM_KEYS(compare_nodes(x, y), WM_ORDER(x->file, y->file));
}

enum wm_status wm_nodes_find(struct wm_run *run, struct wm_err *err)
{
	struct named *f = calloc(run->file_count + 1, sizeof(*f));

	if (!f)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < run->file_count; i++)
		f[i] = find_node(&run->files[i], i);
	WM_SORT(f, run->file_count, by_node);
	for (size_t i = 0; i < run->file_count; i++)
		run->files[f[i].file].node =
			i && f[i].node && !compare_nodes(&f[i], &f[i - 1]) ?
				run->files[f[i - 1].file].node :
				f[i].file;
	free(f);
	return WM_OK;
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

/* Returns the number of traces that may be open at a time, at least one. */
static size_t open_traces(void)
{
	size_t n = open_files();

	return n >= 2 * SPARE_FILES ? n - SPARE_FILES : n / 2 + 1;
}

/* Fills groups, which have their counts; @number has the group of each file. */
static void fill_groups(struct wm_file_groups *g, const struct wm_run *run,
			const size_t *number, bool by_nodes)
{
	size_t *next = g->files, i;

	for (i = 0; i < g->count; i++) {
		g->group[i].file = next;
		next += g->group[i].count;
		g->group[i].count = 0;
	}
	for (i = 0; i < run->file_count; i++) {
		struct wm_file_group *to = &g->group[number[i]];

		to->file[to->count++] = i;
		to->node = by_nodes;
		to->real |= by_nodes &&
			    wm_boots_differ(&run->files[i].start,
					    &run->files[to->file[0]].start);
	}
}

enum wm_status wm_groups_make(struct wm_file_groups *g,
			      const struct wm_run *run, unsigned needs,
			      struct wm_err *err)
{
	size_t n = run->file_count, i;
	size_t *number = calloc(n + 1, sizeof(*number));
	bool by_nodes = (needs & WM_NEEDS(node)) != 0;

	memset(g, 0, sizeof(*g));
	g->group = calloc(n + 1, sizeof(*g->group));
	g->files = calloc(n + 1, sizeof(*g->files));
	if (!number || !g->group || !g->files) {
		free(number);
		wm_groups_release(g);
		return wm_no_memory(err, NULL);
	}
	for (i = 0; i < n; i++) {
		size_t first = by_nodes ? run->files[i].node : i;

		number[i] = first == i ? g->count++ : number[first];
		g->group[number[i]].count++;
	}
	fill_groups(g, run, number, by_nodes);
	free(number);
	g->together = 1;
	if (by_nodes) {
		g->together = open_traces();
		wm_lower(&g->together, WM_GROUP_RANKS);
	}
	return WM_OK;
}

void wm_groups_release(struct wm_file_groups *g)
{
	free(g->group);
	free(g->files);
	memset(g, 0, sizeof(*g));
}

unsigned wm_groups_threads(const struct wm_file_groups *g, unsigned threads)
{
	size_t most = 1, i, n;

	for (i = 0; i < g->count; i++)
		wm_raise(&most, g->group[i].count);
	wm_lower(&most, g->together);
	if (most <= 1)
		return threads;
	n = open_traces() / most;
	return n < threads ? (n ? (unsigned)n : 1) : threads;
}
