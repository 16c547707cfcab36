#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run: rest
# The analyzer built by clang with its sanitizers, which see more than gcc's:
# every report in every form, on a real run, on one of many kinds of events, on
# what --repack makes of both.  And columns whose numbers are beyond what any
# address can be.
. "$(dirname "$0")/../lib.sh" analyze-lib clang
ANALYZE=$(sanitized clang) || skip_all "no sanitizers: $(tail -1 san.log)"
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99

# A real one.
ok "a traced program" wmcc -O0 -g -static -o real "$progs/damage/annotated.c"
WM_RUN_ID=1 ./real.wm >/dev/null
run many.1.wm <<'E2'
elf many
rank 0 of 1
churn 300 20 9 7
block
churn 300 20 9 7
generation
thread 1
t 1031000 phase solve
t 1031010 malloc 0x7000 4000 main<solve
t 1031020 name 0x7000 field
t 1031030 snapshot here
t 1031032 region 0x7010 64 8 part
t 1031034 mark said
t 1031036 next mapped
t 1031040 map 0x100000 8192 main<solve
t 1031050 unmap 0x100000 4096
end
E2
wm-analyze -q --repack --output packed real.1.wm many.1.wm >/dev/null

# Clocks that no machine has.
clock() { # NAME TICK-NS END: the run NAME.1.wm
	run "$1.1.wm" <<E2
tick-ns $2
rank 0 of 1
t 1031000 malloc 0x7000 4000 main<solve
t 1032000 malloc 0x8000 4000 main<solve
t $3 free 0x7000
end
E2
}
clock fast 0.0000000000001 10000000000000000000
clock slow 10000000000000 2800000

reports >list
for r in real.1.wm many.1.wm packed/real.1.wm packed/many.1.wm \
		fast.1.wm slow.1.wm; do
	bad=0
	n=0
	while read -r report; do
		case $report in
		--repack*) report="$report --output $r.out.$n" ;;
		esac
		for form in "" --json --csv --rank=all "--svg -"; do
			case $form in
			--rank=all) set -- $report --rank all ;;
			*) set -- $report $form ;;
			esac
			"$ANALYZE" "$@" $r >out 2>err </dev/null
			case $? in
			0) n=$((n + 1)) ;;
			2 | 3) ;; # not in that form, or without census
			*) false ;;
			esac && ! grep -q 'runtime error\|Sanitizer' err && continue
			bad=$((bad + 1))
			{ echo "$*"; head -4 err; } | sed 's/^/# /'
		done
	done <list
	is "every report of $r: no word of a sanitizer ($n)" \
		"$bad,$((n > 20))" 0,1
done

# Differences of addresses that no sum of addresses can hold.
ok "a program that decodes differences" clang -fsanitize=undefined \
	-fno-sanitize-recover=all -I"$SRC/include" -o far \
	"$progs/damage/far_codes.c"
is "any difference can be decoded" "$(./far 2>&1),$?" 1,0

# A damaged bundle: the events are whole, and run.complete is about events.
head -c 200 /dev/urandom >real.1.wm/program.wmc.xz
rm -f real.wm
"$ANALYZE" --json real.1.wm >out 2>err
is "a damaged bundle: exit status 4, complete all the same, and a note" \
	"$?,$(python3 -c 'import json
r = json.load(open("out"))["run"]
print(r["complete"], any("program.wmc.xz" in n for n in r["notes"]))')" \
	"4,True True"
done_testing
