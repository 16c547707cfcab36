/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wmt-job RUNDIR [OPTION VALUE]...: the run directory of a big job, and on
 * stdout, as JSON, what is true of it.
 *
 *   --ranks N      default 4096
 *   --per-node N   ranks of a node; default 128
 *   --events N     of each rank, about; default 20000
 *   --live N       blocks that are alive all the time; default 500
 *   --paths N      call paths that they come from; default 60
 *   --depth N      calls on the way to them; default 12
 *   --jobs N       processes that write; default 2
 *
 * The events of each rank are a formula of its number, and so are the answers:
 * no event is counted for them.  main<setup<grid has a block from start to end;
 * LIVE blocks of work00, work01 ... replace each other, always by one of the
 * same size; in one of eight equal steps of time, its own, main<solve<halo has
 * one more block, with which the rank is at its peak; main<report<keep forgets
 * up to two blocks at the end.  Nothing else happens on the node while halos
 * come and go, so that its peak is that of the best step.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tools/make.h"
#include "wm/trace_format.h"

#define STEPS 8
#define QUIET 3000000ull /* ns at both ends of a step */
#define PAIR 500ull /* ns from one replacement to the next */

enum { PATH_GRID, PATH_HALO, PATH_KEEP, PATH_WORK };

static struct {
	uint64_t ranks, per_node, events, live, paths, depth, jobs;
} job = { 4096, 128, 20000, 500, 60, 12, 2 };
static char dir[4096];
static uint64_t *number_of; /* of each path, in this rank */

/* ---- what is true ---- */

static uint64_t grid_bytes(uint64_t r)
{
	return (1u << 20) + 4096 * (r * 7919 % 509) + (r ? 0 : 2u << 20);
}

static uint64_t halo_bytes(uint64_t r)
{
	return 65536 * (1 + r * 37 % 101) + 16 * r;
}

static uint64_t halo_step(uint64_t r)
{
	return (r % job.per_node * 5 + r / job.per_node) % STEPS;
}

static uint64_t work_bytes(uint64_t r, uint64_t slot)
{
	return 16 + 8 * ((slot * 7 + r) % 13);
}

static uint64_t kept_blocks(uint64_t r)
{
	return r % 3;
}

static uint64_t kept_bytes(uint64_t r)
{
	return 1000 + r % 17;
}

/* The bytes of path @p, or of all, if @p is job.paths. */
static uint64_t ring_bytes(uint64_t r, uint64_t p)
{
	uint64_t sum = 0, i;

	for (i = 0; i < job.live; i++)
		if (p == job.paths || i % job.paths == p)
			sum += work_bytes(r, i);
	return sum;
}

static uint64_t peak_bytes(uint64_t r)
{
	return grid_bytes(r) + halo_bytes(r) + ring_bytes(r, job.paths);
}

static uint64_t pairs(void)
{
	uint64_t rest = 2 * job.live + 4;

	return job.events > rest ? (job.events - rest) / 2 : 0;
}

static uint64_t events(uint64_t r)
{
	return 2 * job.live + 4 + 2 * pairs() + kept_blocks(r);
}

static uint64_t node_peak(uint64_t node)
{
	uint64_t r, first = node * job.per_node, end = first + job.per_node, k;
	uint64_t step[STEPS] = { 0 }, sum = 0, best = 0;

	for (r = first; r < end && r < job.ranks; r++) {
		sum += grid_bytes(r) + ring_bytes(r, job.paths);
		step[halo_step(r)] += halo_bytes(r);
	}
	for (k = 0; k < STEPS; k++)
		best = step[k] > best ? step[k] : best;
	return sum + best;
}

static void print_functions(uint64_t r)
{
	uint64_t p;

	printf("\"functions\": {\"grid\": %" PRIu64 ", \"halo\": %" PRIu64,
	       grid_bytes(r), halo_bytes(r));
	for (p = 0; p < job.paths && p < job.live; p++)
		printf(", \"work%02" PRIu64 "\": %" PRIu64, p,
		       ring_bytes(r, p));
	printf("},\n");
}

static void print_answers(void)
{
	uint64_t r, max = 0, min = 0, sum = 0, all = 0, kept = 0;
	uint64_t nodes = (job.ranks + job.per_node - 1) / job.per_node;
	uint64_t *peak = fix_alloc(NULL, job.ranks * sizeof(*peak));

	for (r = 0; r < job.ranks; r++) {
		peak[r] = peak_bytes(r);
		max = peak[r] > peak[max] ? r : max;
		min = peak[r] < peak[min] ? r : min;
		sum += peak[r];
		all += events(r);
		kept += kept_blocks(r) * kept_bytes(r);
	}
	printf("{\"ranks\": %" PRIu64 ", \"nodes\": %" PRIu64
	       ", \"events\": %" PRIu64 ",\n"
	       "\"max_rank\": %" PRIu64 ", \"max_bytes\": %" PRIu64 ",\n"
	       "\"min_rank\": %" PRIu64 ", \"min_bytes\": %" PRIu64 ",\n"
	       "\"sum_bytes\": %" PRIu64 ", \"end_bytes\": %" PRIu64 ",\n",
	       job.ranks, nodes, all, max, peak[max], min, peak[min], sum,
	       kept);
	print_functions(max);
	printf("\"node_peaks\": [");
	for (r = 0; r < nodes; r++)
		printf("%s%" PRIu64, r ? ", " : "", node_peak(r));
	printf("],\n\"peaks\": [");
	for (r = 0; r < job.ranks; r++)
		printf("%s%" PRIu64, r ? ", " : "", peak[r]);
	printf("]}\n");
	free(peak);
}

/* ---- the traces ---- */

/* main<setup<grid, main<solve<halo, main<report<keep, and those of WORK. */
static void number_paths(void)
{
	static const char *const fixed[PATH_WORK] = { "main<setup<grid",
						      "main<solve<halo",
						      "main<report<keep" };
	char text[2048];
	uint64_t i, k;
	size_t n;

	for (i = 0; i < PATH_WORK; i++)
		number_of[i] = path_number(fixed[i]);
	for (i = 0; i < job.paths; i++) {
		n = (size_t)sprintf(text, "main<solve");
		for (k = 2; k <= job.depth; k++)
			n += (size_t)sprintf(text + n, "<level%02" PRIu64,
					     7 + k);
		sprintf(text + n, "<level%02" PRIu64 "<work%02" PRIu64, i % 7,
			i);
		number_of[PATH_WORK + i] = path_number(text);
	}
}

/* @size 0: the block goes. */
static void event(uint64_t time, uint64_t addr, uint64_t size, uint64_t path)
{
	g.now = time;
	add_event(size ? WMT_EV_MALLOC : WMT_EV_FREE, addr, size,
		  number_of[path]);
}

#define GRID_AT 0x10000000ull
#define HALO_AT 0x20000000ull
#define KEEP_AT 0x30000000ull
#define WORK_AT(i) (0x40000000ull + 128 * (i))

static void slot_event(uint64_t time, uint64_t i, int in)
{
	event(time, WORK_AT(i), in ? work_bytes(g.rank, i) : 0,
	      PATH_WORK + i % job.paths);
}

/* One of the equal steps from @time on. */
static void make_step(uint64_t step, uint64_t time, uint64_t end)
{
	uint64_t each = pairs() / STEPS, i = step * each;
	uint64_t until = step == STEPS - 1 ? pairs() : i + each;
	uint64_t at = QUIET / 2 + g.rank % job.per_node * 10;
	int mine = halo_step(g.rank) == step;

	if (mine)
		event(time + at, HALO_AT, halo_bytes(g.rank), PATH_HALO);
	for (time += QUIET; i < until && job.live; i++, time += PAIR) {
		slot_event(time, i * 31 % job.live, 0);
		slot_event(time + PAIR / 2, i * 31 % job.live, 1);
	}
	if (mine)
		event(end - QUIET + at, HALO_AT, 0, 0);
}

static void make_events(void)
{
	uint64_t r = g.rank, time = g.start, i;
	uint64_t step = 2 * QUIET + (pairs() / STEPS + STEPS) * PAIR;

	event(time += 1000, GRID_AT, grid_bytes(r), PATH_GRID);
	for (i = 0; i < job.live; i++)
		slot_event(time += 100, i, 1);
	/* as the whole node does: at the same time */
	time = g.start - r % job.per_node * 1000 + 1000000 + job.live * 100;
	for (i = 0; i < STEPS; i++, time += step)
		make_step(i, time, time + step);
	for (i = 0; i < kept_blocks(r); i++)
		event(time += 100, KEEP_AT + 4096 * i, kept_bytes(r),
		      PATH_KEEP);
	for (i = 0; i < job.live; i++)
		slot_event(time += 100, i, 0);
	event(time + 100, GRID_AT, 0, 0);
}

static void make_rank(uint64_t r)
{
	uint64_t node = r / job.per_node;
	char text[80];

	snprintf(text, sizeof(text), "boot%05" PRIu64, node);
	set(&g.boot, copy(text));
	set(&g.host, copy(text + 4));
	if (job.ranks > WMT_RANKS_PER_DIR) {
		snprintf(text, sizeof(text),
			 "ranks-%06" PRIu64 "/rank-%06" PRIu64 WMT_FILE_SUFFIX,
			 r - r % WMT_RANKS_PER_DIR, r);
		set(&g.file, copy(text));
	}
	g.rank = r;
	g.mono = g.start = 5000000000ull + node * 12345678 +
			   r % job.per_node * 1000;
	g.rss = peak_bytes(r);
	g.peak_rss = g.rss + (10 << 20);
	begin_rank();
	number_paths();
	make_events();
	set(&g.end, copy("exit"));
	finish_rank();
}

static void make_dirs(const char *name)
{
	char path[sizeof(dir) + 40];
	uint64_t r;

	if (mkdir(name, 0777) || !realpath(name, dir))
		fix_die("cannot make %s", name);
	make_begin(dir);
	snprintf(path, sizeof(path), "%s/job.wm", dir);
	set(&g.program, copy("job"));
	set(&g.elf, copy(path));
	set(&g.exe, copy(path));
	g.clock = WMT_CLOCK_MONOTONIC;
	g.ranks = job.ranks;
	for (r = 0; r < job.ranks && job.ranks > WMT_RANKS_PER_DIR;
	     r += WMT_RANKS_PER_DIR) {
		snprintf(path, sizeof(path), "%s/ranks-%06" PRIu64, dir, r);
		if (mkdir(path, 0777))
			fix_die("cannot make %s", path);
	}
}

static void make_ranks(uint64_t first)
{
	uint64_t r;

	for (r = first; r < job.ranks; r += job.jobs)
		make_rank(r);
}

static void set_option(const char *name, const char *value)
{
	static const struct {
		const char *name;
		uint64_t *value, low, high;
	} option[] = {
		{ "--ranks", &job.ranks, 1, 1u << 20 },
		{ "--per-node", &job.per_node, 1, 1024 },
		{ "--events", &job.events, 0, 1u << 30 },
		{ "--live", &job.live, 1, 1u << 20 },
		{ "--paths", &job.paths, 1, 10000 },
		{ "--depth", &job.depth, 1, 100 },
		{ "--jobs", &job.jobs, 1, 64 },
	};
	size_t i;

	for (i = 0; i < sizeof(option) / sizeof(*option); i++) {
		if (strcmp(name, option[i].name) != 0)
			continue;
		*option[i].value = strtoull(value, NULL, 10);
		if (*option[i].value < option[i].low ||
		    *option[i].value > option[i].high)
			fix_die("%s %s: out of range", name, value);
		return;
	}
	fix_die("unknown option '%s'", name);
}

int main(int argc, char **argv)
{
	uint64_t j;
	int i, status;

	if (argc < 2 || argc % 2)
		fix_die("usage: wmt-job RUNDIR [OPTION VALUE]...");
	for (i = 2; i < argc; i += 2)
		set_option(argv[i], argv[i + 1]);
	make_dirs(argv[1]);
	number_of = fix_alloc(NULL,
			      (PATH_WORK + job.paths) * sizeof(*number_of));
	number_paths();
	make_elf();
	for (j = 1; j < job.jobs; j++) {
		pid_t pid = fork();

		if (pid < 0)
			fix_die("no process");
		if (!pid) {
			make_ranks(j);
			_exit(0);
		}
	}
	make_ranks(0);
	while (wait(&status) > 0)
		if (status)
			return 1;
	print_answers();
	return 0;
}
