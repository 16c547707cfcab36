/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An executable as the census sees it: allocated sections with their class,
 * symbols, build-id.  libelf underneath; the file is only read.
 *
 * One thread.  Strings belong to the image.
 */
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
	bool code; /* holds instructions */
};

struct wm_elf_symbol {
	const char *name;
	const char *file; /* of a local symbol, from STT_FILE; NULL */
	uint32_t file_number; /* index of that STT_FILE in the symbol table */
	uint64_t address, bytes;
	uint32_t section; /* index in the ELF file */
	uint8_t type, bind;
};

struct wm_image {
	int fd;
	Elf *elf;
	struct wm_vec sections; /* of struct wm_image_section, file order */
	uint64_t tls_address; /* of PT_TLS; 0 */
};

/* Returns 0, or -1 with a reason in @err. */
int wm_image_open(struct wm_image *image, const char *path, char *err,
		  size_t size);
void wm_image_close(struct wm_image *image);

/*
 * Appends to @symbols (of struct wm_elf_symbol) the symbols of functions
 * (@code), or all symbols in other sections.  TLS symbols get the address of
 * their initial value.  If there is no .symtab, .dynsym is read.  Returns 0, or
 * -1 when memory is short.
 */
int wm_image_symbols(const struct wm_image *image, bool code,
		     struct wm_vec *symbols);

/* Returns NULL if no allocated section has that index. */
const struct wm_image_section *wm_image_section(const struct wm_image *image,
						uint32_t index);
/* Returns the section of code at @address, or NULL if there is none. */
const struct wm_image_section *wm_image_code_at(const struct wm_image *image,
						uint64_t address);

/* Returns the size of the build-id, or 0 if there is none, and copies the
 * build-id to @id if it fits into @size. */
size_t wm_image_build_id(const struct wm_image *image, uint8_t *id,
			 size_t size);

/*
 * Compares for qsort(), by section and address.  Among symbols that start
 * together, the first is the one that owns the bytes: the largest, then the one
 * with the best name (not local, fewer leading underscores, not weak, shorter).
 */
int wm_symbol_compare(const void *a, const void *b);
