/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/spread_wire.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wm/version.h"

#define ID_SHOWN 20 /* bytes of a build-id */

static size_t whole_words(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

/* Appends the build-id in the notes at @p, if any, to @build in hexadecimal. */
static void add_build_id(char *build, const char *p, size_t size)
{
	ElfW(Nhdr) n;

	while (size >= sizeof(n)) {
		size_t name, all;

		memcpy(&n, p, sizeof(n));
		name = sizeof(n) + whole_words(n.n_namesz);
		all = name + whole_words(n.n_descsz);
		if (all > size)
			return;
		for (size_t i = 0; n.n_type == NT_GNU_BUILD_ID &&
				   i < n.n_descsz && i < ID_SHOWN;
		     i++)
			sprintf(build + strlen(build), "%02x",
				(uint8_t)p[name + i]);
		p += all;
		size -= all;
	}
}

/* The executable comes first. */
static int look_at_notes(struct dl_phdr_info *info, size_t size, void *build)
{
	(void)size;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];

		if (ph->p_type == PT_NOTE)
			add_build_id(build,
				     (const char *)info->dlpi_addr +
					     ph->p_vaddr,
				     ph->p_filesz);
	}
	return 1;
}

void wm_spread_build(char build[WM_SPREAD_BUILD])
{
	memset(build, 0, WM_SPREAD_BUILD);
	snprintf(build, WM_SPREAD_BUILD, "%s, %zu and %zu bytes, ", WM_VERSION,
		 sizeof(struct wm_rank), sizeof(struct wm_work_unit));
	dl_iterate_phdr(look_at_notes, build);
}

static void wire_file(struct wm_wire *w, void *file)
{
	struct wm_run_file *f = file;

	wm_wire_text(w, &f->path);
	wm_wire_text(w, &f->name);
}

static void wire_unit(struct wm_wire *w, struct wm_work_unit *u)
{
	size_t *file = u->group.file;

	wm_wire_bytes(w, u, sizeof(*u));
	if (w->freeing)
		free(file);
	if (w->freeing || w->taking)
		u->group.file = NULL;
	wm_wire_items(w, &u->file, &u->group.count, NULL, sizeof(*u->file),
		      wire_file);
}

void wm_unit_wire(struct wm_wire *w, struct wm_work_unit *u)
{
	wire_unit(w, u);
	if (!w->taking)
		return;
	u->group.file = calloc(u->group.count + 1, sizeof(*u->group.file));
	w->failed |= !u->group.file;
	for (size_t i = 0; i < u->group.count && !w->failed; i++)
		u->group.file[i] = i;
}

void wm_unit_release(struct wm_work_unit *u)
{
	WM_WIRE_FREE(u, wire_unit);
}

static void wire_node_peak(struct wm_wire *w, struct wm_node_peak *m)
{
	wm_wire_bytes(w, m, sizeof(*m));
	wm_wire_text(w, &m->host);
	wm_wire_array(w, &m->part, &m->parts, NULL, sizeof(*m->part));
}

void wm_group_outcome_wire(struct wm_wire *w, struct wm_group_outcome *m,
			   const struct wm_file_group *group)
{
	wm_wire_bytes(w, &m->status, sizeof(m->status));
	if (m->status) {
		wm_wire_bytes(w, &m->why, sizeof(m->why));
		return;
	}
	for (size_t i = 0; i < group->count; i++) {
		struct wm_outcome *o = &m->out[i];

		wm_wire_bytes(w, &o->status, sizeof(o->status));
		if (o->status)
			wm_wire_bytes(w, &o->why, sizeof(o->why));
		else
			wm_rank_wire(w, &o->rank);
	}
	if (group->node)
		wire_node_peak(w, &m->node_peak);
}
