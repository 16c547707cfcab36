/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rank of a file is decided only from heads, and a file that has changed
 * when its events are read is not taken for the old one.
 */
#include "analyze/job/scan_heads.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/passes/rank.h"
#include "analyze/passes/wish.h"
#include "tests/tools/fixture.h"
#include "tests/unit/tap.h"
#include "wm/trace_format.h"

#define SECOND UINT64_C(1000000000)
#define TODAY (1700000000 * SECOND)

static char dir[] = "/tmp/wm-scan.XXXXXX";
static char path[256];

/* The facts in a trace about its process; 0 and NULL: none. */
struct says {
	const char *file, *id, *boot;
	uint64_t ranks, begin, seconds;
	const char *id_later; /* in its last block */
	uint64_t ranks_later;
	int spawned, no_end;
	int bad_dict; /* in the block before the last */
};

static void put_now(struct fix_block *b, uint64_t number, uint64_t seconds)
{
	uint64_t now[3] = { seconds * SECOND, seconds * SECOND,
			    TODAY + seconds * SECOND };

	fix_field_uint(b, WMT_F_SEQUENCE, number);
	fix_field_triple(b, WMT_F_NOW, now);
}

static void put_identity(struct fix_block *b, const char *id, uint64_t ranks)
{
	if (id)
		fix_field_text(b, WMT_F_RUN_ID, id);
	if (ranks)
		fix_field_uint(b, WMT_F_RANKS, ranks);
}

static const char *path_of(const char *file)
{
	snprintf(path, sizeof(path), "%s/%s", dir, file);
	return path;
}

static void write_trace(const struct says *t)
{
	uint64_t start[3] = { t->begin * SECOND, t->begin * SECOND,
			      TODAY + t->begin * SECOND };
	struct fix_block b = { .type = WMT_BLOCK_START };
	FILE *out = fopen(path_of(t->file), "w");

	fix_field_text(&b, WMT_F_PROGRAM, "app");
	if (t->boot)
		fix_field_text(&b, WMT_F_BOOT_ID, t->boot);
	fix_field_uint(&b, WMT_F_CLOCK, WMT_CLOCK_MONOTONIC);
	fix_field_triple(&b, WMT_F_START_TIME, start);
	if (t->spawned)
		fix_field_uint(&b, WMT_F_SPAWNED, 1);
	put_identity(&b, t->id, t->ranks);
	put_now(&b, 0, t->begin);
	fix_block_write(&b, -1, out);
	if (t->bad_dict) {
		b.type = WMT_BLOCK_STACKS;
		put_now(&b, 1, t->begin);
		fix_field_uint(&b, WMT_F_STACKS, 1);
		fix_varint(&b.column[WMT_COL_DICT], 99);
		fix_block_write(&b, -1, out);
	}
	b.type = t->no_end ? WMT_BLOCK_STACKS : WMT_BLOCK_END;
	put_identity(&b, t->id_later, t->ranks_later);
	put_now(&b, 1 + !!t->bad_dict, t->begin + t->seconds);
	fix_block_write(&b, -1, out);
	fclose(out);
}

static void write_all(const struct says *t, size_t n)
{
	while (n--)
		write_trace(t++);
}

static void write_garbage(const char *file)
{
	FILE *out = fopen(path_of(file), "w");

	fputs("no trace", out);
	fclose(out);
}

static void make_dir(const char *name)
{
	mkdir(path_of(name), 0777);
}

/* The ranks that count, and those that do not: "0 1, older 1, foreign 2". */
static const char *outcome(const struct wm_run *run)
{
	static const char *const fate[] = { "", ", older", ", foreign" };
	static char text[256];
	size_t i, n = 0;

	text[0] = 0;
	for (i = 0; i < run->all_count; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s %" PRIu64,
				      fate[run->files[i].fate],
				      run->files[i].rank);
	return text;
}

static enum wm_status scan_dirs(struct wm_run *run,
				struct wm_file_groups *groups, unsigned needs,
				const char *a, const char *b,
				struct wm_err *err)
{
	char *args[2] = { strdup(path_of(a)), b ? strdup(path_of(b)) : NULL };
	enum wm_status r = wm_run_find(run, args, b ? 2 : 1, err);

	if (!r)
		r = wm_scan_run(run, groups, needs, 1, err);
	free(args[0]);
	free(args[1]);
	return r;
}

static void is_outcome(const char *d, const char *more, unsigned needs,
		       const char *wanted, const char *what)
{
	struct wm_file_groups groups = { .count = 0 };
	struct wm_err err = { "" };
	struct wm_run run;
	enum wm_status r = scan_dirs(&run, &groups, needs, d, more, &err);

	ok(!r && !strcmp(outcome(&run), wanted), "%s:%s%s (%zu groups)", what,
	   r ? err.text : outcome(&run), run.note_count ? ", said" : "",
	   groups.count);
	wm_groups_release(&groups);
	wm_run_release(&run);
}

/* The highest number of one rank counts, and the job that began last. */
static void check_apart(void)
{
	static const struct says old[] = {
		{ "a.wm/rank-000000.wmt.xz", "1", .ranks = 3, .seconds = 9 },
		{ "a.wm/rank-000001.wmt.xz", "1", .ranks = 3, .seconds = 9 },
		{ "a.wm/rank-000002.wmt.xz", "1", .ranks = 3, .seconds = 9 },
	};
	static const struct says late[] = {
		{ "a.wm/rank-000000.2.wmt.xz", "1", .ranks = 2, .begin = 100 },
		{ "a.wm/rank-000001.2.wmt.xz", "1", .ranks = 2, .begin = 100 },
	};

	make_dir("a.wm");
	write_all(old, 3);
	is_outcome("a.wm", NULL, 0, " 0 1 2", "one job");
	write_all(late, 2);
	is_outcome("a.wm", NULL, 0, " 0 1, older 0, older 1, foreign 2",
		   "two jobs");
}

/* Corrections in later blocks hold. */
static void check_corrected(void)
{
	static const struct says t[] = {
		{ "b.wm/rank-000000.wmt.xz", "host-1", .ranks = 5,
		  .id_later = "7", .ranks_later = 2 },
		{ "b.wm/rank-000001.wmt.xz", "host-2", .ranks = 3,
		  .id_later = "7", .ranks_later = 2 },
	};

	make_dir("b.wm");
	write_all(t, 2);
	is_outcome("b.wm", NULL, 0, " 0 1", "an id that MPI corrected");
}

/* Blocks behind one that cannot be read do not hold, for they will not count:
 * of the job, and of when a process ended. */
static void check_damaged(void)
{
	static const struct says t[] = {
		{ "g.wm/rank-000000.wmt.xz", "7", .ranks = 2 },
		{ "g.wm/rank-000001.wmt.xz", "7", .ranks = 2, .bad_dict = 1,
		  .id_later = "9", .ranks_later = 5 },
	};
	static const struct says late[] = {
		{ "h.wm/rank-000000.wmt.xz", "7", .ranks = 2, .seconds = 50,
		  .bad_dict = 1 },
		{ "h.wm/rank-000000.2.wmt.xz", "7", .ranks = 2, .begin = 20 },
	};
	struct wm_file_groups g = { .count = 0 };
	struct wm_run run;

	make_dir("g.wm");
	write_all(t, 2);
	is_outcome("g.wm", NULL, 0, " 0 1", "a correction behind damage");
	make_dir("h.wm");
	write_all(late, 2);
	ok(!scan_dirs(&run, &g, 0, "h.wm", NULL, NULL) && !run.duplicates,
	   "an end behind damage: the later trace began after it");
	wm_groups_release(&g);
	wm_run_release(&run);
}

/* Also where the first traces of the spawned world cannot be read. */
static void check_spawned(void)
{
	static const struct says t[] = {
		{ "c.wm/rank-000000.wmt.xz", "5", .ranks = 2 },
		{ "c.wm/rank-000001.wmt.xz", "5", .ranks = 2 },
		{ "d.wm/rank-000000.wmt.xz", "5-spawn1", .ranks = 5,
		  .spawned = 1 },
		{ "d.wm/rank-000004.wmt.xz", "5-spawn1", .ranks = 5,
		  .spawned = 1 },
	};
	char file[64];
	int i;

	make_dir("c.wm");
	make_dir("d.wm");
	write_all(t, 4);
	is_outcome("c.wm", "d.wm", 0, " 0 1 2 6", "spawned ranks");
	for (i = 0; i < 4; i++) {
		snprintf(file, sizeof(file), "d.wm/rank-%06d.wmt.xz", i);
		write_garbage(file);
	}
	is_outcome("c.wm", "d.wm", 0, " 0 1 2 3 4 5 6",
		   "spawned ranks, some not readable");
}

static void check_groups(void)
{
	static const struct says t[] = {
		{ "e.wm/rank-000000.wmt.xz", "5", "b1", .ranks = 4 },
		{ "e.wm/rank-000001.wmt.xz", "5", "b2", .ranks = 4 },
		{ "e.wm/rank-000002.wmt.xz", "5", "b1", .ranks = 4 },
		{ "e.wm/rank-000003.wmt.xz", "5", .ranks = 4 },
	};
	struct wm_file_groups g = { .count = 0 };
	struct wm_run run;

	make_dir("e.wm");
	write_all(t, 4);
	ok(!scan_dirs(&run, &g, WM_NEEDS(node), "e.wm", NULL, NULL) &&
		   g.count == 3 && g.group[0].count == 2 &&
		   g.group[0].file[1] == 2 && g.group[2].file[0] == 3,
	   "ranks of a node are one group");
	wm_groups_release(&g);
	wm_run_release(&run);
}

/* File 0 of the run as it is now, which was scanned before. */
static enum wm_status read_now(const struct wm_run *run,
			       const struct wm_file_groups *g,
			       struct wm_err *why)
{
	struct wm_wish wish = { .needs = 0 };
	struct wm_node_peak node;
	uint64_t progress = 0;
	struct wm_outcome out;

	if (wm_group_read(&g->group[0], g, run, &wish, &progress, &out, &node,
			  why))
		return WM_NO_MEMORY;
	*why = out.why;
	if (!out.status)
		wm_rank_release(&out.rank);
	return out.status;
}

/* Between the scan and the reading. */
static void check_changed(void)
{
	struct says t = { "f.wm/rank-000000.wmt.xz", "5", .ranks = 1,
			  .no_end = 1 };
	struct wm_file_groups g = { .count = 0 };
	struct wm_run run;
	struct wm_err why;

	make_dir("f.wm");
	write_trace(&t);
	ok(!scan_dirs(&run, &g, 0, "f.wm", NULL, NULL), "scanned");
	t.no_end = 0;
	t.seconds = 5;
	write_trace(&t);
	ok(!read_now(&run, &g, &why), "a trace that grew: %s", why.text);
	t.begin = 1;
	write_trace(&t);
	ok(read_now(&run, &g, &why) == WM_CHANGED &&
		   strstr(why.text,
			  "rank 0: 'rank-000000.wmt.xz': another trace"),
	   "another one in its place: %s", why.text);
	wm_groups_release(&g);
	write_garbage(t.file);
	wm_run_release(&run);
	ok(!scan_dirs(&run, &g, 0, "f.wm", NULL, NULL), "scanned, no trace");
	ok(read_now(&run, &g, &why) == WM_BAD_INPUT &&
		   strstr(why.text, "not a wmtools trace"),
	   "who reads it says why: %s", why.text);
	t.begin = 0;
	write_trace(&t);
	ok(read_now(&run, &g, &why) == WM_CHANGED &&
		   strstr(why.text, "its first block has come"),
	   "a trace where none was: %s", why.text);
	wm_groups_release(&g);
	wm_run_release(&run);
}

int main(void)
{
	char remove[64];

	tap_plan(14);
	if (!mkdtemp(dir))
		return 1;
	check_apart();
	check_corrected();
	check_damaged();
	check_spawned();
	check_groups();
	check_changed();
	snprintf(remove, sizeof(remove), "rm -r %s", dir);
	return system(remove) ? 1 : tap_done();
}
