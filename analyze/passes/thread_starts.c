/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/passes/thread_starts.h"

#include <stdlib.h>

#include "wm/search.h"

static int by_end(const void *a, const void *b)
{
	const struct wm_thread_stack *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->end, y->end), WM_ORDER(x->time, y->time));
}

static int by_place(const void *a, const void *b)
{
	const struct wm_thread_born *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->at, y->at), WM_ORDER(x->first, y->first));
}

/* Finds the stacks [*@from, *@to) around @at, which have the same end.  Returns
 * false if there are none, or stacks with another end, too. */
static bool find_stacks(const struct wm_thread_stack *stack, size_t stacks,
			uint64_t at, size_t *from, size_t *to)
{
	*from = *to = WM_FIRST(i, stacks, stack[i].end > at);
	for (; *to < stacks && stack[*to].end == stack[*from].end; ++*to)
		if (stack[*to].start > at)
			return false;
	return *to > *from && (*to == stacks || stack[*to].start > at);
}

/* Finds the stacks of [@from, @to) that @b may have; false: none. */
static bool find_range(struct wm_thread_born *b,
		       const struct wm_thread_stack *stack, size_t from,
		       size_t to, uint64_t long_ago)
{
	size_t next = from;
	bool late;

	while (next < to && stack[next].time <= b->first)
		next++;
	late = next < to && stack[next].time - b->first < long_ago;
	b->low = next > from ? next - 1 : next;
	b->high = late ? next : next - 1;
	return next > from || late;
}

/* Finds the creators of threads [@born, @born + @count), which used the stacks
 * [@from, @to) one after another. */
static void match_stacks(struct wm_thread_born *born, size_t count,
			 const struct wm_thread_stack *stack, size_t from,
			 size_t to, uint64_t long_ago)
{
	size_t i, least = from, most = to;

	for (i = 0; i < count; i++) {
		if (!find_range(&born[i], stack, from, to, long_ago))
			return;
		if (born[i].low < least)
			born[i].low = least;
		if (born[i].low > born[i].high)
			return;
		least = born[i].low + 1;
	}
	for (i = count; i-- > 0;) {
		if (born[i].high >= most)
			born[i].high = most - 1;
		most = born[i].high;
	}
	for (i = 0; i < count; i++) {
		born[i].path = stack[born[i].low].path;
		born[i].found = born[i].path == stack[born[i].high].path;
	}
}

void wm_thread_starts_find(struct wm_thread_born *born, size_t count,
			   struct wm_thread_stack *stack, size_t stacks,
			   uint64_t long_ago)
{
	size_t i, k, from, to;

	WM_SORT(born, count, by_place);
	WM_SORT(stack, stacks, by_end);
	for (i = 0; i < count; i = k) {
		for (k = i; k < count && born[k].at == born[i].at; k++)
			;
		if (find_stacks(stack, stacks, born[i].at, &from, &to))
			match_stacks(&born[i], k - i, stack, from, to,
				     long_ago);
	}
}
