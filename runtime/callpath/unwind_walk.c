/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three ways to walk, with the same result.
 *
 * walk() goes from frame to frame by rows.
 *
 * follow() goes along the stack of the thread's last event as long as the
 * return addresses are at the same places.  A frame whose address has the same
 * value has the same row; if its CFA depends on the stack pointer, the next
 * return address is at the same place as before, so only its value has to be
 * compared.  A frame with another value gets its row, which has to lead to the
 * same place.  If it does not, join() takes new frames up to one from which all
 * further out are unchanged.  Both read only words that walk() would read.
 *
 * If a CFA depends on a frame pointer, equal return addresses do not prove
 * equal places: the frame pointers that were read have to be equal, too.  So
 * walk() keeps them, and ends at a frame of the last path with the same frame
 * pointer, if no word further out has changed.
 *
 * follow() is in every event.  Where frames are often new they are taken
 * without a test for change, because its result cannot be predicted.
 */
#include "runtime/callpath/unwind_walk.h"

#include <stdatomic.h>
#include <sys/auxv.h>

#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/callpath/unwind_known.h"
#include "runtime/callpath/unwind_repeats.h"
#include "runtime/callpath/unwind_state.h"

#define FRAMES_START 210 /* with all that belongs to them less than 7 pages */
#define REACH ((uint64_t)64 << 20) /* a frame is not larger, or libunwind's */
#define MOVING 64 /* from here on follow() is not tried */
#define SHALLOW 32 /* up to this depth rewalk() takes all frames anew */
#define CALM                                                                   \
	64 /* paths without a frame pointer, and they are expected no more */
/* The most bytes between a thread's outermost frame and the end of its stack:
 * for the main thread the end of arguments and variables, for others an address
 * in the thread's storage.  Once one frame is known, all others are within NEAR
 * of it: those of a coroutine, on a stack in a frame of main, are further
 * in. */
#define NEAR_MAIN ((size_t)128 << 10)
#define NEAR_THREAD ((size_t)4 << 10)
#define NEAR 128
/* The layout of frames: their values by powers of this, as the hash of a path
 * is. */
#define LAYOUT UINT64_C(0xBF58476D1CE4E5B9)
#define FRAME_BYTES                                                            \
	(2 * (sizeof(struct frame) + sizeof(struct pointer)) + sizeof(uint64_t))

static bool make_room(struct wm_walk *w, size_t room)
{
	struct frame *p = wm_pool_map(room * FRAME_BYTES), *old = w->frames;
	struct pointer *pointers;
	size_t old_room = w->room;

	if (!p)
		return false;
	pointers = (struct pointer *)(p + 2 * room);
	for (size_t i = 0; i < old_room; i++) {
		p[i] = old[i];
		p[room + i] = w->fresh[i];
		pointers[i] = w->pointers[i];
		pointers[room + i] = w->fresh_pointers[i];
	}
	for (size_t i = old_room; i < room; i++)
		p[i].weight = wm_path_weight(i);
	/* in an order in which a longjmp may end it: never more room than
	 * memory, and used memory is not unmapped */
	w->frames = p;
	w->fresh = p + room;
	w->pointers = pointers;
	w->fresh_pointers = pointers + room;
	w->path = (uint64_t *)(pointers + 2 * room);
	atomic_signal_fence(memory_order_seq_cst);
	w->room = room;
	atomic_signal_fence(memory_order_seq_cst);
	if (old)
		wm_pool_unmap(old, old_room * FRAME_BYTES);
	return true;
}

size_t wm_walk_bytes(void)
{
	return sizeof(struct wm_walk) + FRAMES_START * FRAME_BYTES +
	       2 * WM_PAGE;
}

struct wm_walk *wm_walk_new(void)
{
	struct wm_walk *w = wm_pool_map(sizeof(*w));

	if (w && !make_room(w, FRAMES_START)) {
		wm_pool_unmap(w, sizeof(*w));
		w = NULL;
	}
	if (w)
		w->changing = w->follows = 1;
	return w;
}

void wm_walk_begin(struct wm_walk *w, bool main_thread)
{
	/* its words, which the kernel leaves above the stack's first frame */
	w->stack_end = main_thread ? getauxval(AT_RANDOM) : (uintptr_t)&wm_self;
	w->near_end = main_thread ? NEAR_MAIN : NEAR_THREAD;
	wm_walk_restart(w);
}

void wm_walk_forget(struct wm_walk *w)
{
	for (size_t i = 0; i < KNOWN; i++)
		w->known[i] = 0;
	for (size_t i = 0; i < 1u << ROWS_BITS; i++)
		w->rows[i].ip = w->simple[i].ip = 0;
	for (size_t i = 0; i < 1u << WITHIN_BITS; i++)
		w->within[i].ip = 0;
	wm_walk_restart(w);
}

void wm_walk_restart(struct wm_walk *w)
{
	for (size_t i = 0; i < MEMOS; i++)
		w->memo[i].slot = 0;
	w->top = w->sum = w->repeats = 0;
}

/* The place of @ip in a table of 16-byte entries, in bytes. */
static inline uint64_t row_offset(uint64_t ip)
{
	return ((uint32_t)ip * 0x9E3779B1u) >> 12 & ((1u << ROWS_BITS) - 1)
							    << 4;
}

_Static_assert(sizeof(struct simple) == 16 && sizeof(struct wm_row) == 16,
	       "home() counts in entries of 16 bytes");

/*
 * A row has a home, and the place beside it where another one takes that: to
 * work one out takes thousands of instructions in a large function, and two
 * that are in turn must not push each other out.  It takes 1 KiB of stack, too:
 * where that is the program's, a row that is not known cannot be walked by.
 */
static __attribute__((noinline)) const struct wm_row *
find_row_beside(struct wm_walk *w, uint64_t ip)
{
	static const struct wm_row unknown = { .kind = WM_ROW_UNKNOWN };
	uint64_t offset = row_offset(ip);
	struct wm_row *home = (void *)((char *)w->rows + offset);
	struct wm_row *beside = (void *)((char *)w->rows +
					 (offset ^ sizeof(*home)));

	if (wm_likely(beside->ip == ip))
		return beside;
	if (!w->aside)
		return &unknown;
	if (home->ip)
		*beside = *home;
	wm_row_find(ip, home);
	return home;
}

static inline const struct wm_row *find_row(struct wm_walk *w, uint64_t ip)
{
	const struct wm_row *r = (void *)((char *)w->rows + row_offset(ip));

	return wm_likely(r->ip == ip) ? r : find_row_beside(w, ip);
}

static inline bool more_room(struct wm_walk *w, size_t room)
{
	return w->aside && make_room(w, room);
}

static __attribute__((noinline)) uint64_t learn_step(struct wm_walk *w,
						     uint64_t ip)
{
	const struct wm_row *r = find_row(w, ip);
	struct simple *e = (void *)((char *)w->simple + row_offset(ip));

	if (r->kind != WM_ROW_SP || r->cfa <= 0 || (r->cfa & 7))
		return 0;
	e->step = (uint64_t)r->cfa;
	e->ip = ip;
	return e->step;
}

/* How far the next return address is from this one; 0: ask for the row. */
static inline uint64_t find_step(struct wm_walk *w, uint64_t ip)
{
	const struct simple *e = (void *)((char *)w->simple + row_offset(ip));

	return wm_likely(e->ip == ip) ? e->step : learn_step(w, ip);
}

/* Forget the innermost frames of the last path beyond the first @keep. */
static __attribute__((noinline)) void drop_frames(struct wm_walk *w,
						  size_t keep)
{
	uint64_t sum = keep ? w->sum : 0;

	for (size_t i = keep; keep && i < w->top; i++)
		sum -= w->frames[i].ip * w->frames[i].weight;
	w->sum = sum;
	if (keep < w->top)
		w->top = keep;
}

/* The outermost frame is at @slot: on the thread's own stack? */
static bool is_home(struct wm_walk *w, uint64_t slot)
{
	uint64_t far = w->stack_end - slot;

	if (far >= w->near_end)
		return false;
	if (far + NEAR < w->near_end)
		w->near_end = far + NEAR;
	return true;
}

/* Put the @n fresh frames on top; false: no memory. */
static bool add_frames(struct wm_walk *w, size_t n)
{
	const struct frame *fresh;
	struct frame *f;
	uint64_t sum = w->sum, layout;

	if (wm_unlikely(w->top + n > w->room) &&
	    !more_room(w, 2 * (w->top + n)))
		return false;
	if (w->top == 0 && n)
		w->home = is_home(w, w->fresh[n - 1].slot);
	repeat_up_to(w, w->top);
	f = &w->frames[w->top];
	layout = w->top ? f[-1].layout : 0;
	w->top += n;
	for (fresh = &w->fresh[n]; fresh-- != w->fresh; f++) {
		f->slot = fresh->slot;
		f->ip = fresh->ip;
		sum += f->ip * f->weight;
		layout = layout * LAYOUT + f->slot;
		f->layout = layout;
	}
	w->sum = sum;
	return true;
}

/*
 * Goes along the last path from its frame number @at outwards; false when that
 * does not lead all the way, but the frames so far are right.  Frames from
 * w->changing on are expected to have changed; those further out are only
 * compared.
 */
static inline __attribute__((always_inline)) bool outwards(struct wm_walk *w,
							   size_t at)
{
	struct frame *base = w->frames, *f = base + at;
	struct frame *until = base + w->changing;
	uint64_t sum = w->sum, slot = f->slot, ip = 1, old = 0;

	for (;;) {
		while (f >= until) {
			uint64_t next = f[-1].slot;

			ip = word_at(slot);
			if (wm_unlikely(slot + find_step(w, ip) != next)) {
				repeat_up_to(w, (size_t)(f - base));
				w->sum = sum;
				return false;
			}
			/* not the sum, which is late: the processor continues
			 * with this value while it still compares */
			__asm__("" : "+r"(next));
			slot = next;
			old = f->ip;
			sum += (ip - old) * f->weight;
			f->ip = ip;
			f--;
		}
		while (word_at(f->slot) == f->ip)
			if (f-- == base)
				goto done;
		if (wm_unlikely(f == base)) {
			w->repeats = 0;
			w->sum = sum;
			return false;
		}
		slot = f->slot;
		until = f;
	}
done:
	/* the outermost that was taken as changed: outwards at once, inwards
	 * by and by */
	w->changing = (size_t)(until - base) + (ip == old);
	repeat_up_to(w, (size_t)(until - base));
	w->sum = sum;
	return true;
}

/*
 * Frames from @slot outwards, up to where they meet a place of the last path
 * from which on nothing has changed; false when a row is not a simple one.
 */
static __attribute__((noinline)) bool join(struct wm_walk *w, uint64_t slot)
{
	/* frames [0, old) of the last path are further out than slot; that
	 * of number `differs` is known to have changed */
	size_t n = 0, old = w->top, differs = old;

	for (;;) {
		uint64_t ip, step;

		while (old && w->frames[old - 1].slot < slot)
			old--;
		if (old && w->frames[old - 1].slot == slot && differs >= old) {
			differs = innermost_changed(w, old);
			if (differs == old)
				break;
		}
		ip = word_at(slot);
		step = find_step(w, ip);
		if (wm_unlikely(!step)) {
			if (find_row(w, ip)->kind != WM_ROW_LAST)
				return false;
			old = 0;
		}
		if (wm_unlikely(n == w->room) && !more_room(w, 2 * n))
			return false;
		w->fresh[n].slot = slot;
		w->fresh[n].ip = ip;
		n++;
		if (!step)
			break;
		slot += step;
	}
	drop_frames(w, old);
	return add_frames(w, n);
}

/* Walks by rows, too, but over the last path, without its pointers: its frames
 * have to be at the same places.  false: walk() is needed. */
static __attribute__((noinline)) bool rewalk(struct wm_walk *w,
					     const uintptr_t *frame)
{
	uint64_t sp = wm_frame_cfa(frame), bp = frame[0], cfa, sum;
	struct frame *base = w->frames, *f = base + w->top;

	w->kept = 0;
	while (f > base && f[-1].slot < wm_slot_at(sp))
		f--;
	if (f == base || f[-1].slot != wm_slot_at(sp))
		return false;
	drop_frames(w, (size_t)(f - base));
	w->repeats = 0;
	sum = w->sum;
	for (;; sp = cfa) {
		uint64_t ip = word_at(wm_slot_at(sp));
		const struct wm_row *r = find_row(w, ip);

		f--;
		sum += (ip - f->ip) * f->weight;
		f->ip = ip;
		if (r->kind == WM_ROW_LAST && f == base) {
			w->sum = sum;
			return true;
		}
		if (wm_unlikely(f == base ||
				(r->kind != WM_ROW_SP && r->kind != WM_ROW_BP)))
			return false;
		cfa = (r->kind == WM_ROW_SP ? sp : bp) +
		      (uint64_t)(int64_t)r->cfa;
		/* cfa > sp then, because the places ascend */
		if (wm_unlikely(wm_slot_at(cfa) != f[-1].slot))
			return false;
		if (r->bp)
			bp = word_at(cfa + (uint64_t)(int64_t)r->bp);
	}
}

/* The layout of a path that is followed: only of slots, because frame pointers
 * are not read then, and other paths at the same places may depend on them. */
static __attribute__((noinline)) void follow_from_now(struct wm_walk *w)
{
	uint64_t layout = 0;

	for (size_t i = 0; i < w->top; i++) {
		layout = layout * LAYOUT + w->frames[i].slot;
		w->frames[i].layout = layout;
	}
	w->follows = 1;
}

/* After a path by walk(): whether later ones need it. */
static inline void count_calm(struct wm_walk *w)
{
	if (w->framed < w->top)
		w->calm = w->follows = 0;
	else if (w->follows || ++w->calm >= CALM)
		follow_from_now(w);
}

/* The path has @n fresh frames on @old ones of the last; @framed is the number
 * of fresh ones up to the outermost whose CFA depends on a frame pointer, or
 * 0. */
static bool add_pointers(struct wm_walk *w, size_t old, size_t n, size_t framed)
{
	uint64_t layout;

	drop_frames(w, old);
	if (!add_frames(w, n))
		return false;
	layout = old ? w->frames[old - 1].layout : 0;
	for (size_t i = old; i < w->top; i++) {
		struct pointer *p = w->pointers + i;

		*p = w->fresh_pointers[w->top - 1 - i];
		p->chain = i >= 2 && is_chained(w->frames + i, p) ?
				   p[-1].chain + 1 :
				   0;
		layout = layout * LAYOUT + w->frames[i].slot;
		layout = layout * LAYOUT + p->next.place;
		layout = layout * LAYOUT + p->bp;
		w->frames[i].layout = layout;
	}
	if (old <= w->framed)
		w->framed = framed ? old + n - framed : SIZE_MAX;
	w->kept = 1;
	count_calm(w);
	return true;
}

/* By rows, up to where it meets the last path; false when a frame cannot be
 * walked. */
static __attribute__((noinline)) bool walk(struct wm_walk *w,
					   const uintptr_t *frame)
{
	uint64_t sp = wm_frame_cfa(frame), bp = frame[0], cfa;
	/* as in join() */
	size_t n = 0, old = w->follows || !w->kept ? 0 : w->top;
	size_t differs = old, framed = 0;

	for (;; sp = cfa) {
		uint64_t ip = word_at(wm_slot_at(sp));
		const struct wm_row *r = find_row(w, ip);
		struct pointer *p;

		while (old && w->frames[old - 1].slot < wm_slot_at(sp))
			old--;
		if (old && w->frames[old - 1].slot == wm_slot_at(sp) &&
		    w->pointers[old - 1].bp == bp && differs >= old) {
			differs = innermost_unlike(w, old);
			if (differs == old)
				break;
		}
		if (wm_unlikely(n == w->room) && !more_room(w, 2 * n))
			return false;
		w->fresh[n].slot = wm_slot_at(sp);
		w->fresh[n].ip = ip;
		p = &w->fresh_pointers[n++];
		p->bp = bp;
		p->next = (struct word){ wm_slot_at(sp), ip };
		if (r->kind == WM_ROW_LAST) {
			old = 0;
			break;
		}
		if (r->kind == WM_ROW_UNKNOWN)
			return false;
		/* code of hand may use the frame pointer for something else */
		if (r->kind != WM_ROW_SP && wm_unlikely(bp - sp > REACH))
			return false;
		cfa = (r->kind == WM_ROW_SP ? sp : bp) +
		      (uint64_t)(int64_t)r->cfa;
		if (r->kind == WM_ROW_ALIGNED) {
			cfa = word_at(cfa);
			if (wm_unlikely(cfa - sp > REACH))
				return false;
		}
		/* a stack grows downwards: anything else is not one */
		if (wm_unlikely(cfa <= sp || (cfa & 7)))
			return false;
		if (r->kind != WM_ROW_SP)
			framed = n;
		if (r->kind == WM_ROW_ALIGNED) {
			/* two words that are read, and room for one: never the
			 * same, so that it is walked each time */
			p->next.value = ~ip;
			bp = word_at(bp);
		} else if (r->bp) {
			uint64_t place = cfa + (uint64_t)(int64_t)r->bp;

			bp = word_at(place);
			if (wm_likely(place - sp < cfa - sp))
				p->next = (struct word){ place, bp };
			else /* not in that frame: likewise */
				p->next.value = ~ip;
		}
	}
	return add_pointers(w, old, n, framed);
}

/* Along the last path, where w->follows; false when that does not lead all the
 * way. */
static inline __attribute__((always_inline)) bool follow(struct wm_walk *w,
							 const uintptr_t *frame)
{
	uint64_t slot = wm_frame_slot(frame);
	size_t old = w->top;

	while (old && w->frames[old - 1].slot < slot)
		old--;
	if (wm_unlikely(old == 0 || w->frames[old - 1].slot != slot ||
			w->moving >= MOVING)) {
		w->moving -= w->moving > 0;
		return false;
	}
	if (wm_unlikely(old < w->top))
		drop_frames(w, old);
	if (wm_likely(outwards(w, old - 1)))
		return true;
	w->moving += MOVING / 4;
	return false;
}

/* The next event will ask whether its path is known: the frame pointers of this
 * one have to be kept. */
static inline bool asks_next(const struct wm_walk *w)
{
	return w->home && w->unknown < UNKNOWNS;
}

/* The steps that follow() cannot do.  @words: those of the path will be asked
 * for. */
static inline bool catch_up(struct wm_walk *w, const uintptr_t *frame,
			    bool words)
{
	bool there = false;

	if (w->follows)
		there = join(w, wm_frame_slot(frame));
	else if (!words && w->top <= SHALLOW && !asks_next(w))
		there = rewalk(w, frame);
	if (wm_likely(there) || walk(w, frame))
		return true;
	w->top = w->sum = 0;
	return false;
}

/* The number of the path last taken; kept in @m, unless that is NULL. */
static inline uint32_t number_of(struct wm_walk *w, uint32_t generation,
				 struct memo *m)
{
	uint32_t its_generation = 0;
	uint32_t number = wm_pathdb_find(wm_path_mix(w->sum, w->top),
					 &its_generation);

	if (wm_unlikely(its_generation != generation))
		return WM_PATHDB_FULL;
	if (number == WM_PATHDB_FULL)
		return number;
	if (w->home && (w->follows || w->kept))
		w->known[number % KNOWN] = known_as(w, number, generation);
	if (m)
		fill_memo(w, m, number, generation);
	return number;
}

static __attribute__((noinline)) uint32_t
catch_up_to_number(struct wm_walk *w, const uintptr_t *frame,
		   uint32_t generation, struct memo *m)
{
	if (wm_unlikely(!catch_up(w, frame, m != NULL)))
		return WM_PATHDB_FULL;
	return number_of(w, generation, m);
}

/* Ends in a jump, so that the next function has this frame's place. */
static __attribute__((noinline)) uint32_t
follow_to_number(struct wm_walk *w, const uintptr_t *frame, uint32_t generation,
		 struct memo *m)
{
	if (wm_unlikely(!follow(w, frame)))
		return catch_up_to_number(w, frame, generation, m);
	return number_of(w, generation, m);
}

static inline uint32_t walk_to_number(struct wm_walk *w, const uintptr_t *frame,
				      uint32_t generation, struct memo *m)
{
	return w->follows ? follow_to_number(w, frame, generation, m) :
			    catch_up_to_number(w, frame, generation, m);
}

/* The rest of wm_walk_number(). */
static __attribute__((noinline)) uint32_t
number_further_out(struct wm_walk *w, const uintptr_t *frame,
		   uint32_t generation, struct memo *m)
{
	uint64_t slot = wm_frame_slot(frame), change;
	uint32_t number;
	size_t n = w->top, far;

	while (n && w->frames[n - 1].slot < slot)
		n--;
	if (!n || w->frames[n - 1].slot != slot) {
		w->unknown += UNKNOWN;
	} else {
		if (n < w->top)
			drop_frames(w, n);
		far = n > SINGLY ? n - SINGLY : 0;
		change = change_far(w, far) +
			 change_near(w->frames + far, n - far);
		if (known_number(w, change, generation, &number))
			return number;
	}
	return walk_to_number(w, frame, generation, m);
}

/* known_number() of the path from @frame outwards, whose frames depend on frame
 * pointers. */
static inline bool known_by_pointers(struct wm_walk *w, const uintptr_t *frame,
				     uint32_t generation, uint32_t *number)
{
	uint64_t slot = wm_frame_slot(frame), change = 0, others = 0;
	size_t n = w->top, far;

	while (n && w->frames[n - 1].slot < slot)
		n--;
	if (!n || w->frames[n - 1].slot != slot ||
	    w->pointers[n - 1].bp != frame[0])
		others = 1;
	if (!others) {
		if (n < w->top)
			drop_frames(w, n);
		far = n > SINGLY ? n - SINGLY : 0;
		if (far && innermost_unlike(w, far) != far)
			change = change_with(w->frames, w->pointers, far,
					     &others);
		change += change_with(w->frames + far, w->pointers + far,
				      n - far, &others);
	}
	if (!others)
		return known_number(w, change, generation, number);
	w->unknown += UNKNOWN;
	return false;
}

static __attribute__((noinline)) uint32_t
number_by_pointers(struct wm_walk *w, const uintptr_t *frame,
		   uint32_t generation, struct memo *m)
{
	uint32_t number;

	if (w->home && w->unknown >= UNKNOWNS) {
		w->unknown--;
	} else if (w->home && w->kept &&
		   known_by_pointers(w, frame, generation, &number)) {
		count_calm(w);
		return number;
	}
	return catch_up_to_number(w, frame, generation, m);
}

/* Without calls but in place of the end, which would take registers from the
 * sum. */
static inline __attribute__((always_inline)) uint32_t
known_or_walked(struct wm_walk *w, const uintptr_t *frame, uint32_t generation,
		struct memo *m)
{
	const struct frame *f = w->frames;
	size_t n = w->top;
	uint32_t number;

	if (!w->follows)
		return number_by_pointers(w, frame, generation, m);
	if (!w->home)
		return follow_to_number(w, frame, generation, m);
	if (w->unknown >= UNKNOWNS) {
		w->unknown--;
		return walk_to_number(w, frame, generation, m);
	}
	if (wm_unlikely(n - 1 >= SINGLY ||
			f[n - 1].slot != wm_frame_slot(frame)))
		return number_further_out(w, frame, generation, m);
	if (wm_likely(known_number(w, change_near(f, n), generation, &number)))
		return number;
	return walk_to_number(w, frame, generation, m);
}

static inline bool answers(const struct memo *m, uint64_t slot,
			   uint32_t generation)
{
	return is_same(m, slot) && m->generation == generation;
}

/* The second place of a path whose first one is @m, by its two innermost
 * frames, as in many programs all paths lead through one function that calls
 * malloc.  It is the first one if the first frame's row is no simple step. */
static inline struct memo *memo_beside(struct wm_walk *w, struct memo *m,
				       uint64_t slot)
{
	uint64_t ip = word_at(slot), step = find_step(w, ip);

	return step ? memo_of(w, slot + step, ip + word_at(slot + step)) : m;
}

static __attribute__((noinline)) uint32_t not_of_late(struct wm_walk *w,
						      const uintptr_t *frame,
						      uint32_t generation,
						      struct memo *m)
{
	uint64_t slot = wm_frame_slot(frame);
	struct memo *beside = memo_beside(w, m, slot);

	if (beside != m && answers(beside, slot, generation)) {
		if (++w->memo_beside % PROMOTE == 0)
			copy_memo(m, beside);
		return beside->number;
	}
	w->memo_vain++;
	if (m->slot == 0)
		beside = m;
	if (++w->memo_missed % LEARN)
		return known_or_walked(w, frame, generation, beside);
	return walk_to_number(w, frame, generation, beside);
}

/* A round ends, or a rest. */
static __attribute__((noinline)) uint32_t
next_turn(struct wm_walk *w, const uintptr_t *frame, uint32_t generation)
{
	w->memo_turn = w->memo_vain > ROUND / 2 ? -REST * ROUND : ROUND;
	w->memo_vain = 0;
	return wm_walk_number(w, frame, generation);
}

/* Between rounds.  The turn has been counted the wrong way. */
static __attribute__((noinline)) uint32_t
number_at_rest(struct wm_walk *w, const uintptr_t *frame, uint32_t generation)
{
	w->memo_turn += 2;
	if (wm_unlikely(w->memo_turn >= 0))
		return next_turn(w, frame, generation);
	return known_or_walked(w, frame, generation, NULL);
}

uint32_t wm_walk_number(struct wm_walk *w, const uintptr_t *frame,
			uint32_t generation)
{
	uint64_t slot = wm_frame_slot(frame);
	struct memo *m;

	if (wm_unlikely(--w->memo_turn < 0))
		return number_at_rest(w, frame, generation);
	m = memo_of(w, slot, word_at(slot));
	if (wm_unlikely(!answers(m, slot, generation)))
		return not_of_late(w, frame, generation, m);
	return m->number;
}

uint64_t wm_walk_capture(struct wm_walk *w, const uintptr_t *frame)
{
	bool there;

	w->aside = 1;
	there = (w->follows && follow(w, frame)) || catch_up(w, frame, false);
	w->aside = 0;
	return there ? wm_path_mix(w->sum, w->top) : 0;
}

size_t wm_walk_path(struct wm_walk *w, const uint64_t **path)
{
	for (size_t i = 0; i < w->top; i++)
		w->path[i] = w->frames[i].ip;
	*path = w->path;
	return w->top;
}
