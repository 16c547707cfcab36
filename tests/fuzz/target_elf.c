/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executables, as wmcc meets them: a byte that chooses, then the file.  Its
 * libraries (program_info.c), sections and symbols (census_elf.c), a section
 * that is added (embed.c), and for few inputs, since it takes a process, the
 * whole census, which the reader of wm-analyze must then accept.
 */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/symbols/read_bundle.h"
#include "wmcc/census/census.h"
#include "wmcc/census/census_elf.h"
#include "wmcc/census/embed.h"
#include "wmcc/link/program_info.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_begin();
	return 0;
}

static void stop_unless(int good)
{
	if (!good)
		abort();
}

static void look(void)
{
	struct wm_image image;
	struct wm_program_info oracle;
	struct wm_vec symbols;
	uint8_t id[64];
	char err[512] = "";
	int code;

	if (wm_program_info_read(&oracle, "app", err, sizeof(err)))
		stop_unless(err[0] && memchr(err, 0, sizeof(err)));
	if (wm_image_open(&image, "app", err, sizeof(err)))
		return;
	for (code = 0; code < 2; code++) {
		symbols = (struct wm_vec)WM_VEC(struct wm_elf_symbol);
		wm_image_symbols(&image, code, &symbols);
		wm_vec_release(&symbols);
	}
	wm_image_build_id(&image, id, sizeof(id));
	wm_image_close(&image);
}

static void take_census(void)
{
	struct wm_census_input in = { .plain = "app", .twin = "app" };
	struct wm_bundle *bundle = NULL;
	char err[512] = "";
	uint8_t *bytes = NULL;
	size_t size;
	struct wm_err why;

	if (wm_census_make(&in, WM_CENSUS_WHOLE, &bytes, &size, err,
			   sizeof(err))) {
		stop_unless(err[0] != 0);
		return;
	}
	fuzz_write_file("bundle", bytes, size);
	stop_unless(wm_bundle_open(&bundle, "bundle", &why) == WM_OK);
	wm_bundle_free(bundle);
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char err[512] = "";

	if (size < 1)
		return -1;
	fuzz_write_file("app", data + 1, size - 1);
	look();
	if (data[0] % 32 == 1)
		take_census();
	if (data[0] % 2 == 0)
		wm_embed_section("app", ".wm_census", data, 20, err,
				 sizeof(err));
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
			       unsigned seed)
{
	return fuzz_mutate_elf(data, size, room, seed);
}
