/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/lib/base/vec.h"

/* The bytes that a head usually needs; reading more costs more.  Small files
 * are read at once. */
#define WM_SOURCE_STEP 2048
#define WM_SOURCE_SMALL (32u << 10)

enum wm_status wm_source_open(struct wm_source *s, const char *path,
			      struct wm_err *err)
{
	struct stat st;

	memset(s, 0, sizeof(*s));
	s->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (s->fd < 0)
		return wm_err_set(err, WM_IO, "%s", strerror(errno));
	if (fstat(s->fd, &st) < 0) {
		enum wm_status r = wm_err_set(err, WM_IO, "%s",
					      strerror(errno));

		wm_source_release(s);
		return r;
	}
	if (!S_ISREG(st.st_mode)) {
		wm_source_release(s);
		return wm_err_set(err, WM_BAD_INPUT, "not a regular file");
	}
	s->size = (uint64_t)st.st_size;
	return WM_OK;
}

void wm_source_share(struct wm_source *s, const struct wm_source *of)
{
	memset(s, 0, sizeof(*s));
	s->fd = of->fd;
	s->shared = true;
	s->size = of->size;
}

void wm_source_forget(struct wm_source *s)
{
	free(s->buf);
	s->buf = NULL;
	s->cap = s->have = 0;
}

void wm_source_release(struct wm_source *s)
{
	if (s->fd >= 0 && !s->shared)
		close(s->fd);
	free(s->buf);
	memset(s, 0, sizeof(*s));
	s->fd = -1;
}

static enum wm_status source_fill(struct wm_source *s, uint64_t offset,
				  size_t want, struct wm_err *err)
{
	size_t got = 0;

	s->have = 0;
	s->at = offset;
	while (got < want) {
		ssize_t n = pread(s->fd, s->buf + got, want - got,
				  (off_t)(offset + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return wm_err_set(err, WM_IO, "read: %s",
					  strerror(errno));
		if (n == 0)
			break;
		got += (size_t)n;
	}
	s->have = got;
	return WM_OK;
}

enum wm_status wm_source_view(struct wm_source *s, uint64_t offset, size_t len,
			      const uint8_t **p, struct wm_err *err)
{
	enum wm_status r;
	size_t step = s->size <= WM_SOURCE_SMALL ? WM_SOURCE_SMALL :
						   WM_SOURCE_STEP;
	size_t want = len < step ? step : len;

	if (offset >= s->at && offset - s->at <= s->have &&
	    len <= s->have - (offset - s->at)) {
		*p = s->buf ? s->buf + (offset - s->at) : (const uint8_t *)"";
		return WM_OK;
	}
	if (offset > s->size || len > s->size - offset)
		goto cut;
	if (want > s->size - offset)
		want = (size_t)(s->size - offset);
	if (!WM_ROOM(s->buf, s->cap, want))
		return wm_err_set(err, WM_NO_MEMORY, "no memory for %zu bytes",
				  want);
	r = source_fill(s, offset, want, err);
	if (r)
		return r;
	if (s->have < len)
		goto cut;
	*p = s->buf;
	return WM_OK;
cut:
	return wm_err_set(err, WM_BAD_INPUT,
			  "cut off: the file ends at 0x%" PRIx64, s->size);
}
