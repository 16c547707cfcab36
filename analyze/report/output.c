/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/report/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum wm_status wm_output_open(const char *path, FILE **out,
			      struct wm_err *err)
{
	*out = stdout;
	if (!path || strcmp(path, "-") == 0)
		return WM_OK;
	*out = fopen(path, "w");
	if (*out)
		return WM_OK;
	return wm_err_set(err, WM_IO, "'%s': %s", path, strerror(errno));
}

/* A file, not a pipe or a device. */
static int is_file(FILE *out)
{
	struct stat st;

	return fstat(fileno(out), &st) == 0 && S_ISREG(st.st_mode);
}

enum wm_status wm_output_close(const char *path, FILE *out,
			       enum wm_status status, struct wm_err *err)
{
	const char *name = out == stdout ? "output" : path;
	int file = out != stdout && is_file(out), bad;

	errno = 0;
	bad = ferror(out) != 0;
	bad |= out == stdout ? fflush(out) != 0 : fclose(out) != 0;
	if (!status && bad)
		status = wm_err_set(err, WM_IO, "%s: %s", name,
				    errno ? strerror(errno) : "not written");
	if (status && file)
		unlink(path);
	return status;
}
