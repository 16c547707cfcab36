# SPDX-License-Identifier: Apache-2.0
# Random addresses as lists: about as many bytes as they have to take, in every
# way of packing; and the accesses are the same.
. "$(dirname "$0")/../lib.sh" access-lib

# 400,000 keys: of three accesses one is at random, in 256 KiB.
cat >keys.c <<'END'
#include <stdint.h>
static volatile int place[1 << 16], key[1 << 10];
int main(void)
{
	uint64_t r = 1;

	for (int i = 0; i < 400000; i++) {
		r = r * 6364136223846793005u + 1442695040888963407u;
		key[i & 1023] = 1;
		place[r >> 48]++;
	}
	return 0;
}
END
ok "it compiles" gcc -O2 -fsanitize=thread --param tsan-distinguish-volatile=0 \
	-c -o keys.o keys.c
ok "it links" access_link static gcc keys keys.o
for how in store auto 0 6; do
	rm -rf run raw
	mkdir raw
	ok "$how: it runs" env WM_COMPRESS=$how WM_DIR=run ./keys
	trace=$(echo run/*/rank-000000.wmt.xz)
	ok "$how: the trace can be read" "$dump" "$trace" --raw raw
	[ $how != store ] || cp raw/* want
	ok "$how: its accesses are the same" cmp raw/* want
	n=$(($(wc -c <want) / 32))
	printf '%s %s\n' $how $(($(wc -c <"$trace") * 1000 / n)) >>sizes
	case $how in store | 0) ;; *) continue ;; esac
	rm raw/*
	ok "$how: it is repacked" wm-analyze -q --repack run/*.wm
	ok "$how: and can be read" "$dump" "$trace" --raw raw
	ok "$how: and its accesses are the same" cmp raw/* want
	printf '%s %s\n' $how-repacked \
		$(($(wc -c <"$trace") * 1000 / n)) >>sizes
done
bytes() { awk -v how="$1" '$1 == how {print $2}' sizes; }
ok "1,200,000 accesses ($n)" [ "$n" -ge 1200000 ]
# a key has 16 bits, which is 0.67 bytes an access; a difference has 0.7 more
ok "stored: 4 bytes a key" [ "$(bytes store)" -gt 1200 ]
ok "level 0: as lists" [ "$(bytes 0)" -lt 800 ]
ok "level 6: as lists" [ "$(bytes 6)" -lt 800 ]
ok "stored, repacked: by LZMA2" [ "$(bytes store-repacked)" -lt 900 ]
ok "level 0, repacked: as lists" [ "$(bytes 0-repacked)" -lt 790 ]
ok "auto: in the end most of it" [ "$(bytes auto)" -lt 1000 ]
done_testing
