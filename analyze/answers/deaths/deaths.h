/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How ranks ended, unless all of them ended in order.  Ranks with the same end
 * and the same last call path are a group; the group with the earliest last
 * event comes first.
 *
 * Ranks of one boot have one clock.  Ranks of several boots are in order of
 * their wall clocks, which may differ.  The groups own their texts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"

/* The end of the process, as far as its trace and this machine show it. */
enum wm_ending {
	WM_ENDING_ENDED, /* .reason has the way it ended */
	WM_ENDING_ABORTED, /* it called MPI_Abort, or abort() */
	WM_ENDING_GONE, /* no end, and no such process here any more */
	WM_ENDING_RUNNING, /* no end yet: the process is there */
	WM_ENDING_UNKNOWN, /* no end; it ran on another machine, or before a boot */
	WM_ENDING_UNWRITTEN, /* its trace could not be written to the end */
	WM_ENDING_DAMAGED, /* the trace cannot be read to its end */
	WM_ENDINGS,
};

/* "killed", "running" ...: for programs. */
extern const char *const wm_ending_name[WM_ENDINGS];

struct wm_death_group {
	enum wm_ending ending;
	const char *reason; /* of END, or why it was not written; or NULL */
	uint64_t status; /* of exit(); 0: the status is 0, or not known */
	bool without; /* MPI was up, and the rank ended without MPI_Finalize */
	char *path; /* of the last allocation, "main;solve"; NULL: none */
	double first, last; /* last events of its ranks, in seconds since the
			       first rank began */
	size_t *rank; /* index into wm_analysis.ranks, in order */
	size_t count;
};

/* A rank whose trace shows that it failed by itself. */
struct wm_gave_up {
	size_t rank; /* index */
	enum wm_ending ending;
	/* as in struct wm_death_group, like the next two: */
	const char *reason;
	uint64_t status;
	bool without;
	double seconds; /* its last event */
	/* bytes of a request that failed just before; 0: none */
	uint64_t refused;
	double before; /* seconds from that request to the last event */
	/* the cause is known by wm_death_is_stray() or wm_deaths.assertion */
	bool caused;
	/* the handler of fatal signals that allocated last; NULL: none */
	const char *handler;
	/* the rank ended without MPI_Finalize, or with a status that is not 0:
	 * MPI also ends ranks in this way after another rank was lost */
	bool left;
};

struct wm_deaths {
	struct wm_death_group *group;
	size_t count; /* 0: all ranks ended in order */
	size_t dead; /* ranks that died or may have died */
	/* [0, firsts) of .first, by rank: the ranks that gave up, or, if other
	 * ranks may have died before, the ranks whose last event is the
	 * earliest within .doubt */
	size_t *first;
	size_t firsts;
	double first_seconds,
		/* their last events, as in struct wm_death_group */
		last_seconds;
	/* the first rank of .first failed first: it gave up, or no other rank
	 * died */
	bool known;
	/* as in struct wm_gave_up, for the only rank of a job */
	uint64_t refused;
	double refused_before;
	/* by rank, the function whose assertion failed; NULL: no assertion is
	 * known to have failed */
	const struct wm_symbol **assertion;
	double doubt; /* seconds: no order within them; INFINITY: none */
	struct wm_gave_up *gave_up; /* by rank */
	size_t gave_ups;
	/* all ranks that gave up left: others may have died first */
	bool unsure;
	size_t others; /* ranks that died and did not give up */
	/* how many of .others were silent, by more than .doubt, before any rank
	 * gave up; the first of them, and since when */
	size_t silent, silent_first;
	double silent_seconds;
	/* a rank ended in order before the ranks in .first */
	bool ended_before;
	size_t ended; /* index of the rank that ended in order first */
	bool wall; /* in order by wall clocks of several machines */
	size_t *order; /* memory of the groups' ranks */
};

/*
 * The order of two deaths is unknown if they are so few seconds apart, by one
 * clock or by the wall clocks of several machines: a process that dies is not
 * silent at once, and ranks that the launcher then ends may have been silent
 * before.
 */
#define WM_DEATH_DOUBT 0.01
#define WM_DEATH_DOUBT_WALL 1.0
/* By one clock, an event is later if it is so many seconds after another rank's
 * end. */
#define WM_DEATH_CLOCK 0.001
/* A request is reported with the end if it failed at most so many seconds
 * before. */
#define WM_DEATH_REFUSED 0.5

enum wm_status wm_deaths_find(struct wm_deaths *d, const struct wm_analysis *a,
			      struct wm_err *err);
/* Returns whether @r probably ended because of its last call, which released an
 * address that is no block (wm_rank.strayed). */
bool wm_death_is_stray(const struct wm_rank *r, enum wm_ending ending);
void wm_deaths_release(struct wm_deaths *d);
