/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects and archives, as wmcc meets them where a program brings its own
 * malloc: a byte that chooses, then the file.  It is an object, an archive
 * whose member own.o is one, and for few inputs, since that takes a process, a
 * program whose debug information is asked for what is inline.
 */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wmcc/link/archive.h"
#include "wmcc/link/inner.h"

static const char *const names[] = { "malloc", "calloc", "realloc", "free" };
#define NAMES (sizeof(names) / sizeof(*names))

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_begin();
	return 0;
}

static bool defines(uint8_t *bytes, size_t size, const void *what)
{
	(void)what;
	return wm_inner_defines(bytes, size, names, NAMES);
}

/* Turn it, and what came out once more. */
static void turn(const char *object)
{
	struct wm_inner_object found;
	size_t size = 0;
	uint8_t *bytes = wm_archive_load(object, defines, NULL, &size);
	int round;

	for (round = 0; bytes && round < 2; round++) {
		if (wm_inner_redirect(&bytes, &size, names, NAMES, &found))
			break;
		if (found.outside > found.redirected)
			abort();
	}
	free(bytes);
}

static void make_copies(const char *object)
{
	struct wm_program_info o = { .is_static = true };
	struct wm_givers g;
	struct wm_inner in;

	memset(&g, 0, sizeof(g));
	o.found[WM_FOUND_malloc] = 0x401000;
	g.of[WM_FOUND_malloc] = object;
	wm_inner_make(&in, &o, &g, "file", "file");
	wm_inner_release(&in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t address[NAMES] = { 0x401000, 0x401026, 0, 1 };

	if (size < 1)
		return -1;
	fuzz_write_file("file", data + 1, size - 1);
	turn("file");
	turn("file(own.o)");
	if (data[0] % 32 == 1)
		wm_inner_source("file", address, names, NAMES);
	if (data[0] % 32 == 2)
		make_copies(data[0] & 32 ? "file(own.o)" : "file");
	return 0;
}

/* A size or a name in the header of a member is another one. */
static void change_archive(uint8_t *file, size_t size)
{
	size_t at = fuzz_below(size), n;
	int name = fuzz_below(2) != 0;
	size_t room = name ? 16 : 10;
	uint8_t *field;
	char text[32];

	while (at > 60 && memcmp(file + at - 2, "`\n", 2))
		at--;
	if (at < 60)
		return;
	field = file + at - 60 + (name ? 0 : 48);
	snprintf(text, sizeof(text), "%s%llu", name ? "/" : "",
		 (unsigned long long)(fuzz_below(2) ? fuzz_number() :
						      fuzz_below(2 * size)));
	n = strlen(text);
	memset(field, ' ', room);
	memcpy(field, text, n < room ? n : room);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
			       unsigned seed)
{
	if (size < 70 || memcmp(data + 1, "!<", 2))
		return fuzz_mutate_elf(data, size, room, seed);
	fuzz_seed(seed);
	if (!fuzz_below(3))
		return LLVMFuzzerMutate(data, size, room);
	if (!fuzz_below(4))
		data[0] = (uint8_t)fuzz_below(256);
	change_archive(data + 1, size - 1);
	return size;
}
