/* SPDX-License-Identifier: Apache-2.0 */
/* Cases become files, and wm-analyze reads them, in this process. */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/menu.h"

#define RUN "app.1.wm"
#define MAX_ARGS 16

int wm_analyze_main(int argc, char **argv); /* main() of analyze/main.c */

int fuzz_analyze(char **argv)
{
	int argc = 0, status;

	while (argv[argc])
		argc++;
	status = wm_analyze_main(argc, argv);
	if (status < 0 || status > 4)
		abort();
	return status;
}

/* ---- the files ---- */

static const struct fuzz_part *find(const struct fuzz_case *c, unsigned tag)
{
	size_t i;

	for (i = 0; i < c->parts; i++)
		if (c->part[i].tag == tag)
			return &c->part[i];
	return NULL;
}

static void write_or_remove(const char *path, const void *p, size_t n)
{
	if (p)
		fuzz_write_file(path, p, n);
	else
		unlink(path);
}

static void write_run(const struct fuzz_case *c)
{
	const struct fuzz_part *part;
	struct fuzz_bytes trace = { 0 }, bundle = { 0 };

	mkdir(RUN, 0700);
	fuzz_seal_trace(c, c->options & FUZZ_KEEP_LENGTHS, &trace);
	fuzz_write_file(RUN "/rank-000000.wmt.xz", trace.p, trace.n);
	part = find(c, FUZZ_BUNDLE);
	if (part)
		fuzz_seal_file(part, &bundle);
	write_or_remove(RUN "/program.wmc.xz", bundle.p, bundle.n);
	part = find(c, FUZZ_CRASH_BUFFER);
	write_or_remove(RUN "/rank-000000.wmw", part ? part->p : NULL,
			part ? part->n : 0);
	free(trace.p);
	free(bundle.p);
}

/* ---- the report ---- */

/* The value of report @r: a FORMAT of @number, or a file. */
static const char *value_of(const struct wm_report *r, unsigned number)
{
	unsigned n = 0;

	if (!r->choices)
		return r->forms & WM_TO_VALUE ? "-" : "x";
	while (r->choices[n].name)
		n++;
	return r->choices[number % n].value;
}

/* Words of the command line but for the runs, into @argv of MAX_ARGS. */
static int choose(const struct fuzz_case *c, const char **argv, char *name)
{
	static const char *const form[] = { NULL, "--json", "--csv", "--json" };
	/* clang-format off */
	static const char *const more[][2] = {
		{ NULL }, { NULL }, { NULL }, { "--rank", "all" },
		{ "--at", "1ms" }, { "--at", "peak" }, { "--by", "phases" },
		{ "--by", "libraries" }, { "--bottom-up" }, { "--svg", "-" },
		{ "--top", "all" }, { "--fold", "none" },
		{ "--node-memory", "1G" }, { "--fail-on", "leaks" },
		{ "--rank", "min" }, { "--quiet" },
	};
	/* clang-format on */
	const struct wm_report *r;
	unsigned count = 0, extra = c->options >> 3 & 15;
	int argc = 0;

	while (wm_reports[count])
		count++;
	r = wm_reports[c->report % count];
	argv[argc++] = "wm-analyze";
	argv[argc++] = "-j1";
	snprintf(name, 64, "--%s", r->name);
	argv[argc++] = name;
	if (r->value)
		argv[argc++] = value_of(r, c->report / count);
	if (!strcmp(r->name, "repack")) {
		argv[argc++] = "--output";
		argv[argc++] = "packed";
	}
	if (form[c->options >> 1 & 3])
		argv[argc++] = form[c->options >> 1 & 3];
	if (more[extra][0])
		argv[argc++] = more[extra][0];
	if (more[extra][1])
		argv[argc++] = more[extra][1];
	return argc;
}

/* A report that cannot be had in this form, or that wants several runs, is
 * asked again without the form, and then with as many. */
void fuzz_run_case(const struct fuzz_case *c)
{
	const char *argv[MAX_ARGS + 4];
	char name[64];
	struct fuzz_case plain = *c;
	int argc, i, runs;

	write_run(c);
	argc = choose(c, argv, name);
	for (runs = 1; runs <= 3; runs++) {
		fuzz_remove_tree("packed");
		for (i = 0; i < runs; i++)
			argv[argc + i] = RUN;
		argv[argc + runs] = NULL;
		if (fuzz_analyze((char **)(uintptr_t)argv) != 2)
			return;
		plain.options = 0;
		argc = choose(&plain, argv, name);
	}
}
