# SPDX-License-Identifier: Apache-2.0
# What is recorded of a program whose allocator gives addresses at random is
# what the program says, event by event; as written, and repacked.
. "$(dirname "$0")/../lib.sh" python3

# the allocator by itself: --wrap changes no call within an object
for p in random_heap random_events; do
	wmcc -O1 -g -fno-builtin -c "$progs/runtime/$p.c"
done
wmcc -static -o random random_events.o random_heap.o

# events: those of the program, which begin as it says and come before the file
events() {
	"$dump" run/*/rank-000000.wmt.xz |
		awk '$3 ~ /^(MALLOC|CALLOC|FREE)$/ {
			print $3, $4 ($3 == "FREE" ? "" : " " $5)
		}' | grep -Fxn -m1 -A "$n" -- "$(head -1 wanted)" |
		sed 's/^[0-9]*[:-]//' | head -n "$n"
}

for seed in $(seq 1 "$(long_or 20 4)"); do
	rm -rf run
	compress=store
	[ $((seed % 2)) = 0 ] || compress=auto
	WM_COMPRESS=$compress WM_DIR=run ./random.wm "$seed" 200000 wanted
	n=$(wc -l <wanted)
	ok "seed $seed, $compress: events are there" test "$n" -ge 200000
	events >got
	ok "seed $seed, $compress: each is as it was" cmp wanted got
	ok "seed $seed, $compress: repacked" \
		wm-analyze --quiet --repack run/*.wm
	events >got
	ok "seed $seed, $compress: and each is as it was" cmp wanted got
done
done_testing
