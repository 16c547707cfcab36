/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/sharing.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/access/lines.h"
#include "analyze/access/sharing_judge.h"
#include "analyze/lib/base/vec.h"
#include "wm/access_format.h"

/* Bytes that one cell of one thread accessed since counting began. */
struct wm_sharing_piece {
	uint32_t next; /* of the line; 0: none */
	uint32_t thread, cell;
	uint32_t loads, stores;
	uint32_t votes; /* for the bytes accessed most (Boyer and Moore) */
	uint64_t touched; /* a bit for each unit of the line */
	uint8_t from, to; /* the bytes of .votes: bits, inclusive */
};

struct wm_sharing_line {
	uint64_t line;
	uint32_t piece; /* first piece */
	uint32_t before; /* first piece before the line was handed over */
	uint32_t last; /* thread that touched it last */
	uint64_t until_last, until_rest; /* .until of the threads; 0: none */
	uint32_t row[2]; /* its row + 1 for false and for true sharing */
	uint64_t moves[2]; /* in that row */
};

enum wm_status wm_sharing_init(struct wm_sharing *s, uint32_t line,
			       struct wm_err *err)
{
	memset(s, 0, sizeof(*s));
	s->line_bytes = line;
	s->shift = wm_log2(line);
	s->unit_shift = s->shift > 6 ? s->shift - 6 : 0;
	s->stamp = 1;
	s->most_bytes = WM_SHARING_MOST_BYTES;
	if (!WM_MORE(s->piece, s->piece_cap, 0))
		return wm_no_memory(err, NULL);
	s->pieces = 1;
	return WM_OK;
}

void wm_sharing_release(struct wm_sharing *s)
{
	free(s->line);
	free(s->piece);
	free(s->row);
	free(s->thread);
	wm_index_release(&s->index);
	wm_index_release(&s->row_index);
	wm_index_release(&s->thread_index);
}

enum wm_status wm_sharing_thread(struct wm_sharing *s, uint64_t number,
				 uint64_t since, uint64_t until,
				 struct wm_err *err)
{
	uint32_t hash = wm_index_hash(number);
	struct wm_index_slot *slot;

	if (s->threads && s->thread[s->current] == number &&
	    s->since == since + 1 && s->until == until + 1)
		return WM_OK;
	s->stamp++;
	s->since = since + 1;
	s->until = until + 1;
	if (wm_index_room(&s->thread_index))
		return wm_no_memory(err, NULL);
	WM_INDEX_EACH(slot, &s->thread_index, hash)
		if (s->thread[slot->number - 1] == number)
			break;
	if (!slot->number) {
		if (!WM_MORE(s->thread, s->thread_cap, s->threads))
			return wm_no_memory(err, NULL);
		s->thread[s->threads] = number;
		wm_index_put(&s->thread_index, slot, hash, s->threads++);
	}
	s->current = slot->number - 1;
	return WM_OK;
}

/* ---- lines and their pieces ---- */

static bool is_full(const struct wm_sharing *s)
{
	return s->lines * sizeof(*s->line) + s->pieces * sizeof(*s->piece) +
		       s->index.size * sizeof(*s->index.slot) >=
	       s->most_bytes;
}

/* Returns the line or, with @add, a new one; NULL: none, or no space. */
static struct wm_sharing_line *find_line(struct wm_sharing *s, uint64_t line,
					 bool add)
{
	uint32_t hash = wm_index_hash(line);
	struct wm_index_slot *slot;
	struct wm_sharing_line *l;

	if (wm_index_room(&s->index))
		return NULL;
	WM_INDEX_EACH(slot, &s->index, hash)
		if (s->line[slot->number - 1].line == line)
			return &s->line[slot->number - 1];
	if (!add || is_full(s))
		return NULL;
	l = WM_MORE(s->line, s->line_cap, s->lines);
	if (!l)
		return NULL;
	l->line = line;
	wm_index_put(&s->index, slot, hash, s->lines++);
	return l;
}

static void drop_pieces(struct wm_sharing *s, uint32_t *list)
{
	while (*list) {
		uint32_t p = *list;

		*list = s->piece[p].next;
		s->piece[p].next = s->spare;
		s->spare = p;
	}
}

static uint32_t find_piece(struct wm_sharing *s, struct wm_sharing_line *l,
			   uint32_t cell)
{
	struct wm_sharing_piece *p;
	uint32_t n;

	for (n = l->piece; n; n = p->next) {
		p = &s->piece[n];
		if (p->cell == cell && p->thread == s->current)
			return n;
	}
	n = s->spare;
	if (n)
		s->spare = s->piece[n].next;
	else if (!is_full(s) && WM_MORE(s->piece, s->piece_cap, s->pieces))
		n = (uint32_t)s->pieces++;
	else
		return 0;
	s->piece[n] = (struct wm_sharing_piece){ .next = l->piece,
						 .thread = s->current,
						 .cell = cell };
	l->piece = n;
	return n;
}

/* ---- results ---- */

static void put_part(struct wm_sharing_line_use *use,
		     const struct wm_sharing_piece *p, uint64_t touched,
		     uint32_t accesses)
{
	struct wm_sharing_use *u;

	if (!accesses || !touched)
		return;
	if (use->count == WM_SHARING_USES) {
		use->left_out++;
		return;
	}
	u = &use->use[use->count++];
	*u = (struct wm_sharing_use){ .thread = p->thread,
				      .cell = p->cell,
				      .touched = touched };
	/* a spot loads, stores, or does both at once */
	u->loads = p->loads ? accesses : 0;
	u->stores = p->stores ? accesses : 0;
}

/* Adds the pieces of the list; bytes that a cell accesses most are separate. */
static void put_pieces(struct wm_sharing_line_use *use,
		       const struct wm_sharing *s, uint32_t n)
{
	for (; n; n = s->piece[n].next) {
		const struct wm_sharing_piece *p = &s->piece[n];
		uint32_t all = p->loads > p->stores ? p->loads : p->stores;
		uint32_t most = p->votes > all / 2 ? p->votes : 0;

		put_part(use, p, wm_sharing_mask(p->from, p->to), most);
		put_part(use, p, p->touched, all - most);
	}
}

static struct wm_sharing_row *find_row(struct wm_sharing *s,
				       const uint32_t *cell, bool overlaps)
{
	uint64_t key = (uint64_t)cell[0] << 32 | cell[1];
	uint32_t hash = wm_index_hash(key * 2 + overlaps);
	struct wm_index_slot *slot;
	struct wm_sharing_row *r;

	if (wm_index_room(&s->row_index))
		return NULL;
	WM_INDEX_EACH(slot, &s->row_index, hash) {
		r = &s->row[slot->number - 1];
		if (r->cell[0] == cell[0] && r->cell[1] == cell[1] &&
		    r->overlaps == overlaps)
			return r;
	}
	if (s->rows == WM_SHARING_ROWS) {
		/* all further lines share a row without cells */
		return cell[0] || cell[1] ?
			       find_row(s, (const uint32_t[2]){ 0, 0 },
					overlaps) :
			       NULL;
	}
	r = WM_MORE(s->row, s->row_cap, s->rows);
	if (!r)
		return NULL;
	r->cell[0] = cell[0];
	r->cell[1] = cell[1];
	r->overlaps = overlaps;
	wm_index_put(&s->row_index, slot, hash, s->rows++);
	return r;
}

static bool enter(struct wm_sharing *s, struct wm_sharing_line *l,
		  struct wm_sharing_judged *j, bool overlaps)
{
	struct wm_sharing_row *r = find_row(s, j->cell, overlaps);
	uint32_t number;

	if (!r)
		return false;
	number = (uint32_t)(r - s->row) + 1;
	if (l->row[overlaps] != number) {
		l->row[overlaps] = number;
		l->moves[overlaps] = 0;
		r->lines++;
	}
	l->moves[overlaps] += j->moves;
	r->moves += j->moves;
	if (l->moves[overlaps] <= r->most_moves)
		return true;
	r->most_moves = l->moves[overlaps];
	r->address = l->line << s->shift;
	r->accesses = j->accesses;
	r->threads = j->threads;
	r->parts = j->parts;
	r->parts_left_out = j->parts_left_out;
	for (uint32_t i = 0; i < j->parts; i++) {
		r->part[i] = j->part[i];
		r->part[i].thread = s->thread[j->part[i].thread];
		r->part[i].from = (uint16_t)(j->part[i].from << s->unit_shift);
		r->part[i].to =
			(uint16_t)(((j->part[i].to + 1u) << s->unit_shift) - 1);
	}
	return true;
}

static bool has_one_thread(const struct wm_sharing *s, uint32_t n)
{
	uint32_t thread = s->piece[n].thread;

	for (; n; n = s->piece[n].next)
		if (s->piece[n].thread != thread)
			return false;
	return true;
}

/* Called after all accesses to a line.  Returns false without memory. */
static bool judge_line(struct wm_sharing *s, struct wm_sharing_line *l)
{
	struct wm_sharing_line_use *use = &s->use;
	struct wm_sharing_judged j;
	bool alone, good = true;

	if (!l->piece)
		return true;
	alone = has_one_thread(s, l->piece);
	if (!alone || l->before) {
		use->count = use->left_out = 0;
		put_pieces(use, s, l->piece);
		if (alone)
			put_pieces(use, s, l->before);
		for (int overlaps = 0; overlaps < 2 && good; overlaps++) {
			wm_sharing_judge(use, overlaps, &j);
			/* the line was handed over once */
			if (alone && j.moves)
				j.moves = 1;
			if (j.moves)
				good = enter(s, l, &j, overlaps);
		}
	}
	drop_pieces(s, &l->before);
	if (alone)
		l->before = l->piece;
	else
		drop_pieces(s, &l->piece);
	l->piece = 0;
	s->stamp++;
	return good;
}

/* Called when the block of the line is freed. */
static bool end_line(struct wm_sharing *s, struct wm_sharing_line *l)
{
	bool good = judge_line(s, l);

	drop_pieces(s, &l->before);
	l->until_last = l->until_rest = 0;
	l->row[0] = l->row[1] = 0;
	return good;
}

/* Called when the current thread touches the line. */
static bool come(struct wm_sharing *s, struct wm_sharing_line *l)
{
	uint64_t others = l->until_rest;

	if (l->last != s->current && l->until_last > others)
		others = l->until_last;
	if (others && others <= s->since) {
		if (!judge_line(s, l))
			return false;
		l->until_last = l->until_rest = 0;
	}
	if (l->last != s->current && l->until_last > l->until_rest)
		l->until_rest = l->until_last;
	l->last = s->current;
	l->until_last = s->until;
	return true;
}

/* ---- accesses ---- */

static void count(struct wm_sharing_piece *p, unsigned from, unsigned to,
		  unsigned kind)
{
	p->touched |= wm_sharing_mask(from, to);
	p->loads += kind != WMA_WRITE && p->loads != UINT32_MAX;
	p->stores += kind != WMA_READ && p->stores != UINT32_MAX;
	if (p->from == from && p->to == to) {
		p->votes += p->votes != UINT32_MAX;
	} else if (p->votes) {
		p->votes--;
	} else {
		p->from = (uint8_t)from;
		p->to = (uint8_t)to;
		p->votes = 1;
	}
}

/* @from and @to are units of the line. */
static enum wm_status touch(struct wm_sharing *s, uint64_t line, unsigned from,
			    unsigned to, unsigned kind, uint32_t cell,
			    struct wm_err *err)
{
	struct wm_sharing_recent *r = &s->recent[cell % WM_SHARING_RECENT];
	struct wm_sharing_line *l;
	uint32_t n;

	if (r->stamp == s->stamp && r->line == line && r->cell == cell) {
		count(&s->piece[r->piece], from, to, kind);
		return WM_OK;
	}
	l = find_line(s, line, true);
	if (l && !come(s, l))
		return wm_no_memory(err, "shared lines");
	n = l ? find_piece(s, l, cell) : 0;
	if (!n) {
		s->left_out++;
		return WM_OK;
	}
	*r = (struct wm_sharing_recent){ line, s->stamp, n, cell };
	count(&s->piece[n], from, to, kind);
	return WM_OK;
}

enum wm_status wm_sharing_access(struct wm_sharing *s, uint64_t addr,
				 uint64_t bytes, unsigned kind, uint32_t cell,
				 struct wm_err *err)
{
	uint64_t end = wm_access_last(addr, bytes), in = s->line_bytes - 1;
	uint64_t line = addr >> s->shift, last = end >> s->shift;
	enum wm_status r = WM_OK;

	for (uint64_t at = line; at <= last && !r; at++) {
		uint64_t from = at == line ? addr & in : 0;
		uint64_t to = at == last ? end & in : in;

		r = touch(s, at, (unsigned)(from >> s->unit_shift),
			  (unsigned)(to >> s->unit_shift), kind, cell, err);
	}
	return r;
}

enum wm_status wm_sharing_block(struct wm_sharing *s, uint64_t addr,
				uint64_t bytes, struct wm_err *err)
{
	uint64_t line = addr >> s->shift, last;
	struct wm_sharing_line *l;
	bool good = true;

	if (!bytes || !s->lines)
		return WM_OK;
	last = (addr + bytes - 1 < addr ? UINT64_MAX : addr + bytes - 1) >>
	       s->shift;
	if (last - line >= s->lines) {
		for (size_t i = 0; i < s->lines && good; i++)
			if (s->line[i].line >= line && s->line[i].line <= last)
				good = end_line(s, &s->line[i]);
		return good ? WM_OK : wm_no_memory(err, "shared lines");
	}
	for (; line <= last && good; line++) {
		l = find_line(s, line, false);
		if (l)
			good = end_line(s, l);
	}
	return good ? WM_OK : wm_no_memory(err, "shared lines");
}

enum wm_status wm_sharing_finish(struct wm_sharing *s, struct wm_err *err)
{
	for (size_t i = 0; i < s->lines; i++)
		if (!end_line(s, &s->line[i]))
			return wm_no_memory(err, "shared lines");
	return WM_OK;
}
