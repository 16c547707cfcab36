/* SPDX-License-Identifier: Apache-2.0 */
/* wm_sha256() against the examples of FIPS 180-4, and lengths around a block
 * against what sha256sum says. */
#include "wmcc/base/sha256.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/tap.h"

static const struct example {
	const char *what;
	size_t n; /* times the letter a; 0: @text */
	const char *text, *hash;
} examples[] = {
	{ "nothing", 0, "",
	  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
	{ "abc", 0, "abc",
	  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
	{ "two blocks", 0,
	  "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
	{ "a million", 1000000, NULL,
	  "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
	{ "55", 55, NULL,
	  "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318" },
	{ "56", 56, NULL,
	  "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a" },
	{ "63", 63, NULL,
	  "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34" },
	{ "64", 64, NULL,
	  "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb" },
	{ "65", 65, NULL,
	  "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0" },
};

int main(void)
{
	static char letters[1000000];
	char hex[WM_SHA256_DIGITS + 1];

	tap_plan(9);
	memset(letters, 'a', sizeof(letters));
	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		const struct example *e = &examples[i];

		wm_sha256(e->n ? letters : e->text,
			  e->n ? e->n : strlen(e->text), hex);
		ok(!strcmp(hex, e->hash), "%s: %s", e->what, hex);
	}
	return tap_done();
}
