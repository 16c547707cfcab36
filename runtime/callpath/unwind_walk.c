/* SPDX-License-Identifier: Apache-2.0 */
/*
 * There are three ways to walk, with the same result.
 *
 * walk() goes from frame to frame by rows.
 *
 * follow() goes along the stack of the last event as long as the return
 * addresses are at the same places.  An unchanged return address has the same
 * row; if its CFA depends on the stack pointer, the next return address is at
 * the same place, and only its value has to be compared.  A changed one needs a
 * row that leads to the same place.  Otherwise join() takes new frames, up to a
 * frame from which all frames further out are unchanged.  follow() and join()
 * read only words that walk() would read.
 *
 * If a CFA depends on a frame pointer, equal return addresses do not prove
 * equal places.  So walk() keeps frame pointers, and ends at a frame of the
 * last path with the same frame pointer if no word further out has changed.
 *
 * follow() is part of every event.  It does not test frames that often change,
 * because the processor cannot predict the result.
 */
#include "runtime/callpath/unwind_walk.h"

#include "runtime/callpath/unwind_known.h"
#include "runtime/callpath/unwind_path.h"
#include "runtime/callpath/unwind_repeats.h"
#include "runtime/callpath/unwind_state.h"
#include "runtime/callpath/unwind_steps.h"

#define REACH ((uint64_t)64 << 20) /* larger frames are left to libunwind */
#define MOVING 64 /* from here on follow() is not tried */
#define SHALLOW 32 /* up to this depth rewalk() takes all frames anew */

/* Goes along the last path from frame number @at outwards.  Returns false at a
 * frame in another place; the frames before it are right.  Frames from
 * w->changing on are expected to have changed; frames further out are only
 * compared. */
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
			/* next is the sum, too, but is known earlier: with the
			 * value read before, the processor continues while it
			 * still compares. */
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
	/* w->changing is the outermost frame that is taken as changed: it moves
	 * outwards at once, and inwards step by step */
	w->changing = (size_t)(until - base) + (ip == old);
	repeat_up_to(w, (size_t)(until - base));
	w->sum = sum;
	return true;
}

/* Takes frames from @slot outwards, up to a place of the last path from which
 * on nothing has changed.  Returns false if a row is not a simple one. */
static __attribute__((noinline)) bool join(struct wm_walk *w, uint64_t slot)
{
	/* frames [0, old) of the last path are further out than slot; frame
	 * number `differs` is known to have changed */
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

/* Walks by rows over the places of the last path, and keeps no frame pointers.
 * Returns false if a frame is at another place. */
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
		/* this implies cfa > sp, because the places ascend */
		if (wm_unlikely(wm_slot_at(cfa) != f[-1].slot))
			return false;
		if (r->bp)
			bp = word_at(cfa + (uint64_t)(int64_t)r->bp);
	}
}

/* Walks by rows, up to where the walk meets the last path.  Returns false if a
 * frame cannot be walked. */
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
		/* hand-written code may use the frame pointer for something
		 * else */
		if (r->kind != WM_ROW_SP && wm_unlikely(bp - sp > REACH))
			return false;
		cfa = (r->kind == WM_ROW_SP ? sp : bp) +
		      (uint64_t)(int64_t)r->cfa;
		if (r->kind == WM_ROW_ALIGNED) {
			cfa = word_at(cfa);
			if (wm_unlikely(cfa - sp > REACH))
				return false;
		}
		/* a stack grows downwards, so any other CFA is wrong */
		if (wm_unlikely(cfa <= sp || (cfa & 7)))
			return false;
		if (r->kind != WM_ROW_SP)
			framed = n;
		if (r->kind == WM_ROW_ALIGNED) {
			/* two words were read, and p->next has room for one:
			 * this value never matches, so that the frame is walked
			 * each time */
			p->next.value = ~ip;
			bp = word_at(bp);
		} else if (r->bp) {
			uint64_t place = cfa + (uint64_t)(int64_t)r->bp;

			bp = word_at(place);
			if (wm_likely(place - sp < cfa - sp))
				p->next = (struct word){ place, bp };
			else /* not in that frame: never matches, either */
				p->next.value = ~ip;
		}
	}
	return add_pointers(w, old, n, framed);
}

/* Called if w->follows is set.  Returns false if the whole path cannot be
 * followed. */
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

/* @words: the words of the path will be needed. */
static inline bool catch_up(struct wm_walk *w, const uintptr_t *frame,
			    bool words)
{
	bool there = false;

	if (w->follows)
		there = join(w, wm_frame_slot(frame));
	/* unless the next event will need this event's frame pointers */
	else if (!words && w->top <= SHALLOW &&
		 !(w->own_stack && w->unknown < UNKNOWNS))
		there = rewalk(w, frame);
	if (wm_likely(there) || walk(w, frame))
		return true;
	w->top = w->sum = 0;
	return false;
}

/* Returns the number of the last path, and keeps it in @m unless @m is NULL. */
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
	if (w->own_stack && (w->follows || w->kept))
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

/* Ends in a jump, so that the next function takes this frame's place. */
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

	if (w->own_stack && w->unknown >= UNKNOWNS) {
		w->unknown--;
	} else if (w->own_stack && w->kept &&
		   known_by_pointers(w, frame, generation, &number)) {
		count_calm(w);
		return number;
	}
	return catch_up_to_number(w, frame, generation, m);
}

/* Calls other functions only as the last step: earlier calls would take
 * registers from the sum. */
static inline __attribute__((always_inline)) uint32_t
known_or_walked(struct wm_walk *w, const uintptr_t *frame, uint32_t generation,
		struct memo *m)
{
	const struct frame *f = w->frames;
	size_t n = w->top;
	uint32_t number;

	if (!w->follows)
		return number_by_pointers(w, frame, generation, m);
	if (!w->own_stack)
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

/* The second place is chosen by the two innermost frames, because in many
 * programs all paths lead through one function that calls malloc.  Returns @m
 * if the first frame's row is no simple step. */
static inline struct memo *memo_beside(struct wm_walk *w, struct memo *m,
				       uint64_t slot)
{
	uint64_t ip = word_at(slot), step = find_step(w, ip);

	return step ? memo_of(w, slot + step, ip + word_at(slot + step)) : m;
}

static __attribute__((noinline)) uint32_t not_recent(struct wm_walk *w,
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

static __attribute__((noinline)) uint32_t
next_turn(struct wm_walk *w, const uintptr_t *frame, uint32_t generation)
{
	w->memo_turn = w->memo_vain > ROUND / 2 ? -REST * ROUND : ROUND;
	w->memo_vain = 0;
	return wm_walk_number(w, frame, generation);
}

/* Undoes the caller's decrement of the turn, and counts towards 0. */
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
		return not_recent(w, frame, generation, m);
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
