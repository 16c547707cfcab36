/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/access/resolve_variables.h"
#include "analyze/lib/base/vec.h"
#include "analyze/lib/base/whole.h"
#include "analyze/lib/trace/access_tokens.h"
#include "wm/access_format.h"

#define rare(x) __builtin_expect(!!(x), 0)

/* On x86-64, only the main thread's stack is not in the trace. */
#define STACK_FROM UINT64_C(0x7ff000000000)
#define STACK_TO UINT64_C(0x800000000000)

/* The last access of a thread at a spot. */
struct recent {
	struct wm_found found;
	uint64_t base; /* start of the object */
	uint64_t last, step; /* address; difference to the address before */
	uint64_t known; /* a step that the cell's step divides */
	uint64_t bytes;
	uint32_t variable, cell;
	uint32_t spot; /* of the table, + 1; 0: not asked for */
	bool begun; /* .last is set */
	bool fresh; /* .last was in another object */
	uint32_t regions; /* wm_resolver.region_marks at the look-up */
};

struct wm_resolver_thread {
	struct recent *recent; /* by the thread's number of the spot */
	size_t recents;
	size_t changed; /* accesses to another object in the last batch */
	uint64_t resets, gaps;
	struct wm_frames frames;
};

enum wm_status wm_resolver_init(struct wm_resolver *r, const struct wm_trace *t,
				struct wm_err *err)
{
	const struct wm_paths *paths = &t->paths;
	struct wm_access_variable other = { .where = WM_WHERE_OTHER };
	struct wm_access_variable stack = { .where = WM_WHERE_STACK };
	struct wm_access_table *to = &r->table;
	enum wm_status s = WM_OK;

	memset(r, 0, sizeof(*r));
	r->t = t;
	r->paths = r->locals.paths = paths;
	if (wm_objects_init(&r->objects) || wm_resolver_variable(r, &other) ||
	    !WM_MORE(to->cell, to->cell_cap, 0) ||
	    !WM_MORE(to->spot, to->spot_cap, 0))
		return wm_no_memory(err, NULL);
	to->cells = to->spots = 1;
	r->stack = wm_resolver_variable(r, &stack);
	if (r->stack == UINT32_MAX)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < paths->map_count && !s; i++)
		s = wm_resolver_module(r, &paths->map[i], err);
	wm_objects_fix(&r->objects);
	return s;
}

void wm_resolver_release(struct wm_resolver *r)
{
	for (size_t i = 0; i < r->threads; i++) {
		free(r->thread[i].recent);
		wm_frames_release(&r->thread[i].frames);
	}
	wm_local_names_release(&r->locals);
	wm_index_release(&r->local_index);
	free(r->thread);
	for (size_t i = 0; i < WM_FAMILIES; i++)
		free(r->block[i]);
	wm_index_release(&r->thread_index);
	wm_index_release(&r->spot_index);
	wm_index_release(&r->called_index);
	wm_index_release(&r->cell_index);
	wm_index_release(&r->region_index);
	wm_regions_release(&r->regions);
	wm_index_release(&r->pair_index);
	wm_objects_release(&r->objects);
	wm_access_table_release(&r->table);
}

/* ---- threads and spots ---- */

static bool find_thread(struct wm_resolver *r, uint64_t number)
{
	struct wm_access_table *t = &r->table;
	uint32_t hash = wm_index_hash(number);
	struct wm_index_slot *s;

	if (t->threads && t->thread[r->current].number == number)
		return true;
	if (wm_index_room(&r->thread_index))
		return false;
	WM_INDEX_EACH(s, &r->thread_index, hash) {
		r->current = s->number - 1;
		if (t->thread[r->current].number == number)
			return true;
	}
	if (!WM_MORE(t->thread, t->thread_cap, t->threads) ||
	    !WM_MORE(r->thread, r->thread_cap, t->threads))
		return false;
	r->current = t->threads++;
	r->threads = t->threads;
	t->thread[r->current].number = number;
	wm_index_put(&r->thread_index, s, hash, r->current);
	return true;
}

static bool make_recents(struct wm_resolver_thread *th,
			 const struct wm_access_batch *b)
{
	if (th->resets != b->resets && th->recents)
		memset(th->recent, 0, th->recents * sizeof(*th->recent));
	th->resets = b->resets;
	return WM_ZEROED(th->recent, th->recents, (size_t)b->spots + 1);
}

static bool is_spot(const struct wm_table_spot *a,
		    const struct wm_table_spot *b)
{
	return a->offset == b->offset && a->module == b->module &&
	       a->kind == b->kind && a->how == b->how;
}

static uint32_t find_spot(struct wm_resolver *r, const struct wm_spot *spot)
{
	struct wm_access_table *t = &r->table;
	struct wm_table_spot x = { .kind = spot->kind, .how = spot->how };
	struct wm_table_spot *to;
	struct wm_index_slot *s;
	uint32_t hash;

	wm_local_names_place(r->paths, spot->pc, &x.module, &x.offset);
	hash = wm_index_hash(x.offset ^ (uint64_t)x.module << 48 ^
			     (uint64_t)x.kind << 46 ^ (uint64_t)x.how << 44);
	if (wm_index_room(&r->spot_index))
		return UINT32_MAX;
	WM_INDEX_EACH(s, &r->spot_index, hash)
		if (is_spot(&t->spot[s->number - 1], &x))
			return s->number - 1;
	if (t->spots == WM_MOST_SPOTS)
		return 0;
	to = WM_MORE(t->spot, t->spot_cap, t->spots);
	if (!to)
		return UINT32_MAX;
	*to = x;
	wm_index_put(&r->spot_index, s, hash, t->spots);
	return (uint32_t)t->spots++;
}

/* ---- cells ---- */

static uint32_t find_cell(struct wm_resolver *r, uint32_t spot,
			  uint32_t variable)
{
	struct wm_access_table *t = &r->table;
	uint32_t hash = wm_index_hash((uint64_t)spot << 32 | variable);
	struct wm_access_cell *c;
	struct wm_index_slot *s;

	if (wm_index_room(&r->cell_index))
		return UINT32_MAX;
	WM_INDEX_EACH(s, &r->cell_index, hash) {
		c = &t->cell[s->number - 1];
		if (c->spot == spot && c->variable == variable)
			return s->number - 1;
	}
	if (t->cells == WM_MOST_CELLS || !spot)
		return 0;
	c = WM_MORE(t->cell, t->cell_cap, t->cells);
	if (!c)
		return UINT32_MAX;
	c->spot = spot;
	c->variable = variable;
	wm_index_put(&r->cell_index, s, hash, t->cells);
	return (uint32_t)t->cells++;
}

static bool note_thread(struct wm_resolver *r, uint32_t cell)
{
	struct wm_access_pair x = { cell, (uint32_t)r->current };
	uint32_t hash = wm_index_hash((uint64_t)cell << 32 | x.thread);
	struct wm_access_table *t = &r->table;
	struct wm_access_cell *c = &t->cell[cell];
	struct wm_index_slot *s;
	struct wm_access_pair *to;

	if (wm_index_room(&r->pair_index))
		return false;
	WM_INDEX_EACH(s, &r->pair_index, hash)
		if (!memcmp(&t->pair[s->number - 1], &x, sizeof(x)))
			return true;
	if (t->pairs == WM_MOST_PAIRS)
		return true;
	to = WM_MORE(t->pair, t->pair_cap, t->pairs);
	if (!to)
		return false;
	*to = x;
	wm_index_put(&r->pair_index, s, hash, t->pairs++);
	if (!c->threads++)
		c->first_thread = (uint32_t)r->table.thread[r->current].number;
	return true;
}

static bool look_up(struct wm_resolver *r, struct recent *x, uint64_t addr,
		    uint32_t hint)
{
	struct wm_object *o;
	uint32_t owner;

	if (!wm_objects_take(&r->objects, addr, hint, &x->found) &&
	    wm_objects_find(&r->objects, addr, &x->found))
		return false;
	o = &r->objects.object[x->found.number];
	owner = o->owner;
	x->base = o->lo;
	if (x->found.number == WM_OBJECT_NONE) {
		owner = addr >= STACK_FROM && addr < STACK_TO ? r->stack : 0;
	} else if (!o->touched) {
		o->touched = true;
		r->table.variable[owner].touched++;
	}
	x->variable = owner;
	return true;
}

/* ---- the stack ---- */

/* Looks up the local variable if @addr is in a known frame. */
static bool look_up_local(struct wm_resolver *r, struct recent *x,
			  uint64_t addr, uint64_t pc, bool *found)
{
	const struct wm_frames *frames = &r->thread[r->current].frames;
	const struct wm_live_frame *f = wm_frames_find(frames, addr);
	const struct wm_local *local;

	*found = f != NULL;
	if (!f)
		return true;
	local = wm_local_names_find(&r->locals, f, addr, pc);
	/* the next access may be to another frame */
	memset(&x->found, 0, sizeof(x->found));
	x->base = local ? f->cfa + (uint64_t)local->place : f->sp;
	x->variable = wm_resolver_local(r, f, local);
	return x->variable != UINT32_MAX;
}

/* A range found around frames is not valid for the frames in it. */
static void let_frames_out(const struct wm_resolver *r, struct recent *x)
{
	const struct wm_frames *f = &r->thread[r->current].frames;

	if (f->count && f->frame[0].cfa > x->found.lo &&
	    f->frame[f->count - 1].sp - x->found.lo < x->found.bytes)
		x->found.bytes = 0;
}

/* If @addr is in a region, @x gets this region. */
static bool look_up_region(struct wm_resolver *r, struct recent *x,
			   uint64_t addr)
{
	struct wm_found *f = &x->found;
	uint64_t lo, end;
	const struct wm_region *g = wm_regions_around(&r->regions, addr, &lo,
						      &end);

	if (f->bytes) {
		end = end < f->lo + f->bytes ? end : f->lo + f->bytes;
		f->lo = lo > f->lo ? lo : f->lo;
		f->bytes = end - f->lo;
	}
	if (!g)
		return true;
	x->variable = wm_resolver_region(r, g, x->variable, x->base);
	x->base = g->span.start;
	return x->variable != UINT32_MAX;
}

/* Called when @spot accesses another object than before. */
static bool change_object(struct wm_resolver *r, struct recent *x,
			  uint64_t addr, uint32_t hint,
			  const struct wm_spot *spot)
{
	uint32_t before = x->variable, n;
	bool local = false;

	if (rare(r->thread[r->current].frames.count) &&
	    !look_up_local(r, x, addr, spot->pc, &local))
		return false;
	if (!local) {
		if (!look_up(r, x, addr, hint))
			return false;
		let_frames_out(r, x);
	}
	x->regions = r->region_marks;
	if (rare(r->regions.count) && !look_up_region(r, x, addr))
		return false;
	x->known = ~(addr - x->last);
	x->fresh = true;
	if (x->spot && x->variable == before)
		return true;
	if (!x->spot) {
		n = find_spot(r, spot);
		if (n == UINT32_MAX)
			return false;
		x->spot = n + 1;
	}
	x->cell = find_cell(r, x->spot - 1, x->variable);
	return x->cell != UINT32_MAX && note_thread(r, x->cell);
}

static uint64_t divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Makes @c->step divide the distance of @offset, too. */
static inline void learn_offset(struct wm_access_cell *c, uint64_t offset)
{
	uint64_t far = offset > c->first_offset ? offset - c->first_offset :
						  c->first_offset - offset;

	wm_lower(&c->lowest, offset);
	wm_raise(&c->highest, offset);
	if (c->step == 1 || !far)
		return;
	if (c->step & (c->step - 1) ? far % c->step :
				      !c->step || far & (c->step - 1))
		c->step = divisor(far, c->step);
}

static inline void count_access(struct wm_access_cell *c, struct recent *x,
				const struct wm_access *a, uint64_t number,
				uint64_t time)
{
	uint64_t step = a->addr - x->last, offset = a->addr - x->base;

	if (rare(!c->accesses++)) {
		c->first_offset = c->lowest = c->highest = offset;
		c->first = number;
		c->first_ns = time;
	}
	c->bytes += a->bytes;
	if (step == x->known) {
		wm_lower(&c->lowest, offset);
		wm_raise(&c->highest, offset);
	} else {
		learn_offset(c, offset);
		x->known = x->fresh ? 0 : step;
		x->fresh = false;
	}
	if (!x->begun) {
		x->begun = true;
		step = a->bytes + 1; /* not a step */
	} else if (!step) {
		c->same++;
	} else if (step == x->bytes) {
		c->sequential++;
	} else if (step == x->step) {
		c->strided++;
		c->stride = (int64_t)step;
	}
	x->step = step;
	x->last = a->addr;
	x->bytes = a->bytes;
	c->last = number;
	c->last_ns = time;
}

static void count_kinds(struct wm_resolver *r, const struct wm_access_batch *b)
{
	uint64_t kinds[4] = { 0 }, all;

	for (size_t i = 0; i < b->count; i++) {
		unsigned kind = b->spot[b->access[i].spot].kind & WMA_KIND;

		kinds[kind]++;
		if (kind != WMA_FRAME)
			r->table.bytes += b->access[i].bytes;
	}
	all = b->count - kinds[WMA_FRAME];
	r->table.accesses += all;
	r->table.loads += all - kinds[WMA_WRITE];
	r->table.stores += all - kinds[WMA_READ];
	r->table.thread[r->current].accesses += all;
}

/* Notes the variable that gets the address of a new block: gfortran stores it
 * in the descriptor of an allocatable array before any other access. */
static void note_holder(struct wm_resolver *r, const struct wm_access_batch *b)
{
	struct wm_access_table *t = &r->table;
	struct wm_access_variable *v = &t->variable[r->newborn];
	const struct wm_access_cell *c;
	uint32_t holder;
	size_t i = 0;

	while (i < b->count && b->cell[i] == WM_ACCESS_NO_CELL)
		i++;
	if (i == b->count)
		return;
	r->newborn = 0;
	c = &t->cell[b->cell[i]];
	holder = c->variable;
	if (t->variable[holder].where == WM_WHERE_REGION &&
	    !t->variable[holder].place)
		holder = t->variable[holder].owner;
	if (b->spot[b->access[i].spot].kind != WMA_WRITE ||
	    b->access[i].bytes != sizeof(uint64_t) || c->highest ||
	    t->variable[holder].where != WM_WHERE_STATIC)
		return;
	if (v->held++ && v->holder != holder)
		v->holders = true;
	v->holder = holder;
}

/* Prefetches for up to WM_EXPECT accesses of @b from @from on. */
static void expect(const struct wm_resolver *r, const struct wm_access_batch *b,
		   size_t from, uint32_t hint[WM_EXPECT])
{
	size_t count = b->count - from < WM_EXPECT ? b->count - from :
						     WM_EXPECT;
	uint64_t addr[WM_EXPECT];

	for (size_t i = 0; i < count; i++)
		addr[i] = b->access[from + i].addr;
	wm_objects_expect(&r->objects, addr, hint, count);
}

/* With more accesses to other objects than this, it is worth prefetching. */
#define MANY(count) ((count) / 8)

static bool resolve(struct wm_resolver *r, struct wm_resolver_thread *th,
		    struct wm_access_batch *b)
{
	uint64_t number = r->table.accesses;
	bool ahead = th->changed > MANY(b->count);
	uint32_t hint[WM_EXPECT] = { 0 };

	th->changed = 0;
	for (size_t i = 0; i < b->count; i++) {
		const struct wm_access *a = &b->access[i];
		struct recent *x = &th->recent[a->spot];

		if (ahead && i % WM_EXPECT == 0)
			expect(r, b, i, hint);
		if (rare(b->spot[a->spot].kind == WMA_FRAME)) {
			uint64_t pc = b->spot[a->spot].pc;

			b->cell[i] = WM_ACCESS_NO_CELL;
			if (!wm_frames_enter(&th->frames,
					     wm_local_names_frame(&r->locals,
								  pc),
					     pc, a->addr, a->bytes))
				return false;
			continue;
		}
		if (rare(!wm_found_holds(&r->objects, &x->found, a->addr) ||
			 x->regions != r->region_marks)) {
			th->changed++;
			if (!change_object(r, x, a->addr, hint[i % WM_EXPECT],
					   &b->spot[a->spot]))
				return false;
		}
		b->cell[i] = x->cell;
		b->base[i] = x->base;
		count_access(&r->table.cell[x->cell], x, a, number++, b->time);
	}
	return true;
}

enum wm_status wm_resolver_batch(struct wm_resolver *r,
				 struct wm_access_batch *b, struct wm_err *err)
{
	struct wm_resolver_thread *th;

	if (!find_thread(r, b->thread) ||
	    !make_recents(&r->thread[r->current], b))
		return wm_no_memory(err, NULL);
	th = &r->thread[r->current];
	if (th->gaps != b->gaps)
		th->frames.count = 0;
	th->gaps = b->gaps;
	if (!resolve(r, th, b))
		return wm_no_memory(err, NULL);
	if (rare(r->newborn))
		note_holder(r, b);
	count_kinds(r, b);
	if (!b->count) {
		r->table.gaps += b->gaps;
		free(th->recent);
		wm_frames_release(&th->frames);
		memset(th, 0, sizeof(*th));
	}
	return WM_OK;
}
