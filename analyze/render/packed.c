/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/packed.h"

#include <stdint.h>
#include <stdlib.h>

#include <zlib.h>

#define ROOM 49152 /* for packed bytes; a multiple of LINE */
#define LINE 768 /* bytes of a line; a multiple of 3 */
#define GZIP 16 /* added to the window's size, for the format of gzip */
#define MOST_MEMORY 9

struct packed {
	FILE *out;
	z_stream z;
	uint8_t bytes[ROOM];
};

static char digit(unsigned v)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";

	return digits[v & 63];
}

/* Writes [@p, @p + @n), which is at most a line. */
static void put_line(const uint8_t *p, size_t n, FILE *out)
{
	char text[LINE / 3 * 4 + 1], *t = text;

	for (size_t i = 0; i < n; i += 3) {
		unsigned v = (unsigned)p[i] << 16;

		v |= i + 1 < n ? (unsigned)p[i + 1] << 8 : 0;
		v |= i + 2 < n ? p[i + 2] : 0;
		*t++ = digit(v >> 18);
		*t++ = digit(v >> 12);
		*t++ = i + 1 < n ? digit(v >> 6) : '=';
		*t++ = i + 2 < n ? digit(v) : '=';
	}
	*t++ = '\n';
	fwrite(text, 1, (size_t)(t - text), out);
}

static void put_room(struct packed *p)
{
	size_t n = ROOM - p->z.avail_out, i;

	for (i = 0; i < n; i += LINE)
		put_line(p->bytes + i, n - i < LINE ? n - i : LINE, p->out);
	p->z.next_out = p->bytes;
	p->z.avail_out = ROOM;
}

/* Never fails: zlib has memory and output space. */
static void pack(struct packed *p, int flush)
{
	int end;

	do {
		if (!p->z.avail_out)
			put_room(p);
		end = deflate(&p->z, flush);
	} while (!p->z.avail_out || (flush == Z_FINISH && end == Z_OK));
}

static ssize_t packed_write(void *cookie, const char *bytes, size_t n)
{
	struct packed *p = cookie;
	size_t left = n;

	while (left) {
		uInt some = left < 1u << 30 ? (uInt)left : 1u << 30;

		p->z.next_in = (z_const Bytef *)(uintptr_t)(bytes + n - left);
		p->z.avail_in = some;
		pack(p, Z_NO_FLUSH);
		left -= some;
	}
	return (ssize_t)n;
}

static int packed_close(void *cookie)
{
	struct packed *p = cookie;

	pack(p, Z_FINISH);
	put_room(p);
	deflateEnd(&p->z);
	free(p);
	return 0;
}

FILE *wm_packed_open(FILE *out)
{
	static const cookie_io_functions_t calls = {
		.write = packed_write,
		.close = packed_close,
	};
	struct packed *p = calloc(1, sizeof(*p));
	FILE *f;

	if (!p)
		return NULL;
	p->out = out;
	p->z.next_out = p->bytes;
	p->z.avail_out = ROOM;
	if (deflateInit2(&p->z, Z_BEST_COMPRESSION, Z_DEFLATED,
			 MAX_WBITS + GZIP, MOST_MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK) {
		free(p);
		return NULL;
	}
	f = fopencookie(p, "w", calls);
	if (!f) {
		deflateEnd(&p->z);
		free(p);
	}
	return f;
}
