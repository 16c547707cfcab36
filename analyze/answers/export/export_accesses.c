/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores one by one, in the line formats of three tools: Gleipnir's
 * as in its users' guide, Dinero IV's extended format, and lackey's.
 *
 * The trace is read a second time, when all names are known.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/answers/export/access_blocks.h"
#include "analyze/answers/export/export.h"
#include "analyze/passes/reading.h"
#include "analyze/answers/accesses/access_names.h"
#include "analyze/lib/trace/access_tokens.h"
#include "wm/access_format.h"

#define TEXTS 16384u /* power of two; of accesses of static variables */

/* The text of an access of a static variable, as found before. */
struct text {
	uint32_t cell; /* number of the cell, and 1 */
	uint64_t offset, bytes;
	char *s;
};

struct lines;
/* Writes access number @i of @b. */
typedef void put_line(struct lines *l, const struct wm_access_batch *b,
		      size_t i);

struct lines {
	const struct wm_analysis *a;
	FILE *out;
	put_line *put;
	bool tells; /* lines that are no accesses are wanted, too */
	struct wm_access_names names;
	struct wm_access_blocks blocks;
	const struct wm_trace *t;
	struct wm_block_names block_names;
	struct text *text;
	uint64_t begun; /* how often reading began */
	/* lines so far; the most lines of earlier attempts */
	uint64_t line, written;
	uint64_t accesses, pid;
	uint64_t threads; /* the highest number that was written, and 1 */
	bool short_of_memory;
};

/* Returns whether the next line has not been written yet.  A line may come
 * twice: where the trace turned out to be damaged, it is read once more. */
static bool is_new_line(struct lines *l)
{
	if (l->line++ < l->written)
		return false;
	l->written = l->line;
	return true;
}

static char letter(unsigned kind)
{
	return kind == WMA_READ ? 'L' : kind == WMA_WRITE ? 'S' : 'M';
}

static void put_lackey(struct lines *l, const struct wm_access_batch *b,
		       size_t i)
{
	const struct wm_access *x = &b->access[i];

	if (is_new_line(l))
		fprintf(l->out, " %c %08" PRIx64 ",%" PRIu64 "\n",
			letter(b->spot[x->spot].kind), x->addr, x->bytes);
}

static void put_dinero(struct lines *l, const struct wm_access_batch *b,
		       size_t i)
{
	const struct wm_access *x = &b->access[i];
	unsigned kind = b->spot[x->spot].kind;

	if (kind != WMA_WRITE && is_new_line(l))
		fprintf(l->out, "r %" PRIx64 " %" PRIu64 "\n", x->addr,
			x->bytes);
	if (kind != WMA_READ && is_new_line(l))
		fprintf(l->out, "w %" PRIx64 " %" PRIu64 "\n", x->addr,
			x->bytes);
}

/* ---- Gleipnir ---- */

/* Writes a name without blanks, as blanks separate the fields. */
static void put_name(struct lines *l, const char *s)
{
	for (; *s; s++)
		putc(*s == ' ' || (unsigned char)*s < ' ' ? '_' : *s, l->out);
}

static const char *given_name(const struct lines *l, uint32_t name)
{
	const char *s = wm_trace_name(l->t, name);

	return s ? s : "?";
}

static void put_block_name(struct lines *l, const struct wm_live_block *b)
{
	put_name(l, l->block_names.text[b->given != WM_NOT_GIVEN ? b->given :
								   b->site]);
}

static uint32_t block_number(const struct wm_live_block *b)
{
	return b->given != WM_NOT_GIVEN ? b->named : b->number;
}

static void put_heap(struct lines *l, const struct wm_access *x,
		     uint32_t variable)
{
	const struct wm_live_block *b = wm_access_blocks_find(&l->blocks,
							      x->addr);

	if (!b) {
		put_name(l, l->names.variable[variable].name);
		return;
	}
	fprintf(l->out, "H-%" PRIu32 " ", block_number(b));
	put_block_name(l, b);
	fprintf(l->out, ".%" PRIu64, x->addr - b->origin);
}

/* Returns the variable of debug information at @offset of @v, or NULL if there
 * is none.  *@less is how far behind the start of @v that variable starts. */
static const struct wm_elements_variable *
typed_variable(struct lines *l, const struct wm_access_variable *v,
	       uint64_t offset, uint64_t *less)
{
	const struct wm_elements_variable *e;

	*less = 0;
	if (!l->names.elements || !l->a->paths.modules[v->module].main)
		return NULL;
	if (v->where == WM_WHERE_LOCAL)
		return v->name ? wm_elements_local(l->names.elements, v->offset,
						   v->place) :
				 NULL;
	e = wm_elements_find(l->names.elements, v->offset + offset, false);
	if (!e || e->shape == WM_SHAPE_UNKNOWN || v->offset > e->address)
		return NULL;
	*less = e->address - v->offset;
	return e;
}

/* Writes GV, GS, LV or LS, a blank, and the variable with member and
 * element. */
static char *variable_text(struct lines *l, const struct wm_access_variable *v,
			   const char *name, uint64_t offset, uint64_t bytes)
{
	struct wm_spread spread = { .bytes = bytes };
	struct wm_element_text text = { .flags = 0 };
	bool local = v->where == WM_WHERE_LOCAL;
	const struct wm_elements_variable *e;
	uint64_t less;
	char *s;
	int k;

	e = typed_variable(l, v, offset, &less);
	if (e && offset >= less) {
		spread.first = spread.last = offset - less;
		wm_elements_text(l->names.elements, e, &spread, &text);
		k = asprintf(&s, "%c%c %s", local ? 'L' : 'G',
			     e->shape == WM_SHAPE_SCALAR ? 'V' : 'S',
			     text.text);
	} else {
		k = asprintf(&s, "%s %s.%" PRIu64, local ? "LS" : "GS",
			     local ? v->name : name, offset);
	}
	return k < 0 ? NULL : s;
}

static void put_region(struct lines *l, const struct wm_access_variable *v,
		       uint64_t offset)
{
	fputs(" GS ", l->out);
	put_name(l, v->name);
	fprintf(l->out, ".%" PRIu64, offset);
}

static void put_variable(struct lines *l, const struct wm_access_batch *b,
			 size_t i, uint32_t variable, uint64_t offset)
{
	const struct wm_access *x = &b->access[i];
	uint32_t cell = b->cell[i];
	const struct wm_access_variable *v = &l->a->accesses.variable[variable];
	uint64_t hash = (offset * 31 + x->bytes) * 0x9e3779b97f4a7c15 + cell;
	struct text *t = &l->text[(hash ^ hash >> 32) & (TEXTS - 1)];

	if (t->cell != cell + 1 || t->offset != offset ||
	    t->bytes != x->bytes) {
		free(t->s);
		t->s = variable_text(l, v, l->names.variable[variable].name,
				     offset, x->bytes);
		t->cell = t->s ? cell + 1 : 0;
		t->offset = offset;
		t->bytes = x->bytes;
	}
	if (!t->s) {
		l->short_of_memory = true;
		return;
	}
	fwrite(t->s, 1, 3, l->out);
	put_name(l, t->s + 3);
}

static char segment_of(const struct wm_access_table *t,
		       const struct wm_access_variable *v)
{
	if (v->where == WM_WHERE_REGION)
		v = &t->variable[v->owner];
	switch ((enum wm_access_where)v->where) {
	case WM_WHERE_BLOCK:
		return v->family == WM_FAMILY_stacks ? 'S' : 'H';
	case WM_WHERE_STATIC:
	case WM_WHERE_MODULE:
		return 'G';
	case WM_WHERE_LOCAL:
	case WM_WHERE_STACK:
	case WM_WHERE_OTHER:
	case WM_WHERE_REGION:
		break;
	}
	return 'S';
}

/* Writes the fields behind the function. */
static void put_what(struct lines *l, const struct wm_access_batch *b, size_t i)
{
	const struct wm_access_table *t = &l->a->accesses;
	int64_t shift;
	uint32_t variable = wm_access_shown(&l->names, l->a,
					    t->cell[b->cell[i]].variable,
					    &shift);
	const struct wm_access_variable *v = &t->variable[variable];
	uint64_t offset = b->access[i].addr - b->base[i] + (uint64_t)shift;
	bool named = v->where == WM_WHERE_STATIC ||
		     (v->where == WM_WHERE_LOCAL && v->name);

	if (v->where == WM_WHERE_REGION)
		put_region(l, v, offset);
	if (v->where == WM_WHERE_BLOCK && v->family == WM_FAMILY_stacks)
		return;
	if (named || v->where == WM_WHERE_BLOCK)
		putc(' ', l->out);
	if (v->where == WM_WHERE_BLOCK)
		put_heap(l, &b->access[i], variable);
	else if (named)
		put_variable(l, b, i, variable, offset);
}

static void put_gleipnir(struct lines *l, const struct wm_access_batch *b,
			 size_t i)
{
	const struct wm_access *x = &b->access[i];
	uint32_t cell = b->cell[i];
	const struct wm_access_table *t = &l->a->accesses;
	const struct wm_access_cell *c = &t->cell[cell];
	const struct wm_access_variable *v = &t->variable[c->variable];
	const struct wm_symbol *s = l->names.spot[c->spot];

	if (!is_new_line(l))
		return;
	fprintf(l->out, "%c %09" PRIx64 " %" PRIu64 " %" PRIu64 " %c ",
		letter(b->spot[x->spot].kind), x->addr, x->bytes, b->thread + 1,
		segment_of(t, v));
	put_name(l, s ? s->name : "?");
	put_what(l, b, i);
	putc('\n', l->out);
}

static void tell_thread(struct lines *l, uint64_t thread)
{
	for (; l->threads <= thread; l->threads++)
		if (l->tells && l->threads && is_new_line(l))
			fprintf(l->out, "X THREAD_CREATE 1:%" PRIu64 "\n",
				l->threads + 1);
}

static void tell_block(void *context, const struct wm_live_block *b)
{
	struct lines *l = context;

	if (!l->tells || b->family == WM_FAMILY_stacks)
		return;
	tell_thread(l, b->thread);
	if (!is_new_line(l))
		return;
	fprintf(l->out, "X %" PRIu64 " MALLOC %09" PRIx64 " %" PRIu64 " ",
		b->thread + 1, b->addr, b->bytes);
	put_block_name(l, b);
	fprintf(l->out, " %" PRIu32 "\n", block_number(b));
}

static void tell_mark(void *context, const struct wm_mark *m)
{
	struct lines *l = context;
	const char *text, *what = m->kind == WM_MARK_TEXT     ? "MARK" :
				  m->kind == WM_MARK_PHASE    ? "PHASE" :
				  m->kind == WM_MARK_SNAPSHOT ? "SNAPSHOT" :
								NULL;

	if (!l->tells || !what || !is_new_line(l))
		return;
	fprintf(l->out, "X %s ", what);
	for (text = m->name ? given_name(l, m->name) : "-"; *text; text++)
		putc((unsigned char)*text < ' ' ? '_' : *text, l->out);
	putc('\n', l->out);
}

/* Writes the first lines.  Readers of lackey's format accept valgrind's lines
 * about itself; readers of Dinero's format accept only accesses. */
static void tell_start(struct lines *l)
{
	char before[32] = "X RUN ";

	if (l->put == put_dinero || !is_new_line(l))
		return;
	if (l->tells)
		fprintf(l->out, "X START %" PRIu64 ":%" PRIu64 " at 0\n",
			l->t->parent, l->t->pid);
	else
		snprintf(before, sizeof(before), "==%" PRIu64 "== ", l->t->pid);
	wm_export_origin(l->a, l->a->chosen, before, l->out);
}

static void tell_end(struct lines *l)
{
	if (!l->tells)
		return;
	fprintf(l->out,
		"X INST %" PRIu64 "\nX END %" PRIu64 " at %" PRIu64 "\n",
		l->accesses, l->pid, l->accesses);
}

/* ---- reading the trace ---- */

static enum wm_status lines_begin(void *context, const struct wm_trace *t,
				  struct wm_err *err)
{
	struct lines *l = context;

	if (l->begun++)
		wm_access_blocks_release(&l->blocks);
	l->t = t;
	l->pid = t->pid;
	l->line = l->accesses = l->threads = 0;
	tell_start(l);
	return wm_access_blocks_init(&l->blocks, t, &l->block_names, err);
}

static enum wm_status lines_take(void *context, const struct wm_changes *c,
				 struct wm_err *err)
{
	struct lines *l = context;
	struct wm_access_news news = { l, tell_block, tell_mark };

	return wm_access_blocks_take(&l->blocks, c, &news, err);
}

static enum wm_status lines_accesses(void *context,
				     const struct wm_access_batch *b,
				     struct wm_err *err)
{
	struct lines *l = context;

	if (b->count)
		tell_thread(l, b->thread);
	for (size_t i = 0; i < b->count; i++) {
		if (b->cell[i] == WM_ACCESS_NO_CELL)
			continue;
		l->accesses++;
		l->put(l, b, i);
	}
	if (ferror(l->out))
		/* the caller that opened it reports the reason */
		return WM_END;
	return l->short_of_memory ? wm_no_memory(err, NULL) : WM_OK;
}

static enum wm_status read_trace(struct lines *l, const struct wm_opts *o,
				 struct wm_err *err)
{
	const struct wm_analysis *a = l->a;
	const struct wm_run_file *f = &a->run.files[a->ranks[a->chosen].source];
	struct wm_listener listener = { l, lines_begin, lines_take,
					lines_accesses };
	struct wm_wish wish = {
		.needs = WM_NEEDS(accesses) | WM_NEEDS(listener),
		.max_blocks = o->request.wish.max_blocks,
		.listener = &listener,
	};
	struct wm_rank rank;
	enum wm_status s;

	s = wm_rank_read(&rank, f->path, f->name, a->ranks[a->chosen].rank,
			 &wish, NULL, err);
	if (!s) {
		tell_end(l);
		wm_rank_release(&rank);
	}
	return s;
}

static enum wm_status write_lines(const struct wm_analysis *a,
				  const struct wm_opts *o, FILE *out,
				  put_line *put, struct wm_err *err)
{
	struct lines l = {
		.a = a, .out = out, .put = put, .tells = put == put_gleipnir
	};
	enum wm_status s;

	if (!a->accesses.accesses)
		return wm_err_set(err, WM_NOT_FOUND,
				  "%s: no loads and stores in the trace: "
				  "WMCC_ACCESS=1 makes app.wma, which records "
				  "them",
				  a->name);
	if (a->ranks[a->chosen].samples)
		return wm_err_set(err, WM_NOT_FOUND,
				  "%s: the trace has only pages "
				  "(WM_ACCESS=pages), no single loads and "
				  "stores: --export moca writes the pages",
				  a->name);
	s = wm_access_names_make(&l.names, a, err);
	if (s)
		return s;
	l.text = calloc(TEXTS, sizeof(*l.text));
	if (l.text && wm_block_names_init(&l.block_names, a, &l.names))
		s = read_trace(&l, o, err);
	else
		s = wm_no_memory(err, NULL);
	for (size_t i = 0; l.text && i < TEXTS; i++)
		free(l.text[i].s);
	free(l.text);
	wm_block_names_release(&l.block_names);
	wm_access_blocks_release(&l.blocks);
	wm_access_names_release(&l.names);
	return s;
}

enum wm_status wm_export_gleipnir(const struct wm_analysis *a,
				  const struct wm_opts *o, FILE *out,
				  struct wm_err *err)
{
	return write_lines(a, o, out, put_gleipnir, err);
}

enum wm_status wm_export_dinero(const struct wm_analysis *a,
				const struct wm_opts *o, FILE *out,
				struct wm_err *err)
{
	return write_lines(a, o, out, put_dinero, err);
}

enum wm_status wm_export_lackey(const struct wm_analysis *a,
				const struct wm_opts *o, FILE *out,
				struct wm_err *err)
{
	return write_lines(a, o, out, put_lackey, err);
}
