/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of odd.c for limits and for large memory. */
#define _GNU_SOURCE
#include <sys/resource.h>

#include "odd.h"
#include "say.h"

/* ---- limits ---- */

static void limit(int what, rlim_t n)
{
	struct rlimit r;

	getrlimit(what, &r);
	r.rlim_cur = n;
	say("limit", setrlimit(what, &r));
}

void no_files(void)
{
	start_thread();
	limit(RLIMIT_NOFILE, 0);
	fork_once("fork");
}

void no_data(void)
{
	start_thread();
	limit(RLIMIT_DATA, 1 << 20);
	fork_once("fork");
}

/* It holds as soon as it is set, and is no more than what it says. */
void less_data(void)
{
	struct rlimit r;
	char *p;
	int n = 0;

	memset(malloc(30 << 20), 3, 30 << 20);
	getrlimit(RLIMIT_DATA, &r);
	r.rlim_cur = r.rlim_max = 64 << 20;
	say("limit", setrlimit(RLIMIT_DATA, &r));
	while (n < 100 && (p = malloc(4 << 20)) != NULL) {
		memset(p, 3, 4 << 20);
		n++;
	}
	/* the runtime has some megabytes of its own */
	say("4 to 10 blocks of 4 MiB", n >= 4 && n <= 10);
	fork_once("fork");
	start_thread();
	fork_once("fork beside a thread");
}

/* The file that memory lies in is no file of the program's. */
void small_files(void)
{
	limit(RLIMIT_FSIZE, 4 << 20);
	for (int i = 0; i < 3; i++) {
		fork_once("fork");
		free(memset(malloc(10 << 20), 3, 10 << 20));
	}
}

void no_root(void)
{
	start_thread();
	if (chroot("/var/empty") && chroot("/tmp"))
		puts("no chroot");
	fork_once("fork");
}

static unsigned long mapped_bytes(void)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (f && fscanf(f, "%lu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return pages * PAGE;
}

void no_addresses(void)
{
	char *p = map(100 << 20, PROT_READ | PROT_WRITE);

	memset(p, 1, 1 << 20);
	limit(RLIMIT_AS, mapped_bytes() + (1 << 20));
	fork_once("fork");
}

void many_maps(void)
{
	char *p = map(140000 * PAGE, PROT_READ | PROT_WRITE);
	int n = 0;

	while (n < 140000 &&
	       mprotect(p + (size_t)n * PAGE, PAGE, PROT_READ) == 0)
		n += 2;
	say("many", n > 60000);
	fork_once("fork");
	start_thread();
	fork_once("fork beside a thread");
}

/* ---- large ---- */

void large(void)
{
	const size_t tb = 1ul << 40, gb100 = 100ul << 30;
	char *p = mmap(NULL, tb, PROT_NONE, anywhere | MAP_NORESERVE, -1, 0);
	char *q = mmap(NULL, gb100, PROT_READ | PROT_WRITE,
		       anywhere | MAP_NORESERVE, -1, 0);

	say("no access", p != MAP_FAILED);
	say("sparse", q != MAP_FAILED);
	for (size_t i = 0; i < gb100; i += gb100 / 64)
		q[i] = 1;
	say("opened", mprotect(p, tb / 2, PROT_READ | PROT_WRITE));
	for (size_t i = 0; i < tb / 2; i += tb / 64)
		p[i] = 1;
	usleep(100000);
	say("sparse has", q[gb100 / 64] + q[1]);
	say("page tables are small", status_kib("VmPTE:") < 65536);
	fork_once("fork");
	say("unmapped", munmap(q, gb100) + munmap(p, tb));
}

/* ---- locked ---- */

void locked(void)
{
	char *p;

	limit(RLIMIT_MEMLOCK, RLIM_INFINITY);
	say("now", mlockall(MCL_CURRENT));
	say("later", mlockall(MCL_CURRENT | MCL_FUTURE));
	p = map(1 << 20, PROT_READ | PROT_WRITE);
	memset(p, 5, 1 << 20);
	for (int i = 0; i < 200; i++)
		free(memset(malloc(400000), 1, 400000));
	fork_once("fork");
	say("munlockall", munlockall());
	say("it holds", p[77777]);
}
