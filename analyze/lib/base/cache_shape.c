/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/base/cache_shape.h"

#include <stdbool.h>
#include <string.h>

#include "analyze/lib/base/units.h"

#define EXAMPLE "L1=32K/8/64,L2=1M/16,L3=32M/16 (size/ways/bytes of a line)"

const struct wm_cache_shape wm_cache_shape_usual = {
	.levels = 3,
	.level = { { 32 << 10, 8, 64 },
		   { 1 << 20, 16, 64 },
		   { 32 << 20, 16, 64 } },
};

static bool is_line(uint64_t bytes)
{
	return bytes >= WM_LINE_LEAST && bytes <= WM_LINE_MOST &&
	       !(bytes & (bytes - 1));
}

enum wm_status wm_line_parse(uint32_t *line, const char *text,
			     struct wm_err *err)
{
	uint64_t bytes;

	if (!wm_parse_bytes(text, &bytes) || !is_line(bytes))
		return wm_err_set(err, WM_USAGE,
				  "--line %s: not a power of two from %d to "
				  "%d bytes",
				  text, WM_LINE_LEAST, WM_LINE_MOST);
	*line = (uint32_t)bytes;
	return WM_OK;
}

/* Copies the text in [text, end) up to a slash into @word, which has 32 bytes.
 * Returns the text behind the slash, or NULL if the word is empty or
 * too long. */
static const char *take_word(const char *text, const char *end, char *word)
{
	size_t n = 0;

	while (text + n < end && text[n] != '/')
		n++;
	if (!n || n >= 32)
		return NULL;
	memcpy(word, text, n);
	word[n] = '\0';
	return text + n + (text + n < end);
}

/* Returns NULL, or why the numbers of a level are wrong. */
static const char *parse_numbers(struct wm_cache_level_shape *l, const char *at,
				 const char *end)
{
	char word[32];
	uint64_t bytes, ways, line;

	at = take_word(at, end, word);
	if (!at || !wm_parse_bytes(word, &bytes) || !bytes ||
	    bytes > WM_CACHE_MOST)
		return "its size is not one from 8 bytes to 1G";
	at = take_word(at, end, word);
	if (!at || !wm_parse_number(word, WM_CACHE_WAYS, &ways) || !ways)
		return "its ways are not a number from 1 to 64";
	l->bytes = (uint32_t)bytes;
	l->ways = (uint32_t)ways;
	if (at < end) {
		at = take_word(at, end, word);
		if (!at || !wm_parse_bytes(word, &line) || !is_line(line))
			return "its line is not a power of two from 8 to 4096 "
			       "bytes";
		l->line = (uint32_t)line;
	}
	if (at < end || end[-1] == '/')
		return "it has more than size, ways and line";
	return NULL;
}

static const char *judge_level(const struct wm_cache_shape *s)
{
	const struct wm_cache_level_shape *l = &s->level[s->levels];

	if (l->bytes % ((uint64_t)l->line * l->ways))
		return "its size is not a multiple of ways times line";
	if (s->levels && l->line < l[-1].line)
		return "its line is smaller than that of the level before it";
	return NULL;
}

enum wm_status wm_cache_shape_parse(struct wm_cache_shape *s, const char *text,
				    struct wm_err *err)
{
	const char *at = text, *end, *wrong;

	*s = (struct wm_cache_shape){ 0 };
	for (;; at = end + 1) {
		struct wm_cache_level_shape *l = &s->level[s->levels];

		if (s->levels == WM_CACHE_LEVELS)
			return wm_err_set(err, WM_USAGE,
					  "--cache %s: more than %d levels",
					  text, WM_CACHE_LEVELS);
		end = at + strcspn(at, ",");
		if (end - at < 3 || at[0] != 'L' ||
		    at[1] != (char)('1' + s->levels) || at[2] != '=')
			return wm_err_set(err, WM_USAGE,
					  "--cache %s: level %u does not begin "
					  "with L%u=; write " EXAMPLE,
					  text, s->levels + 1, s->levels + 1);
		l->line = s->levels ? s->level[0].line : 64;
		wrong = parse_numbers(l, at + 3, end);
		if (!wrong)
			wrong = judge_level(s);
		if (wrong)
			return wm_err_set(err, WM_USAGE,
					  "--cache %s: L%u: %s; write " EXAMPLE,
					  text, s->levels + 1, wrong);
		s->levels++;
		if (!*end)
			return WM_OK;
	}
}
