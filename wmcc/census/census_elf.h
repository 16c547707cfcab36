/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of an executable: allocated sections with their class, symbols,
 * build-id.  The file is only read.  Strings belong to the image. */
#pragma once

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wmcc/census/census_model.h"

struct wm_image_section {
	const char *name;
	uint32_t index; /* in the ELF file */
	uint32_t class; /* WMC_CLASS_* */
	uint64_t address, bytes;
	bool code;
};

struct wm_elf_symbol {
	const char *name;
	const char *file; /* source of a local symbol, from STT_FILE; NULL */
	uint32_t file_number; /* index of this STT_FILE in the symbol table */
	uint64_t address, bytes;
	uint32_t section; /* index in the ELF file */
	uint8_t type, bind;
};

struct wm_image {
	int fd;
	Elf *elf;
	struct wm_vec sections; /* struct wm_image_section, by file order */
	uint64_t tls_address; /* of PT_TLS; 0 */
};

/* Returns 0, or -1 with a reason in @err. */
int wm_image_open(struct wm_image *image, const char *path, char *err,
		  size_t size);
void wm_image_close(struct wm_image *image);

/*
 * Appends to @symbols (struct wm_elf_symbol) the symbols of functions or,
 * without @code, all others.  A TLS symbol gets the address of its initial
 * value.  Reads .dynsym if there is no .symtab.  Returns 0, or -1 without
 * memory.
 */
int wm_image_symbols(const struct wm_image *image, bool code,
		     struct wm_vec *symbols);

/* Returns NULL if the section is not allocated. */
const struct wm_image_section *wm_image_section(const struct wm_image *image,
						uint32_t index);
/* Returns the section of code at @address, or NULL. */
const struct wm_image_section *wm_image_code_at(const struct wm_image *image,
						uint64_t address);

/* Returns the size, or 0.  Copies the build-id to @id if it fits into @size. */
size_t wm_image_build_id(const struct wm_image *image, uint8_t *id,
			 size_t size);

/* Compares for qsort(), by section and address.  The first of several symbols
 * that start together owns the bytes: the largest, then the one with the best
 * name (not local, fewer leading underscores, not weak, shorter). */
int wm_symbol_compare(const void *a, const void *b);
