/* SPDX-License-Identifier: Apache-2.0 */
/* The bundle of a relinked program: the census of its static memory and the
 * symbols and lines that resolve its traces (docs/census-format.md).  Writer
 * (wmcc/) and reader (analyze/) share only these numbers and names.  Numbers
 * are never changed and never used again for something else. */
#ifndef WM_CENSUS_FORMAT_H
#define WM_CENSUS_FORMAT_H

/* A reader refuses a bundle of another major version; minor only adds. */
#define WMC_MAJOR 1
#define WMC_MINOR 0

/* The first bytes of the decoded bundle: magic, major, minor, two zeros. */
#define WMC_MAGIC "WMCB"
#define WMC_MAGIC_SIZE 4
#define WMC_PREFIX_SIZE 8

/* Where the bundle is: a section of app.wm, a file of the run directory. */
#define WMC_SECTION ".wm_census"
#define WMC_FILE_NAME "program.wmc.xz"
/* The section with the path of the plain program. */
#define WMC_ORIGIN ".wm_origin"

/* Upper bound of a decoded bundle, which a writer must keep. */
#define WMC_MAX_BYTES (1u << 30)

/* Fields of the head: X(name, number, type), types as in trace_format.h */
#define WMC_FIELD_LIST(X)                                                      \
	X(PROGRAM, 1, STR) /* base name of the plain program */                \
	X(BUILD_ID, 2, BYTES) /* of the relinked program */                    \
	X(TOOL_VERSION, 3, STR)                                                \
	X(LINK_MAP, 4, STR) /* "bfd", "gold" ...: map that named objects */    \
	X(DEBUG, 5, UINT) /* WMC_DEBUG_*: debug information that exists */     \
	X(UNSEEN, 6, STR) /* events that its traces lack, in words */          \
	X(HOOKED, 7, UINT) /* objects with access hooks */                     \
	/* rows of the tables */                                               \
	X(STRINGS, 16, UINT)                                                   \
	X(SECTIONS, 17, UINT)                                                  \
	X(ROWS, 18, UINT)                                                      \
	X(FUNCTIONS, 19, UINT)                                                 \
	X(LINES, 20, UINT)                                                     \
	X(INLINES, 21, UINT)                                                   \
	X(HOOKLESS, 22, UINT)                                                  \
	X(RECEIVERS, 23, UINT)

#define WMC_DEBUG_VARIABLES 1 /* the plain program has variables' lines */
#define WMC_DEBUG_LINES 2 /* the relinked program has a line table */

/* Columns: X(name, number, table, encoding) */
#define WMC_COLUMN_LIST(X)                                                     \
	X(STRING, 1, STRINGS, TEXT)                                            \
	X(SECTION_NAME, 16, SECTIONS, DELTA) /* number of a string */          \
	X(SECTION_ADDRESS, 17, SECTIONS, DELTA)                                \
	X(SECTION_BYTES, 18, SECTIONS, VARINT)                                 \
	X(SECTION_CLASS, 19, SECTIONS, VARINT) /* WMC_CLASS_* */               \
	X(SECTION_ROWS, 20, SECTIONS, VARINT) /* its rows follow each other */ \
	X(ROW_NAME, 32, ROWS, DELTA) /* string; 0: bytes without symbol */     \
	X(ROW_ADDRESS, 33, ROWS, DELTA)                                        \
	X(ROW_BYTES, 34, ROWS, VARINT)                                         \
	X(ROW_OBJECT, 35, ROWS, DELTA) /* string */                            \
	X(ROW_FILE, 36, ROWS, DELTA) /* string */                              \
	X(ROW_LINE, 37, ROWS, DELTA)                                           \
	X(ROW_FLAGS, 38, ROWS, VARINT) /* WMC_ROW_* */                         \
	X(FUNCTION_GAP, 48, FUNCTIONS, VARINT) /* from the end before it */    \
	X(FUNCTION_BYTES, 49, FUNCTIONS, VARINT)                               \
	X(FUNCTION_NAME, 50, FUNCTIONS, DELTA) /* string */                    \
	X(FUNCTION_OBJECT, 51, FUNCTIONS, DELTA) /* string */                  \
	X(LINE_STEP, 64, LINES, VARINT) /* from the address before it */       \
	X(LINE_FILE, 65, LINES, DELTA) /* string; 0: unknown from here on */   \
	X(LINE_NUMBER, 66, LINES, DELTA)                                       \
	X(INLINE_STEP, 80, INLINES, VARINT) /* from the address before it */   \
	X(INLINE_BYTES, 81, INLINES, VARINT)                                   \
	X(INLINE_NAME, 82, INLINES, DELTA) /* string */                        \
	X(INLINE_FILE, 83, INLINES, DELTA) /* string: where it is called */    \
	X(INLINE_LINE, 84, INLINES, DELTA)                                     \
	X(HOOKLESS_NAME, 96, HOOKLESS, DELTA) /* string */                     \
	X(HOOKLESS_OBJECTS, 97, HOOKLESS, VARINT)                              \
	X(HOOKLESS_FLAGS, 98, HOOKLESS, VARINT) /* WMC_HOOKLESS_* */           \
	X(RECEIVER_FILE, 112, RECEIVERS, DELTA) /* string */                   \
	X(RECEIVER_LINE, 113, RECEIVERS, DELTA)                                \
	X(RECEIVER_NAME, 114, RECEIVERS, DELTA) /* string: as in the source */

/* How a column is coded: X(name, number) */
#define WMC_ENCODING_LIST(X)                                                   \
	X(TEXT, 1) /* strings, each ended by a zero byte */                    \
	X(VARINT, 2) /* one varint a row */                                    \
	X(DELTA, 3) /* zigzag difference to the row before; 0 before all */

/* Classes of sections: X(name, number) */
#define WMC_CLASS_LIST(X)                                                      \
	X(DATA, 0)                                                             \
	X(BSS, 1)                                                              \
	X(TLS, 2)                                                              \
	X(RODATA, 3)                                                           \
	X(RELRO, 4)                                                            \
	X(OTHER, 5)

#define WMC_HOOKLESS_SYSTEM 1 /* the compiler's, the C library's ... */

#define WMC_ROW_COMMON 1 /* was COMMON in its object file */

#define WMC_X(name, number, type) WMC_F_##name = number,
enum wmc_field { WMC_FIELD_LIST(WMC_X) WMC_F_LIMIT };
#undef WMC_X
#define WMC_X(name, number, table, encoding) WMC_COL_##name = number,
enum wmc_column { WMC_COLUMN_LIST(WMC_X) WMC_COL_LIMIT };
#undef WMC_X
#define WMC_X(name, number) WMC_ENC_##name = number,
enum wmc_encoding { WMC_ENCODING_LIST(WMC_X) WMC_ENC_LIMIT };
#undef WMC_X
#define WMC_X(name, number) WMC_CLASS_##name = number,
enum wmc_class { WMC_CLASS_LIST(WMC_X) WMC_CLASS_LIMIT };
#undef WMC_X

#endif
