# SPDX-License-Identifier: Apache-2.0
# --node-memory: a job fits when the memory that its ranks need does, and 10 %.
. "$(dirname "$0")/../lib.sh" analyze-lib wmcc-lib python3

# 1,000,000 blocks of 24 bytes: 24 MB are requested, glibc needs 32 for each.
# With an argument a block of 40 MB more that is never touched.
node() { # EXPRESSION RUN SIZE
	json "$1" --imbalance --node-memory "$3" "$2" 
}
said() { # RUN SIZE
	wm-analyze -q --imbalance --node-memory "$2" "$1" |
		grep -oE '(does not fit|may fit|fits): .*'
}
n='j["imbalance"]["nodes"][0]'
wmcc -static -g -O1 -fno-builtin \
	-o small "$progs/report/small_blocks.c" || echo "# wmcc failed"
WM_RUN_ID=1 ./small.wm
WM_RUN_ID=2 ./small.wm x
fixed=$(json "$n['static_bytes']" --imbalance small.1.wm)
is "static: requested" "$(json "0 <= $n['total_bytes'] - $fixed - 24000000 <
	10000" --imbalance small.1.wm)" True
is "static: the allocator's and what is resident are more than 32 MB" \
	"$(json "$n['allocator_bytes'] - $fixed > 32e6,
		$n['resident_bytes'] - $fixed > 32e6,
		$n['need_bytes'] == $n['resident_bytes']" --imbalance small.1.wm)" \
	"True True True"
need=$(json "$n['need_bytes']" --imbalance small.1.wm)
between=$((need + need / 20))
is "what is needed, but not 10 % more: it is not said to fit" \
	"$(node "$n['fits']" small.1.wm $between)" None
like "nor in words" "$(said small.1.wm $between)" \
	'^may fit: 95 % of [0-9.]+ MiB, 10[45] % with 10 % more$'
is "more than that" "$(node "$n['fits']" small.1.wm 1G)" True
like "in words" "$(said small.1.wm 1G)" '^fits: [0-9]* % of 1\.0 GiB$'
is "less than what is needed" "$(node "$n['fits']" small.1.wm 30M)" False
like "less than what is needed, in words" "$(said small.1.wm 30M)" \
	'^does not fit: needs 1\.[0-9]*x of 30\.0 MiB$'
is "what is never touched fits, too" "$(node "$n['fits'],
	$n['touched_bytes'] - $n['need_bytes'] > 38e6" small.2.wm 60M)" \
	"True True"
like "and it is said that it would not" "$(said small.2.wm 60M)" \
	'^fits: [56][0-9] % of 60\.0 MiB; 1[23][0-9] % if all is touched$'

# Two sentences of a report never contradict each other, at any size.
for r in small.1.wm small.2.wm; do
	for size in 30M 36M 40M 60M 80M; do
		node "$n['fits'], j['imbalance']['fit']['ranks'] >= 1,
			j['imbalance']['fit']['touched_ranks'] <=
			j['imbalance']['fit']['ranks']" $r $size
	done
done >verdicts
ok "both ways to ask were met" test "$(sort -u verdicts | wc -l)" -ge 2
has_no "no such rank, and it fits" "True False " cat verdicts
has_no "a rank, and it is not said to fit" "(False|None) True " cat verdicts
has_no "more ranks where they touch more" "False$" cat verdicts

wmcc -g -O1 -fno-builtin \
	-o small "$progs/report/small_blocks.c" || echo "# wmcc failed"
WM_RUN_ID=3 ./small.wm
is "dynamic: the allocator cannot be seen, what is resident can" \
	"$(node "$n['allocator_bytes'], $n['fits']" small.3.wm 1G)" \
	"None True"

run hand.1.wm <<'E'
program hand
id 1
rank 0 of 1
t 1000 malloc 0x1000 1000 main
E
is "nothing but requested bytes is known: it is not said to fit" \
	"$(node "$n['fits']" hand.1.wm 1G)" None
like "nor in words" "$(said hand.1.wm 1G)" '^may fit: at least '
# Shared memory is in each rank that has it, and may be the same.
for r in 0 1; do
	cat <<E2
rank $r of 2
t 1000 malloc 0x1000 1000 main<grab
t 2000 shm 0x100000 4096 main<grab
end
E2
done | run shared.1.wm
like "shared memory: said" "$(wm-analyze -q --imbalance shared.1.wm)" \
	'^  shared memory counts in each rank that maps it, 8.0 KiB in all'
has_no "without any: not a word" 'shared memory' \
	wm-analyze -q --imbalance small.2.wm
done_testing
