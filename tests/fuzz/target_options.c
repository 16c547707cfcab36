/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line of wm-analyze: a word a line, and after a line with @ the
 * file R, which words may name (rules of --fold).  The runs that words may name
 * are those in the directory WM_FUZZ_RUNS.  Words that name other files are
 * left out: nothing is written but below the directory of this process.
 */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_WORDS 40

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *runs = getenv("WM_FUZZ_RUNS");
	char command[4200];

	(void)argc;
	(void)argv;
	fuzz_begin();
	snprintf(command, sizeof(command), "cp -r '%.4000s'/*.wm .",
		 runs ? runs : "runs");
	if (system(command) != 0)
		_exit(77);
	return 0;
}

static int is_harmless(const char *word)
{
	static const char *const writes[] = { "--output", "--svg",
					      "--html",	  "--repack",
					      "-j",	  "--jobs",
					      "--open",	  "--debuginfod" };
	size_t i;

	if (strchr(word, '/'))
		return 0;
	for (i = 0; i < sizeof(writes) / sizeof(*writes); i++)
		if (!strncmp(word, writes[i], strlen(writes[i])))
			return 0;
	return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size), *rules, *at, *word;
	static char name[] = "wm-analyze", one[] = "-j1";
	char *argv[MAX_WORDS + 3] = { name, one };
	int argc = 2;

	if (!text)
		return -1;
	rules = strstr(text, "\n@\n");
	if (rules) {
		*rules = 0;
		fuzz_write_file("R", rules + 3, strlen(rules + 3));
	}
	for (at = text; argc < MAX_WORDS && (word = strsep(&at, "\n"));)
		if (is_harmless(word))
			argv[argc++] = word;
	fuzz_analyze(argv);
	free(text);
	return 0;
}

/* A line is added, goes, or is another one. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
			       unsigned seed)
{
	/* clang-format off */
	static const char *const word[] = {
		"--summary", "--functions", "--tree", "--libraries", "--files",
		"--timeline", "--leaks", "--temporaries", "--sizes",
		"--snapshots", "--compare", "--model", "--imbalance",
		"--static-report", "--rules", "--export", "--rank", "--json",
		"--csv", "--quiet", "--help", "--version", "--top", "--color",
		"--fail-on", "--fold", "--bottom-up", "--problem-size",
		"--imb", "-o", "-V",
		"--leeks",
		"--predict", "--check", "--node-memory",
		"--ranks-per-node", "--by", "--at", "all", "max", "min", "0",
		"1", "3", "-1", "18446744073709551615", "1e309", "1.5s",
		"250ms", "peak", "1G", "9999999999P", "0.5", "always",
		"never", "leaks", "leaks=1K", "peak=1M", "growth=5%",
		"growth=1K", "none", "-libc", "+mpi", "R", "8,64,512", "8:2",
		"sites", "libraries", "phases", "folded",
		"speedscope", "pprof", "massif", "extrap", "csv", "a.1.wm",
		"b.1.wm", "m1.1.wm", "m2.1.wm", "m3.1.wm",
		"m1.1.wm,m2.1.wm", "--", "-", "", "=", "--rank=all",
		"--at=1ms", "--by=phases", "--by=threads", "end", "50%", "101%",
		"solve", "snapshot:a", "phase:solve", "a.1.wm@end", "a.1.wm:0@50%",
		"@", ":@",
	};
	/* clang-format on */
	const char *w;
	size_t at, n, end;

	fuzz_seed(seed);
	w = word[fuzz_below(sizeof(word) / sizeof(*word))];
	n = strlen(w);
	if (!fuzz_below(5))
		return LLVMFuzzerMutate(data, size, room);
	at = fuzz_below(size + 1);
	while (at && data[at - 1] != '\n')
		at--;
	if (fuzz_below(2)) { /* the line goes */
		for (end = at; end < size && data[end++] != '\n';)
			;
		memmove(data + at, data + end, size - end);
		size -= end - at;
	}
	if (!fuzz_below(4) || size + n + 1 > room)
		return size ? size : LLVMFuzzerMutate(data, size, room);
	memmove(data + at + n + 1, data + at, size - at);
	memcpy(data + at, w, n);
	data[at + n] = '\n';
	return size + n + 1;
}
