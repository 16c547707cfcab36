/* SPDX-License-Identifier: Apache-2.0 */
/* Several traces of one rank, of which only the last one counts: a process
 * executed itself, containers had first processes of their own, a step ran
 * again, or several processes claim one rank at the same time.  Each kind has a
 * note, as a trace that is not read is a missing part of the answer. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analyze/job/scan_heads.h"

#include "analyze/job/facts.h"

enum kind {
	EXECUTED_ITSELF,
	EXECUTED_ANOTHER,
	FIRST_PROCESS, /* pid 1, and no trace has an end */
	ONE_PID,
	OTHER_PIDS,
	KINDS,
};

struct copies {
	size_t ranks;
	const struct wm_run_file *counts;
	const struct wm_run_file *older; /* first of its `count` older traces */
	size_t count;
};

static bool ran_together(struct wm_run_file *a, struct wm_run_file *b)
{
	if (!a->facts || !b->facts || !a->start.real_ns || !b->start.real_ns)
		return false;
	/* the end of the later trace does not matter, and is slow to find */
	return a->start.real_ns < b->start.real_ns ?
		       wm_facts_end(a) > b->start.real_ns :
		       wm_facts_end(b) > a->start.real_ns;
}

static bool is_same(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* Returns how the process of @f relates to the later process of @counts. */
static enum kind kind_of(struct wm_run_file *f,
			 const struct wm_run_file *counts)
{
	const struct wm_facts *a = f->facts, *b = counts->facts;

	if (!a || !b || !a->pid || a->pid != b->pid)
		return OTHER_PIDS;
	wm_facts_end(f);
	/* a process that executes another program leaves its trace without an
	 * end; its pid is not reused before that program has ended */
	if (a->ended || !is_same(a->boot_id, b->boot_id) ||
	    !is_same(a->host, b->host))
		return ONE_PID;
	if (a->pid == 1)
		return FIRST_PROCESS;
	return is_same(a->program, b->program) ? EXECUTED_ITSELF :
						 EXECUTED_ANOTHER;
}

static const char *times(size_t n, char buf[32])
{
	if (n == 1)
		return "once";
	if (n == 2)
		return "twice";
	snprintf(buf, 32, "%zu times", n);
	return buf;
}

static enum wm_status note_copies(struct wm_run *run, const struct copies *c,
				  enum kind kind, struct wm_err *err)
{
	const struct wm_facts *k = c->counts->facts;
	char alike[48] = "", more[48] = "", how[160], count[32];

	if (c->ranks > 1)
		snprintf(alike, sizeof(alike), " (%zu more rank%s alike)",
			 c->ranks - 1, c->ranks > 2 ? "s" : "");
	if (kind == EXECUTED_ITSELF || kind == EXECUTED_ANOTHER)
		snprintf(how, sizeof(how),
			 "pid %" PRIu64 " executed %s %s, and each program has "
			 "a trace",
			 k->pid,
			 kind == EXECUTED_ITSELF ? "itself" : "another program",
			 times(c->count, count));
	else if (kind == FIRST_PROCESS)
		snprintf(how, sizeof(how),
			 "%zu programs ran one after the other, each as pid "
			 "1: the program executed itself, or WM_RUN_ID must "
			 "keep containers apart",
			 c->count + 1);
	else if (kind == ONE_PID)
		snprintf(
			how, sizeof(how),
			"%zu processes ran one after the other, each as pid %" PRIu64
			": WM_RUN_ID keeps them apart",
			c->count + 1, k->pid);
	else
		snprintf(how, sizeof(how),
			 "%zu processes ran one after the other, with "
			 "different pids: a step ran again, or a WM_RUN_ID "
			 "was given twice",
			 c->count + 1);
	if (c->count > 1)
		snprintf(more, sizeof(more), " and %zu more are", c->count - 1);
	return wm_run_note(run, err,
			   "rank %" PRIu64 "%s: %s; '%s' is read, '%s'%s not",
			   c->counts->rank, alike, how, c->counts->path,
			   c->older->path, more[0] ? more : " is");
}

/* Sorts the @n older traces @f of the rank of @counts into @all. */
static void classify(struct wm_run *run, struct copies *all,
		     struct wm_run_file *f, size_t n,
		     struct wm_run_file *counts)
{
	enum kind kind = EXECUTED_ITSELF, k;
	size_t i, before = run->duplicates;

	for (i = 0; i < n; i++) {
		if (ran_together(&f[i], counts)) {
			if (!run->duplicates++)
				run->duplicate = counts->rank;
			continue;
		}
		k = kind_of(&f[i], counts);
		kind = k > kind ? k : kind;
	}
	if (run->duplicates > before) /* they have a note of their own */
		return;
	if (!all[kind].ranks++) {
		all[kind].counts = counts;
		all[kind].older = f;
		all[kind].count = n;
	}
}

enum wm_status wm_duplicates_note(struct wm_run *run, struct wm_err *err)
{
	struct copies all[KINDS] = { { 0 } };
	enum wm_status s = WM_OK;
	size_t i, n, k = 0;

	for (i = run->file_count; i < run->all_count; i += n) {
		struct wm_run_file *f = &run->files[i];

		for (n = 1; i + n < run->all_count && f[n].rank == f->rank &&
			    f[n].fate == f->fate;
		     n++)
			;
		if (f->fate != WM_FILE_OLDER)
			continue;
		run->unread = true;
		while (k < run->file_count && run->files[k].rank < f->rank)
			k++;
		if (k < run->file_count && run->files[k].rank == f->rank)
			classify(run, all, f, n, &run->files[k]);
	}
	for (int kind = 0; kind < KINDS && !s; kind++)
		if (all[kind].ranks)
			s = note_copies(run, &all[kind], (enum kind)kind, err);
	return s;
}
