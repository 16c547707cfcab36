# SPDX-License-Identifier: Apache-2.0
# A process ends while threads are in the midst of loads and stores, and write
# out what they have: each is in the trace once, and none is said to be lost.
. "$(dirname "$0")/../lib.sh" access-lib

ok "compiles" gcc -O1 -g -fsanitize=thread -c -o unjoined.o \
	"$progs/access/unjoined.c"

# The stores of each worker are the first ones of its row, in order; prints how
# many workers there are.
cat >rows.py <<'E2'
import sys

rows = {}
for line in sys.stdin:
    thread, _, kind, addr, size, _ = line.split()
    if kind == "w0" and size == "4":
        rows.setdefault(int(thread), []).append(int(addr, 16))
starts = set()
for row in rows.values():
    for start in range(8):
        x = start * 1664525 + 1013904223 & 0xFFFFFFFF
        want = []
        for _ in row:
            want.append(x >> 16)
            x = x * 1664525 + 1013904223 & 0xFFFFFFFF
        if all((a - row[0]) // 4 == w - want[0] for a, w in zip(row, want)):
            starts.add(start)
            break
    else:
        sys.exit("a row is not as the program makes it")
print(len(starts) == len(rows), len(rows))
E2

run() { # KIND WORKERS MAKERS
	rm -rf run
	WM_DIR=run timeout $stuck "./$1" "$2" "$3" >err 2>&1
	[ $? = 98 ] || echo "status"
	cat err
	"$dump" run/*/rank-000000.wmt.xz --count >count 2>count.err || cat \
		count.err
}

run_pages() { # the same, of their pages alone
	WM_ACCESS=pages:5 run "$@"
	"$SRC/tests/tools/wmt-dump" --pages run/*/rank-000000.wmt.xz >pages ||
		echo "not to be read"
}

for kind in static dynamic; do
	ok "links, $kind" access_link $kind gcc $kind unjoined.o
	for threads in "1 0" "2 0" "5 0" "1 4" "0 3"; do
		is "$kind, $threads threads are at work at the end: all is well" \
			"$(for ((i = 0; i < $(long_or 100 12); i++)); do
				run $kind $threads
			done)" ""
	done
	for threads in "2 0" "1 4" "0 3"; do
		is "$kind, $threads threads, pages: all is well" \
			"$(for ((i = 0; i < $(long_or 100 12); i++)); do
				run_pages $kind $threads
			done)" ""
	done
	run $kind 3 0 >said
	like "$kind: the stores are those of the program" \
		"$("$dump" run/*/rank-000000.wmt.xz | python3 rows.py)" \
		"^True [1-3]$"
done
done_testing
