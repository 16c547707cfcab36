# SPDX-License-Identifier: Apache-2.0
# --node-memory: a job fits when the largest of three ways to count does.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/analyze-lib.sh"
. "$SRC/tests/wmcc-lib.sh"
command -v python3 >/dev/null || skip_all "no python3"

# 1,000,000 blocks of 24 bytes: 24 MB are requested, glibc needs 32 for each.
# With an argument a block of 40 MB more that nobody touches.
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
		$n['resident_bytes'] - $fixed > 32e6" --imbalance small.1.wm)" \
	"True True"
between=$((28000000 + fixed))
is "static: between them, it is not said to fit" \
	"$(node "$n['fits']" small.1.wm $between)" None
like "static: nor in words" "$(said small.1.wm $between)" \
	'^may fit: 1[0-9]* % of .* \((resident|allocator)\)$'
is "static: more than all of them" "$(node "$n['fits']" small.1.wm 1G)" True
like "static: in words, which is the largest" "$(said small.1.wm 1G)" \
	'^fits: [0-9]* % of 1\.0 GiB \((resident|allocator)\)$'
is "static: less than what is requested" \
	"$(node "$n['fits']" small.1.wm 20M)" False
is "static: what nobody touches is the allocator's" \
	"$(node "$n['largest']" small.2.wm 1G)" allocator

wmcc -g -O1 -fno-builtin \
	-o small "$progs/report/small_blocks.c" || echo "# wmcc failed"
WM_RUN_ID=3 ./small.wm
is "dynamic: the allocator can not be seen, what is resident can" \
	"$(node "($n['allocator_bytes'], $n['largest'], $n['fits'])" \
		small.3.wm 1G)" "(None, 'resident', True)"
like "dynamic: which is said" "$(wm-analyze --imbalance --node-memory 1G \
	small.3.wm)" '^  not compared: what the allocator had is not known on 1 node$'

run hand.1.wm <<'E'
program hand
id 1
rank 0 of 1
t 1000 malloc 0x1000 1000 main
E
is "nothing but requested bytes is known: nobody says that it fits" \
	"$(node "$n['fits']" hand.1.wm 1G)" None
like "nor in words" "$(said hand.1.wm 1G)" '^may fit.*\(requested\)$'
like "what is not known is said" "$(wm-analyze --imbalance --node-memory 1G \
	hand.1.wm)" '^  not compared: what is resident is not known on 1 node$'
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
	'^  shared memory counts in each rank that has it, 8.0 KiB in all'
has_no "without any: not a word" 'shared memory' \
	wm-analyze -q --imbalance small.2.wm
done_testing
