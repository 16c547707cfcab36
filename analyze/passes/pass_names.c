/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Live bytes over time by names of blocks, like series.h by call path.
 *
 * A block has its name for its whole life, even if it gets the name late: a
 * variable that points at the block is often found only just before the
 * release.  So a block that gets a name is added to all bins since its
 * allocation, and a block that loses a name is subtracted from these bins.
 * Therefore each name has a value for each bin, and names beyond MOST share
 * "(other names)".
 *
 * The bin that is being filled uses the epoch method of pass_heap.c.  On a
 * coarse clock, a block allocated at the same tick as a maximum counts as alive
 * at the maximum.  If this gives a bin too many bytes, the excess is removed at
 * the end.
 */
#include "analyze/lib/replay/pass.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/passes/bins.h"
#include "analyze/passes/rank.h"
#include "analyze/lib/trace/reader.h"

#define MOST 1000
#define NO_NAME 0 /* keys; names have keys from OTHERS + 1 on */
#define OTHERS 1

struct named {
	uint64_t live, saved;
	uint64_t epoch; /* of saved */
	uint32_t number; /* in NAMES, from 1 on */
	uint64_t *bytes; /* of each closed bin */
};

struct names {
	struct wm_bins bins;
	/* by bin: blocks allocated before this time were alive at the bin's
	 * maximum unless they were released */
	uint64_t before[WM_BINS];
	uint64_t now_before;
	uint64_t epoch;
	struct named *key;
	size_t keys, cap;
	uint32_t *key_of; /* by number of a name; 0: no key yet */
	size_t numbers;
	const struct wm_trace *trace;
};

static enum wm_status names_init(void *state, const struct wm_trace *t,
				 struct wm_err *err)
{
	struct names *n = state;

	(void)err;
	wm_bins_init(&n->bins, t);
	n->now_before = n->bins.start;
	n->epoch = 1;
	n->trace = t;
	return WM_OK;
}

static enum wm_status add_key(struct names *n, uint32_t number,
			      struct wm_err *err)
{
	struct named *k = WM_MORE(n->key, n->cap, n->keys);

	if (!k)
		return wm_no_memory(err, "names");
	*k = (struct named){ .number = number };
	k->bytes = calloc(WM_BINS, sizeof(*k->bytes));
	if (!k->bytes)
		return wm_no_memory(err, "names");
	n->keys++;
	return WM_OK;
}

/* At the first mark all names are known. */
static enum wm_status begin_names(struct names *n, struct wm_err *err)
{
	n->numbers = n->trace->name_count + 2;
	n->key_of = calloc(n->numbers, sizeof(*n->key_of));
	if (!n->key_of)
		return wm_no_memory(err, "names");
	while (n->keys <= OTHERS)
		if (add_key(n, 0, err))
			return WM_NO_MEMORY;
	return WM_OK;
}

/* Finds the key of @name; NO_NAME if several variables point at the block. */
static enum wm_status find_key(struct names *n, uint32_t name, size_t *key,
			       struct wm_err *err)
{
	size_t number = name & ~WM_NAME_HELD;

	*key = NO_NAME;
	if (name == WM_NAME_SEVERAL)
		return WM_OK;
	if (!n->key_of && begin_names(n, err))
		return WM_NO_MEMORY;
	if (number > n->numbers - 1) /* the name was lost with a block */
		number = n->numbers - 1;
	if (!n->key_of[number]) {
		n->key_of[number] = OTHERS;
		if (n->keys < MOST + OTHERS + 1) {
			n->key_of[number] = (uint32_t)n->keys;
			if (add_key(n, (uint32_t)number, err))
				return WM_NO_MEMORY;
		}
	}
	*key = n->key_of[number];
	return WM_OK;
}

/* Ends the bin: adds the bytes that names had at its maximum. */
static void keep_values(struct names *n)
{
	for (size_t i = OTHERS; i < n->keys; i++) {
		struct named *k = &n->key[i];

		k->bytes[n->bins.at] += k->epoch == n->epoch ? k->saved :
							       k->live;
	}
	n->before[n->bins.at] = n->now_before;
	n->epoch++;
}

/* Joins pairs of bins like wm_bins_close(): each pair gets the value of the bin
 * with the higher maximum.  @bin has the bins before. */
static void join_pairs(struct names *n, const struct wm_bin *bin)
{
	size_t i, k;

	for (i = 0; i < WM_BINS / 2; i++) {
		size_t from = 2 * i + (bin[2 * i].max < bin[2 * i + 1].max);

		n->before[i] = n->before[from];
		for (k = OTHERS; k < n->keys; k++)
			n->key[k].bytes[i] = n->key[k].bytes[from];
	}
	for (k = OTHERS; k < n->keys; k++)
		memset(n->key[k].bytes + WM_BINS / 2, 0,
		       WM_BINS / 2 * sizeof(*n->key[k].bytes));
}

static void close_bin(struct names *n)
{
	struct wm_bin before[WM_BINS];
	uint64_t limit = n->bins.limit;

	keep_values(n);
	if (n->bins.at == WM_BINS - 1) {
		wm_bins_end(&n->bins);
		memcpy(before, n->bins.bin, sizeof(before));
	}
	if (wm_bins_close(&n->bins))
		join_pairs(n, before);
	n->now_before = limit;
}

static void close_until(struct names *n, uint64_t time)
{
	while (wm_bins_over(&n->bins, time))
		close_bin(n);
}

static void take_run(struct names *n, const struct wm_changes *c, size_t from,
		     size_t to)
{
	struct wm_bins *b = &n->bins;

	for (size_t i = from; i < to; i++) {
		if (!wm_family_in_peak[c->family[i]])
			continue;
		close_until(n, c->time[i]);
		if (c->who[i] & WM_RELEASE) {
			b->live -= c->bytes[i];
			continue;
		}
		b->live += c->bytes[i];
		if (b->live <= b->max)
			continue;
		b->max = b->live;
		n->now_before = c->time[i] + 1;
		n->epoch++;
	}
}

/* Adds @delta to the name in all bins since @since. */
static void change_past(struct names *n, struct named *k, uint64_t since,
			uint64_t delta)
{
	size_t i = n->bins.at;

	while (i-- > 0 && n->before[i] > since)
		k->bytes[i] += delta;
	if (n->now_before > since)
		k->saved += delta;
}

/* Only changes close bins, as in all passes with bins.  But ENDED and MOVED
 * come directly before their changes. */
static enum wm_status take_mark(struct names *n, const struct wm_mark *m,
				struct wm_err *err)
{
	bool more = m->kind == WM_MARK_GIVEN || m->kind == WM_MARK_MOVED;
	uint64_t delta = more ? m->bytes : -m->bytes;
	struct named *k;
	size_t key;

	if (m->kind == WM_MARK_ENDED || m->kind == WM_MARK_MOVED)
		close_until(n, m->time);
	if (find_key(n, m->name, &key, err))
		return WM_NO_MEMORY;
	if (key == NO_NAME)
		return WM_OK;
	k = &n->key[key];
	if (k->epoch != n->epoch) {
		k->epoch = n->epoch;
		k->saved = k->live;
	}
	if (m->kind == WM_MARK_GIVEN || m->kind == WM_MARK_TAKEN)
		change_past(n, k, m->since, delta);
	k->live += delta;
	return WM_OK;
}

static enum wm_status names_take(void *state, const struct wm_changes *c,
				 struct wm_err *err)
{
	struct names *n = state;
	enum wm_status s = WM_OK;
	size_t m, from = 0;

	for (m = 0; m < c->marks && !s; m++) {
		const struct wm_mark *k = &c->mark[m];

		if (k->kind != WM_MARK_GIVEN && k->kind != WM_MARK_TAKEN &&
		    k->kind != WM_MARK_MOVED && k->kind != WM_MARK_ENDED)
			continue;
		take_run(n, c, from, k->at);
		from = k->at;
		s = take_mark(n, k, err);
	}
	if (!s)
		take_run(n, c, from, c->count);
	return s;
}

static enum wm_status put_texts(const struct names *n, struct wm_series *out,
				struct wm_err *err)
{
	size_t i;

	out->name = calloc(n->keys, sizeof(*out->name));
	if (!out->name)
		return wm_no_memory(err, "names");
	out->names = n->keys;
	for (i = OTHERS; i < n->keys; i++) {
		const char *s = wm_trace_name(n->trace, n->key[i].number);

		out->name[i] = strdup(s		  ? s :
				      i == OTHERS ? "(other names)" :
						    "(lost name)");
		if (!out->name[i])
			return wm_no_memory(err, "names");
	}
	return WM_OK;
}

/* Stores the values of bin @at that differ from the bin before. */
static enum wm_status put_bin(struct names *n, struct wm_series *out,
			      size_t *cap, uint64_t *last, size_t at,
			      struct wm_err *err)
{
	uint64_t rest = n->bins.bin[at].max;
	size_t i;

	/* key 0 comes last and gets the rest */
	for (i = n->keys; i-- > 0;) {
		uint64_t v = i == NO_NAME ? rest : n->key[i].bytes[at];
		struct wm_series_step *s;

		v = v < rest ? v : rest;
		rest -= v;
		if (v == last[i])
			continue;
		last[i] = v;
		s = WM_MORE(out->step, *cap, out->count);
		if (!s)
			return wm_no_memory(err, "names");
		out->count++;
		*s = (struct wm_series_step){ v, (uint32_t)i, (uint32_t)at };
	}
	return WM_OK;
}

static enum wm_status names_finish(void *state, const struct wm_trace *t,
				   struct wm_rank *rank, struct wm_err *err)
{
	struct names *n = state;
	struct wm_series *out = &rank->name_series;
	enum wm_status s;
	uint64_t *last;
	size_t i, cap = 0;

	if (!n->keys && begin_names(n, err))
		return WM_NO_MEMORY;
	while (wm_bins_before_end(&n->bins, t))
		close_bin(n);
	keep_values(n);
	wm_bins_end(&n->bins);
	last = calloc(n->keys, sizeof(*last));
	if (!last)
		return wm_no_memory(err, "names");
	s = put_texts(n, out, err);
	for (i = 0; i <= n->bins.at && !s; i++)
		s = put_bin(n, out, &cap, last, i, err);
	free(last);
	return s;
}

static void names_release(void *state)
{
	struct names *n = state;

	for (size_t i = 0; i < n->keys; i++)
		free(n->key[i].bytes);
	free(n->key);
	free(n->key_of);
}

const struct wm_pass_ops wm_pass_names = {
	.name = "names",
	.state_size = sizeof(struct names),
	.alloc_times = true,
	.init = names_init,
	.take = names_take,
	.finish = names_finish,
	.release = names_release,
};
