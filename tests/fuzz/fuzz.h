/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code that fuzz targets share.  A target is one program for libFuzzer (make
 * fuzz) and for replay.c (tests/damage/t8210-fuzz.sh); docs/testing.md lists
 * them.
 *
 * Targets that run wm-analyze take a *case*: two bytes that choose report and
 * options, then parts, each with a tag and a length of three bytes.  Parts are
 * what the checks of a file protect, so that a change of a part reaches the
 * code behind the checks: seal.c adds the checks when the files are written.
 *
 * One thread.  A failure here for want of memory or room ends the program.
 */
#ifndef WM_TESTS_FUZZ_H
#define WM_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* The interface of libFuzzer. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
			       unsigned seed);

/* ---- bytes ---- */

struct fuzz_bytes {
	uint8_t *p;
	size_t n, cap;
};

void fuzz_put(struct fuzz_bytes *b, const void *p, size_t n);
void fuzz_put_varint(struct fuzz_bytes *b, uint64_t v);
/* The byte after it; NULL: malformed, or @p is NULL. */
const uint8_t *fuzz_get_varint(const uint8_t *p, const uint8_t *end,
			       uint64_t *v);

/* ---- cases ---- */

enum fuzz_tag {
	FUZZ_COLUMN, /* of a trace: one more xz Block */
	FUZZ_HEAD, /* of a trace: the first xz Block of a Stream */
	FUZZ_CRASH_BUFFER, /* a file, as it is */
	FUZZ_BUNDLE, /* program.wmc.xz, not packed */
	FUZZ_TAGS
};

#define FUZZ_MAX_PARTS 512

struct fuzz_part {
	unsigned tag;
	const uint8_t *p;
	size_t n;
};

struct fuzz_case {
	uint8_t report, options;
	struct fuzz_part part[FUZZ_MAX_PARTS];
	size_t parts;
};

/* Parts point into @data.  0: it has none. */
int fuzz_case_read(struct fuzz_case *c, const uint8_t *data, size_t size);
/* Bytes written; parts that find no room are left out. */
size_t fuzz_case_write(const struct fuzz_case *c, uint8_t *data, size_t room);

/* Set in options: lengths in heads stay as they are. */
#define FUZZ_KEEP_LENGTHS 1u

/* The trace of the parts HEAD and COLUMN; heads get the lengths of the columns
 * that follow, unless @keep. */
void fuzz_seal_trace(const struct fuzz_case *c, int keep,
		     struct fuzz_bytes *out);
/* One .xz file of one Block. */
void fuzz_seal_file(const struct fuzz_part *part, struct fuzz_bytes *out);
/* Where in a head the list of columns begins; 0: it is malformed. */
size_t fuzz_head_columns(const uint8_t *head, size_t size);

/* ---- changes ---- */

void fuzz_seed(unsigned seed);
uint64_t fuzz_below(uint64_t n);
/* A number that programs have trouble with, or any. */
uint64_t fuzz_number(void);

/*
 * As LLVMFuzzerCustomMutator() of a target: changes parts with a tag of @tags,
 * a set of bits.
 */
size_t fuzz_mutate_case(uint8_t *data, size_t size, size_t room, unsigned seed,
			unsigned tags);
/* The tags that a target of play_case.c changes. */
extern const unsigned fuzz_changes;

/* The same for a byte and an ELF file: tables of headers, and what is in
 * tables of symbols and relocations. */
size_t fuzz_mutate_elf(uint8_t *data, size_t size, size_t room, unsigned seed);

/* ---- running ---- */

/* A fresh directory to work in, and to be in. */
void fuzz_begin(void);
/* Write @n bytes into @path. */
void fuzz_write_file(const char *path, const void *p, size_t n);
void fuzz_remove_tree(const char *path);
/* wm-analyze with these arguments, NULL at the end: a status from 0 to 4, or
 * the target fails. */
int fuzz_analyze(char **argv);
/* The report that @c asks for, of the run that it is. */
void fuzz_run_case(const struct fuzz_case *c);

#endif
