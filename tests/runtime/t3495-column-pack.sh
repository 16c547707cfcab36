# SPDX-License-Identifier: Apache-2.0
# Columns of events by the frequencies of their bytes, as the traced process
# writes them: small, and nothing is lost.
. "$(dirname "$0")/../lib.sh" python3
setarch -R true 2>/dev/null || skip_all "addresses cannot be kept equal"

# All but the times, which are others in each run.
events() { # HOW
	"$SRC/tests/tools/wmt-dump" "churn.$1.wm/rank-000000.wmt.xz" |
		sed -n 's/^\([0-9]*\) [0-9]* /\1 /p'
}

run() { # HOW PAIRS
	rm -rf "churn.$1.wm"
	WM_COMPRESS=$1 WM_DIR=. WM_RUN_ID=$1 setarch -R ./churn.wm "$2"
}

saves() { # a tenth and more
	[ $(($(cat auto.size) * 10)) -le $(($(cat store.size) * 9)) ]
}

# Packing may take a part of the time, and others who run take of that: the program
# leaves far more than it needs, and runs again where it was still too little.
ok "it builds" wmcc -O2 -g -static -DREST=300 -o churn \
	"$SRC/tests/bench/churn.c"
for how in store auto; do
	for _ in {1..8}; do
		run $how 100000
		stat -c %s "churn.$how.wm/rank-000000.wmt.xz" >$how.size
		[ $how = store ] || saves && break
	done
	ok "$how: xz reads it" xz -t "churn.$how.wm/rank-000000.wmt.xz"
	events $how >$how.events
	wm-analyze --json "churn.$how.wm" |
		jq -S '[.heap.peak, .events]' >$how.json
done
ok "200,000 events and more" [ "$(wc -l <auto.events)" -ge 200000 ]
ok "the events are the same" cmp store.events auto.events
ok "wm-analyze counts the same" cmp store.json auto.json
echo "# bytes: $(cat store.size) stored, $(cat auto.size)"
ok "a tenth is saved, and more" saves
ok "it can be repacked" wm-analyze -q --repack churn.auto.wm
events auto >again.events
ok "and has the same events" cmp store.events again.events
done_testing
