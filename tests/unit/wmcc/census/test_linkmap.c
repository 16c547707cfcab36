/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wmcc/census/linkmap.c on maps as four linkers write them, and on rubbish.
 */
#include "wmcc/census/linkmap.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/tap.h"

static const char bfd[] =
	"Archive member included to satisfy reference by file (symbol)\n"
	"\n"
	"libb.a(b.o)                   a.o (c2)\n"
	"\n"
	"Allocating common symbols\n"
	"Common symbol       size              file\n"
	"\n"
	"shared_common       0x190             dir with blanks/a.o\n"
	"a_name_that_is_longer_than_its_column\n"
	"                    0x18              libb.a(b.o)\n"
	"\n"
	"Discarded input sections\n"
	"\n"
	" .note.GNU-stack\n"
	"                0x0000000000000000        0x0 a.o\n"
	" .group         0x0000000000000000        0x8 a.o\n"
	"\n"
	"Memory Configuration\n"
	"\n"
	"Name             Origin             Length             Attributes\n"
	"*default*        0x0000000000000000 0xffffffffffffffff\n"
	"\n"
	"Linker script and memory map\n"
	"\n"
	"LOAD a.o\n"
	".text           0x0000000000401000       0x60\n"
	" *(.text.unlikely .text.*_unlikely .text.unlikely.*)\n"
	" .text.unlikely\n"
	"                0x0000000000401000        0xf libc.a(assert.o)\n"
	" *fill*         0x000000000040100f        0x1 \n"
	" .text          0x0000000000401010       0x2b a.o\n"
	"                0x0000000000401010                main\n"
	"                0x0000000000401020                0xdeadbeef\n"
	" .text          0x0000000000401040        0x0 empty.o\n"
	"                                          0x5 (size before relaxing)\n"
	"\n"
	".eh_frame\n"
	" *(.eh_frame)\n"
	"\n"
	".a_section_with_a_long_name\n"
	"                0x0000000000402000       0x10\n"
	" .a_section_with_a_long_name\n"
	"                0x0000000000402000       0x10 dir with blanks/a.o\n"
	".bss            0x0000000000404000      0x1a8\n"
	" *(COMMON)\n"
	" COMMON         0x0000000000404000      0x190 dir with blanks/a.o\n"
	"                0x0000000000404000                shared_common\n"
	"                0x0000000000404190                . = ALIGN (0x8)\n";

static const char gold[] = "Allocating common symbols\n"
			   "Common symbol       size              file\n"
			   "\n"
			   "only_b              0x18              libb.a(b.o)\n"
			   "\n"
			   "Memory map\n"
			   "\n"
			   " ** file header\n"
			   "                0x0000000000400000       0x40\n"
			   ".text           0x0000000000400640      0x100\n"
			   " .text          0x0000000000400640       0x2b a.o\n"
			   " ** fill        0x000000000040066b        0x5\n"
			   " ** PLT         0x0000000000400670       0x10\n"
			   "\n"
			   ".bss            0x00000000004a72c0     0x5ac8\n"
			   " .bss           0x00000000004a7320      0x108 a.o\n"
			   " ** common      0x00000000004acbe0      0x1a8\n";

static const char lld[] =
	"             VMA              LMA     Size Align Out     In      Symbol\n"
	"          200238           200238       20     4 .note.ABI-tag\n"
	"          200238           200238       20     4         crt1.o:(.note.ABI-tag)\n"
	"          201000           201000       40    16 .text\n"
	"          201000           201000       2b    16         libx.a(a b.o):(.text.f(int))\n"
	"          201000           201000       2b     1                 f(int):(x)\n"
	"          202000           202000        0     1 . = ALIGN(8)\n"
	"          202000           202000       40    16         y.o:(.text)\n"
	"          2a8700           2a8700      400    32 .bss\n"
	"          2a8700           2a8700      190    32         a.o:(COMMON)\n"
	"          2a8700           2a8700      190     1                 shared_common\n";

static const char mold[] =
	"               VMA       Size Align Out     In      Symbol\n"
	"          0x200000         64     8 EHDR\n"
	"          0x2002b4         32     4 .note.ABI-tag\n"
	"          0x2002b4         32     4         crt1.o:(.note.ABI-tag)\n"
	"          0x2002b4          0     0                 __abi_tag\n"
	"          0x2afa80        424    32 .common\n"
	"          0x2afa80        400    32         a.o:(.common)\n"
	"          0x2afa80          0     0                 shared_common\n";

static int parse(struct wm_linkmap *map, const char *text)
{
	size_t n = strlen(text);
	char *copy = malloc(n);

	if (!copy)
		return -1;
	memcpy(copy, text, n);
	return wm_linkmap_parse(map, copy, n);
}

static int is_piece(const struct wm_linkmap *map, size_t i, const char *section,
		    const char *object, uint64_t address, uint64_t bytes,
		    int common)
{
	const struct wm_map_piece *p = &map->pieces[i];

	if (i >= map->piece_count)
		return 0;
	return !strcmp(p->section, section) &&
	       (object ? p->object && !strcmp(p->object, object) :
			 !p->object) &&
	       p->address == address && p->bytes == bytes &&
	       p->common == common;
}

static void test_bfd(void)
{
	struct wm_linkmap map;

	ok(!parse(&map, bfd) && map.kind == WM_MAP_BFD,
	   "GNU ld's map is known");
	ok(map.piece_count == 4, "it has 4 pieces: %zu", map.piece_count);
	ok(is_piece(&map, 0, ".text", "libc.a(assert.o)", 0x401000, 0xf, 0),
	   "a name on a line of its own");
	ok(is_piece(&map, 1, ".text", "a.o", 0x401010, 0x2b, 0),
	   "a name on the same line");
	ok(is_piece(&map, 2, ".a_section_with_a_long_name",
		    "dir with blanks/a.o", 0x402000, 0x10, 0),
	   "a long output section, blanks in the object");
	ok(is_piece(&map, 3, ".bss", "dir with blanks/a.o", 0x404000, 0x190, 1),
	   "COMMON");
	ok(map.common_count == 2 &&
		   !strcmp(map.commons[0].name, "shared_common") &&
		   !strcmp(map.commons[0].object, "dir with blanks/a.o") &&
		   !strcmp(map.commons[1].object, "libb.a(b.o)"),
	   "COMMON symbols with their objects");
	wm_linkmap_release(&map);
	ok(!map.pieces && !map.kind, "release clears it");
}

static void test_gold(void)
{
	struct wm_linkmap map;

	ok(!parse(&map, gold) && map.kind == WM_MAP_GOLD,
	   "gold's map is known");
	ok(map.piece_count == 3, "it has 3 pieces: %zu", map.piece_count);
	ok(is_piece(&map, 0, ".text", "a.o", 0x400640, 0x2b, 0), "a piece");
	ok(is_piece(&map, 2, ".bss", NULL, 0x4acbe0, 0x1a8, 1),
	   "COMMON without an object");
	ok(map.common_count == 1 && !strcmp(map.commons[0].name, "only_b"),
	   "a COMMON symbol with its object");
	wm_linkmap_release(&map);
}

static void test_lld(void)
{
	struct wm_linkmap map;

	ok(!parse(&map, lld) && map.kind == WM_MAP_LLD, "lld's map is known");
	ok(map.piece_count == 4, "it has 4 pieces: %zu", map.piece_count);
	ok(is_piece(&map, 1, ".text", "libx.a(a b.o)", 0x201000, 0x2b, 0),
	   "an archive member with a blank");
	ok(is_piece(&map, 2, ".text", "y.o", 0x202000, 0x40, 0),
	   "an assignment is no output section");
	ok(is_piece(&map, 3, ".bss", "a.o", 0x2a8700, 0x190, 1), "COMMON");
	wm_linkmap_release(&map);
}

static void test_mold(void)
{
	struct wm_linkmap map;

	ok(!parse(&map, mold) && map.kind == WM_MAP_MOLD,
	   "mold's map is known");
	ok(map.piece_count == 2, "it has 2 pieces: %zu", map.piece_count);
	ok(is_piece(&map, 0, ".note.ABI-tag", "crt1.o", 0x2002b4, 32, 0),
	   "sizes are decimal");
	ok(is_piece(&map, 1, ".common", "a.o", 0x2afa80, 400, 1),
	   "its section .common is COMMON");
	wm_linkmap_release(&map);
}

/* Any prefix, and any byte changed, is read without an accident. */
static void test_damage(void)
{
	static const char *const all[] = { bfd, gold, lld, mold };
	struct wm_linkmap map;
	size_t i, j, n;
	int good = 1;

	for (i = 0; i < 4; i++) {
		n = strlen(all[i]);
		for (j = 0; j < n; j++) {
			char *copy = malloc(n);

			if (!copy)
				return;
			memcpy(copy, all[i], n);
			copy[j] = (char)(j * 7);
			good &= !wm_linkmap_parse(&map, copy, n);
			wm_linkmap_release(&map);
			copy = malloc(j + 1);
			if (!copy)
				return;
			memcpy(copy, all[i], j);
			good &= !wm_linkmap_parse(&map, copy, j);
			wm_linkmap_release(&map);
		}
	}
	ok(good, "cut off and damaged maps are read as far as they go");
}

int main(void)
{
	struct wm_linkmap map;

	tap_plan(25);
	test_bfd();
	test_gold();
	test_lld();
	test_mold();
	test_damage();
	ok(!parse(&map, "hello\nworld\n") && map.kind == WM_MAP_NONE &&
		   !map.piece_count && !wm_linkmap_kind_name(map.kind),
	   "another file is no map");
	wm_linkmap_release(&map);
	ok(wm_linkmap_read(&map, "/nonexistent") < 0 && !map.text,
	   "a file that is not there is an error");
	return tap_done();
}
