/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flips RUN STEP
 *
 * Flips bits of the trace RUN/rank-000000.wmt.xz, one at a time.  The reader has
 * to notice each.  wm-analyze, in this process, with each report and export in
 * each form, gets a flip in every STEP-th byte: it has to print what it prints of
 * the sound trace, with the same status, or to end with status 3 or 4 and a note
 * that names the file.  Prints what was silent, and counts.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analyze/menu.h"
#include "analyze/answers/report.h"
#include "analyze/lib/trace/read_accesses.h"
#include "analyze/lib/trace/read_epochs.h"
#include "analyze/lib/trace/reader.h"

#define FILE_NAME "rank-000000.wmt.xz"
#define MOST 512

int wm_analyze_main(int argc, char **argv); /* tests/fuzz/analyze_main.c */

static char path[4096];
static uint8_t *data;
static size_t size;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void write_trace(size_t bit)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	if (bit < size * 8)
		data[bit / 8] ^= (uint8_t)(1u << bit % 8);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		die(path);
	close(fd);
	if (bit < size * 8)
		data[bit / 8] ^= (uint8_t)(1u << bit % 8);
}

/* ---- the reader ---- */

static int events_are_sound(const struct wm_trace *t)
{
	struct wm_event_data d;
	int sound = 1;

	wm_event_data_init(&d, t);
	for (size_t i = 0; i < t->block_count; i++)
		sound &= !wm_trace_load(t, &t->blocks[i], &d, NULL);
	wm_event_data_release(&d);
	return sound;
}

static int epochs_are_sound(const struct wm_trace *t)
{
	struct wm_epochs e;
	enum wm_status r;

	wm_epochs_open(&e, t);
	while (!(r = wm_epochs_next(&e, NULL)))
		;
	wm_epochs_release(&e);
	return r == WM_END;
}

static int is_noticed(void)
{
	struct wm_trace t;
	int sound;

	if (wm_trace_open(&t, path, "t", WM_ALL_BLOCKS, NULL, NULL))
		return 1;
	sound = t.ended && !t.damage.text[0] && !t.gaps &&
		events_are_sound(&t) && epochs_are_sound(&t);
	wm_trace_release(&t);
	return !sound;
}

/* ---- wm-analyze ---- */

static struct answer {
	const char *argv[12];
	char name[64];
	int status;
	char *text; /* of the sound trace */
	size_t bytes;
} answer[MOST];
static size_t answers;
static int out = -1, notes = -1; /* files in memory */

static char *content(int fd, size_t *n)
{
	off_t end = lseek(fd, 0, SEEK_END);
	char *text = malloc((size_t)end + 1);

	*n = (size_t)end;
	if (!text || pread(fd, text, *n, 0) != end)
		die("pread");
	text[end] = 0;
	return text;
}

/* The output of the command, and its stderr. */
static int run(struct answer *a, char **text, size_t *n, char **said)
{
	int argc = 0, status, was[2] = { dup(1), dup(2) };
	char *argv[12];
	size_t unused;

	fflush(stdout);
	if (ftruncate(out, 0) || ftruncate(notes, 0) ||
	    lseek(out, 0, SEEK_SET) || lseek(notes, 0, SEEK_SET) ||
	    dup2(out, 1) < 0 || dup2(notes, 2) < 0)
		die("memfd");
	for (; a->argv[argc]; argc++)
		argv[argc] = (char *)(uintptr_t)a->argv[argc];
	argv[argc] = NULL;
	status = wm_analyze_main(argc, argv);
	fflush(stdout);
	fflush(stderr);
	dup2(was[0], 1);
	dup2(was[1], 2);
	close(was[0]);
	close(was[1]);
	*text = content(out, n);
	*said = content(notes, &unused);
	return status;
}

static void add(const struct wm_report *r, const char *value, const char *form,
		const char *form_value, const char *run_dir)
{
	struct answer *a = &answer[answers];
	const char *words[] = { "wm-analyze", "-j1",	  a->name, value,
				form,	      form_value, run_dir, NULL };
	int argc = 0;
	char *said;

	if (answers == MOST)
		die("MOST");
	snprintf(a->name, sizeof(a->name), "--%s", r->name);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (words[i])
			a->argv[argc++] = words[i];
	if (!strcmp(r->name, "compare"))
		a->argv[argc++] = run_dir;
	a->argv[argc] = NULL;
	a->status = run(a, &a->text, &a->bytes, &said);
	if (a->status == WM_EXIT_GOOD)
		answers++;
	else
		free(a->text);
	free(said);
}

/* The report in each form, with the value of each of its formats. */
static void add_report(const struct wm_report *r, const char *run_dir)
{
	static const char *const form[][2] = {
		{ NULL, NULL },	  { "--json", NULL },	{ "--csv", NULL },
		{ "--svg", "-" }, { "--by", "phases" }, { "--tier", "16K" },
	};
	const struct wm_report *v = r->choices;

	if (!strcmp(r->name, "repack"))
		return; /* it copies: t8000 */
	do {
		const char *value = v			   ? v->value :
				    r->forms & WM_TO_VALUE ? "-" :
				    r->value		   ? "L1=32K/8" :
							     NULL;

		for (size_t i = 0; i < sizeof(form) / sizeof(*form); i++)
			add(r, value, form[i][0], form[i][1], run_dir);
	} while (v && (++v)->name);
}

static int is_silent(struct answer *a)
{
	char *text, *said;
	size_t n;
	int status = run(a, &text, &n, &said);
	int same = status == a->status && n == a->bytes &&
		   !memcmp(text, a->text, n);
	int told = (status == WM_EXIT_PARTIAL ||
		    status == WM_EXIT_UNREADABLE) &&
		   strstr(said, FILE_NAME) != NULL;

	free(text);
	free(said);
	return !same && !told;
}

int main(int argc, char **argv)
{
	size_t bit, step, missed = 0, runs = 0, silent = 0;
	FILE *f;

	if (argc != 3)
		return 2;
	snprintf(path, sizeof(path), "%s/" FILE_NAME, argv[1]);
	step = strtoul(argv[2], NULL, 10);
	f = fopen(path, "r");
	data = malloc(1 << 20);
	if (!f || !data)
		die(path);
	size = fread(data, 1, 1 << 20, f);
	fclose(f);
	out = memfd_create("out", 0);
	notes = memfd_create("notes", 0);
	for (size_t i = 0; wm_reports[i]; i++)
		add_report(wm_reports[i], argv[1]);
	for (bit = 0; bit < size * 8; bit++) {
		write_trace(bit);
		missed += !is_noticed();
		if (bit % (8 * step) != bit / 8 / step % 8)
			continue;
		for (size_t i = 0; i < answers; i++, runs++) {
			if (!is_silent(&answer[i]))
				continue;
			silent++;
			printf("byte %zu, silent:", bit / 8);
			for (int k = 2; answer[i].argv[k]; k++)
				printf(" %s", answer[i].argv[k]);
			puts("");
		}
	}
	write_trace(size * 8);
	printf("bits %zu unnoticed %zu\nreports %zu runs %zu silent %zu\n",
	       size * 8, missed, answers, runs, silent);
	return 0;
}
