/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/origin.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/plain.h"

/* Returns whether a shell takes the word without quotes. */
static bool is_word(const char *s, size_t n)
{
	static const char marks[] = "_@%+=:,./-";

	for (size_t i = 0; i < n; i++)
		if (!((s[i] >= 'a' && s[i] <= 'z') ||
		      (s[i] >= 'A' && s[i] <= 'Z') ||
		      (s[i] >= '0' && s[i] <= '9') ||
		      (s[i] && strchr(marks, s[i]))))
			return false;
	return n > 0;
}

/* Appends the argument, in quotes if they are needed. */
static char *put_argument(char *to, const char *s, size_t n)
{
	if (is_word(s, n)) {
		memcpy(to, s, n);
		return to + n;
	}
	*to++ = '\'';
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\'') {
			memcpy(to, "'\\'", 3);
			to += 3;
		}
		*to++ = s[i];
	}
	*to++ = '\'';
	return to;
}

/* Joins arguments that each end with a zero, except perhaps the last one. */
static char *make_command(const char *s, size_t size)
{
	/* the longest result per byte is that of an argument "'": its 2 bytes
	 * become six bytes and a blank */
	char *text = malloc(4 * size + 8), *to = text, *plain;
	size_t at = 0;

	if (!text)
		return NULL;
	while (at < size) {
		size_t n = strnlen(s + at, size - at);

		if (at)
			*to++ = ' ';
		to = put_argument(to, s + at, n);
		at += n + 1;
	}
	plain = wm_plain(text, (size_t)(to - text));
	free(text);
	return plain;
}

static enum wm_status take_text(char **to, const struct wm_head *h,
				enum wmt_field f, struct wm_err *err)
{
	const struct wm_head_field *v = &h->field[f];

	if (!v->data || *to)
		return WM_OK;
	*to = f == WMT_F_COMMAND ?
		      make_command((const char *)v->data, v->size) :
		      wm_plain((const char *)v->data, v->size);
	return *to ? WM_OK : wm_no_memory(err, NULL);
}

enum wm_status wm_origin_take(struct wm_origin *o, const struct wm_head *start,
			      struct wm_err *err)
{
	enum wm_status s;

	if ((s = take_text(&o->command, start, WMT_F_COMMAND, err)) ||
	    (s = take_text(&o->launcher, start, WMT_F_LAUNCHER, err)) ||
	    (s = take_text(&o->batch, start, WMT_F_BATCH, err)) ||
	    (s = take_text(&o->batch_job, start, WMT_F_BATCH_JOB, err)) ||
	    (s = take_text(&o->tool_version, start, WMT_F_TOOL_VERSION, err)) ||
	    (s = take_text(&o->group, start, WMT_F_GROUP, err)))
		return s;
	o->command_cut = wm_head_uint(start, WMT_F_COMMAND_CUT) != 0;
	o->handles_unseen = wm_head_uint(start, WMT_F_HANDLES_UNSEEN) != 0;
	o->cpus = wm_head_uint(start, WMT_F_CPUS);
	o->limits = (struct wm_limits){
		.per_cpu = wm_head_uint(start, WMT_F_MEM_PER_CPU),
		.per_node = wm_head_uint(start, WMT_F_MEM_PER_NODE),
		.group = wm_head_uint(start, WMT_F_GROUP_LIMIT),
		.address_space = wm_head_uint(start, WMT_F_LIMIT_AS),
		.data = wm_head_uint(start, WMT_F_LIMIT_DATA),
		.node_memory = wm_head_uint(start, WMT_F_NODE_MEMORY),
	};
	return WM_OK;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

void wm_origin_share(struct wm_origin *o, const struct wm_origin *with)
{
	if (!same_text(o->command, with->command) ||
	    !same_text(o->launcher, with->launcher) ||
	    !same_text(o->batch, with->batch) ||
	    !same_text(o->batch_job, with->batch_job) ||
	    !same_text(o->tool_version, with->tool_version) ||
	    !same_text(o->group, with->group) ||
	    memcmp(&o->limits, &with->limits, sizeof(o->limits)) != 0 ||
	    o->cpus != with->cpus || o->command_cut != with->command_cut ||
	    o->handles_unseen != with->handles_unseen)
		return;
	wm_origin_release(o);
	o->shared = true;
}

void wm_origin_wire(struct wm_wire *w, struct wm_origin *o)
{
	wm_wire_text(w, &o->command);
	wm_wire_text(w, &o->launcher);
	wm_wire_text(w, &o->batch);
	wm_wire_text(w, &o->batch_job);
	wm_wire_text(w, &o->tool_version);
	wm_wire_text(w, &o->group);
}

void wm_origin_release(struct wm_origin *o)
{
	WM_WIRE_FREE(o, wm_origin_wire);
}
