/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/tap.h"

static char *text;
static size_t size;

static struct wm_json begin(void)
{
	struct wm_json j = WM_JSON_INIT(open_memstream(&text, &size));

	return j;
}

static int end_is(struct wm_json *j, const char *want)
{
	int same;

	fclose(j->out);
	same = strcmp(text, want) == 0;
	if (!same)
		printf("# got  %s\n# want %s\n", text, want);
	free(text);
	return same;
}

int main(void)
{
	struct wm_json j = begin();

	tap_plan(5);
	wm_json_object(&j, NULL);
	wm_json_end_object(&j);
	ok(end_is(&j, "{}\n"), "an empty object");

	j = begin();
	wm_json_object(&j, NULL);
	wm_json_uint(&j, "a", UINT64_MAX);
	wm_json_flat_array(&j, "b");
	wm_json_bool(&j, NULL, 1);
	wm_json_flat_object(&j, NULL);
	wm_json_text(&j, "c", NULL);
	wm_json_end_object(&j);
	wm_json_end_array(&j);
	wm_json_array(&j, "d");
	wm_json_end_array(&j);
	wm_json_end_object(&j);
	ok(end_is(&j, "{\n  \"a\": 18446744073709551615,\n"
		      "  \"b\": [true, {\"c\": null}],\n  \"d\": []\n}\n"),
	   "objects, arrays, flat ones");

	j = begin();
	wm_json_flat_array(&j, NULL);
	wm_json_real(&j, NULL, 1.5, 3);
	wm_json_real(&j, NULL, -0.25, 1);
	wm_json_real(&j, NULL, NAN, 1);
	wm_json_real(&j, NULL, INFINITY, 1);
	wm_json_end_array(&j);
	ok(end_is(&j, "[1.500, -0.2, null, null]\n"), "real numbers");

	j = begin();
	wm_json_flat_array(&j, NULL);
	wm_json_text(&j, NULL, "q\" b\\ n\n t\t c\x01 d\x7f");
	wm_json_text(&j, NULL, "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80");
	wm_json_text(&j, NULL, "\xff\xc3 \xc0\x80 \xed\xa0\x80");
	wm_json_end_array(&j);
	ok(end_is(&j, "[\"q\\\" b\\\\ n\\n t\\t c\\u0001 d\\u007f\", "
		      "\"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\", "
		      "\"\\ufffd\\ufffd \\ufffd\\ufffd "
		      "\\ufffd\\ufffd\\ufffd\"]\n"),
	   "text: escapes, UTF-8, and what is not UTF-8");
	j = begin();
	j.tight = true;
	j.longest = 9;
	wm_json_object(&j, NULL);
	wm_json_text(&j, "a", "123456789");
	/* no part of a character is left */
	wm_json_text(&j, "b", "12345\xc3\xa9xxxxx\xc3\xa9z");
	wm_json_end_object(&j);
	ok(j.shortened == 1 &&
		   end_is(&j, "{\"a\":\"123456789\","
			      "\"b\":\"12345\xe2\x80\xa6\xc3\xa9z\"}\n"),
	   "tight, and long texts without their middle");
	return tap_done();
}
