/* SPDX-License-Identifier: Apache-2.0 */
/*
 * speedscope's own JSON format: "sampled" profiles in bytes, a sample for each
 * call path.  A frame is a function in a file, whatever the line: with lines a
 * function would have as many bars as calls.
 *
 * https://www.speedscope.app/file-format-schema.json
 */
#include "analyze/answers/export/export.h"

#include <stdlib.h>

#include "analyze/lib/base/keys.h"
#include "analyze/answers/heap/threads.h"
#include "analyze/render/json.h"
#include "analyze/answers/text.h"
#include "wm/version.h"

struct frame {
	uint32_t name, file; /* in strings; file 0: unknown */
};

struct writer {
	const struct wm_analysis *a;
	struct wm_json j;
	struct wm_keys strings, frames;
	struct wm_path_frames callpath;
	struct wm_rooted_use *use; /* of each sample */
	size_t uses;
	struct wm_thread_rows rows; /* empty without --by */
};

typedef uint64_t bytes_of(const struct wm_use *use);

static uint64_t at_peak(const struct wm_use *use)
{
	return use->peak_bytes;
}

static uint64_t bytes_held(const struct wm_use *use)
{
	return use->held_bytes;
}

static uint64_t sum_paths(const struct writer *w, bytes_of *bytes)
{
	uint64_t n = 0;

	for (size_t i = 0; i < w->uses; i++)
		n += bytes(&w->use[i].use);
	return n;
}

static void put_symbol(struct writer *w, const struct wm_symbol *sym)
{
	struct frame f = {
		.name = wm_keys_text(&w->strings, sym->name),
		.file = wm_keys_text(&w->strings, sym->file ? sym->file : ""),
	};

	wm_json_uint(&w->j, NULL, wm_keys_number(&w->frames, &f, sizeof(f)));
}

static enum wm_status
put_sample(struct writer *w, const struct wm_rooted_use *u, struct wm_err *err)
{
	enum wm_status s = wm_export_frames(&w->callpath, w->a, u->path, err);

	if (s)
		return s;
	wm_json_flat_array(&w->j, NULL);
	if (u->root)
		put_symbol(w, u->root);
	for (size_t i = w->callpath.count; i-- > 0;)
		put_symbol(w, w->callpath.frame[i].symbol);
	wm_json_end_array(&w->j);
	return WM_OK;
}

/* Finds the possible samples: call paths, with --by those of each thread. */
static enum wm_status find_uses(struct writer *w, const struct wm_opts *o,
				struct wm_err *err)
{
	const struct wm_analysis *a = w->a;
	size_t n = a->paths.path_count, i;
	enum wm_status s;

	if (o->by) {
		s = wm_thread_rows_make(&w->rows, a, err);
		w->use = w->rows.use;
		w->uses = w->rows.uses;
		return s;
	}
	w->use = calloc(n + 1, sizeof(*w->use));
	if (!w->use)
		return wm_no_memory(err, "call paths");
	for (i = 0; i < n; i++)
		w->use[i] = (struct wm_rooted_use){ NULL, (uint32_t)i,
						    a->use[i] };
	w->uses = n;
	return WM_OK;
}

static enum wm_status put_profile(struct writer *w, const char *name,
				  bytes_of *bytes, struct wm_err *err)
{
	enum wm_status s = WM_OK;

	wm_json_object(&w->j, NULL);
	WM_JSON_ADD(&w->j, "type name unit startValue endValue", "sampled",
		    name, "bytes", 0, sum_paths(w, bytes));
	wm_json_array(&w->j, "samples");
	for (size_t i = 0; i < w->uses && !s; i++)
		if (bytes(&w->use[i].use))
			s = put_sample(w, &w->use[i], err);
	wm_json_end_array(&w->j);
	wm_json_array(&w->j, "weights");
	for (size_t i = 0; i < w->uses; i++)
		if (bytes(&w->use[i].use))
			wm_json_uint(&w->j, NULL, bytes(&w->use[i].use));
	wm_json_end_array(&w->j);
	wm_json_end_object(&w->j);
	return s;
}

static void put_frames(struct writer *w)
{
	wm_json_object(&w->j, "shared");
	wm_json_array(&w->j, "frames");
	for (size_t i = 0; i < w->frames.count; i++) {
		const struct frame *f = (void *)w->frames.item[i].key;

		wm_json_flat_object(&w->j, NULL);
		wm_json_text(&w->j, "name", w->strings.item[f->name].key);
		if (f->file)
			wm_json_text(&w->j, "file",
				     w->strings.item[f->file].key);
		wm_json_end_object(&w->j);
	}
	wm_json_end_array(&w->j);
	wm_json_end_object(&w->j);
}

/* Writes the program, the run, and its command line as the name. */
static void put_name(struct writer *w)
{
	const char *command = wm_analysis_origin(w->a, 0)->command;
	char *name = NULL;

	if (asprintf(&name, "%s  run %s%s%s", w->a->name, w->a->id,
		     command ? ": " : "", command ? command : "") < 0)
		name = NULL;
	wm_json_text(&w->j, "name", name ? name : w->a->name);
	free(name);
}

static enum wm_status put_file(struct writer *w, struct wm_err *err)
{
	struct wm_export_title title;
	struct wm_figure b;
	char name[80];
	enum wm_status s;

	wm_keys_text(&w->strings, "");
	wm_json_object(&w->j, NULL);
	WM_JSON_ADD(&w->j, "$schema exporter",
		    "https://www.speedscope.app/file-format-schema.json",
		    "wm-analyze " WM_VERSION);
	put_name(w);
	wm_json_uint(&w->j, "activeProfileIndex", 0);
	wm_json_array(&w->j, "profiles");
	s = put_profile(w, wm_export_moment(w->a, &title), at_peak, err);
	if (!s && sum_paths(w, wm_use_unfreed_bytes)) {
		snprintf(name, sizeof(name), "never freed: %s",
			 wm_chosen(&b, w->a));
		s = put_profile(w, name, wm_use_unfreed_bytes, err);
	}
	if (!s && sum_paths(w, bytes_held)) {
		snprintf(name, sizeof(name), "held at the end, no leak: %s",
			 wm_chosen(&b, w->a));
		s = put_profile(w, name, bytes_held, err);
	}
	wm_json_end_array(&w->j);
	put_frames(w);
	wm_json_end_object(&w->j);
	if (!s && (w->strings.failed || w->frames.failed))
		s = wm_no_memory(err, "names");
	return s;
}

enum wm_status wm_export_speedscope(const struct wm_analysis *a,
				    const struct wm_opts *o, FILE *out,
				    struct wm_err *err)
{
	struct writer w = { .a = a, .j = WM_JSON_INIT(out) };
	enum wm_status s = find_uses(&w, o, err);

	if (!s)
		s = put_file(&w, err);
	if (!o->by)
		free(w.use);
	wm_thread_rows_release(&w.rows);
	wm_keys_release(&w.strings);
	wm_keys_release(&w.frames);
	wm_path_frames_release(&w.callpath);
	return s;
}
