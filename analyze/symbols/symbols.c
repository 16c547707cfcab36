/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/symbols/symbols.h"

#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/plain.h"
#include "analyze/lib/base/shorten.h"
#include "analyze/lib/base/vec.h"
#include "analyze/access/module_file.h"
#include "analyze/access/split.h"
#include "analyze/symbols/openmp.h"
#include "analyze/symbols/rules.h"
#include "analyze/symbols/symbol_table.h"
#include "input/path.h"

/* The most functions that are inlined in each other at one address. */
#define FRAMES 64

struct wm_symbol_answer {
	uint64_t offset;
	uint32_t module;
	struct wm_symbol *symbol;
};

struct wm_symbol_module {
	bool tried;
	bool unnamed; /* a requested function was not found */
	struct wm_module_file file;
	struct wm_symbol_table table;
};

void wm_symbols_init(struct wm_symbols *s, struct wm_bundle *const *bundles,
		     size_t bundle_count, const struct wm_rules *rules)
{
	memset(s, 0, sizeof(*s));
	s->bundles = bundles;
	s->bundle_count = bundle_count;
	s->rules = rules;
}

static void free_symbol(struct wm_symbol *symbol)
{
	struct wm_symbol *outer;

	for (; symbol; symbol = outer) {
		outer = symbol->outer;
		free(symbol);
	}
}

void wm_symbols_release(struct wm_symbols *s)
{
	for (size_t i = 0; i < s->count; i++)
		free_symbol(s->answer[i].symbol);
	for (size_t i = 0; i < s->module_count; i++) {
		wm_symbol_table_release(&s->module[i].table);
		wm_module_file_release(&s->module[i].file);
	}
	wm_intern_release(&s->functions);
	free(s->answer);
	free(s->at_node);
	wm_index_release(&s->index);
	free(s->module);
	wm_texts_release(&s->texts);
	wm_dwarf_units_release(&s->units);
	memset(s, 0, sizeof(*s));
}

static struct wm_symbol_module *
get_module(struct wm_symbols *s, const struct wm_paths *paths, uint32_t number)
{
	if (!s->module) {
		s->module = calloc(paths->module_count, sizeof(*s->module));
		if (!s->module)
			return NULL;
		s->module_count = paths->module_count;
	}
	if (number >= s->module_count)
		return NULL;
	if (!s->module[number].tried)
		wm_module_file_open(&s->module[number].file,
				    &paths->modules[number]);
	s->module[number].tried = true;
	return &s->module[number];
}

const char *wm_symbols_file(const struct wm_symbols *s,
			    const struct wm_paths *paths, uint32_t number)
{
	return number < s->module_count && s->module[number].file.mod &&
			       !s->module[number].file.elsewhere ?
		       paths->modules[number].path :
		       NULL;
}

const char *wm_symbols_elsewhere(const struct wm_symbols *s, uint32_t number)
{
	const struct wm_module_file *f;

	if (number >= s->module_count || !s->module[number].file.mod)
		return NULL;
	f = &s->module[number].file;
	return f->debug ? f->debug : f->elsewhere ? f->path : NULL;
}

static enum wm_module_state state_of(const struct wm_symbol_module *d)
{
	if (!d || !d->file.mod)
		return d && d->file.other ? WM_MODULE_OTHER : WM_MODULE_ABSENT;
	return d->file.insisted ? WM_MODULE_INSISTED :
	       d->file.stripped ? WM_MODULE_STRIPPED :
				  WM_MODULE_GOOD;
}

bool wm_symbols_unnamed(const struct wm_symbols *s, uint32_t number,
			enum wm_module_state *state, const char **why)
{
	if (number >= s->module_count || !s->module[number].unnamed)
		return false;
	*state = state_of(&s->module[number]);
	*why = s->module[number].file.why;
	return true;
}

static size_t ask_dwfl(struct wm_symbols *s, const struct wm_paths *paths,
		       uint32_t number, uint64_t address,
		       struct wm_location *location, size_t room)
{
	struct wm_symbol_module *d = get_module(s, paths, number);
	struct wm_location start = { .file = NULL };
	uint64_t begin;
	size_t n;

	if (d && !d->file.mod)
		d->unnamed = true;
	if (!d || !d->file.mod)
		return 0;
	address += d->file.bias;
	location->function = wm_symbol_table_at(&d->table, d->file.mod, address,
						&begin);
	d->unnamed |= !location->function;
	if (d->file.no_dwarf)
		return 1;
	n = wm_inlined_unfold(&s->texts, &s->units, &d->file, address, location,
			      room);
	if (location->function && !location[n - 1].source) {
		wm_line_at(&d->file, begin, &start);
		location[n - 1].source = start.file;
	}
	return n;
}

static bool ask_dwfl_start(struct wm_symbols *s, const struct wm_paths *paths,
			   uint32_t number, uint64_t address,
			   struct wm_location *location)
{
	struct wm_symbol_module *d = get_module(s, paths, number);
	uint64_t begin;

	if (!d || !d->file.mod || d->file.no_dwarf)
		return false;
	address += d->file.bias;
	location->function = wm_symbol_table_at(&d->table, d->file.mod, address,
						&begin);
	if (location->function)
		wm_line_at(&d->file, begin, location);
	/* gfortran begins its regions with their last line */
	if (location->file && wm_is_fortran_file(location->file))
		location->line = 0;
	return location->file != NULL;
}

static const struct wm_bundle *find_bundle(const struct wm_symbols *s,
					   const struct wm_module *m)
{
	const uint8_t *id;
	size_t i, n;

	for (i = 0; i < s->bundle_count && m->main; i++) {
		id = wm_bundle_build_id(s->bundles[i], &n);
		if (n == m->build_id_size &&
		    (!n || memcmp(id, m->build_id, n) == 0))
			return s->bundles[i];
	}
	return NULL;
}

enum wm_module_state wm_symbols_module(struct wm_symbols *s,
				       const struct wm_paths *paths,
				       uint32_t number, const char **why)
{
	const struct wm_symbol_module *d;

	*why = NULL;
	if (find_bundle(s, &paths->modules[number]))
		return WM_MODULE_GOOD;
	d = get_module(s, paths, number);
	*why = d ? d->file.why : NULL;
	return state_of(d);
}

size_t wm_symbols_split(struct wm_symbols *s, const struct wm_paths *paths,
			uint32_t number, char **text)
{
	const struct wm_symbol_module *d = NULL;

	*text = NULL;
	if (!find_bundle(s, &paths->modules[number]))
		d = get_module(s, paths, number);
	return d ? wm_split_missing(&d->file, text) : 0;
}

/* "?? (app+0x1234)" */
static char *unknown_name(const struct wm_module *m, uint64_t offset)
{
	const char *base = m->path ? wm_basename(m->path) : NULL;
	char *text = NULL;
	int n;

	/* only the root of the tree, which is the empty path, is at 0 */
	if (!m->path && !offset)
		return strdup("?? (no call path)");
	if (base)
		n = asprintf(&text, "?? (%s+0x%" PRIx64 ")", base, offset);
	else
		n = asprintf(&text, "?? (0x%" PRIx64 ")", offset);
	return n < 0 ? NULL : text;
}

static const char *read_name(struct wm_symbols *s, const char *linkage,
			     char *text)
{
	return text ? wm_texts_keep(&s->texts, text) : linkage;
}

static void classify_symbol(const struct wm_symbols *s, struct wm_symbol *sym,
			    const struct wm_module *m)
{
	struct wm_rule_frame f = { sym->linkage,
				   sym->linkage ? sym->name : NULL, sym->object,
				   m->main ? NULL : m->path };
	struct wm_verdict v = wm_rules_judge(s->rules, &f);

	sym->site = wm_site_class(&v);
	sym->group = v.group;
	sym->wrapper = v.wrapper;
	sym->forward = v.forward;
}

/* Returns @text, or a printable copy of it; NULL stays NULL. */
static const char *plain_text(struct wm_symbols *s, const char *text, bool *bad)
{
	if (!text || wm_is_plain(text))
		return text;
	text = wm_texts_keep(&s->texts, wm_plain(text, strlen(text)));
	*bad |= !text;
	return text;
}

/* Returns a malloc'ed copy of @path without "." and "..", as objects may name
 * one header by different paths. */
static char *straighten(const char *path)
{
	char *out = malloc(strlen(path) + 1), *to = out;
	size_t n;

	for (; out && *path; path += n) {
		n = strcspn(path + 1, "/") + 1;
		if (n == 3 && !strncmp(path, "/..", 3))
			while (to > out && *--to != '/')
				;
		else if (n > 2 || (n == 2 && path[1] != '.'))
			to = mempcpy(to, path, n);
	}
	if (out)
		*to = 0;
	return out;
}

static const char *source_text(struct wm_symbols *s,
			       const struct wm_symbol *sym, const char *source,
			       bool *bad)
{
	source = source ? plain_text(s, source, bad) : sym->file;
	if (!source || *source != '/' ||
	    (!strstr(source, "/.") && !strstr(source, "//")))
		return source;
	source = wm_texts_keep(&s->texts, straighten(source));
	*bad |= !source;
	return source;
}

static int intern_function(struct wm_symbols *s, struct wm_symbol *sym,
			   uint32_t module, const char *name)
{
	sym->function = wm_intern(&s->functions, module, name,
				  sym->source ? sym->source : sym->object);
	return sym->function ? 0 : -1;
}

static int set_symbol(struct wm_symbols *s, struct wm_symbol *sym,
		      const struct wm_location *location,
		      const struct wm_module *m,
		      const struct wm_path_node *node)
{
	bool bad = false;
	const char *linkage = plain_text(s, location->function, &bad);

	sym->linkage = linkage;
	sym->file = plain_text(s, location->file, &bad);
	sym->line = location->file ? location->line : 0;
	sym->object = plain_text(s, location->object, &bad);
	sym->receiver = plain_text(s, location->receiver, &bad);
	sym->source = source_text(s, sym, location->source, &bad);
	if (bad)
		return -1;
	if (linkage)
		sym->name = read_name(s, linkage,
				      wm_demangle(linkage, sym->file));
	else
		sym->name = wm_texts_keep(&s->texts,
					  unknown_name(m, node->offset));
	if (!sym->name)
		return -1;
	classify_symbol(s, sym, m);
	if (sym->site == WM_SITE_MPI && linkage)
		sym->name = read_name(s, sym->name, wm_demangle_mpi(linkage));
	if (!sym->name)
		return -1;
	if (linkage && sym->name != linkage && wm_demangle_contained(linkage))
		return intern_function(s, sym, node->module, linkage);
	return intern_function(s, sym, node->module, sym->name);
}

static bool is_region(const char *linkage)
{
	struct wm_openmp_name n;

	return wm_openmp_name(linkage, &n);
}

static char *region_parent(const struct wm_openmp_name *n,
			   const struct wm_bundle *bundle, uint64_t address,
			   const struct wm_location *start)
{
	const char *around = NULL;
	char *linkage, *name;

	if (n->parent_length)
		linkage = strndup(n->parent, n->parent_length);
	else if (bundle && start->file && start->line)
		linkage = (around = wm_bundle_find_around(bundle, address,
							  start->file,
							  start->line,
							  is_region)) ?
				  strdup(around) :
				  NULL;
	else
		return NULL;
	name = linkage ? wm_demangle(linkage, start->file) : NULL;
	if (!name)
		return linkage;
	free(linkage);
	return name;
}

/* Names an OpenMP region by its first line.  Returns -1 without memory. */
static int name_region(struct wm_symbols *s, struct wm_symbol *sym,
		       const struct wm_paths *paths,
		       const struct wm_path_node *node,
		       const struct wm_bundle *bundle)
{
	struct wm_location start = { .function = NULL };
	struct wm_openmp_name n;
	char *parent, *text;
	uint64_t at = node->offset - 1;
	uint32_t line;
	bool bad = false;

	if (!sym->linkage || !wm_openmp_name(sym->linkage, &n))
		return 0;
	if (bundle)
		wm_bundle_find_start(bundle, at, &start);
	else if (node->module != WM_NO_MODULE)
		ask_dwfl_start(s, paths, node->module, at, &start);
	/* the region is inlined in a function that begins elsewhere */
	if (start.function && !is_region(start.function))
		start.file = NULL;
	start.file = plain_text(s, start.file, &bad);
	line = n.line ? n.line : start.line;
	parent = region_parent(&n, bundle, at, &start);
	text = bad ? NULL : wm_openmp_text(parent, start.file, line);
	free(parent);
	sym->region = sym->name;
	sym->body = n.body;
	sym->name = wm_texts_keep(&s->texts, text);
	return sym->name ? intern_function(s, sym, node->module, sym->linkage) :
			   -1;
}

/* Names the memory that @sym allocates.  Returns -1 without memory. */
static int name_variable(struct wm_symbols *s, struct wm_symbol *sym)
{
	const char *function = wm_symbol_stable(sym);
	size_t from = strlen(function), size;
	char *text = NULL;

	if (!sym->receiver || !sym->linkage)
		return 0;
	/* like a local variable: without the function's parameters */
	wm_parameters(function, &from, &size);
	if (asprintf(&text, "%.*s::%s", (int)from, function, sym->receiver) < 0)
		return -1;
	sym->variable = wm_texts_keep(&s->texts, text);
	return sym->variable ? 0 : -1;
}

/* Returns the innermost symbol at @node; `outer` leads to its callers. */
static struct wm_symbol *make_symbol(struct wm_symbols *s,
				     const struct wm_paths *paths,
				     const struct wm_path_node *node)
{
	const struct wm_module *m = &paths->modules[node->module];
	const struct wm_bundle *bundle = find_bundle(s, m);
	struct wm_location locations[FRAMES] = { { 0 } };
	struct wm_symbol *sym = NULL, *inner;
	size_t n = 0;

	/* the call is before the return address */
	if (bundle)
		n = wm_bundle_frames(bundle, node->offset - 1, locations,
				     FRAMES);
	else if (node->module != WM_NO_MODULE)
		n = ask_dwfl(s, paths, node->module, node->offset - 1,
			     locations, FRAMES);
	if (!n)
		n = 1;
	while (n) {
		inner = calloc(1, sizeof(*inner));
		if (!inner || set_symbol(s, inner, &locations[--n], m, node) ||
		    name_region(s, inner, paths, node, bundle) ||
		    name_variable(s, inner)) {
			free(inner);
			free_symbol(sym);
			return NULL;
		}
		inner->outer = sym;
		/* functions that are inlined in wmtools count as wmtools */
		if (sym && sym->site == WM_SITE_OWN)
			inner->site = WM_SITE_OWN;
		sym = inner;
	}
	return sym;
}

const struct wm_symbol *wm_symbols_at(struct wm_symbols *s,
				      const struct wm_paths *paths,
				      uint32_t module, uint64_t offset)
{
	uint32_t hash = wm_index_hash(offset ^ (uint64_t)module << 48);
	struct wm_path_node n = { .offset = offset, .module = module };
	struct wm_symbol_answer *a;
	struct wm_index_slot *slot;

	if (wm_index_room(&s->index))
		return NULL;
	WM_INDEX_EACH(slot, &s->index, hash) {
		a = &s->answer[slot->number - 1];
		if (a->offset == offset && a->module == module)
			return a->symbol;
	}
	a = WM_MORE(s->answer, s->cap, s->count);
	if (!a)
		return NULL;
	a->symbol = make_symbol(s, paths, &n);
	if (!a->symbol)
		return NULL;
	a->module = module;
	a->offset = offset;
	wm_index_put(&s->index, slot, hash, s->count++);
	return a->symbol;
}

/* A walk over all paths visits a node once for each path: answers are kept. */
static const struct wm_symbol **
answer_place(struct wm_symbols *s, const struct wm_paths *paths, uint32_t node)
{
	if (!s->paths) {
		s->at_node = calloc(paths->node_count, sizeof(*s->at_node));
		s->node_count = s->at_node ? paths->node_count : 0;
		s->paths = paths;
	}
	return s->paths == paths && node < s->node_count ? &s->at_node[node] :
							   NULL;
}

struct wm_frame wm_frame_first(struct wm_symbols *s,
			       const struct wm_paths *paths, uint32_t node)
{
	const struct wm_symbol **known = answer_place(s, paths, node);
	const struct wm_path_node *n = &paths->nodes[node];
	struct wm_frame f = { node, known ? *known : NULL };

	if (f.symbol)
		return f;
	f.symbol = wm_symbols_at(s, paths, n->module, n->offset);
	if (known)
		*known = f.symbol;
	return f;
}

bool wm_frame_next(struct wm_symbols *s, const struct wm_paths *paths,
		   struct wm_frame *frame)
{
	uint32_t parent;

	if (frame->symbol && frame->symbol->outer) {
		frame->symbol = frame->symbol->outer;
		return true;
	}
	parent = paths->nodes[frame->node].parent;
	if (!parent)
		return false;
	*frame = wm_frame_first(s, paths, parent);
	return true;
}
