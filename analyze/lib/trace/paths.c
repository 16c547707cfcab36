/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/paths.h"

#include <inttypes.h>
#include <string.h>

#include "analyze/lib/base/le.h"
#include "analyze/lib/base/plain.h"
#include "analyze/lib/base/vec.h"
#include "analyze/lib/trace/head.h"
#include "wm/search.h"

enum wm_status wm_paths_init(struct wm_paths *p, struct wm_err *err)
{
	uint32_t path;

	memset(p, 0, sizeof(*p));
	if (!WM_MORE(p->modules, p->module_cap, 0) ||
	    !WM_MORE(p->nodes, p->node_cap, 0)) {
		wm_paths_release(p);
		return wm_no_memory(err, "call paths");
	}
	p->module_count = 1;
	p->nodes[0] = (struct wm_path_node){ .path = WM_NO_PATH };
	p->node_count = 1;
	return wm_paths_path(p, 0, &path, err);
}

void wm_module_wire(struct wm_wire *w, struct wm_module *m)
{
	wm_wire_text(w, &m->path);
	wm_wire_block(w, &m->build_id, m->build_id_size);
}

static void wire_module(struct wm_wire *w, void *module)
{
	wm_module_wire(w, module);
}

static void wire_index(struct wm_wire *w, struct wm_index *x)
{
	wm_wire_array(w, &x->slot, &x->size, NULL, sizeof(*x->slot));
}

void wm_paths_wire(struct wm_wire *w, struct wm_paths *p)
{
	wm_wire_items(w, &p->modules, &p->module_count, &p->module_cap,
		      sizeof(*p->modules), wire_module);
	wire_index(w, &p->module_index);
	wm_wire_array(w, &p->nodes, &p->node_count, &p->node_cap,
		      sizeof(*p->nodes));
	wm_wire_array(w, &p->leaf, &p->path_count, &p->path_cap,
		      sizeof(*p->leaf));
	wire_index(w, &p->node_index);
	/* mappings are needed only while a trace is read */
	if (w->freeing)
		free(p->map);
	if (w->freeing || w->taking) {
		p->map = NULL;
		p->map_count = p->map_cap = 0;
	}
}

void wm_paths_release(struct wm_paths *p)
{
	WM_WIRE_FREE(p, wm_paths_wire);
}

static uint32_t hash_node(uint32_t parent, uint32_t module, uint64_t offset)
{
	uint64_t h = offset * 0x9e3779b97f4a7c15u;

	h ^= h >> 32;
	return wm_index_hash(h + ((uint64_t)parent << 20) + module);
}

/* Finds or makes the node of this frame below @parent. */
static enum wm_status number_node(struct wm_paths *p, uint32_t parent,
				  uint32_t module, uint64_t offset,
				  uint32_t *node, struct wm_err *err)
{
	uint32_t hash = hash_node(parent, module, offset);
	struct wm_index *x = &p->node_index;
	struct wm_index_slot *s;
	struct wm_path_node *n;

	if (wm_index_room(x))
		return wm_no_memory(err, "call paths");
	WM_INDEX_EACH(s, x, hash) {
		n = &p->nodes[s->number - 1];
		if (n->parent == parent && n->offset == offset &&
		    n->module == module) {
			*node = s->number - 1;
			return WM_OK;
		}
	}
	if (p->node_limit && p->node_count >= p->node_limit)
		return wm_err_set(err, WM_BAD_INPUT,
				  "call paths of more than "
				  "%zu frames: a file as small as this cannot "
				  "hold them",
				  p->node_limit);
	n = p->node_count < UINT32_MAX - 1 ?
		    WM_MORE(p->nodes, p->node_cap, p->node_count) :
		    NULL;
	if (!n)
		return wm_no_memory(err, "call paths");
	*n = (struct wm_path_node){ offset, module, parent, WM_NO_PATH };
	*node = (uint32_t)p->node_count++;
	wm_index_put(x, s, hash, *node);
	return WM_OK;
}

enum wm_status wm_paths_path(struct wm_paths *p, uint32_t node, uint32_t *path,
			     struct wm_err *err)
{
	struct wm_path_node *n = &p->nodes[node];

	if (n->path == WM_NO_PATH) {
		if (!WM_APPEND(p->leaf, p->path_cap, p->path_count, node))
			return wm_no_memory(err, "call paths");
		n->path = (uint32_t)p->path_count - 1;
	}
	*path = n->path;
	return WM_OK;
}

static bool same_module(const struct wm_module *a, const struct wm_module *b)
{
	return strcmp(a->path, b->path) == 0 &&
	       a->build_id_size == b->build_id_size &&
	       (!a->build_id_size ||
		memcmp(a->build_id, b->build_id, a->build_id_size) == 0);
}

static int copy_module(struct wm_module *m, const struct wm_module *like)
{
	m->path = strdup(like->path);
	m->build_id = malloc(like->build_id_size + 1);
	m->build_id_size = like->build_id_size;
	m->main = like->main;
	if (!m->path || !m->build_id) {
		free(m->path);
		free(m->build_id);
		return -1;
	}
	if (like->build_id_size)
		memcpy(m->build_id, like->build_id, like->build_id_size);
	return 0;
}

/* Finds or makes the module with this path and build-id, which are copied. */
static enum wm_status number_module(struct wm_paths *p,
				    const struct wm_module *like,
				    uint32_t *module, struct wm_err *err)
{
	uint64_t key = wm_hash_bytes(WM_HASH_START, like->path,
				     strlen(like->path));
	struct wm_index *x = &p->module_index;
	struct wm_index_slot *s;
	struct wm_module *m;
	uint32_t hash;

	hash = wm_index_hash(
		wm_hash_bytes(key, like->build_id, like->build_id_size));
	if (wm_index_room(x))
		return wm_no_memory(err, "call paths");
	WM_INDEX_EACH(s, x, hash)
		if (same_module(&p->modules[s->number - 1], like))
			break;
	if (!s->number) {
		m = WM_MORE(p->modules, p->module_cap, p->module_count);
		if (!m || copy_module(m, like))
			return wm_no_memory(err, "call paths");
		wm_index_put(x, s, hash, p->module_count++);
	}
	*module = s->number - 1;
	return WM_OK;
}

static int by_first(const void *a, const void *b)
{
	const struct wm_mapping *x = a, *y = b;

	return WM_ORDER(x->first, y->first);
}

/* Takes length and bytes; returns NULL if they do not fit. */
static const uint8_t *get_bytes(struct wm_column *in, uint64_t *len)
{
	if (!wm_take(in, len) || *len > (size_t)(in->end - in->p))
		return NULL;
	in->p += *len;
	return in->p - *len;
}

static enum wm_status read_mapping(struct wm_paths *p,
				   const struct wm_module *exe,
				   struct wm_column *in, struct wm_mapping *map,
				   struct wm_err *err)
{
	struct wm_module m = { 0 };
	const uint8_t *text, *id;
	uint64_t text_len, id_len;
	enum wm_status r;
	char *path;

	if (!wm_take(in, &map->bias) || !wm_take(in, &map->first) ||
	    !wm_take(in, &map->end) || !(text = get_bytes(in, &text_len)) ||
	    !(id = get_bytes(in, &id_len)))
		return wm_malformed("MODULES", err);
	path = wm_plain((const char *)text, (size_t)text_len);
	if (!path)
		return wm_no_memory(err, "call paths");
	m.path = path;
	m.build_id = (uint8_t *)(uintptr_t)id;
	m.build_id_size = (size_t)id_len;
	m.main = !*path || strcmp(path, exe->path) == 0;
	if (!*path)
		m.path = exe->path;
	if (m.main && !id_len) {
		m.build_id = exe->build_id;
		m.build_id_size = exe->build_id_size;
	}
	r = number_module(p, &m, &map->module, err);
	free(path);
	return r;
}

enum wm_status wm_paths_map(struct wm_paths *p, const struct wm_module *exe,
			    const uint8_t *data, size_t size,
			    struct wm_err *err)
{
	struct wm_column in = { data, data + size };
	struct wm_mapping *map;
	enum wm_status r;
	uint64_t n, i;

	p->map_count = 0;
	if (!wm_take(&in, &n) || n > size)
		return wm_malformed("MODULES", err);
	map = WM_ROOM(p->map, p->map_cap, (size_t)n);
	if (!map && n)
		return wm_no_memory(err, "call paths");
	for (i = 0; i < n; i++) {
		r = read_mapping(p, exe, &in, &map[i], err);
		if (r)
			return r;
	}
	if (in.p != in.end)
		return wm_err_set(err, WM_BAD_INPUT,
				  "column MODULES is too long");
	p->map_count = (size_t)n;
	if (n)
		qsort(map, (size_t)n, sizeof(*map), by_first);
	return WM_OK;
}

/* Returns the mapping of the call before return address @addr, or NULL. */
static const struct wm_mapping *find_mapping(const struct wm_paths *p,
					     uint64_t addr)
{
	uint64_t call = addr - 1;
	size_t n = WM_FIRST(i, p->map_count, p->map[i].first > call);

	return n && call < p->map[n - 1].end ? &p->map[n - 1] : NULL;
}

enum wm_status wm_paths_frame(struct wm_paths *p, uint32_t parent,
			      uint64_t addr, uint32_t *node, struct wm_err *err)
{
	const struct wm_mapping *m = find_mapping(p, addr);

	return number_node(p, parent, m ? m->module : WM_NO_MODULE,
			   m ? addr - m->bias : addr, node, err);
}

enum wm_status wm_paths_branch(struct wm_paths *p, uint32_t base,
			       uint64_t shared, const uint8_t *frames,
			       size_t count, uint32_t *path, struct wm_err *err)
{
	uint32_t node = shared ? p->leaf[base] : 0;
	enum wm_status r = WM_OK;
	uint64_t depth = 0;

	for (uint32_t n = node; n; n = p->nodes[n].parent)
		depth++;
	if (depth < shared)
		return wm_err_set(err, WM_BAD_INPUT,
				  "a call path of %" PRIu64
				  " frames shares %" PRIu64,
				  depth, shared);
	for (; depth > shared; depth--)
		node = p->nodes[node].parent;
	for (size_t i = 0; i < count && !r; i++)
		r = wm_paths_frame(p, node, wm_load_le64(frames + 8 * i), &node,
				   err);
	return r ? r : wm_paths_path(p, node, path, err);
}

enum wm_status wm_paths_merge(struct wm_paths *to, const struct wm_paths *from,
			      uint32_t *number, struct wm_err *err)
{
	uint32_t *module = calloc(from->module_count + from->node_count,
				  sizeof(*module));
	enum wm_status r = WM_OK;
	uint32_t *node;

	if (!module)
		return wm_no_memory(err, "call paths");
	node = module + from->module_count;
	for (size_t i = 1; i < from->module_count && !r; i++)
		r = number_module(to, &from->modules[i], &module[i], err);
	/* a parent has a lower number than its children */
	for (size_t i = 1; i < from->node_count && !r; i++) {
		const struct wm_path_node *n = &from->nodes[i];

		r = number_node(to, node[n->parent], module[n->module],
				n->offset, &node[i], err);
	}
	for (size_t i = 0; i < from->path_count && !r; i++)
		r = wm_paths_path(to, node[from->leaf[i]], &number[i], err);
	free(module);
	return r;
}

enum wm_status wm_paths_copy(struct wm_paths *to, const struct wm_paths *from,
			     uint32_t path, uint32_t *number,
			     struct wm_err *err)
{
	uint32_t *chain = NULL, node = 0, at, module;
	enum wm_status r = WM_OK;
	size_t depth = 0, cap = 0;

	for (at = from->leaf[path]; at && !r; at = from->nodes[at].parent)
		if (!WM_APPEND(chain, cap, depth, at))
			r = wm_no_memory(err, "call paths");
	while (depth && !r) {
		const struct wm_path_node *n = &from->nodes[chain[--depth]];

		module = WM_NO_MODULE;
		if (n->module != WM_NO_MODULE)
			r = number_module(to, &from->modules[n->module],
					  &module, err);
		if (!r)
			r = number_node(to, node, module, n->offset, &node,
					err);
	}
	if (!r)
		r = wm_paths_path(to, node, number, err);
	free(chain);
	return r;
}
