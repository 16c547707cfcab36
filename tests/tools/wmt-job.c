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
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tools/fixture.h"
#include "wm/trace_format.h"

#define BASE 0x401000ull
#define FUNCTION 0x100
#define STEPS 8
#define QUIET 3000000ull /* ns at both ends of a step */
#define PAIR 500ull /* ns from one replacement to the next */
#define BLOCK_EVENTS 16384

enum { MAIN, SETUP, GRID, SOLVE, HALO, REPORT, KEEP, NAMED };
enum { PATH_GRID, PATH_HALO, PATH_KEEP, PATH_WORK };

static struct {
	uint64_t ranks, per_node, events, live, paths, depth, jobs;
} g = { 4096, 128, 20000, 500, 60, 12, 2 };
static char dir[4096], exe[4096 + 16];

void fix_die(const char *fmt, ...)
{
	va_list ap;

	fputs("wmt-job: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(1);
}

void *fix_alloc(void *old, size_t n)
{
	void *p = realloc(old, n ? n : 1);

	if (!p)
		fix_die("no memory");
	return p;
}

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
	return (r % g.per_node * 5 + r / g.per_node) % STEPS;
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

/* The bytes of path @p, or of all, if @p is g.paths. */
static uint64_t ring_bytes(uint64_t r, uint64_t p)
{
	uint64_t sum = 0, i;

	for (i = 0; i < g.live; i++)
		if (p == g.paths || i % g.paths == p)
			sum += work_bytes(r, i);
	return sum;
}

static uint64_t peak_bytes(uint64_t r)
{
	return grid_bytes(r) + halo_bytes(r) + ring_bytes(r, g.paths);
}

static uint64_t pairs(void)
{
	uint64_t rest = 2 * g.live + 4;

	return g.events > rest ? (g.events - rest) / 2 : 0;
}

static uint64_t events(uint64_t r)
{
	return 2 * g.live + 4 + 2 * pairs() + kept_blocks(r);
}

static uint64_t node_peak(uint64_t node)
{
	uint64_t r, first = node * g.per_node, end = first + g.per_node, k;
	uint64_t step[STEPS] = { 0 }, sum = 0, best = 0;

	for (r = first; r < end && r < g.ranks; r++) {
		sum += grid_bytes(r) + ring_bytes(r, g.paths);
		step[halo_step(r)] += halo_bytes(r);
	}
	for (k = 0; k < STEPS; k++)
		best = step[k] > best ? step[k] : best;
	return sum + best;
}

static void print_functions(uint64_t r)
{
	uint64_t p;

	printf("\"functions\": {\"grid\": %llu, \"halo\": %llu",
	       (unsigned long long)grid_bytes(r),
	       (unsigned long long)halo_bytes(r));
	for (p = 0; p < g.paths && p < g.live; p++)
		printf(", \"work%02llu\": %llu", (unsigned long long)p,
		       (unsigned long long)ring_bytes(r, p));
	printf("},\n");
}

static void print_answers(void)
{
	uint64_t r, max = 0, min = 0, sum = 0, all = 0, kept = 0;
	uint64_t nodes = (g.ranks + g.per_node - 1) / g.per_node;
	uint64_t *peak = fix_alloc(NULL, g.ranks * sizeof(*peak));

	for (r = 0; r < g.ranks; r++) {
		peak[r] = peak_bytes(r);
		max = peak[r] > peak[max] ? r : max;
		min = peak[r] < peak[min] ? r : min;
		sum += peak[r];
		all += events(r);
		kept += kept_blocks(r) * kept_bytes(r);
	}
	printf("{\"ranks\": %llu, \"nodes\": %llu, \"events\": %llu,\n"
	       "\"max_rank\": %llu, \"max_bytes\": %llu,\n"
	       "\"min_rank\": %llu, \"min_bytes\": %llu,\n"
	       "\"sum_bytes\": %llu, \"end_bytes\": %llu,\n",
	       (unsigned long long)g.ranks, (unsigned long long)nodes,
	       (unsigned long long)all, (unsigned long long)max,
	       (unsigned long long)peak[max], (unsigned long long)min,
	       (unsigned long long)peak[min], (unsigned long long)sum,
	       (unsigned long long)kept);
	print_functions(max);
	printf("\"node_peaks\": [");
	for (r = 0; r < nodes; r++)
		printf("%s%llu", r ? ", " : "",
		       (unsigned long long)node_peak(r));
	printf("],\n\"peaks\": [");
	for (r = 0; r < g.ranks; r++)
		printf("%s%llu", r ? ", " : "", (unsigned long long)peak[r]);
	printf("]}\n");
	free(peak);
}

/* ---- the traces ---- */

struct trace {
	FILE *out;
	uint64_t rank, start, now, sequence, written;
	struct fix_event *event;
	size_t n;
	int known; /* the call paths are told */
};

static void clocks(const struct trace *t, uint64_t v[3])
{
	v[0] = v[1] = t->now;
	v[2] = 1700000000000000000ull + v[1];
}

/* All its frames are its own. */
static void put_path(struct fix_bytes *out, const uint64_t *f, size_t n)
{
	uint64_t last = 0, addr;
	size_t i;

	fix_varint(out, 0);
	fix_varint(out, n);
	for (i = 0; i < n; i++) {
		addr = BASE + f[i] * FUNCTION + 0x10;
		fix_zigzag(out, (int64_t)(addr - last));
		last = addr;
	}
}

static void put_dict(struct fix_block *b)
{
	static const uint64_t fixed[][3] = {
		{ MAIN, SETUP, GRID },
		{ MAIN, SOLVE, HALO },
		{ MAIN, REPORT, KEEP },
	};
	struct fix_bytes *out = &b->column[WMT_COL_DICT];
	uint64_t *f = fix_alloc(NULL, (g.depth + 3) * sizeof(*f));
	uint64_t i, n;

	fix_field_uint(b, WMT_F_STACK_FIRST, 0);
	fix_field_uint(b, WMT_F_STACKS, PATH_WORK + g.paths);
	fix_field_uint(b, WMT_F_FRAME_FIRST, 0);
	fix_field_uint(b, WMT_F_FRAMES,
		       3 * PATH_WORK + g.paths * (g.depth + 3));
	for (i = 0; i < PATH_WORK; i++)
		put_path(out, fixed[i], 3);
	for (i = 0; i < g.paths; i++) {
		f[0] = MAIN;
		f[1] = SOLVE;
		for (n = 2; n < g.depth + 2; n++)
			f[n] = NAMED + g.paths +
			       (n == g.depth + 1 ? i % 7 : 7 + n);
		f[n] = NAMED + i;
		put_path(out, f, n + 1);
	}
	free(f);
}

static void put_modules(struct fix_block *b)
{
	struct fix_bytes *out = &b->column[WMT_COL_MODULES];

	fix_varint(out, 1);
	fix_varint(out, 0);
	fix_varint(out, 0x400000);
	fix_varint(out, 0x800000);
	fix_varint(out, 0);
	fix_varint(out, 0);
}

static void put_block(struct trace *t, struct fix_block *b)
{
	uint64_t v[3];

	clocks(t, v);
	fix_field_uint(b, WMT_F_SEQUENCE, t->sequence++);
	fix_field_triple(b, WMT_F_NOW, v);
	fix_field_uint(b, WMT_F_DROPPED, 0);
	fix_block_write(b, -1, t->out);
}

static void put_start(struct trace *t)
{
	struct fix_block b = { .type = WMT_BLOCK_START };
	char text[40];
	uint64_t v[3];

	snprintf(text, sizeof(text), "boot%05llu",
		 (unsigned long long)(t->rank / g.per_node));
	fix_field_text(&b, WMT_F_RUN_ID, "1");
	fix_field_text(&b, WMT_F_PROGRAM, "job");
	fix_field_text(&b, WMT_F_EXE, exe);
	fix_field_text(&b, WMT_F_HOST, text + 4);
	fix_field_text(&b, WMT_F_BOOT_ID, text);
	fix_field_uint(&b, WMT_F_PID, 100 + t->rank);
	fix_field_uint(&b, WMT_F_RANK, t->rank);
	fix_field_uint(&b, WMT_F_RANKS, g.ranks);
	fix_field_uint(&b, WMT_F_CLOCK, 2);
	clocks(t, v);
	fix_field_triple(&b, WMT_F_START_TIME, v);
	fix_field_text(&b, WMT_F_TOOL_VERSION, "wmt-job");
	put_modules(&b);
	put_block(t, &b);
}

static void put_events(struct trace *t)
{
	struct fix_block b = { .type = WMT_BLOCK_EVENTS };

	if (!t->n)
		return;
	fix_field_uint(&b, WMT_F_THREAD, 0);
	fix_field_uint(&b, WMT_F_TID, 100 + t->rank);
	fix_field_uint(&b, WMT_F_EVENT_FIRST, t->written);
	fix_field_uint(&b, WMT_F_GENERATION, 0);
	fix_field_uint(&b, WMT_F_RSS, peak_bytes(t->rank));
	if (!t->known)
		put_dict(&b);
	t->known = 1;
	fix_events(&b, t->event, t->n, 0);
	t->written += t->n;
	t->n = 0;
	put_block(t, &b);
}

static void put_end(struct trace *t)
{
	struct fix_block b = { .type = WMT_BLOCK_END };

	put_events(t);
	fix_field_text(&b, WMT_F_END_REASON, "exit");
	fix_field_uint(&b, WMT_F_EVENTS_TOTAL, t->written);
	fix_field_uint(&b, WMT_F_TOOL_MEMORY, 1 << 20);
	fix_field_uint(&b, WMT_F_THREADS, 1);
	fix_field_uint(&b, WMT_F_PEAK_RSS, peak_bytes(t->rank) + (10u << 20));
	put_block(t, &b);
}

/* @size 0: the block goes. */
static void event(struct trace *t, uint64_t time, uint64_t addr, uint64_t size,
		  uint64_t path)
{
	t->event[t->n++] = (struct fix_event){
		.kind = size ? WMT_EV_MALLOC : WMT_EV_FREE,
		.time = time,
		.addr = addr,
		.size = size,
		.stack = path,
	};
	t->now = time;
	if (t->n == BLOCK_EVENTS)
		put_events(t);
}

#define GRID_AT 0x10000000ull
#define HALO_AT 0x20000000ull
#define KEEP_AT 0x30000000ull
#define WORK_AT(i) (0x40000000ull + 128 * (i))

static void slot_event(struct trace *t, uint64_t time, uint64_t i, int in)
{
	event(t, time, WORK_AT(i), in ? work_bytes(t->rank, i) : 0,
	      PATH_WORK + i % g.paths);
}

/* One of the equal steps from @time on. */
static void make_step(struct trace *t, uint64_t step, uint64_t time,
		      uint64_t end)
{
	uint64_t each = pairs() / STEPS, i = step * each;
	uint64_t until = step == STEPS - 1 ? pairs() : i + each;
	uint64_t at = QUIET / 2 + t->rank % g.per_node * 10;
	int mine = halo_step(t->rank) == step;

	if (mine)
		event(t, time + at, HALO_AT, halo_bytes(t->rank), PATH_HALO);
	for (time += QUIET; i < until && g.live; i++, time += PAIR) {
		slot_event(t, time, i * 31 % g.live, 0);
		slot_event(t, time + PAIR / 2, i * 31 % g.live, 1);
	}
	if (mine)
		event(t, end - QUIET + at, HALO_AT, 0, 0);
}

static void make_events(struct trace *t)
{
	uint64_t r = t->rank, time = t->start, i;
	uint64_t step = 2 * QUIET + (pairs() / STEPS + STEPS) * PAIR;

	event(t, time += 1000, GRID_AT, grid_bytes(r), PATH_GRID);
	for (i = 0; i < g.live; i++)
		slot_event(t, time += 100, i, 1);
	/* as the whole node does: at the same time */
	time = t->start - r % g.per_node * 1000 + 1000000 + g.live * 100;
	for (i = 0; i < STEPS; i++, time += step)
		make_step(t, i, time, time + step);
	for (i = 0; i < kept_blocks(r); i++)
		event(t, time += 100, KEEP_AT + 4096 * i, kept_bytes(r),
		      PATH_KEEP);
	for (i = 0; i < g.live; i++)
		slot_event(t, time += 100, i, 0);
	event(t, time + 100, GRID_AT, 0, 0);
}

static void make_rank(uint64_t r, struct fix_event *room)
{
	struct trace t = { .rank = r, .event = room };
	char path[sizeof(dir) + 80], sub[40] = "";

	if (g.ranks > WMT_RANKS_PER_DIR)
		snprintf(sub, sizeof(sub), "/ranks-%06llu",
			 (unsigned long long)(r - r % WMT_RANKS_PER_DIR));
	snprintf(path, sizeof(path), "%s%s/rank-%06llu" WMT_FILE_SUFFIX, dir,
		 sub, (unsigned long long)r);
	t.out = fopen(path, "w");
	if (!t.out)
		fix_die("cannot write %s", path);
	t.now = t.start = 5000000000ull + r / g.per_node * 12345678 +
			  r % g.per_node * 1000;
	put_start(&t);
	make_events(&t);
	put_end(&t);
	if (fclose(t.out))
		fix_die("cannot write %s", path);
}

static void write_exe(void)
{
	static const char *const name[] = {
		"main", "setup", "grid", "solve", "halo", "report", "keep",
	};
	size_t n = NAMED + g.paths + g.depth + 16, i;
	struct fix_symbol *s = fix_alloc(NULL, n * sizeof(*s));
	char *text = fix_alloc(NULL, n * 40);

	for (i = 0; i < n; i++) {
		char *p = text + 40 * i;

		if (i < NAMED)
			snprintf(p, 40, "%s", name[i]);
		else if (i < NAMED + g.paths)
			snprintf(p, 40, "work%02zu", i - NAMED);
		else
			snprintf(p, 40, "level%02zu", i - NAMED - g.paths);
		s[i] = (struct fix_symbol){ p, BASE + i * FUNCTION, FUNCTION };
	}
	fix_elf_write(exe, BASE, n * FUNCTION, s, n, NULL, 0);
	free(s);
	free(text);
}

static void make_dirs(const char *name)
{
	char path[sizeof(dir) + 40];
	uint64_t r;

	if (mkdir(name, 0777))
		fix_die("cannot make %s", name);
	if (!realpath(name, dir))
		fix_die("%s: no path", name);
	snprintf(exe, sizeof(exe), "%s/job.wm", dir);
	for (r = 0; r < g.ranks && g.ranks > WMT_RANKS_PER_DIR;
	     r += WMT_RANKS_PER_DIR) {
		snprintf(path, sizeof(path), "%s/ranks-%06llu", dir,
			 (unsigned long long)r);
		if (mkdir(path, 0777))
			fix_die("cannot make %s", path);
	}
}

static void make_ranks(uint64_t first)
{
	struct fix_event *room = fix_alloc(NULL, BLOCK_EVENTS * sizeof(*room));
	uint64_t r;

	for (r = first; r < g.ranks; r += g.jobs)
		make_rank(r, room);
	free(room);
}

static void set_option(const char *name, const char *value)
{
	static const struct {
		const char *name;
		uint64_t *value, low, high;
	} option[] = {
		{ "--ranks", &g.ranks, 1, 1u << 20 },
		{ "--per-node", &g.per_node, 1, 1024 },
		{ "--events", &g.events, 0, 1u << 30 },
		{ "--live", &g.live, 1, 1u << 20 },
		{ "--paths", &g.paths, 1, 10000 },
		{ "--depth", &g.depth, 1, 100 },
		{ "--jobs", &g.jobs, 1, 64 },
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
	write_exe();
	for (j = 1; j < g.jobs; j++) {
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
