/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pprof's profile.proto, gzip.  Samples have blocks and bytes that were never
 * freed, and blocks and bytes at the peak, which pprof shows by default.
 *
 * A location is an address with the functions that are inlined there.  If the
 * allocation site is further out than the innermost of these functions, the
 * functions inside of the site are left out, and the rest is a location of its
 * own.  The main program keeps the addresses of its link.  Each library gets
 * addresses far behind the program, as ranks may have loaded it at different
 * places.
 *
 * https://github.com/google/pprof/blob/main/proto/profile.proto
 */
#include "analyze/answers/export/export.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "analyze/lib/base/keys.h"
#include "analyze/lib/base/whole.h"
#include "analyze/answers/export/protobuf.h"
#include "analyze/answers/summary/provenance.h"
#include "wm/version.h"

/* Numbers of fields in profile.proto. */
/* clang-format off */
enum {
	PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING,
	PROFILE_LOCATION, PROFILE_FUNCTION, PROFILE_STRING,
	PROFILE_TIME_NANOS = 9, PROFILE_DURATION_NANOS, PROFILE_PERIOD_TYPE,
	PROFILE_PERIOD, PROFILE_COMMENT, PROFILE_DEFAULT_SAMPLE_TYPE,
	VALUE_TYPE = 1, VALUE_UNIT,
	SAMPLE_LOCATION = 1, SAMPLE_VALUE,
	MAPPING_ID = 1, MAPPING_START, MAPPING_LIMIT, MAPPING_OFFSET,
	MAPPING_FILE, MAPPING_BUILD_ID, MAPPING_HAS_FUNCTIONS,
	MAPPING_HAS_FILES, MAPPING_HAS_LINES, MAPPING_HAS_INLINES,
	LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE,
	LINE_FUNCTION = 1, LINE_LINE,
	FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE,
};
/* clang-format on */

#define PAGE 0xfffull

struct function {
	uint32_t name, system_name, file; /* in strings */
};

struct location {
	uint64_t address;
	uint32_t module, functions; /* .functions: from the innermost on */
	const struct wm_symbol *innermost;
};

/* The range of a module that locations use. */
struct span {
	uint64_t low, high;
};

struct writer {
	const struct wm_analysis *a;
	struct wm_octets file, message, inner, packed;
	struct wm_keys strings, functions, locations;
	struct wm_path_frames callpath;
	struct span *span; /* by module; .high is 0 if it is not used */
};

static uint64_t put_string(struct writer *w, const char *text)
{
	return wm_keys_text(&w->strings, text);
}

static void put_value_type(struct writer *w, unsigned tag, const char *type,
			   const char *unit)
{
	wm_protobuf_uint(&w->message, VALUE_TYPE, put_string(w, type));
	wm_protobuf_uint(&w->message, VALUE_UNIT, put_string(w, unit));
	wm_protobuf_message(&w->file, tag, &w->message);
}

/* Returns the id of the function, which is written if it is new. */
static uint64_t put_function(struct writer *w, const struct wm_symbol *sym)
{
	struct function f = {
		.name = wm_keys_text(&w->strings, sym->name),
		.system_name = wm_keys_text(&w->strings, sym->linkage ?
								 sym->linkage :
								 sym->name),
		.file = wm_keys_text(&w->strings, sym->file ? sym->file : ""),
	};
	size_t before = w->functions.count;
	uint64_t id = wm_keys_number(&w->functions, &f, sizeof(f)) + 1ull;
	struct wm_octets m = { .len = 0 };

	if (w->functions.count == before)
		return id;
	wm_protobuf_uint(&m, FUNCTION_ID, id);
	wm_protobuf_uint(&m, FUNCTION_NAME, f.name);
	wm_protobuf_uint(&m, FUNCTION_SYSTEM_NAME, f.system_name);
	wm_protobuf_uint(&m, FUNCTION_FILE, f.file);
	wm_protobuf_message(&w->file, PROFILE_FUNCTION, &m);
	wm_octets_release(&m);
	return id;
}

/* Returns the address at which the module lies in this file. */
static uint64_t base_of(const struct wm_analysis *a, uint32_t module)
{
	return a->paths.modules[module].main ? 0 : (uint64_t)module << 48;
}

/* Returns the address of the call, not the address to which it returns. */
static uint64_t address_of(struct writer *w, const struct wm_path_node *node)
{
	uint64_t at = base_of(w->a, node->module) + node->offset -
		      (node->offset > 0);
	struct span *s = &w->span[node->module];

	if (!s->high || at < s->low)
		s->low = at;
	if (at >= s->high)
		s->high = at + 1;
	return at;
}

/* Returns the id of the location of @frame and the @n - 1 frames around it in
 * the same node. */
static uint64_t put_location(struct writer *w, const struct wm_frame *frame,
			     size_t n)
{
	const struct wm_path_node *node = &w->a->paths.nodes[frame->node];
	size_t before = w->locations.count, i;
	struct location l;
	uint64_t id;

	memset(&l, 0, sizeof(l));
	l.address = address_of(w, node);
	l.module = node->module;
	l.functions = (uint32_t)n;
	l.innermost = frame->symbol;
	id = wm_keys_number(&w->locations, &l, sizeof(l)) + 1ull;
	if (w->locations.count == before)
		return id;
	wm_protobuf_uint(&w->message, LOCATION_ID, id);
	wm_protobuf_uint(&w->message, LOCATION_MAPPING, l.module);
	wm_protobuf_uint(&w->message, LOCATION_ADDRESS, l.address);
	for (i = 0; i < n; i++) {
		const struct wm_symbol *sym = frame[i].symbol;

		wm_protobuf_uint(&w->inner, LINE_FUNCTION,
				 put_function(w, sym));
		wm_protobuf_uint(&w->inner, LINE_LINE, sym->line);
		wm_protobuf_message(&w->message, LOCATION_LINE, &w->inner);
	}
	wm_protobuf_message(&w->file, PROFILE_LOCATION, &w->message);
	return id;
}

static enum wm_status put_sample(struct writer *w, uint32_t path,
				 struct wm_err *err)
{
	const struct wm_use *use = &w->a->use[path];
	enum wm_status s = wm_export_frames(&w->callpath, w->a, path, err);
	const struct wm_frame *f = w->callpath.frame;
	size_t i, n;

	if (s)
		return s;
	for (i = 0; i < w->callpath.count; i += n) {
		for (n = 1; i + n < w->callpath.count; n++)
			if (f[i + n].node != f[i].node)
				break;
		wm_octets_varint(&w->packed, put_location(w, &f[i], n));
	}
	wm_protobuf_message(&w->message, SAMPLE_LOCATION, &w->packed);
	wm_octets_varint(&w->packed, wm_use_unfreed_blocks(use));
	wm_octets_varint(&w->packed, wm_use_unfreed_bytes(use));
	wm_octets_varint(&w->packed, use->peak_blocks);
	wm_octets_varint(&w->packed, use->peak_bytes);
	wm_protobuf_message(&w->message, SAMPLE_VALUE, &w->packed);
	wm_protobuf_message(&w->file, PROFILE_SAMPLE, &w->message);
	return WM_OK;
}

static void put_mapping(struct writer *w, uint32_t number)
{
	const struct wm_module *m = &w->a->paths.modules[number];
	const struct span *s = &w->span[number];
	char id[2 * 64 + 1] = "";

	if (number == WM_NO_MODULE || !s->high)
		return;
	for (size_t i = 0; i < m->build_id_size && i < 64; i++)
		sprintf(id + 2 * i, "%02x", m->build_id[i]);
	wm_protobuf_uint(&w->message, MAPPING_ID, number);
	wm_protobuf_uint(&w->message, MAPPING_START, s->low & ~PAGE);
	wm_protobuf_uint(&w->message, MAPPING_LIMIT, (s->high | PAGE) + 1);
	wm_protobuf_uint(&w->message, MAPPING_FILE,
			 put_string(w, m->path ? m->path : ""));
	wm_protobuf_uint(&w->message, MAPPING_BUILD_ID, put_string(w, id));
	/* so that no tool looks up our addresses */
	wm_protobuf_uint(&w->message, MAPPING_HAS_FUNCTIONS, 1);
	wm_protobuf_uint(&w->message, MAPPING_HAS_FILES, 1);
	wm_protobuf_uint(&w->message, MAPPING_HAS_LINES, 1);
	wm_protobuf_uint(&w->message, MAPPING_HAS_INLINES, 1);
	wm_protobuf_message(&w->file, PROFILE_MAPPING, &w->message);
}

/* Writes mappings; the main program must be the first. */
static void put_mappings(struct writer *w)
{
	for (uint32_t i = 0; i < w->a->paths.module_count; i++)
		if (w->a->paths.modules[i].main)
			put_mapping(w, i);
	for (uint32_t i = 0; i < w->a->paths.module_count; i++)
		if (!w->a->paths.modules[i].main)
			put_mapping(w, i);
}

static void put_comment(struct writer *w)
{
	struct wm_export_title title;
	struct wm_octets p = { .len = 0 };
	struct wm_provenance from;
	char text[512], more[WM_PROVENANCE_TEXT];

	wm_provenance_make(&from, w->a);
	snprintf(text, sizeof(text),
		 "wm-analyze " WM_VERSION ": %s run %s, "
		 "%s",
		 w->a->name, w->a->id, wm_export_moment(w->a, &title));
	wm_octets_varint(&p, put_string(w, text));
	for (size_t i = 0; i < from.commands; i++)
		wm_octets_varint(&p, put_string(w, from.command[i].text));
	if (*wm_provenance_text(&from, more))
		wm_octets_varint(&p, put_string(w, more));
	wm_protobuf_message(&w->file, PROFILE_COMMENT, &p);
	wm_octets_release(&p);
}

static void put_times(struct writer *w)
{
	const struct wm_analysis *a = w->a;
	const struct wm_rank *r =
		&a->ranks[a->chosen == WM_ALL_RANKS ? 0 : a->chosen];
	double at = (a->at_time ? r->moment_seconds :
				  r->in[WM_HOST].peak_seconds) -
		    r->begin;

	wm_protobuf_uint(&w->file, PROFILE_TIME_NANOS,
			 r->start_ns + wm_whole(at * 1e9));
	wm_protobuf_uint(&w->file, PROFILE_DURATION_NANOS,
			 wm_whole(r->seconds * 1e9));
}

static enum wm_status put_profile(struct writer *w, struct wm_err *err)
{
	const struct wm_analysis *a = w->a;
	enum wm_status s = WM_OK;

	put_string(w, ""); /* string 0 must be "" */
	put_value_type(w, PROFILE_SAMPLE_TYPE, "unfreed_objects", "count");
	put_value_type(w, PROFILE_SAMPLE_TYPE, "unfreed_space", "bytes");
	put_value_type(w, PROFILE_SAMPLE_TYPE, "inuse_objects", "count");
	put_value_type(w, PROFILE_SAMPLE_TYPE, "inuse_space", "bytes");
	put_value_type(w, PROFILE_PERIOD_TYPE, "space", "bytes");
	wm_protobuf_uint(&w->file, PROFILE_PERIOD, 1);
	wm_protobuf_uint(&w->file, PROFILE_DEFAULT_SAMPLE_TYPE,
			 put_string(w, "inuse_space"));
	put_times(w);
	put_comment(w);
	for (size_t i = 0; i < a->paths.path_count && !s; i++)
		if (a->use[i].peak_blocks || wm_use_unfreed_blocks(&a->use[i]))
			s = put_sample(w, (uint32_t)i, err);
	put_mappings(w);
	for (size_t i = 0; i < w->strings.count; i++)
		wm_protobuf_bytes(&w->file, PROFILE_STRING,
				  w->strings.item[i].key,
				  w->strings.item[i].size);
	if (!s && (w->strings.failed || w->functions.failed ||
		   w->locations.failed || w->file.failed || w->message.failed))
		s = wm_no_memory(err, "the profile");
	return s;
}

static enum wm_status put_gzip(const struct wm_octets *b, FILE *out,
			       struct wm_err *err)
{
	z_stream z = { .next_in = b->p };
	uint8_t buf[16384];
	size_t left = b->len;
	int r;

	/* 15: the largest window; + 16: gzip, without name and time */
	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return wm_no_memory(err, "zlib");
	do {
		if (!z.avail_in) {
			z.avail_in = left < 1u << 30 ? (uInt)left : 1u << 30;
			left -= z.avail_in;
		}
		z.next_out = buf;
		z.avail_out = sizeof(buf);
		r = deflate(&z, left ? Z_NO_FLUSH : Z_FINISH);
		/* cppcheck-suppress uninitvar ; deflate() has written it */
		fwrite(buf, 1, sizeof(buf) - z.avail_out, out);
	} while (r == Z_OK);
	deflateEnd(&z);
	return r == Z_STREAM_END ? WM_OK :
				   wm_err_set(err, WM_IO, "zlib: error %d", r);
}

enum wm_status wm_export_pprof(const struct wm_analysis *a,
			       const struct wm_opts *o, FILE *out,
			       struct wm_err *err)
{
	struct writer w = { .a = a };
	enum wm_status s;

	(void)o;
	w.span = calloc(a->paths.module_count, sizeof(*w.span));
	s = w.span ? put_profile(&w, err) : wm_no_memory(err, NULL);
	if (!s)
		s = put_gzip(&w.file, out, err);
	free(w.span);
	wm_octets_release(&w.file);
	wm_octets_release(&w.message);
	wm_octets_release(&w.inner);
	wm_octets_release(&w.packed);
	wm_keys_release(&w.strings);
	wm_keys_release(&w.functions);
	wm_keys_release(&w.locations);
	wm_path_frames_release(&w.callpath);
	return s;
}
