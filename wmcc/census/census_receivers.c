/* SPDX-License-Identifier: Apache-2.0 */
/* Reads sources in the line table for the variables that receive the memory
 * that their lines allocate.  Skips sources newer than the program or below
 * /usr. */
#include "wmcc/census/census_rows.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/regular.h"
#include "wm/search.h"
#include "wmcc/base/file.h"
#include "wmcc/census/receivers.h"

#define LARGEST (4u << 20) /* bytes of a source */

struct place {
	uint32_t file, line;
};

static int compare_places(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;

	return WM_KEYS(WM_ORDER(a->file, b->file), WM_ORDER(a->line, b->line));
}

static bool add_place(struct wm_vec *places, uint32_t file, uint32_t line)
{
	struct place *last = places->items, *p;

	if (!file || !line)
		return true;
	last = places->count ? last + places->count - 1 : NULL;
	if (last && last->file == file && last->line == line)
		return true;
	p = wm_vec_add(places);
	if (p)
		*p = (struct place){ file, line };
	return p != NULL;
}

static bool list_places(const struct wm_census_model *model,
			struct wm_vec *places)
{
	const struct wm_model_line *l = model->lines.items;
	const struct wm_model_inline *in = model->inlines.items;
	size_t i;

	for (i = 0; i < model->lines.count; i++)
		if (!add_place(places, l[i].file, l[i].line))
			return false;
	for (i = 0; i < model->inlines.count; i++)
		if (!add_place(places, in[i].file, in[i].line))
			return false;
	wm_vec_sort(places, compare_places);
	return true;
}

static bool is_fortran(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && (dot[1] == 'f' || dot[1] == 'F');
}

/* Returns malloc'ed text, or NULL if it cannot be what was compiled. */
static char *read_source(const char *path, time_t built, size_t *size)
{
	struct stat st;
	char *text = NULL;
	int fd;

	if (path[0] != '/' || !strncmp(path, "/usr/", 5))
		return NULL;
	fd = wm_regular_open(path);
	if (fd < 0)
		return NULL;
	*size = fstat(fd, &st) || st.st_size > (off_t)LARGEST ||
				st.st_mtime > built ?
			0 :
			(size_t)st.st_size;
	if (*size)
		text = malloc(*size);
	if (text && wm_read_all(fd, text, *size) < *size) {
		free(text);
		text = NULL;
	}
	close(fd);
	return text;
}

static bool add_receiver(struct wm_census_model *m, const struct place *p,
			 const char *name)
{
	struct wm_model_receiver *r = wm_vec_add(&m->receivers);

	if (r)
		*r = (struct wm_model_receiver){
			p->file, p->line, wm_strings_add(&m->strings, name)
		};
	return r != NULL;
}

static bool read_file(struct wm_census_model *m, const struct place *p,
		      const struct place *end, time_t built)
{
	const char *path = wm_strings_get(&m->strings, p->file), *line, *next;
	bool fortran = is_fortran(path), good = true;
	char name[WM_RECEIVER_SIZE], *text;
	uint32_t number = 1;
	size_t size;

	text = read_source(path, built, &size);
	for (line = text; line && p < end && good; line = next, number++) {
		if (p->line == number &&
		    wm_receiver_at(text, size, line, fortran, name))
			good = add_receiver(m, p, name);
		while (p < end && p->line == number)
			p++;
		next = memchr(line, '\n', size - (size_t)(line - text));
		next = next && next + 1 < text + size ? next + 1 : NULL;
	}
	free(text);
	return good;
}

int wm_census_receivers(struct wm_census_model *model,
			const struct wm_image *twin)
{
	struct wm_vec places = WM_VEC(struct place);
	const struct place *p, *end, *next;
	struct stat st;
	bool good;

	if (fstat(twin->fd, &st))
		return 0;
	good = list_places(model, &places);
	p = places.items;
	end = places.count ? p + places.count : p;
	for (; good && p < end; p = next) {
		for (next = p + 1; next < end && next->file == p->file; next++)
			;
		good = read_file(model, p, next, st.st_mtime);
	}
	wm_vec_release(&places);
	return good ? 0 : -1;
}
