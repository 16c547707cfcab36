# SPDX-License-Identifier: Apache-2.0
# WM_ACCESS_BURST: loads and stores of some of the time alone, in loops that are
# as predicted, too; what a thread says of itself stays.
. "$(dirname "$0")/../lib.sh" access-lib

# counts: "ACCESSES GAPS" of the thread that stores 1 byte, of 2 bytes, of 4
counts() {
	{
		"$dump" run/*/rank-000000.wmt.xz --count
		"$dump" run/*/rank-000000.wmt.xz
	} | awk '
		$1 == "thread" { gaps[$2 + 0] = $(NF - 1); next }
		$3 == "w0" { n[$5]++; thread[$5] = $1 }
		END {
			for (b = 1; b <= 4; b *= 2)
				print n[b] + 0, gaps[thread[b]] + 0
		}'
}

# breaks: how often a place of four bytes is not the one that the place before
# it tells
breaks() {
	"$dump" run/*/rank-000000.wmt.xz | awk -v base="$base" '
		function number(hex, n, i) {
			for (i = 1; i <= length(hex); i++)
				n = n * 16 + index("0123456789abcdef",
					substr(hex, i, 1)) - 1
			return n
		}
		$5 == 4 {
			at = (number($4) - number(base)) / 4
			if (n++ && at != (5 * last + 3) % 65536)
				breaks++
			last = at
		}
		END { print breaks + 0 }'
}

for kind in static dynamic; do
	ok "$kind: compiles" gcc -O2 -g -pthread -fsanitize=thread \
		$(wm-config --cflags) -c -o b.o "$progs/access/bursts.c"
	ok "$kind: links" access_link $kind gcc app -pthread b.o
	rm -rf run
	WM_ACCESS_BURST=20ms/200ms WM_DIR=run timeout $stuck ./app >out 2>err
	is "$kind: ends well, silently" "$? $(cat err)" "0 "
	read -r regular irregular _ base behind <out
	counts >list
	{ read -r before _; read -r regular_n gaps; read -r n more; } <list
	say="$(tr '\n' ';' <list) of $(cat out)"
	# a tenth, and more on a machine with other work
	ok "$kind: some of a regular loop: $say" \
		test $((regular_n * 3)) -lt "$regular" -a "$regular_n" -gt 100
	ok "$kind: some of another" \
		test $((n * 3)) -lt "$irregular" -a "$n" -gt 100
	ok "$kind: with gaps" test "$gaps" -gt 1 -a "$more" -gt 1
	ok "$kind: in order, but at gaps" test "$(breaks)" -le "$more"
	ok "$kind: of who stops itself there is what was before" \
		test "$before" -gt 100
	is "$kind: who has stopped itself does not begin again" \
		"$("$dump" run/*/rank-000000.wmt.xz | awk -v at="$behind" '
		$5 == 1 && $4 == at { n++ } END { print n + 0 }')" 0
	wm-analyze run/* --accesses --color never >text 2>/dev/null
	like "$kind: the report says it" "$(cat text)" \
		' only 20.0 ms of every 200 ms: [0-9.]+ m?s of '
	wm-analyze run/* --cache=L1=32K/8/64 >text 2>/dev/null
	like "$kind: that of caches, too" "$(cat text)" 'WM_ACCESS_BURST'
	is "$kind: and JSON" "$(wm-analyze run/* --accesses --json 2>/dev/null |
		jq -c '.accesses.bursts | [.burst_s, .every_s,
			.recorded_s > 0.04, .recorded_s < .elapsed_s / 2]')" \
		"[0.02,0.2,true,true]"
done

# everything PROGRAM: nothing is left out; what it says is in `err`
everything() {
	rm -rf run
	WM_DIR=run timeout $stuck "$@" >out 2>err || return
	read -r regular irregular _ <out
	test "$(counts | sed 1d | tr '\n' ' ')" = "$regular 0 $irregular 0 "
}
for value in 100ms 100/5 5s/100ms 0ms/5s 100ms/5s/ 100ms/5000s; do
	ok "$value: all is recorded" \
		everything env WM_ACCESS_BURST=$value ./app 40
	like "$value: said" "$(cat err)" \
		"^wmtrace: WM_ACCESS_BURST='$value' is not a time of "
	is "$value: in one line" "$(wc -l <err)" 1
done
ok "with WM_PAGES: all is recorded" \
	everything env WM_PAGES=auto WM_ACCESS_BURST=1ms/9ms ./app 40
like "with WM_PAGES: said" "$(cat err)" 'WM_ACCESS_BURST does not go with'
is "without: nothing is told" "$(everything ./app 40
	wm-analyze run/* --accesses --json 2>/dev/null |
	jq -c .accesses.bursts)" null
done_testing
