/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/repack/repack_stream.h"

#include <lzma.h>

#define DICT_BYTES (1u << 20)

static lzma_ret encode(lzma_stream *z, struct wm_octets *out,
		       lzma_action action)
{
	lzma_ret r = LZMA_OK;

	while (r == LZMA_OK) {
		z->avail_out = 64 << 10;
		z->next_out = wm_octets_room(out, z->avail_out);
		if (!z->next_out)
			return LZMA_MEM_ERROR;
		r = lzma_code(z, action);
		out->len = (size_t)(z->next_out - out->p);
	}
	return r == LZMA_STREAM_END ? LZMA_OK : r;
}

enum wm_status wm_pack_stream(struct wm_octets *out,
			      const struct wm_octets *const *column, size_t n,
			      struct wm_err *err)
{
	lzma_options_lzma opt;
	lzma_filter filters[] = {
		{ .id = LZMA_FILTER_LZMA2, .options = &opt },
		{ .id = LZMA_VLI_UNKNOWN },
	};
	/* this encoder writes both sizes into the header of a Block */
	lzma_mt mt = { .threads = 1,
		       .check = LZMA_CHECK_CRC32,
		       .filters = filters };
	lzma_stream z = LZMA_STREAM_INIT;
	lzma_ret r;

	for (size_t i = 0; i < n; i++)
		if (column[i]->len > mt.block_size)
			mt.block_size = column[i]->len;
	lzma_lzma_preset(&opt, LZMA_PRESET_DEFAULT);
	/* numbers of any length: no place is like another */
	opt.lc = 2;
	opt.pb = 0;
	/* the smallest that all fits in: less memory to clear */
	opt.dict_size = LZMA_DICT_SIZE_MIN;
	while (opt.dict_size < mt.block_size && opt.dict_size < DICT_BYTES)
		opt.dict_size *= 2;
	out->len = 0;
	r = lzma_stream_encoder_mt(&z, &mt);
	for (size_t i = 0; i < n && r == LZMA_OK; i++) {
		z.next_in = column[i]->p;
		z.avail_in = column[i]->len;
		r = encode(&z, out,
			   i + 1 < n ? LZMA_FULL_BARRIER : LZMA_FINISH);
	}
	lzma_end(&z);
	if (r == LZMA_MEM_ERROR)
		return wm_no_memory(err, NULL);
	return r == LZMA_OK ? WM_OK :
			      wm_err_set(err, WM_BAD_INPUT, "liblzma: error %d",
					 (int)r);
}
