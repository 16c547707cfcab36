/* SPDX-License-Identifier: Apache-2.0 */
/* The statements of wmt-make become blocks of a trace. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/tools/make.h"
#include "wm/trace_format.h"
#include "wm/window_format.h"

struct make g;

char *copy(const char *s)
{
	return strcpy(fix_alloc(NULL, strlen(s) + 1), s);
}

void set(char **to, char *text)
{
	free(*to);
	*to = text;
}

static uint64_t function(const char *name, size_t len)
{
	int i;

	for (i = 0; i < g.names; i++)
		if (strlen(g.name[i]) == len && !memcmp(g.name[i], name, len))
			return BASE + (uint64_t)i * FUNCTION;
	if (g.names == 4096)
		fix_die("too many names");
	g.name[g.names] = fix_alloc(NULL, len + 1);
	memcpy(g.name[g.names], name, len);
	g.name[g.names++][len] = 0;
	return BASE + (uint64_t)i * FUNCTION;
}

static void parse_path(struct path *p, const char *s)
{
	while (*s && strcmp(s, "-") != 0) {
		size_t len = strcspn(s, "<"), name = strcspn(s, "<+");

		if (p->depth == p->cap) {
			p->cap = p->cap ? 2 * p->cap : 16;
			p->frame = fix_alloc(p->frame,
					     (size_t)p->cap *
						     sizeof(*p->frame));
		}
		if (isdigit((unsigned char)*s))
			p->frame[p->depth++] = strtoull(s, NULL, 0);
		else
			p->frame[p->depth++] = function(s, name) +
					       (s[name] == '+' ?
							strtoull(s + name + 1,
								 NULL, 0) :
							0x10);
		s += len;
		s += *s == '<';
	}
}

uint64_t path_number(const char *text)
{
	size_t i;
	struct path *p;

	for (i = 0; i < g.paths; i++)
		if (!strcmp(g.path[i].text, text))
			break;
	if (i == g.paths) {
		if (g.paths == g.path_cap) {
			g.path_cap = g.path_cap ? 2 * g.path_cap : 64;
			g.path = fix_alloc(g.path,
					   g.path_cap * sizeof(*g.path));
		}
		memset(&g.path[i], 0, sizeof(*g.path));
		g.path[i].text = copy(text);
		parse_path(&g.path[i], text);
		g.paths++;
	}
	p = &g.path[i];
	if (p->generation != g.generation) {
		p->generation = g.generation;
		p->number = g.known++;
	}
	return p->number;
}

const struct path *path_by_number(uint64_t n)
{
	size_t i;

	for (i = 0; i < g.paths; i++)
		if (g.path[i].generation == g.generation &&
		    g.path[i].number == n)
			return &g.path[i];
	fix_die("no path %llu", (unsigned long long)n);
}

/* The place of the frame of @addr below the one at @parent; 0: there is none. */
static size_t find_frame(size_t parent, uint64_t addr)
{
	size_t i;

	for (i = 0; i < g.frames; i++)
		if (g.frame[i].parent == parent && g.frame[i].addr == addr)
			return i + 1;
	return 0;
}

static void put_path(struct fix_bytes *out, const struct path *p)
{
	size_t top = 0, next;
	int i = 0;

	while (i < p->depth && (next = find_frame(top, p->frame[i]))) {
		top = next;
		i++;
	}
	fix_varint(out, top ? g.frames + 1 - top : 0);
	fix_varint(out, (uint64_t)(p->depth - i));
	for (; i < p->depth; i++) {
		fix_zigzag(out,
			   (int64_t)(p->frame[i] - (i ? p->frame[i - 1] : 0)));
		if (g.frames == g.frame_cap) {
			g.frame_cap = g.frame_cap ? 2 * g.frame_cap : 64;
			g.frame = fix_alloc(g.frame,
					    g.frame_cap * sizeof(*g.frame));
		}
		g.frame[g.frames++] = (struct frame){ p->frame[i], top };
		top = g.frames;
	}
}

/* Column DICT with the paths that no block has told yet. */
static void put_dict(struct fix_block *b)
{
	uint64_t first;

	fix_field_uint(b, WMT_F_GENERATION, g.generation);
	if (g.sent == g.known)
		return;
	fix_field_uint(b, WMT_F_STACK_FIRST, g.sent);
	fix_field_uint(b, WMT_F_STACKS, g.known - g.sent);
	if (!g.sent)
		g.frames = 0;
	first = g.frames;
	for (; g.sent < g.known; g.sent++)
		put_path(&b->column[WMT_COL_DICT], path_by_number(g.sent));
	fix_field_uint(b, WMT_F_FRAME_FIRST, first);
	fix_field_uint(b, WMT_F_FRAMES, g.frames - first);
}

static void put_modules(struct fix_block *b)
{
	struct fix_bytes *out = &b->column[WMT_COL_MODULES];
	int i;

	g.list_modules = 0;
	fix_varint(out, (uint64_t)g.modules);
	for (i = 0; i < g.modules; i++) {
		const struct module *m = &g.module[i];

		fix_varint(out, m->bias);
		fix_varint(out, m->first);
		fix_varint(out, m->end);
		fix_varint(out, strlen(m->path));
		fix_put(out, m->path, strlen(m->path));
		fix_varint(out, m->id_size);
		fix_put(out, m->id, m->id_size);
	}
}

void clocks(uint64_t v[3], uint64_t ticks)
{
	v[0] = ticks;
	v[1] = g.clock_of.mono +
	       (uint64_t)((double)(ticks - g.clock_of.start) * g.tick_ns);
	v[2] = g.clock_of.real + v[1];
}

uint64_t rnd(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s;
}

static void mutate_bytes(struct fix_bytes *b)
{
	uint64_t n = rnd(&g.mutate) % 40;

	if (!b->n || n > 3)
		return;
	while (n--) {
		uint8_t *p = &b->p[rnd(&g.mutate) % b->n];

		switch (rnd(&g.mutate) % 4) {
		case 0:
			*p ^= (uint8_t)(1u << rnd(&g.mutate) % 8);
			break;
		case 1:
			*p = 0xff;
			break;
		case 2:
			*p = (uint8_t)rnd(&g.mutate);
			break;
		default:
			b->n -= b->n > 1;
			return;
		}
	}
}

static void mutate(struct fix_block *b)
{
	int i;

	if (!g.mutate)
		return;
	mutate_bytes(&b->fields);
	for (i = 0; i < WMT_COL_LIMIT; i++)
		mutate_bytes(&b->column[i]);
}

uint64_t said(const char *name)
{
	uint64_t i;

	if (!strcmp(name, "-"))
		return 0;
	if (*name == '%')
		return strtoull(name + 1, NULL, 0);
	for (i = 0; i < g.said_count; i++)
		if (!strcmp(g.said[i], name))
			return i + 1;
	if (i == 4096)
		fix_die("too many names");
	g.said[g.said_count] = copy(name);
	return ++g.said_count;
}

/* Column NAMES with the names that no block has told yet. */
static void put_said(struct fix_block *b)
{
	struct fix_bytes *out = &b->column[WMT_COL_NAMES];

	if (g.said_sent == g.said_count)
		return;
	fix_field_uint(b, WMT_F_NAME_FIRST, g.said_sent + 1);
	for (; g.said_sent < g.said_count; g.said_sent++) {
		const char *s = g.said[g.said_sent];

		fix_varint(out, strlen(s));
		fix_put(out, s, strlen(s));
	}
}

void put_block(struct fix_block *b)
{
	uint64_t v[3];

	clocks(v, g.now);
	b->major = g.major;
	b->minor = g.minor;
	b->packed = g.packed;
	if (g.claim)
		b->coded[g.claim] = (uint8_t)g.claims;
	if (g.later) {
		fix_field_text(b, 127, "later");
		b->coded[WMT_COL_LIMIT] = WMT_ENC_LIMIT;
		fix_put(&b->column[WMT_COL_LIMIT], "later", 5);
	}
	fix_field_uint(b, WMT_F_SEQUENCE, g.sequence++);
	if (g.field)
		fix_field_text(b, g.field_tag, g.field);
	fix_field_triple(b, WMT_F_NOW, v);
	fix_field_uint(b, WMT_F_DROPPED, g.dropped);
	if (g.real_rank) {
		fix_field_uint(b, WMT_F_RANK, g.rank);
		fix_field_uint(b, WMT_F_RANKS, g.ranks);
		g.real_rank = 0;
	}
	if (g.list_modules)
		put_modules(b);
	put_said(b);
	mutate(b);
	fix_block_write(b, g.level, g.out);
}

/* The machine: what the description says, or one for each host. */
static void put_boot(struct fix_block *b)
{
	char text[512];

	snprintf(text, sizeof(text), "boot-%s", g.host);
	if (!g.boot || strcmp(g.boot, "-") != 0)
		fix_field_text(b, WMT_F_BOOT_ID, g.boot ? g.boot : text);
}

static void put_start(void)
{
	struct fix_block b = { .type = WMT_BLOCK_START };
	uint64_t v[3];

	fix_field_text(&b, WMT_F_RUN_ID, g.id);
	fix_field_text(&b, WMT_F_PROGRAM, g.program);
	fix_field_text(&b, WMT_F_EXE, g.exe ? g.exe : "/nowhere/app.wm");
	fix_field_text(&b, WMT_F_HOST, g.host);
	put_boot(&b);
	fix_field_uint(&b, WMT_F_PID, 100 + g.rank);
	if (g.build_id_size)
		fix_field_bytes(&b, WMT_F_BUILD_ID, g.build_id,
				g.build_id_size);
	fix_field_uint(&b, WMT_F_CLOCK, g.clock);
	clocks(v, g.start);
	fix_field_triple(&b, WMT_F_START_TIME, v);
	fix_field_text(&b, WMT_F_TOOL_VERSION, "wmt-make");
	if (g.crash_buffers) {
		fix_field_text(&b, WMT_F_WINDOW, "");
		fix_field_uint(&b, WMT_F_BUFFER_EVENTS, 128);
	}
	g.real_rank = 1;
	g.list_modules = 1;
	put_block(&b);
	if (g.later) {
		b = (struct fix_block){ .type = WMT_BLOCK_LIMIT };
		put_block(&b);
	}
}

static void put_thread(unsigned i)
{
	struct thread *t = &g.thread[i];
	struct fix_block b = { .type = WMT_BLOCK_EVENTS };

	if (!t->n)
		return;
	fix_field_uint(&b, WMT_F_THREAD, i);
	fix_field_uint(&b, WMT_F_TID, i ? 1000 + i : 100 + g.rank);
	if (g.thread_at[i])
		fix_field_uint(&b, WMT_F_THREAD_AT, g.thread_at[i]);
	put_dict(&b);
	b.plain = g.plain;
	b.gaps = g.gaps;
	fix_field_uint(&b, WMT_F_EVENT_FIRST, t->done);
	if (g.rss)
		fix_field_uint(&b, WMT_F_RSS, g.rss);
	fix_events(&b, t->event, t->n, g.shift);
	g.total += t->n;
	t->done += t->n;
	t->n = 0;
	put_block(&b);
}

void put_all(void)
{
	unsigned i;

	for (i = 0; i < g.threads; i++)
		put_thread(i);
	if (g.sent < g.known) {
		struct fix_block b = { .type = WMT_BLOCK_STACKS };

		put_dict(&b);
		put_block(&b);
	}
}

static void put_end(void)
{
	struct fix_block b = { .type = WMT_BLOCK_END };

	fix_field_text(&b, WMT_F_END_REASON, g.end);
	fix_field_uint(&b, WMT_F_EVENTS_TOTAL, g.total);
	fix_field_uint(&b, WMT_F_TOOL_MEMORY, 1 << 20);
	fix_field_uint(&b, WMT_F_THREADS, g.threads);
	fix_field_uint(&b, WMT_F_PEAK_RSS, g.peak_rss);
	if (g.exit_status)
		fix_field_uint(&b, WMT_F_EXIT_STATUS, g.exit_status - 1);
	if (g.mpi)
		fix_field_uint(&b, WMT_F_MPI, g.mpi);
	if (g.paused)
		fix_field_uint(&b, WMT_F_PAUSED_ALLOCATIONS, g.paused);
	put_block(&b);
}

void finish_rank(void)
{
	unsigned i;

	if (!g.out)
		return;
	if (g.crash_buffers && !g.end)
		put_crash_buffer(g.crash_buffer);
	else
		put_all();
	if (g.end)
		put_end();
	for (i = 0; i < 4096; i++)
		g.thread[i].n = g.thread[i].done = 0;
	set(&g.crash_buffer, NULL);
	if (fclose(g.out))
		fix_die("write error");
	g.out = NULL;
	set(&g.end, NULL);
}

void begin_rank(void)
{
	char path[4096];

	if (g.file)
		snprintf(path, sizeof(path), "%s/%s", g.dir, g.file);
	else
		snprintf(path, sizeof(path), "%s/rank-%06llu.wmt.xz", g.dir,
			 (unsigned long long)g.rank);
	set(&g.file, NULL);
	g.out = fopen(path, "w");
	if (!g.out)
		fix_die("%s: cannot be written", path);
	set(&g.crash_buffer, copy(path));
	if (strlen(path) > strlen(WMT_FILE_SUFFIX))
		strcpy(g.crash_buffer + strlen(path) - strlen(WMT_FILE_SUFFIX),
		       WMW_FILE_SUFFIX);
	g.sequence = g.dropped = g.total = 0;
	pages_begin();
	accesses_begin();
	g.threads = g.at = 0;
	g.generation++;
	g.known = g.sent = 0;
	while (g.said_count)
		free(g.said[--g.said_count]);
	g.said_sent = g.paused = 0;
	g.now = g.clock_of.start = g.start;
	g.clock_of.mono = g.mono;
	g.clock_of.real = g.real;
	if (!g.modules)
		g.module[g.modules++] = (struct module){ .first = 0x400000,
							 .end = 0x800000,
							 .path = copy("") };
	put_start();
}

void add_event(unsigned kind, uint64_t addr, uint64_t size, uint64_t stack)
{
	struct thread *t = &g.thread[g.at];

	if (!g.out)
		fix_die("an event before 'rank'");
	if (g.at >= g.threads)
		g.threads = g.at + 1;
	if (t->n == t->cap) {
		t->cap = t->cap ? 2 * t->cap : 256;
		t->event = fix_alloc(t->event, t->cap * sizeof(*t->event));
	}
	t->event[t->n++] = (struct fix_event){ kind, g.now, addr, size, stack };
	if (t->n >= g.block_events)
		put_thread(g.at);
}

void make_begin(const char *dir)
{
	g.dir = dir;
	g.program = copy("app");
	g.id = copy("1");
	g.host = copy("node1");
	g.clock = WMT_CLOCK_TSC;
	g.tick_ns = 1;
	g.level = -1;
	g.peak_rss = 123 << 20;
	g.block_events = 16384;
	g.start = g.now = 1000000;
	g.mono = 5000000000ull;
	g.real = 1700000000000000000ull;
	mkdir(g.dir, 0777);
}

void make_elf(void)
{
	struct fix_symbol sym[4096];
	int i;

	if (!g.elf)
		return;
	for (i = 0; i < g.names; i++)
		sym[i] = (struct fix_symbol){ g.name[i],
					      BASE + (uint64_t)i * FUNCTION,
					      FUNCTION };
	fix_elf_write(g.elf, BASE, (uint64_t)(g.names + 1) * FUNCTION, sym,
		      (size_t)g.names, g.build_id, g.build_id_size);
}
