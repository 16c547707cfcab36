#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run: rest
# Threads, by the sanitizer of threads, without suppressions: those of
# wm-analyze, and the runtime's own sources in a
# program whose threads record, hand blocks on, end and come again.
. "$(dirname "$0")/../lib.sh" analyze-lib
bin=$BUILD/test/tsan/bin
built_once tsan make -s -j2 -C "$SRC" BUILD="$BUILD/test/tsan" SAN=thread \
	DEVELOPER= COVERAGE= CFLAGS="-O1 -g" "$bin/wm-analyze" \
	>tsan.log 2>&1 ||
	skip_all "no sanitizer of threads: $(tail -1 tsan.log)"
export TSAN_OPTIONS=exitcode=66

# quiet_threads DESCRIPTION COMMAND...: it succeeds, and no race is reported
quiet_threads() {
	local d=$1
	shift
	timeout 300 "$@" >out 2>err </dev/null
	is "$d" "$?,$(grep -c 'WARNING: ThreadSanitizer' err)" 0,0 ||
		grep -A14 WARNING err | head -40 | sed 's/^/# /'
}

"$BUILD/test/tools/wmt-job" many.1.wm --ranks 48 --events 2000 >many.json
reports >list
while read -r report; do
	case $report in
	--compare | --model | --static* | --check* | --cache* | --reuse | \
		--false* | --access* | --repack) continue ;;
	esac
	quiet_threads "-j4 $report of 48 ranks" "$bin/wm-analyze" -q -j4 $report \
		many.1.wm
done <list
quiet_threads "-j4 --rank all" "$bin/wm-analyze" -q -j4 --functions --rank all \
	many.1.wm
quiet_threads "-j4 --compare" "$bin/wm-analyze" -q -j4 --compare many.1.wm \
	many.1.wm
quiet_threads "-j4 --repack" "$bin/wm-analyze" -q -j4 --repack \
	--output packed many.1.wm
is "and what it packed says the same" \
	"$(answer wm-analyze -q --json --leaks packed/many.1.wm | grep -c bytes)" \
	"$(answer wm-analyze -q --json --leaks many.1.wm | grep -c bytes)"
"$bin/wm-analyze" -q -j1 --json many.1.wm >one
"$bin/wm-analyze" -q -j4 --json many.1.wm >four
ok "the same bytes with one thread" cmp one four

# The runtime.
if product_make -j2 "$BUILD/test/record-stress" >stress.log 2>&1; then
	for how in WM_QUIET=1 WM_COMPRESS=store WM_SUMMARY=1 WM_TIME_RES=1ms \
			WM_BUFFER=64K; do
		rm -rf record-stress.1.wm
		quiet_threads "the runtime, $how" env WM_RUN_ID=1 "$how" \
			"$BUILD/test/record-stress"
		is "each event is there, $how" "$(json '[j["events"][k] for k in
			("malloc", "free", "unknown_free", "dropped")],
			j["heap"]["peak"]["max"] > 0, j["run"]["complete"]' \
			record-stress.1.wm)" "[200000, 200000, 0, 0] True True"
	done
	rm -rf record-stress.1.wm
	quiet_threads "the runtime, whose trace is discarded while threads record" \
		env WM_RUN_ID=1 "$BUILD/test/record-stress" discard
else
	ok "the runtime is built: $(tail -2 stress.log)" false
fi
done_testing
