/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wmt-make RUNDIR [FILE]: a run directory from a readable description, one
 * statement a line; # begins a comment.
 *
 *   program NAME | id TEXT | exe PATH|- | host NAME | build-id HEX
 *   elf PATH            make PATH, with the names below as symbols; is the exe
 *   boot ID             of the machine; - is none; default boot-HOST
 *   clock tsc|mono      tsc is the default
 *   tick-ns X           length of a tick; default 1
 *   start TICKS         default 1000000
 *   mono NS             CLOCK_MONOTONIC at the start; default 5000000000
 *   real NS             CLOCK_REALTIME is so much ahead of it; default 1.7e18
 *   shift N             TIME_SHIFT; default 0
 *   level N             LZMA level, -1 stores; default -1
 *   block-events N      a block is full then; default 16384
 *   times runs|gaps     TIME as RUNS, or as GAPS; default runs
 *   values seen|plain   STACK and SIZE as SEEN, or as VARINT; default seen
 *   module BIAS FIRST END PATH|- [BUILD-ID]
 *                       default: the executable at 0x400000
 *   rank R of N         begin the trace of rank R
 *   file NAME           of the next rank; default rank-RRRRRR.wmt.xz
 *   thread N            the events below are of thread N; default 0
 *   thread-at ADDR      THREAD_AT of that thread, in all ranks
 *   t TICKS STATEMENT   set the time, then a statement:
 *     malloc|calloc|aligned|new|in ADDR SIZE PATH    (new: realloc(NULL))
 *     newop|mpi|map|remap-in|shm|stack|brk-up ADDR SIZE PATH
 *                                   (newop: operator new)
 *     free|out|delete|mpi-free|stack-gone ADDR
 *     unmap|remap-out|shm-gone|brk-down ADDR LENGTH
 *     realloc OLD NEW SIZE PATH     out and in
 *     gone | failed SIZE PATH
 *     phase NAME | name ADDR NAME | snapshot NAME      NAME may be -: none
 *     next NAME | mark TEXT | region ADDR BYTES ELEMENT NAME |
 *     region-end ADDR               NAME and TEXT may be -: none; %N: number N
 *     pause | resume
 *   paused N            PAUSED_ALLOCATIONS, as END tells
 *   exit-status N       EXIT_STATUS of ENDs from here on
 *   mpi-came N          MPI of ENDs from here on; 0: none
 *   lose-names          names that no block has are never told
 *   block               write what is pending
 *   modules             list the modules again with the next block
 *   generation          a new generation of the dictionary
 *   dropped N           as the blocks below tell
 *   skip N              leave out N sequence numbers
 *   real-rank R of N    RANK and RANKS from the next block on
 *   churn EVENTS LIVE PATHS SEED   random malloc and free in this thread
 *   mutate SEED         change random bytes of every block before it is packed
 *   packed              columns of events are packed (6.8)
 *   major N | minor N   version of the format that blocks claim from here on
 *   later               a field, a column and a block that no version has
 *   coded COLUMN N      column number COLUMN claims encoding N
 *   field TAG TEXT      one more field in the head of each block from here on
 *   epoch END CPU ACCESSED WRITTEN RESIDENT COVERED
 *                       of the next block PAGES: ns since the start, pages as
 *                       0x10-0x1f,0x30 or -; two numbers of pages
 *   covered FIRST-LAST KIND | not-covered WHAT BYTES     of that block
 *   watch-cost THREAD FAULTS NS   of watching so far, of that block
 *   writes-alone        reads of epochs from here on are not known
 *   touches who|spots|samples HEX HEX ...   of that block, whose epochs, which
 *                       come behind this line, are of hooks: the column's bytes
 *   lose-epochs N       leave out N numbers of epochs
 *   pages [REASON]      write that block; REASON: PAGES_END
 *   accesses N STREAM BASE HEX HEX ...   a block ACCESSES of this thread: N
 *                       accesses, tokens byte by byte
 *   lists N STREAM BASE HEX HEX ...      the same, of tokens as LISTS
 *   window [VERSION]    processes have crash buffers; there goes what is
 *                       pending when a rank has no END
 *   end [REASON]        END; without it the trace is one of a killed process
 *
 * A path is NAME<NAME<NAME, the outermost first; NAME may have +OFFSET, and
 * may be a number (a return address); - is the empty path.  The k-th name is
 * a function of 256 bytes at BASE + k * 256, BASE = 0x401000.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tools/make.h"
#include "wm/trace_format.h"
#include "wm/window_format.h"

/* @events random events with about @live blocks alive at a time. */
static void churn(uint64_t events, uint64_t live, uint64_t paths, uint64_t s)
{
	uint64_t *addr = fix_alloc(NULL, live * sizeof(*addr)), i, n = 0;
	uint64_t *free_list = fix_alloc(NULL, (live + 1) * sizeof(*addr));
	uint64_t frees = 0, top = 0x10000000;
	char text[96];

	if (!live)
		fix_die("churn without live blocks");
	s = s * 2 + 1;
	for (i = 0; i < events; i++) {
		g.now += 150 + rnd(&s) % 100;
		if (n == live || (n > live / 2 && rnd(&s) % 2)) {
			uint64_t j = rnd(&s) % n;

			add_event(WMT_EV_FREE, addr[j], 0, 0);
			free_list[frees++] = addr[j];
			addr[j] = addr[--n];
			continue;
		}
		if (frees) {
			addr[n] = free_list[--frees];
		} else {
			addr[n] = top;
			top += 16 + (rnd(&s) % 16) * 16;
		}
		if (g.known < paths) {
			snprintf(text, sizeof(text), "main<f%d<g%d<h%d+%d",
				 (int)(g.known % 7), (int)(g.known % 31),
				 (int)(g.known % 400), (int)(g.known / 400));
			path_number(text);
		}
		add_event(WMT_EV_MALLOC, addr[n++], 16 + rnd(&s) % 256,
			  rnd(&s) % g.known);
	}
	free(addr);
	free(free_list);
}

static void do_churn(void)
{
	uint64_t v[4];
	int i;

	for (i = 0; i < 4; i++)
		v[i] = fix_number();
	churn(v[0], v[1], v[2], v[3]);
}

static void say(enum wmt_saying what, uint64_t value)
{
	add_event(WMT_EV_NAME, what, value, 0);
}

/* The same that is for no block. */
static int saying_statement(const char *s)
{
	if (!strcmp(s, "next")) {
		say(WMT_SAYING_NEXT, said(fix_word()));
	} else if (!strcmp(s, "mark")) {
		say(WMT_SAYING_MARK, said(fix_word()));
	} else if (!strcmp(s, "region")) {
		say(WMT_SAYING_REGION_START, fix_number());
		say(WMT_SAYING_REGION_BYTES, fix_number());
		say(WMT_SAYING_REGION_ELEMENT, fix_number());
		say(WMT_SAYING_REGION, said(fix_word()));
	} else if (!strcmp(s, "region-end")) {
		say(WMT_SAYING_REGION_END, fix_number());
	} else if (!strcmp(s, "finalize")) {
		say(WMT_SAYING_FINALIZE, 0);
	} else if (!strcmp(s, "initialized")) {
		say(WMT_SAYING_INITIALIZED, 0);
	} else {
		return 0;
	}
	return 1;
}

/* Annotations of the program. */
static int note_statement(const char *s)
{
	uint64_t addr = 0;

	if (!strcmp(s, "phase")) {
		add_event(WMT_EV_PHASE, 0, said(fix_word()), 0);
	} else if (!strcmp(s, "snapshot")) {
		add_event(WMT_EV_SNAPSHOT, 0, said(fix_word()), 0);
	} else if (!strcmp(s, "name")) {
		addr = fix_number();
		add_event(WMT_EV_NAME, addr, said(fix_word()), 0);
	} else if (!strcmp(s, "pause")) {
		add_event(WMT_EV_PAUSE, 0, 0, 0);
	} else if (!strcmp(s, "resume")) {
		add_event(WMT_EV_RESUME, 0, 0, 0);
	} else {
		return saying_statement(s);
	}
	return 1;
}

static int event_statement(const char *s)
{
	static const struct {
		const char *name;
		/* 0 old, 1 new, 2 failed, 3 none, 4 realloc, 5 old, extra */
		int kind, what;
	} k[] = {
		{ "malloc", WMT_EV_MALLOC, 1 },
		{ "calloc", WMT_EV_CALLOC, 1 },
		{ "aligned", WMT_EV_ALIGNED, 1 },
		{ "new", WMT_EV_REALLOC_NEW, 1 },
		{ "in", WMT_EV_REALLOC_IN, 1 },
		{ "free", WMT_EV_FREE, 0 },
		{ "out", WMT_EV_REALLOC_OUT, 0 },
		{ "failed", WMT_EV_FAILED, 2 },
		{ "gone", WMT_EV_REALLOC_GONE, 3 },
		{ "realloc", WMT_EV_REALLOC_OUT, 4 },
		{ "newop", WMT_EV_NEW, 1 },
		{ "delete", WMT_EV_DELETE, 0 },
		{ "mpi", WMT_EV_MPI_ALLOC, 1 },
		{ "mpi-free", WMT_EV_MPI_FREE, 0 },
		{ "map", WMT_EV_MAP, 1 },
		{ "unmap", WMT_EV_UNMAP, 5 },
		{ "remap-out", WMT_EV_REMAP_OUT, 5 },
		{ "remap-in", WMT_EV_REMAP_IN, 1 },
		{ "shm", WMT_EV_SHM, 1 },
		{ "shm-gone", WMT_EV_SHM_GONE, 5 },
		{ "stack", WMT_EV_THREAD_STACK, 1 },
		{ "stack-gone", WMT_EV_THREAD_STACK_GONE, 0 },
		{ "brk-up", WMT_EV_BREAK_UP, 1 },
		{ "brk-down", WMT_EV_BREAK_DOWN, 5 },
	};
	uint64_t addr = 0, size = 0, stack = 0;
	size_t i;

	for (i = 0; i < sizeof(k) / sizeof(*k); i++)
		if (!strcmp(s, k[i].name))
			break;
	if (i == sizeof(k) / sizeof(*k))
		return 0;
	if (k[i].what != 2 && k[i].what != 3)
		addr = fix_number();
	if (k[i].what == 4) {
		add_event(WMT_EV_REALLOC_OUT, addr, 0, 0);
		addr = fix_number();
	}
	if (k[i].what == 5)
		size = fix_number();
	if (k[i].what == 1 || k[i].what == 2 || k[i].what == 4) {
		size = fix_number();
		stack = path_number(fix_word());
	}
	add_event(k[i].what == 4 ? WMT_EV_REALLOC_IN : (unsigned)k[i].kind,
		  addr, size, stack);
	return 1;
}

static void add_module(void)
{
	struct module *m = &g.module[g.modules++];
	char *s;

	if (g.modules > 63)
		fix_die("too many modules");
	m->bias = fix_number();
	m->first = fix_number();
	m->end = fix_number();
	s = fix_word();
	m->path = copy(strcmp(s, "-") ? s : "");
	s = fix_more();
	m->id_size = s ? fix_hex(m->id, s) : 0;
}

static char *absolute(const char *path)
{
	char *cwd = getcwd(NULL, 0), *s;

	if (*path == '/')
		return copy(path);
	s = fix_alloc(NULL, strlen(cwd) + strlen(path) + 2);
	sprintf(s, "%s/%s", cwd, path);
	free(cwd);
	return s;
}

static void set_exe(const char *path)
{
	set(&g.exe, copy(strcmp(path, "-") ? path : ""));
}

static void set_elf(const char *path)
{
	set(&g.elf, absolute(path));
	set(&g.exe, copy(g.elf));
}

static int text_statement(const char *s)
{
	if (!strcmp(s, "program"))
		set(&g.program, copy(fix_word()));
	else if (!strcmp(s, "id"))
		set(&g.id, copy(fix_word()));
	else if (!strcmp(s, "exe"))
		set_exe(fix_word());
	else if (!strcmp(s, "elf"))
		set_elf(fix_word());
	else if (!strcmp(s, "host"))
		set(&g.host, copy(fix_word()));
	else if (!strcmp(s, "boot"))
		set(&g.boot, copy(fix_word()));
	else if (!strcmp(s, "file"))
		set(&g.file, copy(fix_word()));
	else if (!strcmp(s, "field")) {
		g.field_tag = (unsigned)fix_number();
		set(&g.field, copy(fix_word()));
	} else if (!strcmp(s, "build-id"))
		g.build_id_size = fix_hex(g.build_id, fix_word());
	else if (!strcmp(s, "tick-ns"))
		g.tick_ns = atof(fix_word());
	else if (!strcmp(s, "values"))
		g.plain = !strcmp(fix_word(), "plain");
	else if (!strcmp(s, "times"))
		g.gaps = !strcmp(fix_word(), "gaps");
	else if (!strcmp(s, "clock"))
		g.clock = strcmp(fix_word(), "mono") ? WMT_CLOCK_TSC :
						       WMT_CLOCK_MONOTONIC;
	else
		return 0;
	return 1;
}

static int number_statement(const char *s)
{
	if (!strcmp(s, "start"))
		g.start = g.now = fix_number();
	else if (!strcmp(s, "mono"))
		g.mono = fix_number();
	else if (!strcmp(s, "real"))
		g.real = fix_number();
	else if (!strcmp(s, "shift"))
		g.shift = (unsigned)fix_number();
	else if (!strcmp(s, "level"))
		g.level = atoi(fix_word());
	else if (!strcmp(s, "block-events"))
		g.block_events = fix_number();
	else if (!strcmp(s, "thread"))
		g.at = (unsigned)fix_number();
	else if (!strcmp(s, "thread-at"))
		g.thread_at[g.at] = fix_number();
	else if (!strcmp(s, "dropped"))
		g.dropped = fix_number();
	else if (!strcmp(s, "mutate"))
		g.mutate = fix_number() * 0x9e3779b97f4a7c15ull;
	else if (!strcmp(s, "paused"))
		g.paused = fix_number();
	else if (!strcmp(s, "exit-status"))
		g.exit_status = fix_number() + 1;
	else if (!strcmp(s, "mpi-came"))
		g.mpi = fix_number();
	else if (!strcmp(s, "major"))
		g.major = (unsigned)fix_number();
	else if (!strcmp(s, "minor"))
		g.minor = (unsigned)fix_number();
	else if (!strcmp(s, "skip"))
		g.sequence += fix_number();
	else
		return 0;
	return 1;
}

/* Data that other versions may write. */
static int version_statement(const char *s)
{
	char *version;

	if (!strcmp(s, "packed")) {
		g.packed = 1;
	} else if (!strcmp(s, "later")) {
		g.later = 1;
	} else if (!strcmp(s, "coded")) {
		g.claim = (unsigned)fix_number();
		if (g.claim > WMT_COL_LIMIT)
			fix_die("no column %u", g.claim);
		g.claims = (unsigned)fix_number();
	} else if (!strcmp(s, "window")) {
		version = fix_more();
		g.crash_buffers = version ?
					  (unsigned)strtoul(version, NULL, 0) :
					  WMW_VERSION;
	} else {
		return 0;
	}
	return 1;
}

static void put_accesses(bool lists)
{
	uint64_t n = fix_number(), stream = fix_number(), base = fix_number();
	char *tokens = strtok(NULL, "\n");

	accesses_block(n, stream, base, tokens ? tokens : copy(""), lists);
}

static int page_statement(const char *s)
{
	char *w[6];

	if (!strcmp(s, "epoch")) {
		for (int i = 0; i < 6; i++)
			w[i] = fix_word();
		pages_epoch(w);
	} else if (!strcmp(s, "covered") || !strcmp(s, "not-covered")) {
		w[0] = fix_word();
		pages_covered(*s == 'c', w[0], fix_word());
	} else if (!strcmp(s, "pages")) {
		pages_block(strtok(NULL, "\n"));
	} else if (!strcmp(s, "writes-alone")) {
		pages_writes_alone();
	} else if (!strcmp(s, "watch-cost")) {
		for (int i = 0; i < 3; i++)
			pages_watch_cost(i, fix_number());
	} else if (!strcmp(s, "touches")) {
		w[0] = fix_word();
		pages_touches(w[0], strtok(NULL, "\n"));
	} else if (!strcmp(s, "lose-epochs")) {
		pages_lose(fix_number());
	} else if (!strcmp(s, "accesses") || !strcmp(s, "lists")) {
		put_accesses(*s == 'l');
	} else {
		return 0;
	}
	return 1;
}

static void statement(const char *s)
{
	if (!strcmp(s, "t")) {
		g.now = fix_number();
		s = fix_word();
	}
	if (event_statement(s) || note_statement(s) || text_statement(s) ||
	    number_statement(s) || version_statement(s) || page_statement(s))
		return;
	if (!strcmp(s, "module")) {
		add_module();
	} else if (!strcmp(s, "rank")) {
		finish_rank();
		g.rank = fix_number();
		if (strcmp(fix_word(), "of") != 0)
			fix_die("rank R of N");
		g.ranks = fix_number();
		begin_rank();
	} else if (!strcmp(s, "real-rank")) {
		g.rank = fix_number();
		fix_word();
		g.ranks = fix_number();
		g.real_rank = 1;
	} else if (!strcmp(s, "block")) {
		put_all();
	} else if (!strcmp(s, "lose-names")) {
		g.said_sent = g.said_count;
	} else if (!strcmp(s, "modules")) {
		g.list_modules = 1;
	} else if (!strcmp(s, "generation")) {
		put_all();
		g.generation++;
		g.known = g.sent = 0;
	} else if (!strcmp(s, "churn")) {
		do_churn();
	} else if (!strcmp(s, "end")) {
		char *reason = fix_more();

		set(&g.end, copy(reason ? reason : "exit"));
		finish_rank();
	} else {
		fix_die("unknown statement '%s'", s);
	}
}

int main(int argc, char **argv)
{
	FILE *in = stdin;

	if (argc < 2) {
		fprintf(stderr, "usage: wmt-make RUNDIR [FILE]\n");
		return 2;
	}
	make_begin(argv[1]);
	if (argc > 2 && !(in = fopen(argv[2], "r")))
		fix_die("%s: cannot be read", argv[2]);
	fix_read(in, argc > 2 ? argv[2] : "stdin", statement);
	finish_rank();
	make_elf();
	if (in != stdin)
		fclose(in);
	return 0;
}
