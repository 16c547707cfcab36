#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run: rest
# Every tool under valgrind's memcheck, with what people type most: no access
# to what is not theirs, no decision by what was never set, no descriptor or
# block lost for good.  Memory that commands hold at their end they leave to
# exit.
. "$(dirname "$0")/../lib.sh" analyze-lib valgrind
has_sanitizers && skip_all "built with sanitizers"

# memcheck WANTED-STATUS DESCRIPTION COMMAND...
memcheck() {
	local wanted=$1 d=$2 said
	shift 2
	said=$(command -v "$1") || said=$1
	rm -f vg.*
	timeout 300 valgrind --quiet --error-exitcode=99 --log-file="$W/vg.%p" \
		--child-silent-after-fork=yes "$said" "${@:2}" \
		>out 2>err <"${input:-/dev/null}"
	is "$d" "$?,$(cat "$W"/vg.* | head -20)" "$wanted," ||
		tail -3 err | sed 's/^/# /'
}

bring damage/annotated.c
wmcc -O0 -g -static -o real annotated.c
WM_RUN_ID=1 ./real.wm >/dev/null
WM_RUN_ID=2 ./real.wm >/dev/null
"$BUILD/test/tools/wmt-job" many.1.wm --ranks 6 --events 500 >/dev/null
"$BUILD/test/tools/wmt-job" many.2.wm --ranks 12 --events 500 >/dev/null
for run in real.1.wm many.1.wm; do
	reports >list
	while read -r report; do
		case $report in
		--compare | --model | --static* | --cache* | --reuse | --false* | \
			--access* | --repack | --pages | --html*) continue ;;
		esac
		memcheck 0 "wm-analyze $report $run" wm-analyze -q $report $run
	done <list
	memcheck 0 "wm-analyze --json $run" wm-analyze -q --json $run
	memcheck 0 "wm-analyze --repack $run" wm-analyze -q --repack \
		--output packed $run
	memcheck 0 "wm-analyze --html $run" wm-analyze -q --html page.html \
		--force $run
done
memcheck 0 "wm-analyze of a packed run" wm-analyze -q packed/many.1.wm
memcheck 0 "wm-analyze --compare" wm-analyze -q --compare real.1.wm real.2.wm
memcheck 0 "wm-analyze --model" wm-analyze -q --model many.1.wm many.2.wm \
	--problem-size 6,12
memcheck 0 "wm-analyze --static-report" wm-analyze -q --static-report real.wm
for format in $(wm-analyze --export help 2>/dev/null |
	sed -n 's/^  \([a-z-]*\) .*/\1/p'); do
	case $format in help | extrap | gleipnir | dinero | lackey) continue ;; esac
	memcheck 0 "wm-analyze --export $format" wm-analyze -q \
		--export "$format" real.1.wm
done
memcheck 2 "wm-analyze of an option that is none" wm-analyze --nothing
head -c 300 real.1.wm/rank-000000.wmt.xz >cut.wmt.xz
wm-analyze -q cut.wmt.xz >/dev/null 2>&1
memcheck $? "wm-analyze of a trace that is cut" wm-analyze -q cut.wmt.xz

gcc -g -o dynamic annotated.c -I"$BUILD/lib/wmtools/include"
memcheck 0 "wm-census" wm-census dynamic
memcheck 0 "wm-census of static memory" wm-census --static dynamic
memcheck 3 "wm-census of a static program" wm-census real
memcheck 0 "wm-config" wm-config --libs
memcheck 0 "wm-config --pkg-config" wm-config --pkg-config --static
memcheck 0 "wmcc --help" wmcc --help
memcheck 0 "wmcc compiles" wmcc -g -O2 -c -o one.o annotated.c
memcheck 0 "wmcc compiles and links" wmcc -g -static -o two annotated.c
ok "and there is a twin" test -x two.wm
memcheck 1 "wmcc of a file that is not there" wmcc -c nothing.c
memcheck 0 "the linker shim" "$BUILD/libexec/wmtools/ld" --version
memcheck 0 "wm-run" wm-run "$(command -v true)"
printf '%s\n' "$W"/many.1.wm/rank-* >names
input=names
memcheck 0 "wm-alive" "$BUILD/libexec/wmtools/wm-alive"
is "wm-alive: a line a trace" "$(grep -c '^ended' out)" "$(wc -l <names)"

# It sees what it is there for.
printf 'int main(void){int a[9]; volatile int i=3; return a[i]>5?7:8;}\n' >bad.c
gcc -g -O0 -o bad bad.c
timeout 60 valgrind --quiet --error-exitcode=99 ./bad 2>/dev/null
is "a value that was never set is a finding" $? 99
done_testing
