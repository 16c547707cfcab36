/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pages/cost.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "runtime/base/clock.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/pages/backing.h"
#include "runtime/pages/scan.h"

/* Pages that are touched to measure: four faults each, about a ms. */
#define PAGES 128
#define FAULTS (2 * PAGES)
/* The time that is assumed if it cannot be measured, and the bounds of a
 * measured time: virtual machines without help from the processor need tens of
 * us. */
#define USUAL_NS 1500
#define LEAST_NS 200
#define MOST_NS 100000
/* A time above SLOW_NS is measured up to TRIES times, and the shortest counts:
 * caches may have been cold, or memory scarce. */
#define SLOW_NS (2 * USUAL_NS)
#define TRIES 3
/* In a program, whose data are in the caches, a fault costs up to IN_PROGRAM
 * times as much as in a row of faults (tests/bench/faults.c).  The system's
 * part of the program's CPU time determines the factor. */
#define IN_PROGRAM 2
/* The budget: see wm_cost_allowed_at(). */
#define BUDGET_PARTS 10
#define MOST_PARTS 5
#define EPOCH_PARTS 8

static struct {
	bool counts;
	uint64_t fault_ns;
	uint64_t new_ns; /* by which a new page costs more in the file */
	uint64_t page_ns; /* cost of a new page in the file */
	uint64_t faults, new_pages;
	uint64_t system, thread; /* ns of CPU time before the first look */
	uint64_t system_now;
	uint64_t spent, count, fresh; /* ns; faults of watching; new pages */
} cost;

static uint64_t faults_so_far(void)
{
	struct rusage u;

	if (WM_SYS2(SYS_getrusage, RUSAGE_SELF, &u) < 0)
		return cost.faults;
	cost.system_now = (uint64_t)u.ru_stime.tv_sec * 1000000000u +
			  (uint64_t)u.ru_stime.tv_usec * 1000;
	return (uint64_t)u.ru_minflt;
}

/* Returns the kernel's ns for a fault in this program so far, and a quarter
 * more because data has to be loaded into caches again. */
static uint64_t price(void)
{
	uint64_t most = cost.fault_ns * IN_PROGRAM, least = cost.fault_ns / 2;
	/* All CPU time of this thread is the system's. */
	uint64_t others = cost.system + cost.fresh * cost.page_ns +
			  wm_clock_ns(CLOCK_THREAD_CPUTIME_ID) - cost.thread;
	uint64_t ns;

	if (!cost.count || cost.system_now < others)
		return cost.count ? least : most;
	ns = (cost.system_now - others) / cost.count * 5 / 4;
	return ns < least ? least : ns > most ? most : ns;
}

static uint64_t touch(uint64_t start)
{
	uint64_t before = wm_clock_ns(CLOCK_THREAD_CPUTIME_ID);

	for (uint64_t i = 0; i < PAGES; i++)
		*(volatile char *)(uintptr_t)(start + i * WM_PAGE) = 1;
	return wm_clock_ns(CLOCK_THREAD_CPUTIME_ID) - before;
}

static long map_pages(int how)
{
	return WM_SYS6(SYS_mmap, 0, PAGES * WM_PAGE, PROT_READ | PROT_WRITE,
		       how | MAP_ANONYMOUS, -1, 0);
}

/* Returns the ns of a new page of private memory, or 0. */
static uint64_t measured_private(void)
{
	long p = map_pages(MAP_PRIVATE);
	uint64_t ns = p > 0 ? touch((uint64_t)p) / PAGES : 0;

	if (p > 0)
		WM_SYS2(SYS_munmap, p, PAGES * WM_PAGE);
	return ns;
}

/* Returns the ns of one fault, or 0, and stores those of a new page. */
static uint64_t measured(uint64_t start, uint64_t *new_ns)
{
	if (wm_backing_watch(start, start + PAGES * WM_PAGE))
		return 0;
	*new_ns = touch(start) / PAGES;
	if (wm_scan_written(start, start + PAGES * WM_PAGE, NULL) ||
	    WM_SYS3(SYS_madvise, start, PAGES * WM_PAGE, MADV_DONTNEED))
		return 0;
	return touch(start) / FAULTS;
}

/* 0: not measured */
static uint64_t lesser(uint64_t a, uint64_t b)
{
	return a && (a < b || !b) ? a : b;
}

static uint64_t bounded(uint64_t ns)
{
	return ns < MOST_NS ? ns : MOST_NS;
}

void wm_cost_measure(bool counts)
{
	uint64_t ns = 0, new_ns = 0, private_ns = 0;

	for (int i = 0; i < TRIES && (i == 0 || ns > SLOW_NS); i++) {
		long p = map_pages(MAP_SHARED);
		uint64_t of_new = 0;

		private_ns = lesser(measured_private(), private_ns);
		if (p <= 0)
			continue;
		ns = lesser(measured((uint64_t)p, &of_new), ns);
		new_ns = lesser(of_new, new_ns);
		WM_SYS2(SYS_munmap, p, PAGES * WM_PAGE);
	}
	cost.fault_ns = ns < LEAST_NS ? USUAL_NS : bounded(ns);
	cost.page_ns = bounded(new_ns);
	cost.new_ns = private_ns && cost.page_ns > private_ns ?
			      cost.page_ns - private_ns :
			      0;
	cost.counts = counts;
	cost.count = cost.fresh = 0;
	cost.faults = faults_so_far();
	cost.system = cost.system_now;
	cost.thread = wm_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	cost.new_pages = wm_backing_new();
}

/* New pages would have had their fault without watching, too. */
static void look_at_faults(void)
{
	uint64_t faults, new_pages, more, fresh;

	faults = faults_so_far();
	new_pages = wm_backing_new();
	more = faults - cost.faults;
	fresh = new_pages > cost.new_pages ? new_pages - cost.new_pages : 0;

	cost.spent += fresh * cost.new_ns;
	cost.fresh += fresh;
	if (more > fresh)
		wm_cost_note(more - fresh);
	cost.faults = faults;
	cost.new_pages = new_pages;
}

void wm_cost_note(uint64_t pages)
{
	cost.count += pages;
	cost.spent += pages * price();
}

uint64_t wm_cost_faults(uint64_t *count)
{
	if (cost.counts)
		look_at_faults();
	else
		faults_so_far();
	if (count)
		*count = cost.count;
	return cost.spent;
}

uint64_t wm_cost_again(uint64_t accessed, uint64_t written)
{
	return (accessed + written) * price();
}

uint64_t wm_cost_allowed_at(uint64_t last, uint64_t spent, uint64_t again)
{
	uint64_t of_run = BUDGET_PARTS * (spent + again);
	uint64_t of_epoch = last + BUDGET_PARTS * again;

	uint64_t usual = of_run > of_epoch ? of_run : of_epoch;
	uint64_t most = MOST_PARTS * (spent + again);
	uint64_t longest = last + last / (EPOCH_PARTS - 1);

	if (most < longest)
		most = longest;
	return usual < most ? usual : most;
}
