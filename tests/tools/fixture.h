/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of wmt-make: an encoder of traces that shares nothing with the
 * runtime's but the numbers in wm/trace_format.h, and a writer of ELF files
 * that hold nothing but symbols.
 *
 * For tests only: everything exits with a message when something fails.
 */
#ifndef WM_TESTS_FIXTURE_H
#define WM_TESTS_FIXTURE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "wm/trace_format.h"

/* fix_words.c: what went wrong, and in which line of a description. */
void fix_die(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), noreturn));
void *fix_alloc(void *old, size_t n);
/* Hands the first word of each statement of a description over; its further
 * words come in turn: the next one or NULL, one that has to be there, a number. */
void fix_read(FILE *in, const char *name, void (*statement)(const char *first));
char *fix_more(void);
char *fix_word(void);
uint64_t fix_number(void);
/* At most 64 bytes. */
size_t fix_hex(uint8_t *out, const char *s);

/* Bytes that grow. */
struct fix_bytes {
	uint8_t *p;
	size_t n, cap;
};

void fix_put(struct fix_bytes *b, const void *p, size_t n);
void fix_varint(struct fix_bytes *b, uint64_t v);
void fix_zigzag(struct fix_bytes *b, int64_t v);
/* An address as DELTA codes it. */
void fix_address(struct fix_bytes *b, uint64_t addr, uint64_t before);

/* fix_encode.c: one block */
struct fix_event {
	unsigned kind;
	uint64_t time, addr, size; /* addr: the new or the old one */
	uint64_t stack;
};

struct fix_block {
	struct fix_bytes fields; /* tag, length, value ... without the 0 */
	/* by id, one of a later version; empty: not in the block */
	struct fix_bytes column[WMT_COL_LIMIT + 1];
	unsigned type, major, minor; /* major 0: of today */
	uint8_t coded[WMT_COL_LIMIT + 1]; /* encoding that is claimed, or 0 */
	int plain; /* STACK and SIZE as VARINT, not as SEEN */
	int gaps; /* TIME as GAPS, of two events and more */
	int lists; /* LOADS as LISTS */
	int packed; /* columns of events as 6.8 says, bytes as they are */
};

void fix_field_uint(struct fix_block *b, unsigned tag, uint64_t v);
void fix_field_text(struct fix_block *b, unsigned tag, const char *text);
void fix_field_bytes(struct fix_block *b, unsigned tag, const void *p,
		     size_t n);
void fix_field_triple(struct fix_block *b, unsigned tag, const uint64_t v[3]);
/* Fill the event columns and TIME_FIRST, TIME_LAST, TIME_SHIFT, EVENTS. */
void fix_events(struct fix_block *b, const struct fix_event *e, size_t n,
		unsigned shift);
/* fix_ops.c: the columns of events but TIME, as a release writes them */
void fix_ops(struct fix_block *b, const struct fix_event *e, size_t n);
/* Write as one .xz Stream; @level -1 stores.  Empties @b. */
void fix_block_write(struct fix_block *b, int level, FILE *out);

/* fix_elf.c */
struct fix_symbol {
	const char *name;
	uint64_t addr, size;
};

/* An executable with these symbols in .text at @base, and a build-id. */
void fix_elf_write(const char *path, uint64_t base, uint64_t size,
		   const struct fix_symbol *sym, size_t n, const uint8_t *id,
		   size_t id_size);

#endif
