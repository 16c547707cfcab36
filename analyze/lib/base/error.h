/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Status values and error messages of wm-analyze.
 *
 * A function that can fail returns enum wm_status.  Unless the status is WM_OK,
 * the function has written one line into the caller's struct wm_err: lower
 * case, no full stop, with the file, the place in the file, the reason, and the
 * remedy if there is one.  No function here prints or exits.
 */
#pragma once

enum wm_status {
	WM_OK = 0,
	WM_END, /* no more data; not an error */
	WM_SALVAGED, /* a result from a part of the input; see wm_err */
	WM_BAD_INPUT, /* damaged, foreign, or too new */
	WM_NOT_FOUND,
	WM_IO,
	WM_NO_MEMORY,
	WM_USAGE,
	WM_CHANGED, /* the file has changed since it was first read */
};

/* The exit status of the program (contract: the numbers). */
enum wm_exit {
	WM_EXIT_GOOD = 0,
	WM_EXIT_MET = 1, /* --fail-on, before all others */
	WM_EXIT_USAGE = 2,
	WM_EXIT_UNREADABLE = 3, /* nothing readable, or output not writable */
	WM_EXIT_PARTIAL = 4, /* results from a part of the input */
};

struct wm_err {
	char text[512];
};

/* Fills @err, which may be NULL, and returns @status, so that callers can write
 * `return wm_err_set(err, WM_IO, "%s: %s", path, strerror(errno));` */
enum wm_status wm_err_set(struct wm_err *err, enum wm_status status,
			  const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Reports "no memory for @what" or, if @what is NULL, "no memory". */
enum wm_status wm_no_memory(struct wm_err *err, const char *what);

#ifdef __clang_analyzer__
/* The analyzer reads one file at a time, and must know these results. */
#define wm_err_set(err, status, ...)                                           \
	(wm_err_set(err, status, __VA_ARGS__), (status))
#define wm_no_memory(err, what) (wm_no_memory(err, what), WM_NO_MEMORY)
#endif
