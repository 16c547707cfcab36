/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The picture of the call tree: an icicle.  Each function is a bar as wide as
 * its share, and the functions that it calls hang below it.  The pointer shows
 * name and bytes.  Plain SVG 1.1 without scripts or fonts of its own.
 */
#include "analyze/answers/reports.h"

#include "analyze/lib/base/shorten.h"
#include "analyze/answers/heap/tree.h"
#include "analyze/render/svg.h"
#include "analyze/answers/text.h"

#define LEFT 10
#define TOP 40
#define ROW 20
#define SMALLEST 0.6 /* pixels; narrower bars are left out */
#define LETTER 6.6 /* about the width of a letter */
#define DEEPEST 120 /* rows; deeper ones are not drawn */

struct picture {
	struct wm_svg svg;
	const struct wm_tree *tree;
	double scale; /* pixels for each byte */
};

/* Returns how many rows the bars of a visible width take. */
static uint32_t rows_of(const struct picture *p)
{
	uint32_t rows = 0;

	for (size_t i = 0; i < p->tree->count; i++) {
		const struct wm_tree_node *n = &p->tree->node[i];

		if ((double)n->bytes * p->scale >= SMALLEST && n->depth > rows)
			rows = n->depth;
	}
	return rows < DEEPEST ? rows : DEEPEST;
}

/* Writes a colour.  The same function has the same colour everywhere. */
static void put_colour(const char *name, FILE *out)
{
	uint32_t hash = 2166136261u;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	fprintf(out, "hsl(%u,%u%%,%u%%)", 15 + (hash >> 8) % 200,
		45 + (hash >> 16) % 20, 70 + hash % 12);
}

static void put_bar(const struct picture *p, const struct wm_tree_node *n,
		    double x)
{
	double width = (double)n->bytes * p->scale;
	double y = TOP + (n->depth - 1) * ROW;
	int letters = (int)((width - 6) / LETTER);
	char name[WM_NAME_COLUMNS + 1];
	struct wm_figure b, c;

	fputs("<g>", p->svg.out);
	wm_svg_title(&p->svg, "%s: %s, %.1f %%, itself %s", n->symbol->name,
		     wm_bytes(&b, n->bytes),
		     100.0 * (double)n->bytes / (double)p->tree->node[0].bytes,
		     wm_bytes(&c, n->self_bytes));
	fprintf(p->svg.out,
		"<rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" "
		"fill=\"",
		x, y, width, ROW - 1);
	put_colour(n->symbol->name, p->svg.out);
	fputs("\"/>", p->svg.out);
	if (letters > WM_NAME_COLUMNS)
		letters = WM_NAME_COLUMNS;
	if (letters >= 8)
		wm_svg_label(&p->svg, "s", x + 3, y + 14, "%s",
			     wm_shorten(n->symbol->name, (size_t)letters,
					name));
	fputs("</g>\n", p->svg.out);
}

static void put_node(const struct picture *p, const struct wm_tree_node *n,
		     double x)
{
	if ((double)n->bytes * p->scale < SMALLEST || n->depth > DEEPEST)
		return;
	if (n->symbol)
		put_bar(p, n, x);
	for (size_t i = 0; i < n->children; i++) {
		const struct wm_tree_node *child = wm_tree_child(p->tree, n, i);

		put_node(p, child, x);
		x += (double)child->bytes * p->scale;
	}
}

void wm_tree_svg(const struct wm_analysis *a, const struct wm_tree *t,
		 FILE *out)
{
	struct picture p = { .svg.out = out, .tree = t };
	uint64_t bytes = t->node[0].bytes;
	struct wm_figure b, c;

	if (bytes)
		p.scale = (WM_SVG_WIDTH - 2 * LEFT) / (double)bytes;
	wm_svg_begin(&p.svg, TOP + rows_of(&p) * ROW + LEFT, "");
	wm_svg_label(&p.svg, "t", LEFT, 24, "%s: %s of %s, %s", a->name,
		     wm_bytes(&b, bytes), wm_chosen(&c, a),
		     t->bottom_up ? "sites, and below them their callers" :
				    "callers, and below them what they call");
	put_node(&p, &t->node[0], LEFT);
	wm_svg_end(&p.svg);
}
