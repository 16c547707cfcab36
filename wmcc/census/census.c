/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/census/census.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wm/census_format.h"
#include "wmcc/base/file.h"
#include "wmcc/census/census_elf.h"
#include "wmcc/census/census_model.h"
#include "wmcc/census/census_rows.h"
#include "wmcc/census/dwarf.h"
#include "wmcc/census/embed.h"
#include "wmcc/census/linkmap.h"
#include "input/path.h"

#define WITH_VARIABLES 1u
#define WITH_LINES 2u
#define WITH_INLINES 4u
#define WITH_FUNCTIONS 8u /* from the symbol table */

static int fill_model(struct wm_census_model *m, const struct wm_image *plain,
		      const struct wm_image *twin, const struct wm_linkmap *map,
		      unsigned debug)
{
	struct wm_object_map places;
	int status;

	status = wm_object_map_init(&places, map, plain);
	if (!status && places.pieces.count)
		m->link_map = wm_linkmap_kind_name(map->kind);
	if (!status)
		status = wm_census_rows(m, plain, &places);
	if (!status && debug & WITH_VARIABLES)
		status = wm_census_variables(m, plain);
	if (!status && debug & WITH_FUNCTIONS)
		status = wm_census_functions(m, twin, plain, &places);
	if (!status && debug & WITH_LINES)
		status = wm_census_lines(m, twin, (debug & WITH_INLINES) != 0);
	if (!status && debug & WITH_LINES)
		status = wm_census_receivers(m, twin);
	if (!status)
		status = wm_census_name_temporaries(m);
	m->build_id_size = wm_image_build_id(twin, m->build_id,
					     sizeof(m->build_id));
	if (m->build_id_size > sizeof(m->build_id)) {
		m->build_id_lost = m->build_id_size;
		m->build_id_size = 0;
	}
	wm_object_map_release(&places);
	return status;
}

static int add_hookless(struct wm_census_model *m,
			const struct wm_census_input *in)
{
	m->hooked = in->hooked;
	for (size_t i = 0; i < in->hookless_count; i++) {
		const struct wm_hookless *from = &in->hookless[i];
		struct wm_model_hookless *to = wm_vec_add(&m->hookless);

		if (!to)
			return -1;
		to->name = wm_strings_add(&m->strings, from->name);
		to->objects = from->members ? from->members : 1;
		to->flags = from->system ? WMC_HOOKLESS_SYSTEM : 0;
	}
	return 0;
}

/* The head of a child's answer, before the bundle or the reason. */
struct answer {
	int64_t status;
	uint64_t size;
	uint64_t build_id_lost;
};

/* Results are as for bundle_from_child(). */
static int make_bundle(const struct wm_census_input *in, unsigned debug,
		       uint8_t **bytes, struct answer *a, char *err,
		       size_t err_size)
{
	static const struct wm_linkmap no_map;
	struct wm_image plain, twin;
	struct wm_census_model model;
	size_t size = 0;
	int status = -1;

	if (wm_image_open(&plain, in->plain, err, err_size) < 0)
		return -1;
	if (wm_image_open(&twin, in->twin, err, err_size) < 0) {
		wm_image_close(&plain);
		return -1;
	}
	wm_model_init(&model);
	model.unseen = in->unseen;
	model.program = in->program ? in->program : wm_basename(in->plain);
	/* without a map the bundle is less precise */
	if (!fill_model(&model, &plain, &twin, in->map ? in->map : &no_map,
			debug) &&
	    !add_hookless(&model, in))
		status = wm_model_encode(&model, bytes, &size);
	a->size = size;
	a->build_id_lost = model.build_id_lost;
	if (status < 0) {
		snprintf(err, err_size, "it takes too much memory");
		status = 1;
	}
	wm_model_release(&model);
	wm_image_close(&twin);
	wm_image_close(&plain);
	return status;
}

static uint64_t input_bytes(const struct wm_census_input *in)
{
	const char *const paths[] = { in->plain, in->twin };
	uint64_t bytes = in->map ? in->map->size : 0;
	struct stat st;
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		if (!stat(paths[i], &st))
			bytes += (uint64_t)st.st_size;
	return bytes;
}

__attribute__((noreturn)) static void
be_child(const struct wm_census_input *in, unsigned debug, size_t again, int fd)
{
	struct answer a = { 0 };
	uint8_t *bytes = NULL;
	char err[512] = "";

	wm_dwarf_guard(input_bytes(in), again);
	signal(SIGPIPE, SIG_DFL);
	a.status = make_bundle(in, debug, &bytes, &a, err, sizeof(err));
	if (a.status)
		a.size = strlen(err);
	if (wm_write_all(fd, &a, sizeof(a)))
		wm_write_all(fd, a.status ? (void *)err : (void *)bytes,
			     (size_t)a.size);
	_exit(0);
}

static int read_answer(int fd, struct answer *a, uint8_t **bytes)
{
	*bytes = NULL;
	if (wm_read_all(fd, a, sizeof(*a)) < sizeof(*a) ||
	    a->size > WMC_MAX_BYTES)
		return -1;
	*bytes = malloc((size_t)a->size + 1);
	if (!*bytes || wm_read_all(fd, *bytes, (size_t)a->size) < a->size) {
		free(*bytes);
		*bytes = NULL;
		return -1;
	}
	(*bytes)[a->size] = 0;
	return 0;
}

/* Returns 0; -1 with a reason; or 1 with a reason if an attempt with less debug
 * information may succeed. */
static int bundle_from_child(const struct wm_census_input *in, unsigned debug,
			     size_t again, uint8_t **bytes, struct answer *a,
			     char *err, size_t err_size)
{
	int fds[2], how = 0;
	pid_t pid;

	*a = (struct answer){ .status = 1 };
	if (pipe(fds) < 0 || (pid = fork()) < 0) {
		snprintf(err, err_size, "census: %s", strerror(errno));
		return -1;
	}
	if (!pid) {
		close(fds[0]);
		be_child(in, debug, again, fds[1]);
	}
	close(fds[1]);
	if (read_answer(fds[0], a, bytes))
		a->status = 1;
	close(fds[0]);
	while (waitpid(pid, &how, 0) < 0 && errno == EINTR)
		;
	if (!a->status)
		return 0;
	if (*bytes)
		snprintf(err, err_size, "%s", (char *)*bytes);
	else if (WIFSIGNALED(how) && WTERMSIG(how) == SIGXCPU)
		snprintf(err, err_size, "it takes more than %u s",
			 wm_dwarf_seconds(input_bytes(in), again));
	else
		snprintf(err, err_size,
			 "it is broken, or takes too much "
			 "memory");
	free(*bytes);
	*bytes = NULL;
	return (int)a->status;
}

/* The parts to try, one set after the other. */
static const unsigned whole[] = {
	WITH_FUNCTIONS | WITH_VARIABLES | WITH_LINES | WITH_INLINES,
	WITH_FUNCTIONS | WITH_VARIABLES | WITH_LINES,
	WITH_FUNCTIONS | WITH_LINES | WITH_INLINES,
	WITH_FUNCTIONS | WITH_LINES,
	WITH_FUNCTIONS | WITH_VARIABLES,
	WITH_FUNCTIONS,
};
static const unsigned variables[] = { WITH_VARIABLES, 0 };

static void say_what_lacks(char *err, size_t size, unsigned all, unsigned part,
			   const char *why)
{
	unsigned out = all & ~part;
	bool lines = out & WITH_LINES, calls = out & WITH_INLINES;

	snprintf(err, size, "debug information is left out (%s%s%s%s): %s",
		 out & WITH_VARIABLES ? "lines of variables" : "",
		 out & WITH_VARIABLES && (lines || calls) ? ", " : "",
		 lines ? "lines of code, " : "", calls ? "inlined calls" : "",
		 why);
}

/* Reports a build-id that is left out, unless @err has a message. */
static void say_build_id(char *err, size_t size, uint64_t lost)
{
	if (lost && !*err)
		snprintf(err, size,
			 "its build-id of %" PRIu64 " bytes is left out, as it "
			 "has more than 64: another build of it is not "
			 "recognized",
			 lost);
}

int wm_census_make(const struct wm_census_input *in, enum wm_census_extent what,
		   uint8_t **bytes, size_t *size, char *err, size_t err_size)
{
	const unsigned *attempt = what == WM_CENSUS_WHOLE ? whole : variables;
	size_t n = what == WM_CENSUS_WHOLE ?
			   sizeof(whole) / sizeof(*whole) :
			   sizeof(variables) / sizeof(*variables),
	       i;
	char why[256] = "", first[256] = "";
	struct answer a = { 0 };
	int status = 1;

	*bytes = NULL;
	*size = 0;
	*err = 0;
	if (what == WM_CENSUS_SIZES)
		attempt += n - 1, n = 1;
	for (i = 0; status > 0 && i < n; i++) {
		status = bundle_from_child(in, attempt[i], i, bytes, &a, why,
					   sizeof(why));
		if (!i)
			memcpy(first, why, sizeof(why));
	}
	if (status < 0)
		snprintf(err, err_size, "%s", why);
	else if (status)
		snprintf(err, err_size, "census of '%s': %s", in->plain, why);
	else if (i > 1)
		say_what_lacks(err, err_size, attempt[0], attempt[i - 1],
			       first);
	*size = (size_t)a.size;
	/* for app.wma, the relink of app.wm has reported it */
	if (!status && !in->hooked)
		say_build_id(err, err_size, a.build_id_lost);
	return status ? -1 : 0;
}

int wm_census_embed(const struct wm_census_input *in, char *err, size_t size)
{
	char why[256];
	uint8_t *bytes;
	size_t n;
	int status;

	if (wm_census_make(in, WM_CENSUS_WHOLE, &bytes, &n, err, size))
		return -1;
	status = wm_embed_section(in->twin, WMC_SECTION, bytes, n, why,
				  sizeof(why));
	if (status)
		snprintf(err, size, "%s", why);
	free(bytes);
	return status;
}
