/* SPDX-License-Identifier: Apache-2.0 */
/* The estimated cost of watching pages, and the budget that it keeps to, for
 * programs that need more or less than was foreseen. */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include "runtime/pages/backing.h"
#include "runtime/pages/cost.h"
#include "runtime/pages/scan.h"
#include "tests/unit/tap.h"

#define MS UINT64_C(1000000)
#define PAGE 4096u
#define PAGES 2000u
/* Where nothing can be measured: 1.5 us, doubled until there are some. */
#define USUAL_NS UINT64_C(1500)
#define FAULT_NS (2 * USUAL_NS)

/* Stubs of runtime/pages/backing.h and scan.h: nothing can be watched, or each
 * page of what is takes first_ns until it is there, later_ns the next time. */
static uint64_t new_pages, first_ns, later_ns, page_ns;
static char *watched;
static size_t watched_bytes;

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void is_slow(int sig, siginfo_t *info, void *context)
{
	char *p = info->si_addr;
	uint64_t until = cpu_ns() + page_ns;

	(void)sig, (void)context;
	if (p < watched || p >= watched + watched_bytes)
		abort();
	while (cpu_ns() < until)
		;
	mprotect(p - (uintptr_t)p % PAGE, PAGE, PROT_READ | PROT_WRITE);
}

int wm_backing_watch(uint64_t start, uint64_t end)
{
	page_ns = first_ns;
	if (!page_ns)
		return -1;
	first_ns = later_ns;
	watched = (char *)(uintptr_t)start;
	watched_bytes = (size_t)(end - start);
	return mprotect(watched, watched_bytes, PROT_NONE);
}

uint64_t wm_backing_new(void)
{
	return new_pages;
}

int wm_scan_written(uint64_t start, uint64_t end, struct wm_buf *runs)
{
	(void)runs;
	return page_ns ? mprotect((void *)(uintptr_t)start,
				  (size_t)(end - start), PROT_NONE) :
			 -1;
}

static void touch_new_pages(void)
{
	char *p = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* a fault for each of them */
	madvise(p, PAGES * PAGE, MADV_NOHUGEPAGE);
	for (unsigned i = 0; i < PAGES; i++)
		((volatile char *)p)[i * PAGE] = 1;
	munmap(p, PAGES * PAGE);
}

static void is_ns(uint64_t got, uint64_t wanted, const char *what)
{
	ok(got == wanted, "%s: %llu of %llu ns", what, (unsigned long long)got,
	   (unsigned long long)wanted);
}

static void test_faults(void)
{
	uint64_t before, faults, fresh, count, old;

	wm_cost_measure(true);
	is_ns(wm_cost_again(1000, 0), 1000 * FAULT_NS,
	      "a page that is read again: one fault");
	is_ns(wm_cost_again(1000, 500), 1500 * FAULT_NS,
	      "one that is written: two");
	is_ns(wm_cost_again(0, 500), 500 * FAULT_NS, "one that is there: one");
	before = wm_cost_faults(&old);
	touch_new_pages();
	faults = wm_cost_faults(&count) - before;
	count -= old;
	/* the sanitizer of addresses adds a page of its own to eight of ours */
	ok(count >= PAGES && count < PAGES + PAGES / 4,
	   "%u faults are counted: %llu", PAGES, (unsigned long long)count);
	ok(faults >= count * USUAL_NS / 2 && faults <= count * FAULT_NS,
	   "they cost half to twice of what was measured: %llu ns",
	   (unsigned long long)faults);
	before = wm_cost_faults(NULL);
	new_pages += PAGES;
	touch_new_pages();
	fresh = wm_cost_faults(NULL) - before;
	ok(fresh < PAGES * FAULT_NS / 2,
	   "one of a new page would have been without us: %llu ns",
	   (unsigned long long)fresh);
	before = wm_cost_faults(NULL);
	new_pages = 0;
	ok(wm_cost_faults(NULL) >= before,
	   "pages that are gone give nothing back");
	wm_cost_measure(false);
	before = wm_cost_faults(NULL);
	touch_new_pages();
	is_ns(wm_cost_faults(NULL) - before, 0, "where they do not tell");
	wm_cost_note(10);
	ok(wm_cost_faults(NULL) - before >= 10 * USUAL_NS / 2,
	   "but those that are known count");
}

/* ns that a fault may cost, where a page of two takes so many ns at first. */
static uint64_t price_of_page(uint64_t first, uint64_t later)
{
	first_ns = first;
	later_ns = later;
	wm_cost_measure(true);
	first_ns = 0;
	return wm_cost_again(1000, 0) / 1000;
}

static void test_slow_machine(void)
{
	struct sigaction slow = { .sa_sigaction = is_slow,
				  .sa_flags = SA_SIGINFO },
			 before;
	uint64_t ns;

	sigaction(SIGSEGV, &slow, &before);
	ns = price_of_page(60000, 60000);
	ok(ns >= 60000, "faults of 30 us may cost twice that: %llu ns",
	   (unsigned long long)ns);
	ns = price_of_page(300000, 12000);
	ok(ns >= 12000 && ns < 300000,
	   "the first ones are slow: later ones count, %llu ns",
	   (unsigned long long)ns);
	is_ns(price_of_page(1000000, 1000000), 200000, "there is a most");
	sigaction(SIGSEGV, &before, NULL);
}

/*
 * A program of @ms of CPU time whose epochs cost @cost each, where @foreseen
 * was expected; from @turn on four times as much.  Returns what was spent at
 * most, in parts of 1,000 of the time that had passed; *@epochs: how many.
 */
static uint64_t most_spent(uint64_t ms, uint64_t cost, uint64_t foreseen,
			   uint64_t turn, unsigned *epochs)
{
	uint64_t last = 0, spent = 0, most = 0;

	*epochs = 0;
	for (uint64_t t = MS; t <= ms * MS; t += MS) {
		uint64_t times = t < turn * MS ? 1 : 4;

		if (wm_cost_allowed_at(last, spent, times * foreseen) > t)
			continue;
		spent += times * cost;
		last = t;
		++*epochs;
		if (spent * 1000 / t > most)
			most = spent * 1000 / t;
	}
	return most;
}

static void test_budget(void)
{
	unsigned n;
	uint64_t most;

	most = most_spent(1900, 400 * MS, 400 * MS, 99999, &n);
	ok(n == 0 && most == 0, "a run that is too short has none");
	most = most_spent(40000, 40 * MS, 40 * MS, 99999, &n);
	ok(most <= 200, "at no time above a fifth: %u of 1000", (unsigned)most);
	ok(n >= 100 && n <= 110, "a tenth of a long run: %u epochs", n);
	most = most_spent(40000, 10 * MS, 10 * MS, 20000, &n);
	ok(most <= 200, "nor where epochs become dearer: %u of 1000",
	   (unsigned)most);
	most = most_spent(40000, 20 * MS, 10 * MS, 99999, &n);
	ok(most <= 400 && n <= 220,
	   "what was not foreseen is paid back: %u of 1000, %u epochs",
	   (unsigned)most, n);
	/* what was saved in a quiet hour is not spent at once */
	is_ns(wm_cost_allowed_at(3600000 * MS, 0, 10 * MS), 3600100 * MS,
	      "an epoch keeps to it, too");
}

/* A sort of keys: 3,000 ms with cheap epochs, then 2,700 ms in which one costs
 * @cost.  Returns the longest epoch in parts of 1,000 of the run. */
static unsigned longest_of_sort(uint64_t cost, unsigned *epochs,
				uint64_t *spent)
{
	uint64_t last = 0, longest = 0;

	*epochs = 0;
	*spent = 0;
	for (uint64_t t = MS; t <= 5700 * MS; t += MS) {
		uint64_t again = t < 3000 * MS ? 10 * MS : cost;
		uint64_t at = wm_cost_allowed_at(last, *spent, again);

		if (at > t && t < 5700 * MS)
			continue;
		longest = t - last > longest ? t - last : longest;
		*spent += again;
		last = t;
		*epochs += t > 3000 * MS;
	}
	return (unsigned)(longest * 1000 / (5700 * MS));
}

static void test_late_work(void)
{
	uint64_t spent;
	unsigned n, longest;

	longest = longest_of_sort(100 * MS, &n, &spent);
	ok(longest <= 125 && n >= 5,
	   "dear work at the end is no one epoch: %u epochs, %u of 1000", n,
	   longest);
	(void)longest_of_sort(1000 * MS, &n, &spent);
	ok(n <= 2 && spent <= 5700 * MS / 5 + 1300 * MS,
	   "but what is too dear ends none: %u epochs", n);
}

int main(void)
{
	tap_plan(20);
	test_faults();
	test_slow_machine();
	test_budget();
	test_late_work();
	return tap_done();
}
