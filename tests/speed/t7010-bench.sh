#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# tests/bench/bench in small: that it runs, counts, and leaves the rest of its
# document alone.  The times mean nothing here.
# run: rest
. "$(dirname "$0")/../lib.sh" python3

bench=$SRC/tests/bench/bench
unset ROUNDS PEERS ONLY SCALE PEER_SCALE OUT

printf '%s\n' before '<!-- make bench: begin -->' old \
	'<!-- make bench: end -->' after >doc.md
ok "runs" env ROUNDS=2 PEERS=0 SCALE=0.002 ONLY="W1 W2 W3 W4 words" OUT=doc.md \
	timeout 300 "$bench" --build "$BUILD"
is "what was there between the marks is gone" "$(grep -c '^old$' doc.md)" 0
is "the rest stays" "$(sed -n '1,2p;$p' doc.md)" \
	"$(printf '%s\n' before '<!-- make bench: begin -->' after)"

# 60,000 pairs and 256 blocks; what the empty program allocates is more
row() { grep "^| $1 |" doc.md; }
like "W1: the events" "$(row W1)" '^\| W1 \| malloc [^|]*\| 120,5[0-9][0-9] \|'
like "W3: the events" "$(row W3)" '^\| W3 \| [^|]*\| 40,0[0-9][0-9] \|'
like "W4: the events" "$(row W4)" '^\| W4 \| [^|]*\| 6[0-9],[0-9]{3} \|'
num='[0-9]+\.[0-9]+'
like "every column is filled" "$(row W1)" \
	"^\\| W1 \\| [^|]* \\| [0-9,]+ (\\| $num ){3}\\| [-+]$num \\| $num \\| $num \\| [-+]$num \\|$"
for w in W2 words; do
	ok "$w has a row" row $w
done

# CPU of the whole tree, and the status
cost=$BUILD/test/cost
busy='python3 -c "import time
while time.process_time() < 0.2: pass"'
ok "cost waits for what a command leaves behind" \
	"$cost" result 1 sh -c "($busy) & exit 0"
read -r cpu elapsed kb <result
like "cost: CPU of the child's child" \
	"$(echo "$cpu $elapsed" | awk '{ print ($1 >= 0.2 && $2 >= 0.1) }')" 1
like "cost: memory in kB" "$kb" '^[0-9]{3,5}$'
"$cost" result 3 sh -c 'exit 7'
is "cost: the status" $? 7

if command -v heaptrack >/dev/null && command -v valgrind >/dev/null; then
	ROUNDS=1 PEERS=1 SCALE=0.01 PEER_SCALE=1 ONLY=W1 \
		timeout 300 "$bench" --build "$BUILD" >out 2>err
	is "the peers have columns" "$(grep -o 'slowdown, [a-z ]*' out)" \
		"$(printf 'slowdown, %s \n' wmtools 'heaptrack raw' massif)"
	like "the peers are measured" "$(grep '^| W1 |' out | sed -n 2p)" \
		"^\\| W1 \\| (-|$num) (\\| $num ){4}(\\| [-+][0-9]+ ){2}\\|$"
else
	skip "the peers are measured" \
		"no heaptrack or valgrind: run scripts/setup --bench"
fi

cp "$BUILD/bin/wm-analyze" real
mkdir -p fake/bin fake/test
cp -a "$BUILD/bin" "$BUILD/lib" "$BUILD/libexec" fake/
cp "$cost" fake/test/
cat >fake/bin/wm-analyze <<EOF2
#!/bin/sh
"$W/real" "\$@" | sed 's/"complete": true/"complete": false/'
EOF2
ROUNDS=1 PEERS=0 SCALE=0.001 ONLY=W1 "$bench" --build fake >out 2>err
is "an incomplete trace is not a measurement: status" $? 1
like "an incomplete trace is not a measurement: said" "$(cat err)" \
	'the trace is not whole'

# 2,000,000 elements set and one triad: 3 accesses each, and two ends
ok "access-cost runs" env ROUNDS=1 SCALE=0.01 PEERS=0 ONLY=triad \
	BUILD="$BUILD" timeout 120 sh -c "'$SRC/tests/bench/access-cost' >costs"
like "its row" "$(grep '^| triad, gcc' costs)" \
	"^\\| triad, gcc \\| $num \\|( $num \\($num-$num\\) \\|){3} 12\\.0 M \\|( 0\\.000[0-9]+ \\|){3} - \\|\$"
done_testing
