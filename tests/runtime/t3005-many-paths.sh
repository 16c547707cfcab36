# SPDX-License-Identifier: Apache-2.0
# More call paths than the dictionary holds: every event has its own, whole.
# About 60 s, most of it in the reader in Python.
# run: rest
. "$(dirname "$0")/../lib.sh" python3

wmcc -O1 -g -fno-builtin -static -pthread -o paths "$SRC/tests/progs/paths.c"
for n in 1 2; do
	rm -rf run
	ok "paths $n: runs" env WM_DIR=run ./paths.wm $n
	trace=$(echo run/*/rank-*.wmt.xz)
	is "paths $n: every event has its path" "$("$dump" --summary "$trace" |
		jq -c '[.unknown, .conflicts, (.counts.MALLOC / 262144 | floor),
		(.paths > 131072)]')" "[0,0,$n,true]"
done
ok "paths of a thread, dumped" sh -c "'$dump' '$trace' >paths.txt"
is "each path is whole" "$(awk '$3 == "MALLOC" && $5 == 48 {print NF - 5}' \
	paths.txt | sort -u | wc -l)" 1
done_testing
