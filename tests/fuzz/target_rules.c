/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of folding rules (--fold FILE), and the rules' answers about frames:
 * lines of frames, words by blanks (linkage name, name, object, module; - is
 * not known), a line with @, then the file.  The output of --rules is read
 * again twice, and stays the same.
 */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/symbols/rules.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_begin();
	return 0;
}

static const char *next_word(char **at)
{
	char *word = strsep(at, " ");

	return word && *word && strcmp(word, "-") ? word : NULL;
}

static void judge(const struct wm_rules *a, const struct wm_rules *b,
		  char *line)
{
	struct wm_rule_frame f = { next_word(&line), next_word(&line),
				   next_word(&line), next_word(&line) };
	struct wm_verdict one = wm_rules_judge(a, &f);
	struct wm_verdict two = wm_rules_judge(b, &f);

	if (one.group < WM_GROUP_none || one.group >= WM_GROUPS ||
	    one.group != two.group || one.by_object != two.by_object ||
	    one.wrapper != two.wrapper || one.forward != two.forward)
		abort();
}

/* The rules of @r, written and read; those of before are the user's then. */
static void reread(const struct wm_rules *r, struct wm_rules *again)
{
	static const char *const fold[] = { "none", "printed" };
	FILE *f = fopen("printed", "w");
	struct wm_err err;

	if (!f)
		abort();
	wm_rules_print(r, f);
	fclose(f);
	if (wm_rules_init(again, fold, 2, &err) != WM_OK)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const fold[] = { "file" };
	char *text = malloc(size + 1), *rules, *at, *line;
	struct wm_rules r, once, twice;
	struct wm_err err;

	if (!text)
		return -1;
	memcpy(text, data, size);
	text[size] = 0;
	rules = memmem(text, size, "\n@\n", 3);
	if (rules) {
		*rules = 0;
		rules += 3;
	}
	fuzz_write_file("file", rules ? rules : "",
			rules ? size - (size_t)(rules - text) : 0);
	if (wm_rules_init(&r, fold, 1, &err) == WM_OK) {
		reread(&r, &once);
		reread(&once, &twice);
		for (at = text; (line = strsep(&at, "\n"));)
			judge(&once, &twice, line);
		wm_rules_release(&once);
		wm_rules_release(&twice);
	} else if (!err.text[0]) {
		abort();
	}
	wm_rules_release(&r);
	free(text);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
			       unsigned seed)
{
	static const char *const word[] = {
		"mpi",	     "mpi-base", "allocator", "libc",	   "c++",
		"fortran",   "wrapper",	 "own",	      "show",	   " object ",
		" library ", " name ",	 " bare ",    " forward ", "none",
		"*",	     "?",	 "[a-z]",     "[",	   "\\",
		"\n",	     "#",	 "lib*.so*",  " ",
	};
	const char *w;
	size_t at, n;

	fuzz_seed(seed);
	w = word[fuzz_below(sizeof(word) / sizeof(*word))];
	n = strlen(w);
	if (!fuzz_below(3) || size + n > room)
		return LLVMFuzzerMutate(data, size, room);
	at = fuzz_below(size + 1);
	memmove(data + at + n, data + at, size - at);
	memcpy(data + at, w, n);
	return size + n;
}
