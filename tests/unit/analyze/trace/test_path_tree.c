/* SPDX-License-Identifier: Apache-2.0 */
/* Column DICT as TREE: the example of docs/trace-format.md, 6.2, paths that go
 * on in a later block, lost blocks, and heads and columns that cannot be. */
#include "analyze/lib/trace/path_tree.h"

#include <string.h>

#include "tests/unit/tap.h"

static struct wm_paths paths;
static struct wm_path_tree tree;
static uint32_t path[8];

static enum wm_status take(const char *bytes, size_t size, uint64_t count,
			   uint64_t first, uint64_t frames, bool lossy)
{
	const struct wm_path_tree_column c = {
		(const uint8_t *)bytes, size, 7, count, first, frames, lossy
	};

	return wm_path_tree_read(&tree, &paths, &c, path, NULL);
}
#define TAKE(bytes, ...) take(bytes, sizeof(bytes) - 1, __VA_ARGS__)

/* Addresses of path[@i], without 0x400000, outermost first. */
static const char *frames(size_t i)
{
	static char text[64];
	char all[64] = "", one[16];
	uint32_t n = path[i] == WM_NO_PATH ? 0 : paths.leaf[path[i]];

	if (path[i] == WM_NO_PATH)
		return "lost";
	for (; n; n = paths.nodes[n].parent) {
		snprintf(one, sizeof(one), " %x",
			 (unsigned)(paths.nodes[n].offset - 0x400000));
		snprintf(text, sizeof(text), "%s%.47s", one, all);
		memcpy(all, text, sizeof(all));
	}
	return all[0] ? text : "";
}

static void again(void)
{
	wm_path_tree_release(&tree);
	wm_paths_release(&paths);
	wm_paths_init(&paths, NULL);
}

#define EXAMPLE                                                                \
	"\x00\x00"                                                             \
	"\x00\x03\x80\x80\x80\x04\x20\x20"                                     \
	"\x03\x01\x60"                                                         \
	"\x03\x00"

static void check_example(void)
{
	again();
	ok(!TAKE(EXAMPLE, 4, 0, 4, false), "the example is read");
	ok(!strcmp(frames(0), "") && path[0] == 0, "a path without frames");
	ok(!strcmp(frames(1), " 0 10 20"), "three frames");
	ok(!strcmp(frames(2), " 0 30"), "below another path's");
	ok(!strcmp(frames(3), " 0 10"), "the beginning of another path");
	ok(!TAKE("\x01\x01\x02", 1, 4, 1, false) &&
		   !strcmp(frames(0), " 0 30 31"),
	   "a later block goes on from there");
}

static void check_lost(void)
{
	again();
	TAKE(EXAMPLE, 4, 0, 4, false);
	ok(TAKE("\x01\x01\x02", 1, 6, 1, false) == WM_BAD_INPUT,
	   "frames are left out, though no block is lost");
	ok(!TAKE("\x01\x01\x02\x01\x01\x02\x06\x01\x02", 3, 6, 3, true),
	   "a block is lost");
	ok(!strcmp(frames(0), "lost") && !strcmp(frames(1), "lost"),
	   "what comes below its frames is unknown, of any depth");
	ok(!strcmp(frames(2), " 0 10 20 21"), "what does not is not");
	ok(!TAKE("\x09\x01\x02", 1, 9, 1, true) && !strcmp(frames(0), " 0 1"),
	   "nor in the block after that");
	ok(TAKE("\x01\x00", 1, 4, 0, true) == WM_BAD_INPUT,
	   "numbers that blocks have had");
	ok(TAKE("\x00\x01\x02", 1, UINT64_MAX, 1, true) == WM_BAD_INPUT,
	   "a number that is too high");
}

static void check_damage(void)
{
	again();
	ok(TAKE("\x01\x01\x02", 1, 0, 1, false) == WM_BAD_INPUT,
	   "below a frame before the first");
	again();
	ok(TAKE("\x00\x02\x02\x02", 1, 0, 1, false) == WM_BAD_INPUT,
	   "more frames than the head says");
	again();
	ok(TAKE("\x00\x01\x02", 1, 0, 2, false) == WM_BAD_INPUT, "fewer");
	again();
	ok(TAKE("\x00\x01\x02", 1, 0, 4, false) == WM_BAD_INPUT,
	   "more than the column has bytes");
	again();
	ok(TAKE("\x00\x02\x02", 1, 0, 2, false) == WM_BAD_INPUT, "cut off");
	again();
	ok(TAKE("\x00\x01\x02\x00", 1, 0, 1, false) == WM_BAD_INPUT,
	   "something behind the last path");
}

int main(void)
{
	tap_plan(19);
	wm_paths_init(&paths, NULL);
	check_example();
	check_lost();
	check_damage();
	wm_path_tree_release(&tree);
	wm_paths_release(&paths);
	return tap_done();
}
