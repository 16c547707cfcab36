/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/local_names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "wm/access_format.h"
#include "wm/search.h"

#define MOST_FRAMES (1u << 20)

struct wm_local_module {
	bool tried;
	struct wm_module_file file;
	struct wm_locals locals;
};

void wm_local_names_release(struct wm_local_names *n)
{
	for (size_t i = 0; i < n->modules; i++) {
		wm_locals_release(&n->module[i].locals);
		wm_module_file_release(&n->module[i].file);
	}
	free(n->module);
	memset(n, 0, sizeof(*n));
}

void wm_local_names_place(const struct wm_paths *paths, uint64_t pc,
			  uint32_t *module, uint64_t *offset)
{
	*module = WM_NO_MODULE;
	*offset = pc;
	for (size_t i = 0; i < paths->map_count; i++) {
		const struct wm_mapping *m = &paths->map[i];

		/* the call is before its return address */
		if (pc - 1 < m->first || pc - 1 >= m->end)
			continue;
		*module = m->module;
		*offset = pc - m->bias;
	}
}

/* Returns the locals of the module of @pc; @pc becomes the linked address. */
static struct wm_locals *get_locals(struct wm_local_names *n, uint64_t *pc)
{
	struct wm_local_module *m;
	uint32_t module;

	wm_local_names_place(n->paths, *pc, &module, pc);
	if (module == WM_NO_MODULE)
		return NULL;
	if (!n->module) {
		n->module = calloc(n->paths->module_count, sizeof(*n->module));
		if (!n->module)
			return NULL;
		n->modules = n->paths->module_count;
	}
	m = &n->module[module];
	if (!m->tried) {
		m->tried = true;
		wm_module_file_open(&m->file, &n->paths->modules[module]);
		wm_locals_init(&m->locals, &m->file);
	}
	return &m->locals;
}

const struct wm_scope *wm_local_names_frame(struct wm_local_names *n,
					    uint64_t pc)
{
	struct wm_locals *l = get_locals(n, &pc);

	return l ? wm_locals_frame(l, pc) : NULL;
}

const struct wm_local *wm_local_names_find(struct wm_local_names *n,
					   const struct wm_live_frame *frame,
					   uint64_t addr, uint64_t pc)
{
	int64_t place = (int64_t)(addr - frame->cfa);
	struct wm_locals *l = get_locals(n, &pc);

	/* in another function's code it is unknown which blocks are open */
	if (!l || wm_locals_function(l, pc) != frame->function)
		pc = 0;
	return wm_locals_find(frame->function, place, pc);
}

/* ---- frames ---- */

void wm_frames_release(struct wm_frames *f)
{
	free(f->frame);
	memset(f, 0, sizeof(*f));
}

static uint64_t find_cfa(const struct wm_scope *f, uint64_t sp, uint64_t value)
{
	uint64_t above = value >> WMA_FRAME_SHIFT, cfa;

	if (!f || !f->known || (f->by_fp && !above))
		return 0;
	cfa = sp + (f->by_fp ? above - 1 : 0) + (uint64_t)f->cfa;
	return cfa > sp ? cfa : 0;
}

bool wm_frames_enter(struct wm_frames *f, const struct wm_scope *function,
		     uint64_t pc, uint64_t sp, uint64_t value)
{
	uint64_t ended = value & WMA_FRAME_MOST_ENDED;
	uint64_t cfa = find_cfa(function, sp, value);
	struct wm_live_frame *to;

	if (ended >= f->count || ended == WMA_FRAME_MOST_ENDED ||
	    f->count == MOST_FRAMES)
		f->count = 0;
	else
		f->count -= ended;
	while (f->count && f->frame[f->count - 1].sp < (cfa ? cfa : sp + 1))
		f->count--;
	to = WM_MORE(f->frame, f->cap, f->count);
	if (!to)
		return false;
	*to = (struct wm_live_frame){ sp, cfa, pc, function };
	f->count++;
	return true;
}

const struct wm_live_frame *wm_frames_find(const struct wm_frames *f,
					   uint64_t addr)
{
	/* inner frames are lower */
	size_t at = WM_FIRST(i, f->count, f->frame[i].sp <= addr);

	return at < f->count && addr < f->frame[at].cfa ? &f->frame[at] : NULL;
}
