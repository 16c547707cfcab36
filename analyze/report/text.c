/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/report/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "analyze/answers/stack.h"
#include "analyze/answers/wrappers.h"
#include "analyze/names/shorten.h"

/* Wrappers named behind a function at most. */
#define MAX_WRAPPERS 3

const char *wm_bytes(struct wm_buf *b, uint64_t bytes)
{
	static const char *const unit[] = { "bytes", "KiB", "MiB", "GiB",
					    "TiB", "PiB", "EiB" };
	double v = (double)bytes;
	int i = 0;

	/* 1023.95 would print as 1024.0 */
	for (; v >= (i ? 1023.95 : 1024) && i < 6; i++)
		v /= 1024;
	if (i)
		snprintf(b->s, sizeof(b->s), "%.1f %s", v, unit[i]);
	else
		snprintf(b->s, sizeof(b->s), "%" PRIu64 " byte%s", bytes,
			 bytes == 1 ? "" : "s");
	return b->s;
}

const char *wm_count(struct wm_buf *b, uint64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, n), i;
	char *out = b->s;

	for (i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*out++ = ',';
		*out++ = digits[i];
	}
	*out = 0;
	return b->s;
}

const char *wm_blocks(struct wm_buf *b, uint64_t n)
{
	size_t len = strlen(wm_count(b, n));

	snprintf(b->s + len, sizeof(b->s) - len, " block%s",
		 n == 1 ? "" : "s");
	return b->s;
}

const char *wm_seconds(struct wm_buf *b, double s)
{
	if (s < 1)
		snprintf(b->s, sizeof(b->s), "%.6f s", s);
	else
		snprintf(b->s, sizeof(b->s), "%.3f s", s);
	return b->s;
}

void wm_heading(const struct wm_opts *o, FILE *out, const char *fmt, ...)
{
	va_list ap;

	if (o->color == WM_COLOR_ALWAYS)
		fputs("\033[1m", out);
	va_start(ap, fmt);
	vfprintf(out, fmt, ap);
	va_end(ap);
	if (o->color == WM_COLOR_ALWAYS)
		fputs("\033[0m", out);
	putc('\n', out);
}

const char *wm_chosen(struct wm_buf *b, const struct wm_analysis *a)
{
	if (a->chosen == WM_ALL_RANKS)
		snprintf(b->s, sizeof(b->s), "all ranks");
	else
		snprintf(b->s, sizeof(b->s), "rank %" PRIu64,
			 a->ranks[a->chosen].rank);
	return b->s;
}

void wm_text_shared(const struct wm_shared *s, const char *most,
		    const char *count, char *buf, size_t size)
{
	const char *many = s->ranks == 1 ? "" : "s";

	if (s->at_least)
		snprintf(buf, size, ", in at least %s rank%s", count, many);
	else if (s->ranks)
		snprintf(buf, size, ", in %s rank%s, most in rank %" PRIu64
			 " (%s)", count, many, s->rank, most);
	else
		buf[0] = 0;
}

const char *wm_held_when(const struct wm_analysis *a)
{
	int capped, killed;

	if (a->chosen == WM_ALL_RANKS) {
		capped = a->capped_ranks != 0;
		killed = a->cut_ranks != a->capped_ranks;
	} else {
		killed = !a->ranks[a->chosen].ended;
		capped = !killed;
	}
	if (capped && killed)
		return "Held when it was killed (or now, if it still runs), "
		       "or when its trace had reached WM_MAX_BYTES; no leaks";
	return capped ? "Held when its trace had reached WM_MAX_BYTES, no "
			"leaks" :
			"Held when it was killed (or now, if it still runs), "
			"no leaks";
}

const char *wm_when(const struct wm_analysis *a, char buf[WM_WHEN_TEXT])
{
	const struct wm_rank *r = NULL;
	char phase[WM_PHASE_TEXT];
	struct wm_buf b;

	if (a->chosen != WM_ALL_RANKS)
		r = &a->ranks[a->chosen];
	if (a->at_time && a->chosen == WM_ALL_RANKS)
		snprintf(buf, WM_WHEN_TEXT, "all ranks, each at %s of its own",
			 wm_seconds(&b, a->at_seconds));
	else if (a->chosen == WM_ALL_RANKS)
		snprintf(buf, WM_WHEN_TEXT, "all ranks, each at its own peak");
	else if (a->at_time)
		snprintf(buf, WM_WHEN_TEXT, "at %s of rank %" PRIu64 "%s",
			 wm_seconds(&b, a->at_seconds), r->rank,
			 a->at_seconds > r->seconds ? " (after its end)" : "");
	else
		snprintf(buf, WM_WHEN_TEXT, "at the peak of rank %" PRIu64
			 " (%s%s)", r->rank, wm_seconds(&b, r->peak_seconds),
			 wm_peak_phase(r, phase));
	return buf;
}

void wm_text_notes(const struct wm_analysis *a, const struct wm_opts *o,
		   FILE *out)
{
	size_t i;

	if (!a->note_count)
		return;
	putc('\n', out);
	wm_heading(o, out, a->partial ? "Incomplete: these answers come from "
					"a part of the run" :
					"Notes");
	for (i = 0; i < a->note_count; i++)
		fprintf(out, "  %s\n", a->notes[i]);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void wm_text_place(const struct wm_symbol *s, const struct wm_module *m,
		   FILE *out)
{
	if (s->file && s->line)
		fprintf(out, "  %s:%u", base_name(s->file), s->line);
	else if (s->file)
		fprintf(out, "  %s", base_name(s->file));
	else if (s->linkage && s->object && s->object[0] != '(')
		fprintf(out, "  [%s]", base_name(s->object));
	else if (s->linkage && !m->main && m->path)
		fprintf(out, "  [%s]", base_name(m->path));
}

void wm_text_share(uint64_t part, uint64_t whole, FILE *out)
{
	if (whole)
		fprintf(out, "%6.1f %%", 100.0 * (double)part / (double)whole);
	else
		fprintf(out, "%8s", "-");
}

/* Wrappers that a function's paths have passed. */
struct passed {
	const struct wm_symbol *wrapper[MAX_WRAPPERS];
	size_t count;
	int more;
};

static void add_wrapper(struct passed *p, const struct wm_symbol *s)
{
	size_t i;

	for (i = 0; i < p->count; i++)
		if (p->wrapper[i]->function == s->function)
			return;
	if (p->count < MAX_WRAPPERS)
		p->wrapper[p->count++] = s;
	else
		p->more = 1;
}

/* "  (through grid_alloc, xmalloc)", or nothing. */
static void put_wrappers(const struct wm_analysis *a,
			 const struct wm_function *f, FILE *out)
{
	struct wm_stack stack = { .count = 0 };
	char name[WM_NAME_COLUMNS + 1];
	struct passed p = { .count = 0 };
	int direct = 0;
	size_t i, k;

	for (i = 0; i < f->held_count; i++) {
		const struct wm_held *h = &f->held[i];

		direct |= !h->passed;
		if (!h->passed || wm_stack_fill(&stack, a, h->path, NULL))
			continue;
		for (k = h->passed; k-- > 0 && k < stack.count;)
			add_wrapper(&p, stack.frame[k].symbol);
	}
	wm_stack_release(&stack);
	if (!p.count)
		return;
	fprintf(out, "  (%sthrough ", direct ? "in part " : "");
	for (i = 0; i < p.count; i++)
		fprintf(out, "%s%s", i ? ", " : "",
			wm_shorten(p.wrapper[i]->name, WM_NAME_COLUMNS / 2,
				   name));
	fprintf(out, "%s)", p.more ? " ..." : "");
}

static void put_function(const struct wm_analysis *a,
			 const struct wm_function *f, uint64_t whole,
			 FILE *out)
{
	char name[WM_NAME_COLUMNS + 1];
	struct wm_buf b, c;

	wm_text_share(f->bytes, whole, out);
	fprintf(out, "  %11s  %10s  %s", wm_bytes(&b, f->bytes),
		wm_count(&c, f->blocks),
		wm_shorten(f->name, WM_NAME_COLUMNS, name));
	wm_text_place(f->symbol, &a->paths.modules[f->module], out);
	put_wrappers(a, f, out);
	putc('\n', out);
}

static void put_functions(const struct wm_analysis *a,
			  const struct wm_functions *f, size_t top,
			  size_t paths, const struct wm_opts *o, FILE *out)
{
	uint64_t bytes = 0, blocks = 0;
	struct wm_buf b, c;
	size_t i;

	if (!f->count) {
		fputs("  nothing\n", out);
		return;
	}
	fprintf(out, "%8s  %11s  %10s  %s\n", "share", "bytes", "blocks",
		"function");
	for (i = 0; i < f->count && (!top || i < top); i++) {
		const struct wm_function *fn = &f->function[i];

		put_function(a, fn, f->bytes, out);
		bytes += fn->bytes;
		blocks += fn->blocks;
		if (paths)
			wm_text_paths(a, fn, f->moment, f->bytes,
				      top ? paths : 0, out);
	}
	if (i < f->count) {
		wm_text_share(f->bytes - bytes, f->bytes, out);
		fprintf(out, "  %11s  %10s  %zu more function%s",
			wm_bytes(&b, f->bytes - bytes),
			wm_count(&c, f->blocks - blocks), f->count - i,
			f->count - i == 1 ? "" : "s");
		fprintf(out, o->top_given ? "\n" : " (--top all)\n");
	}
}

void wm_text_functions(const struct wm_analysis *a,
		       const struct wm_functions *f, size_t top, size_t paths,
		       const struct wm_opts *o, FILE *out)
{
	struct wm_functions folded;

	/* short of memory: what is there, as it is */
	if (wm_wrappers_fold(&folded, f, a, NULL))
		put_functions(a, f, top, paths, o, out);
	else
		put_functions(a, &folded, top, paths, o, out);
	wm_functions_release(&folded);
}
