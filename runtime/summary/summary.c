/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/summary/summary.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

#include "input/rank_list.h"
#include "wm/trace_format.h"

#include "runtime/base/clock.h"
#include "runtime/base/overwritten.h"
#include "runtime/base/report.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/event/slot.h"
#include "runtime/trace/dirs.h"
#include "runtime/trace/tracefile.h"
#include "runtime/trace/writer.h"

/* The most time that other ranks may take after our MPI_Finalize. */
#define PATIENCE_NS 1000000000u
#define READ_RECORDS 64
#define FILE_NAME 64

static struct wm_summary_record mine;
static bool made_file; /* this rank made the file of the directory */

static uint64_t sum_of(const struct wm_summary_record *r)
{
	uint64_t word, sum = 0;

	for (size_t i = 0; i + 1 < sizeof(*r) / 8; i++) {
		memcpy(&word, (const char *)r + 8 * i, sizeof(word));
		sum = (sum << 7 | sum >> 57) ^ word;
	}
	return sum;
}

/* Bytes of the runtime's own static memory; filled in by module.mk. */
static const char own_static[16]
	__attribute__((section(".rodata.wm_own_static"), used)) = "0";

/* Returns the bytes that are writable after relocation, with the storage of one
 * thread.  wm-analyze reports those of the plain program, without .got and
 * similar sections. */
static uint64_t static_bytes(void)
{
	const ElfW(Phdr) *p = (const void *)getauxval(AT_PHDR);
	const char *volatile own = own_static;
	uint64_t bytes = 0, ours = 0;

	for (size_t n = p ? getauxval(AT_PHNUM) : 0; n; n--, p++) {
		if ((p->p_type == PT_LOAD && (p->p_flags & PF_W)) ||
		    p->p_type == PT_TLS)
			bytes += p->p_memsz;
		if (p->p_type == PT_GNU_RELRO)
			bytes -= p->p_memsz;
	}
	wm_str_uint(own, &ours);
	return bytes > ours ? bytes - ours : 0;
}

static void take_numbers(void)
{
	struct wm_writer_numbers f;
	struct wm_text host = wm_text_on(mine.host, sizeof(mine.host));
	char names[WM_OVERWRITTEN_ROOM];

	wm_writer_numbers(&f);
	mine.magic = WM_SUMMARY_MAGIC;
	mine.rank = (uint32_t)wm_identity.rank;
	mine.ranks = (uint32_t)wm_identity.ranks;
	wm_text_add(&host, wm_identity.host);
	mine.node = wm_str_hash(wm_identity.boot_id[0] ? wm_identity.boot_id :
							 wm_identity.host);
	mine.start_real = wm_state->start_real;
	mine.end_real = wm_clock_ns(CLOCK_REALTIME);
	mine.has_heap = (uint64_t)wm_usage_now(&mine.heap);
	mine.static_bytes = static_bytes();
	mine.tool_bytes = f.memory_high;
	mine.trace_bytes = f.trace_bytes;
	mine.events = f.events;
	mine.dropped = atomic_load(&wm_state->dropped) +
		       atomic_load(&wm_state->not_written);
	mine.overwritten = (uint64_t)wm_overwritten_look(names);
	mine.write_ns = f.write_ns;
}

static void make_record(bool ended)
{
	uint64_t begin = wm_clock_ns(CLOCK_MONOTONIC);

	if (!ended)
		wm_slots_write_out(false);
	take_numbers();
	mine.spent_ns = wm_clock_ns(CLOCK_MONOTONIC) - begin;
	mine.sum = sum_of(&mine);
}

/* Returns whether @fd still is file @name of @dir.  Another thread may have
 * taken the number of the descriptor (runtime/trace/tracefile.h). */
static bool is_file(int fd, const struct wm_at *dir, const char *name)
{
	uint64_t id[2];

	return wm_sys_which(dir->fd, name, AT_SYMLINK_NOFOLLOW, id) == 0 &&
	       wm_fd_check(fd, id) == 0;
}

static void write_record(void)
{
	uint64_t at = mine.rank % WMT_RANKS_PER_DIR * sizeof(mine);
	struct wm_at dir;
	int fd;

	if (!wm_tracefile_path[0] || wm_tracefile_too_big(at + sizeof(mine)) ||
	    wm_tracefile_dir(&dir, false))
		return;
	fd = wm_at_create(&dir, WM_SUMMARY_FILE);
	made_file = fd >= 0;
	if (fd == -EEXIST)
		fd = wm_at_file(&dir, WM_SUMMARY_FILE, O_RDWR);
	if (fd >= 0 && is_file(fd, &dir, WM_SUMMARY_FILE)) {
		/* No rank waits for another, because each has its own place. */
		WM_SYS4(SYS_pwrite64, fd, &mine, sizeof(mine), at);
		wm_sys_close(fd);
	} else if (fd >= 0) {
		wm_at_drop(fd);
	}
	wm_at_close(&dir);
}

/* Returns whether the record is from this run.  A process that was killed may
 * have left a file. */
static bool is_ours(const struct wm_summary_record *r, uint64_t rank)
{
	const uint64_t clocks_differ = UINT64_C(10000000000);

	return r->magic == WM_SUMMARY_MAGIC && r->rank == rank &&
	       r->ranks == mine.ranks && r->sum == sum_of(r) &&
	       r->end_real + clocks_differ > mine.start_real;
}

/* Adds the records of file @name, whose first rank is @first. */
static bool read_file(struct wm_summary_job *j, const struct wm_at *run,
		      const char *name, uint64_t first, uint64_t deadline)
{
	static struct wm_summary_record r[READ_RECORDS];
	int fd = wm_at_file(run, name, O_RDONLY);
	uint64_t at = 0;
	long n;

	if (fd < 0)
		return false;
	if (!is_file(fd, run, name)) {
		wm_at_drop(fd);
		return false;
	}
	while ((n = WM_SYS4(SYS_pread64, fd, r, sizeof(r), at * sizeof(*r))) >=
	       (long)sizeof(*r)) {
		for (size_t i = 0; i < (size_t)n / sizeof(*r); i++, at++)
			if (is_ours(&r[i], first + at) &&
			    wm_summary_add(j, &r[i]))
				break;
		if (wm_clock_ns(CLOCK_MONOTONIC) > deadline)
			break;
	}
	wm_sys_close(fd);
	return true;
}

/* Returns false if there is no such file. */
static bool nth_file(char name[FILE_NAME], uint64_t i)
{
	struct wm_text t = wm_text_on(name, FILE_NAME);
	uint64_t first = i * WMT_RANKS_PER_DIR;

	if (first >= mine.ranks)
		return false;
	if (mine.ranks > WMT_RANKS_PER_DIR) {
		wm_text_add(&t, WMT_RANKS_PREFIX);
		wm_text_uint(&t, first, 6);
		wm_text_char(&t, '/');
	}
	wm_text_add(&t, WM_SUMMARY_FILE);
	return true;
}

/* Reads all records; returns the number of the first file.  Reading has a
 * deadline of its own: the last look for late ranks must not be cut short. */
static uint64_t read_all(struct wm_summary_job *j)
{
	uint64_t deadline = wm_clock_ns(CLOCK_MONOTONIC) + PATIENCE_NS;
	uint64_t lowest = UINT64_MAX;
	char name[FILE_NAME];
	struct wm_at run;

	wm_summary_release(j);
	if (wm_tracefile_path[0] && wm_tracefile_dir(&run, true) == 0) {
		for (uint64_t i = 0; nth_file(name, i); i++)
			if (read_file(j, &run, name, i * WMT_RANKS_PER_DIR,
				      deadline) &&
			    lowest == UINT64_MAX)
				lowest = i;
		wm_at_close(&run);
	}
	if (!j->count)
		wm_summary_add(j, &mine);
	return lowest;
}

static void remove_files(void)
{
	char name[FILE_NAME];
	struct wm_at run;

	if (!wm_tracefile_path[0] || wm_tracefile_dir(&run, true))
		return;
	for (uint64_t i = 0; nth_file(name, i); i++)
		wm_sys_unlinkat(run.fd, name, 0);
	wm_at_close(&run);
}

static void add_run_directory(struct wm_text *t)
{
	wm_text_add(t, wm_tracefile_path);
	for (int up = 1 + (wm_identity.ranks > WMT_RANKS_PER_DIR); up; up--) {
		while (t->len && t->s[t->len - 1] != '/')
			t->len--;
		t->len -= t->len != 0;
	}
	t->s[t->len] = 0;
}

static void print_table(const struct wm_summary_job *j)
{
	static char text[4096], dir[WM_PATH_MAX];
	struct wm_text t = wm_text_on(text, sizeof(text));
	struct wm_text d = wm_text_on(dir, sizeof(dir));

	add_run_directory(&d);
	wm_summary_print(j, wm_identity.program, dir, &t);
	if (t.full) {
		t.len = wm_plain_cut(text, t.len - 1);
		text[t.len++] = '\n';
	}
	wm_report_text(text, t.len);
}

static uint64_t expected_records(void)
{
	uint64_t n = 0;

	if (!wm_options.ranks[0])
		return mine.ranks;
	for (uint64_t r = 0; r < mine.ranks; r++)
		n += wm_rank_list_has(wm_options.ranks, r) != 0;
	return n;
}

/* Returns rank 0 or the first rank of WM_RANKS, whose directory has the
 * table. */
static uint32_t leader_rank(void)
{
	for (uint32_t r = 0; wm_options.ranks[0] && r < mine.ranks; r++)
		if (wm_rank_list_has(wm_options.ranks, r))
			return r;
	return 0;
}

/* Prints the table if this rank is the leader.  If the leader has no record,
 * the rank that made the first file prints it, unless the records come from one
 * of several nodes: then WM_DIR is most likely on each node's own disk, and
 * there would be a table from each node. */
static void print_job(void)
{
	static struct wm_summary_job job;
	uint64_t deadline = wm_clock_ns(CLOCK_MONOTONIC) + PATIENCE_NS;
	struct timespec pause = { 0, 10000000 };
	uint64_t lowest, dir = mine.rank / WMT_RANKS_PER_DIR;
	uint64_t all = expected_records();
	uint32_t first = leader_rank();
	bool one_of_several;

	for (;;) {
		lowest = read_all(&job);
		if (mine.rank != first && (job.lowest == first || lowest > dir))
			break;
		if (job.count >= all ||
		    wm_clock_ns(CLOCK_MONOTONIC) >= deadline)
			break;
		WM_SYS2(SYS_nanosleep, &pause, 0);
	}
	one_of_several = wm_identity.spread && job.nodes == 1;
	if (one_of_several && job.count < all)
		job.absent = all - job.count;
	if (mine.rank == first || (job.lowest != first && lowest == dir)) {
		if (mine.rank == first || !one_of_several)
			print_table(&job);
		remove_files();
	}
	wm_summary_release(&job);
}

void wm_summary_mpi(int after)
{
	static _Atomic int stage;
	int before = after;

	/* One spelling of MPI_Finalize may call another. */
	if (!atomic_compare_exchange_strong(&stage, &before, after + 1))
		return;
	if (!after) {
		make_record(false);
		write_record();
	} else if (mine.rank == leader_rank() || made_file) {
		print_job();
	}
}

void wm_summary_process(void)
{
	static struct wm_summary_job job;

	make_record(true);
	mine.ranks = 1;
	if (wm_summary_add(&job, &mine) == 0)
		print_table(&job);
	wm_summary_release(&job);
}
