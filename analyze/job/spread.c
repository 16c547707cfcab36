/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/spread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/crew.h"
#include "analyze/job/launcher.h"
#include "analyze/job/nap.h"
#include "analyze/job/port.h"
#include "analyze/job/spread_wire.h"

/* The most bytes of results that wait here for their turn. */
#define HOLD_BYTES (64u << 20)

const char *wm_spread_program(void)
{
	return "wm-analyze-mpi";
}

/* Refuses a launcher of another MPI, as each of its processes would do all of
 * the work.  Only the first process prints a message and returns an error, as a
 * launcher ends the job at the first error, and the message would be lost. */
static int refuse_launcher(const struct wm_launcher *l)
{
	char name[200];

	if (l->me != 0)
		return 0;
	wm_port_name(name, sizeof(name));
	fprintf(stderr,
		"wm-analyze-mpi: built with %s, but started %ld times "
		"by %s, which is another MPI's: start it with the launcher "
		"of that MPI, or take wm-analyze\n",
		name, l->count, l->name);
	return WM_EXIT_USAGE;
}

bool wm_spread_start(int *argc, char ***argv, int *status,
		     void (*prepare)(int argc, char **argv))
{
	struct wm_launcher l;

	wm_port_open(argc, argv);
	if (wm_launcher_is_foreign(&l, wm_port_count())) {
		*status = refuse_launcher(&l);
		wm_port_close();
		return false;
	}
	if (wm_port_me() == 0)
		return true;
	prepare(*argc, *argv);
	*status = wm_spread_help();
	wm_port_close();
	return false;
}

bool wm_spread_terminal(void)
{
	return false;
}

size_t wm_spread_helpers(void)
{
	return (size_t)wm_port_count() - 1;
}

int wm_spread_end(int status)
{
	for (int i = 1; i < wm_port_count(); i++) {
		uint8_t *message = wm_port_memory(sizeof(status));

		memcpy(message, &status, sizeof(status));
		wm_port_send(i, WM_TAG_QUIT, message, sizeof(status));
	}
	wm_port_close();
	return status;
}

/* A slot of a helper: the group that it reads, and the result. */
struct desk {
	enum { FREE, GIVEN, WAITING, ASKED, HERE } state;
	size_t group;
	uint64_t size;
	struct wm_wire w; /* HERE: the result */
};

struct server {
	struct wm_crew *crew;
	uint64_t number;
	const struct wm_load *load;
	unsigned threads;
	struct desk *slot; /* `each` slots of helper 1, of helper 2 ... */
	size_t slots, each, busy, asked;
	uint64_t held;
};

static int helper_of(const struct server *v, const struct desk *s)
{
	return (int)((size_t)(s - v->slot) / v->each) + 1;
}

static uint32_t number_of(const struct server *v, const struct desk *s)
{
	return (uint32_t)((size_t)(s - v->slot) % v->each);
}

static void send_unit(struct server *v, struct desk *s)
{
	const struct wm_load *l = v->load;
	const struct wm_file_group *g = &l->groups->group[s->group];
	struct wm_run_file *file = wm_port_memory(g->count * sizeof(*file));
	struct wm_wire w = { .data = NULL };
	struct wm_work_unit u = {
		.load = v->number,
		.wish = *l->wish,
		.slot = number_of(v, s),
		.threads = v->threads,
		.wanted = l->retainer->wanted,
		.choice = l->retainer->choice,
		.number = l->retainer->number,
		.group = *g,
		.together = l->groups->together,
		.file = file,
	};

	wm_spread_build(u.build);
	for (size_t i = 0; i < g->count; i++)
		file[i] = l->run->files[g->file[i]];
	wm_unit_wire(&w, &u);
	free(file);
	if (w.failed)
		wm_port_abort("no memory");
	wm_port_send(helper_of(v, s), WM_TAG_UNIT, w.data, w.size);
	s->state = GIVEN;
	v->busy++;
}

/* Gives each free slot a group, as long as there are any. */
static bool give_groups(struct server *v)
{
	size_t helpers = v->slots / v->each, i;
	bool given = false;

	/* the first slots of all helpers are filled before the second ones */
	for (i = 0; i < v->slots; i++) {
		struct desk *s = &v->slot[i % helpers * v->each + i / helpers];

		if (s->state != FREE)
			continue;
		if (!wm_crew_take(v->crew, &s->group))
			break;
		send_unit(v, s);
		given = true;
	}
	return given;
}

/* Takes the message of a result; returns false if there is none. */
static bool take_result(struct server *v)
{
	int from = WM_PORT_ANY;
	struct wm_result r;
	struct desk *s;
	uint8_t *message;
	size_t size;

	if (!wm_port_poll(&from, WM_TAG_RESULT, &size))
		return false;
	message = wm_port_memory(size);
	wm_port_receive(from, WM_TAG_RESULT, message, size);
	memcpy(&r, message, sizeof(r));
	s = &v->slot[(size_t)(from - 1) * v->each + r.slot];
	wm_crew_progress(v->crew, s->group);
	s->size = r.size;
	s->state = WAITING;
	if (r.size < WM_SPREAD_LONG) {
		s->state = HERE;
		s->w.data = message;
		s->w.size = s->w.cap = sizeof(r) + r.size;
		s->w.at = sizeof(r);
		v->held += r.size;
	} else {
		free(message);
	}
	return true;
}

static void ask_for_result(struct server *v, struct desk *s)
{
	uint32_t number = number_of(v, s);
	uint8_t *message = wm_port_memory(sizeof(number));

	memcpy(message, &number, sizeof(number));
	wm_port_send(helper_of(v, s), WM_TAG_ASK, message, sizeof(number));
	v->held += s->size;
	v->asked++;
	s->state = ASKED;
}

static bool fetch_result(struct server *v, struct desk *s)
{
	int from = helper_of(v, s), tag = WM_TAG_BODY + (int)number_of(v, s);
	size_t size;

	if (!wm_port_poll(&from, tag, &size))
		return false;
	s->w.data = wm_port_memory(size);
	wm_port_receive(from, tag, s->w.data, size);
	s->w.size = s->w.cap = size;
	s->w.at = 0;
	v->asked--;
	s->state = HERE;
	return true;
}

/* Fetches long results: the next in turn, and others within HOLD_BYTES. */
static bool fetch_results(struct server *v)
{
	size_t i, turn = wm_crew_turn(v->crew);
	bool fetched = false;

	for (i = 0; i < v->slots; i++) {
		struct desk *s = &v->slot[i];

		if (s->state == WAITING &&
		    (s->group == turn || v->held + s->size <= HOLD_BYTES))
			ask_for_result(v, s);
		if (s->state == ASKED)
			fetched |= fetch_result(v, s);
	}
	return fetched;
}

static void deliver_result(struct server *v, struct desk *s)
{
	const struct wm_file_group *g = &v->load->groups->group[s->group];
	struct wm_group_outcome m = { .status = WM_OK };

	m.out = wm_port_memory(g->count * sizeof(*m.out));
	s->w.taking = true;
	if (s->size)
		wm_group_outcome_wire(&s->w, &m, g);
	if (!s->size || s->w.failed) {
		wm_group_outcome_release(&m, g);
		m.status = wm_err_set(&m.why, WM_NO_MEMORY, "no memory");
	}
	wm_wire_release(&s->w);
	v->held -= s->size;
	v->busy--;
	s->state = FREE;
	wm_crew_deliver(v->crew, s->group, &m);
}

static bool deliver_results(struct server *v)
{
	bool any = false;

	for (size_t i = 0; i < v->slots; i++) {
		struct desk *s = &v->slot[i];

		if (s->state != HERE || s->group != wm_crew_turn(v->crew))
			continue;
		deliver_result(v, s);
		any = true;
	}
	return any;
}

void wm_spread_serve(struct wm_crew *c, const struct wm_load *l,
		     unsigned threads)
{
	static uint64_t readings;
	struct server v = {
		.crew = c,
		.number = ++readings,
		.load = l,
		.threads = threads,
		.each = threads,
	};
	size_t helpers = wm_spread_helpers();
	struct wm_nap nap = { 0 };
	bool active;

	/* with many small groups, a helper always has the next one */
	if (v.load->groups->count > 8 * v.each * (helpers + 1))
		v.each++;
	v.slots = v.each * helpers;
	v.slot = wm_port_memory(v.slots * sizeof(*v.slot));
	do {
		active = give_groups(&v);
		active |= take_result(&v);
		active |= fetch_results(&v);
		active |= deliver_results(&v);
		if (wm_port_progress() || v.asked || active)
			nap.ns = 0;
		if (!active && v.busy)
			wm_crew_nap(c, &nap);
	} while (active || v.busy);
	free(v.slot);
}
