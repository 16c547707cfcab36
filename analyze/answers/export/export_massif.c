/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file that valgrind's massif writes: a snapshot for each bin of the
 * timeline.  Some snapshots have trees, from allocation sites out to main(): at
 * the peak, at the end (memory that was never freed), and in between at the
 * highest bin of every few bins, as massif-visualizer draws its areas only from
 * trees.
 *
 * "extra" is 0, as a trace does not have the bytes that the allocator adds to a
 * block.  Stacks are 0, too, as in massif's files without --stacks=yes.
 */
#include "analyze/answers/export/export.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analyze/lib/base/keys.h"
#include "analyze/answers/summary/provenance.h"
#include "analyze/answers/time/timeline.h"
#include "analyze/answers/heap/tree.h"
#include "analyze/answers/text.h"
#include "input/path.h"
#include "wm/search.h"
#include "wm/version.h"

/* Branches with less than 1 part in so many of a tree's bytes are put together:
 * otherwise a tree of some 10,000 call paths would take hundreds of
 * megabytes. */
#define SMALLEST 1000
#define SMALLEST_BETWEEN 100 /* for the trees in between: massif's own limit */
#define TREES_BETWEEN 64 /* at most so many trees in between */

/* A call path as numbers of labels, the allocation site first.  Only the inner
 * part of a deep path is kept: its line in the file begins with as many blanks
 * as it is deep. */
struct line {
	uint32_t *label;
	size_t depth;
	uint64_t bytes;
};

struct writer {
	const struct wm_analysis *a;
	FILE *out;
	unsigned snapshot; /* number of the next one */
	struct wm_keys labels;
	/* of a tree: */
	struct line *line;
	size_t lines;
	unsigned smallest; /* SMALLEST or SMALLEST_BETWEEN */
	uint64_t *live; /* of each call path, at the maximum of a bin */
	size_t next; /* the first step of the series behind that bin */
};

/* "0x401136: f (a.c:5)"; ms_print takes # for the start of a comment. */
static uint32_t put_label(struct writer *w, const struct wm_frame *f)
{
	const struct wm_path_node *node = &w->a->paths.nodes[f->node];
	const struct wm_symbol *sym = f->symbol;
	const char *module = wm_frame_module(w->a, f)->path;
	char *text = NULL, *c;
	uint32_t n;
	int r;

	if (sym->file)
		r = asprintf(&text, "0x%" PRIX64 ": %s (%s:%" PRIu32 ")",
			     node->offset, sym->name, wm_basename(sym->file),
			     sym->line);
	else
		r = asprintf(&text, "0x%" PRIX64 ": %s%s%s%s", node->offset,
			     sym->name, module ? " (in " : "",
			     module ? module : "", module ? ")" : "");
	if (r < 0) {
		w->labels.failed = true;
		return 0;
	}
	for (c = text; *c; c++)
		if (*c == '#')
			*c = ':';
	n = wm_keys_text(&w->labels, text);
	free(text);
	return n;
}

static int by_labels(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	for (size_t i = 0; i < x->depth && i < y->depth; i++)
		if (x->label[i] != y->label[i])
			return x->label[i] < y->label[i] ? -1 : 1;
	return (x->depth > y->depth) - (x->depth < y->depth);
}

/* Lines that follow each other and have the same label at one depth. */
struct group {
	const struct line *line;
	size_t lines;
	uint64_t bytes;
};

static int by_bytes(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->bytes, x->bytes),
		       WM_ORDER(x->line, y->line));
}

/* Groups lines[0..n) by their label at @depth, without lines that end there.
 * Returns a malloc'ed array, or NULL if memory is short. */
static struct group *make_groups(const struct line *line, size_t n,
				 size_t depth, size_t *count)
{
	struct group *g;
	size_t i, k = 0;

	for (i = 0; i < n; i++)
		if (line[i].depth > depth &&
		    (!i || line[i - 1].depth <= depth ||
		     line[i - 1].label[depth] != line[i].label[depth]))
			k++;
	g = calloc(k + 1, sizeof(*g));
	if (!g)
		return NULL;
	*count = k;
	for (i = k = 0; i < n; i++) {
		if (line[i].depth <= depth)
			continue;
		if (!k || g[k - 1].line->label[depth] != line[i].label[depth])
			g[k++].line = &line[i];
		g[k - 1].lines++;
		g[k - 1].bytes += line[i].bytes;
	}
	WM_SORT(g, k, by_bytes);
	return g;
}

#define ROOT "(heap allocation functions) malloc/new/new[], --alloc-fns, etc."

/* Puts small groups into one line, as massif does. */
static void put_rest(struct writer *w, const struct group *g, size_t count,
		     size_t depth)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < count; i++)
		bytes += g[i].bytes;
	fprintf(w->out,
		"%*sn0: %" PRIu64 " in %zu place%s below massif's "
		"threshold (%.2f%%)\n",
		(int)depth, "", bytes, count, count > 1 ? "s, all" : ",",
		100.0 / w->smallest);
}

/* Writes the tree of lines[0..n), which agree up to @depth.  Branches of less
 * than @least bytes are not shown one by one. */
static bool put_tree(struct writer *w, const struct line *line, size_t n,
		     size_t depth, uint64_t bytes, uint64_t least)
{
	size_t count, shown = 0, i;
	struct group *g = make_groups(line, n, depth, &count);
	bool good = g != NULL;

	if (!good)
		return false;
	while (shown < count && g[shown].bytes >= least)
		shown++;
	fprintf(w->out, "%*sn%zu: %" PRIu64 " %s\n", (int)depth, "",
		shown + (shown < count), bytes,
		depth ? w->labels.item[line->label[depth - 1]].key : ROOT);
	for (i = 0; i < shown && good; i++)
		good = put_tree(w, g[i].line, g[i].lines, depth + 1, g[i].bytes,
				least);
	if (shown < count)
		put_rest(w, g + shown, count - shown, depth + 1);
	free(g);
	return good;
}

static enum wm_status add_line(struct writer *w,
			       const struct wm_path_frames *callpath,
			       uint64_t bytes, struct wm_err *err)
{
	size_t depth = callpath->count < WM_TREE_LEVELS ? callpath->count :
							  WM_TREE_LEVELS;
	uint32_t *label = calloc(depth, sizeof(*label));

	if (!label)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < depth; i++)
		label[i] = put_label(w, &callpath->frame[i]);
	w->line[w->lines++] = (struct line){ label, depth, bytes };
	return WM_OK;
}

/* Bytes of a call path at the moment of a tree. */
enum moment { AT_PEAK, AT_END, BETWEEN };

static uint64_t bytes_at(const struct writer *w, enum moment when, size_t path)
{
	return when == AT_PEAK ? w->a->use[path].peak_bytes :
	       when == AT_END  ? w->a->use[path].end_bytes :
				 w->live[path];
}

static enum wm_status put_heap(struct writer *w, enum moment when,
			       uint64_t bytes, struct wm_err *err)
{
	const struct wm_analysis *a = w->a;
	struct wm_path_frames callpath = { .count = 0 };
	enum wm_status s = WM_OK;

	w->lines = 0;
	w->smallest = when == BETWEEN ? SMALLEST_BETWEEN : SMALLEST;
	w->line = calloc(a->paths.path_count + 1, sizeof(*w->line));
	if (!w->line)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < a->paths.path_count && !s; i++) {
		uint64_t n = bytes_at(w, when, i);

		if (!n)
			continue;
		s = wm_export_frames(&callpath, a, (uint32_t)i, err);
		if (!s)
			s = add_line(w, &callpath, n, err);
	}
	WM_SORT(w->line, w->lines, by_labels);
	if (!s && (w->labels.failed || !put_tree(w, w->line, w->lines, 0, bytes,
						 bytes / w->smallest)))
		s = wm_no_memory(err, "the tree");
	for (size_t i = 0; i < w->lines; i++)
		free(w->line[i].label);
	free(w->line);
	wm_path_frames_release(&callpath);
	return s;
}

static void put_snapshot(struct writer *w, double seconds, uint64_t bytes,
			 const char *tree)
{
	fprintf(w->out,
		"#-----------\nsnapshot=%u\n#-----------\n"
		"time=%.0f\nmem_heap_B=%" PRIu64 "\nmem_heap_extra_B=0\n"
		"mem_stacks_B=0\nheap_tree=%s\n",
		w->snapshot++, seconds * 1e3, bytes, tree);
}

/* Brings w->live to the maximum of @bin; the bins of calls ascend. */
static void go_to(struct writer *w, size_t bin)
{
	const struct wm_series *b = &w->a->series;

	for (; w->next < b->count && b->step[w->next].bin <= bin; w->next++)
		w->live[b->step[w->next].key] = b->step[w->next].bytes;
}

/* Returns whether bin @i is the highest bin of its group. */
static bool has_tree(const struct wm_points *p, size_t i)
{
	size_t each = (p->count + TREES_BETWEEN - 1) / TREES_BETWEEN;
	size_t from = i / each * each, best = from, k;

	for (k = from; k < from + each && k < p->count; k++)
		if (p->point[k].max > p->point[best].max)
			best = k;
	return best == i && p->point[i].max > 0;
}

static enum wm_status put_snapshots(struct writer *w, const struct wm_points *p,
				    struct wm_err *err)
{
	const struct wm_rank *r = &w->a->ranks[w->a->chosen];
	enum wm_status s = WM_OK;
	double end = wm_rank_end(r);
	bool peak = false;

	for (size_t i = 0; i < p->count && !s; i++) {
		const struct wm_timeline_point *at = &p->point[i];

		go_to(w, i);
		if (!peak && r->in[WM_HOST].peak_bytes &&
		    at->max == r->in[WM_HOST].peak_bytes) {
			put_snapshot(w, r->in[WM_HOST].peak_seconds, at->max,
				     "peak");
			s = put_heap(w, AT_PEAK, at->max, err);
			peak = true;
		} else if (has_tree(p, i)) {
			put_snapshot(w, at->from, at->max, "detailed");
			s = put_heap(w, BETWEEN, at->max, err);
		} else {
			put_snapshot(w, at->from, at->max, "empty");
		}
		if (at->from > end)
			end = at->from;
	}
	if (s)
		return s;
	put_snapshot(w, end, r->in[WM_HOST].end_bytes,
		     r->in[WM_HOST].end_bytes ? "detailed" : "empty");
	return r->in[WM_HOST].end_bytes ?
		       put_heap(w, AT_END, r->in[WM_HOST].end_bytes, err) :
		       WM_OK;
}

enum wm_status wm_export_massif(const struct wm_analysis *a,
				const struct wm_opts *o, FILE *out,
				struct wm_err *err)
{
	struct writer w = { .a = a, .out = out };
	struct wm_points points;
	const char *command = wm_analysis_origin(a, a->chosen)->command;
	struct wm_provenance p;
	char text[WM_PROVENANCE_TEXT];
	struct wm_figure b;
	enum wm_status s = wm_points_make(&points, a, 0, err);

	(void)o;
	if (s)
		return s;
	wm_provenance_make(&p, a);
	fprintf(out,
		"desc: wm-analyze " WM_VERSION ", run %s, %s, %s\ncmd: %s\n"
		"time_unit: ms\n",
		a->id, wm_chosen(&b, a), wm_provenance_text(&p, text),
		command ? command : a->name);
	w.live = calloc(a->paths.path_count + 1, sizeof(*w.live));
	s = w.live ? put_snapshots(&w, &points, err) : wm_no_memory(err, NULL);
	free(w.live);
	wm_points_release(&points);
	wm_keys_release(&w.labels);
	return s;
}
