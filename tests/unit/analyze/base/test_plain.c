/* SPDX-License-Identifier: Apache-2.0 */
/* Names that are safe to show. */
#include "analyze/lib/base/plain.h"

#include <string.h>

#include "analyze/lib/base/error.h"
#include "tests/unit/tap.h"

static void shown(const char *text, size_t room, const char *want)
{
	char out[256];

	wm_plain_put(out, room, text, strlen(text));
	ok(!strcmp(out, want), "%s in %zu bytes", want, room);
}

/* Cut at each byte: what is left is plain, and becomes the same once more. */
static void cut_everywhere(const char *text)
{
	char out[256], again[256];
	unsigned bad = 0;
	size_t n = strlen(text);

	for (size_t at = 0; at <= n; at++) {
		size_t low = wm_plain_cut(text, at);
		size_t high = wm_plain_cut_up(text, at);

		bad += low > at || high < at || high - low > WM_PLAIN_UNIT;
		memcpy(out, text, low);
		out[low] = 0;
		bad += !wm_is_plain(out);
		wm_plain_put(again, sizeof(again), out, low);
		bad += strcmp(out, again) != 0;
		bad += !wm_is_plain(text + high);
		/* an escape is whole, or away */
		for (size_t k = 1; k < 4; k++) {
			bad += low >= k && wm_plain_is_escape(text + low - k);
			bad += high >= k && wm_plain_is_escape(text + high - k);
		}
	}
	ok(!bad, "%s: cut at each byte", text);
}

static void errors(void)
{
	struct wm_err err;
	char name[600];
	size_t n, bad = 0;

	for (size_t i = 500; i < 560; i++) {
		memset(name, 'a', sizeof(name));
		memcpy(name + i - 5, "\xe2\x82\xac\xe2\x82\xac", 6);
		name[i + 1] = 0;
		wm_err_set(&err, WM_IO, "%s", name);
		n = strspn(err.text, "a");
		bad += strstr(err.text, "\\x") != NULL || n < 480;
		memcpy(name + i - 5, "\x1b\x1b\x1b", 4);
		wm_err_set(&err, WM_IO, "%s", name);
		n = strspn(err.text, "a");
		bad += strlen(err.text + n) % 4 != 0;
		/* once more: what is plain already is cut as well */
		name[i - 5] = 0;
		strcat(name, "\\x1b\\x1b");
		wm_err_set(&err, WM_IO, "%s", name);
		bad += strlen(err.text + strspn(err.text, "a")) % 4 != 0;
	}
	ok(!bad, "messages that are too long end with a whole character");
}

int main(void)
{
	tap_plan(14);
	shown("plain", 10, "plain");
	shown("a\x1b[31m", 20, "a\\x1b[31m");
	shown("a\nb\x7f", 20, "a\\x0ab\\x7f");
	shown("\xff\xc3(\xc3\xa4", 30, "\\xff\\xc3(\xc3\xa4");
	shown("\xe2\x80\xae", 30, "\\xe2\\x80\\xae");
	shown("\\x1b\\xzz\\", 30, "\\x1b\\xzz\\");
	shown("a\x1b", 5, "a");
	shown("a\x1b", 6, "a\\x1b");
	shown("a\\x1b", 5, "a");
	shown("a\xc3\xa4", 3, "a");
	cut_everywhere("a\\x1bb\\xff\\x0a");
	cut_everywhere("gr\xc3\xb6\xc3\x9f"
		       "e\xe2\x82\xac\xf0\x9f\x98\x80 x\\x");
	cut_everywhere("\\x\\x1\\x12\\\\x123");
	errors();
	return tap_done();
}
