# SPDX-License-Identifier: Apache-2.0
# Page accesses of a process that is killed at any moment: what the trace and
# the crash buffer have is right, and it is all but the last epoch.
# run: rest
. "$(dirname "$0")/../lib.sh" python3 jq
kills=${WM_KILLS:-24}
seed=${WM_SEED:-$RANDOM}
RANDOM=$seed

ok "steps builds" wmcc -O1 -g -static -pthread -o steps \
	"$SRC/tests/progs/pages/steps.c"
ok "changes builds" wmcc -O1 -g -static -pthread -o changes \
	"$SRC/tests/progs/pages/changes.c"
WM_PAGES=50 ./changes.wm >out 2>err
grep -q 'WM_PAGES: ' err && skip_all "the kernel cannot tell: $(cat err)"

wrong=0 damaged=0 differs=0 short=0 looked_at=0
for ((i = 0; i < kills; i++)); do
	rm -rf run truth && : >truth
	after=$((RANDOM % 3000))
	WM_DIR=run WM_PAGES=50 ./steps.wm truth >out 2>err &
	pid=$!
	# of the processor's time, as epochs are
	while [ "$(cpu_ms $pid || echo 9999)" -lt $after ]; do sleep 0.02; done
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	trace=$(echo run/*/rank-000000.wmt.xz)
	# killed before there was one
	[ -s "$trace" ] || continue
	"$SRC/tests/tools/wmt-dump" --pages "$trace" >dump.json 2>err || {
		damaged=$((damaged + 1))
		sed "s/^/# after $after ms: /" err
		continue
	}
	read -r _ _ _ _ _ looked _ bad _ < <("$SRC/tests/tools/page-epochs" truth \
		dump.json | tail -1)
	looked_at=$((looked_at + looked))
	[ "$bad" = 0 ] || wrong=$((wrong + 1))
	# an epoch is 50 ms of CPU time, a step 400
	[ "$(jq '.epochs | length' dump.json)" -ge "$(grep -c end truth)" ] ||
		short=$((short + 1))
	# 4: it was killed, which is said
	wm-analyze --pages --json run/*.wm >said 2>err
	[[ $? =~ ^[04]$ ]] || {
		damaged=$((damaged + 1))
		sed "s/^/# after $after ms: /" err
	}
	[ "$(jq '.pages.epochs | length' said)" = \
		"$(jq '.epochs | length' dump.json)" ] || differs=$((differs + 1))
done
is "seed $seed, $kills kills: each can be read" "$damaged" 0
ok "epochs lie within steps ($looked_at)" [ "$looked_at" -ge $((kills / 10)) ]
is "each of them is exact" "$wrong" 0
is "two readers have the same epochs" "$differs" 0
is "there are as many as steps at least" "$short" 0

# a child that forks and is killed takes nothing with it
died=0
for ((i = 0; i < kills / 4; i++)); do
	WM_DIR=run2 WM_PAGES=10 ./changes.wm threads >out 2>err &
	pid=$!
	sleep 0.0$((RANDOM % 9))
	for child in $(cat /proc/$pid/task/*/children 2>/dev/null); do kill -9 "$child" 2>/dev/null; done
	wait $pid
	[ $? -le 1 ] || died=$((died + 1))
done
is "killed children: the parent ends by itself" "$died" 0
done_testing
