# SPDX-License-Identifier: Apache-2.0
# A program says which of its loads and stores are to be recorded: of a thread,
# of all, nested, in handlers, in C and in Fortran.
. "$(dirname "$0")/../lib.sh" access-lib
headers=$(wm-config --cflags)
module=$(wm-config --fortran-module)

# its handler's accesses, when that has interrupted a hook
in_hooks='^wmtrace: [0-9]* loads and stores or more were not recorded$'

# rows ON|OFF PROGRAM: "row:stores" of each that has some, as the trace has them
rows() {
	local on=$1
	shift
	rm -rf run
	WM_ACCESS=$on WM_DIR=run timeout $stuck "$@" >out 2>err ||
		{ echo "status $?"; return; }
	"$dump" run/*/rank-000000.wmt.xz >list || return
	awk -v base="$((16#$(cut -d' ' -f1 out)))" '
		function number(hex, n, i) {
			for (i = 1; i <= length(hex); i++)
				n = n * 16 + index("0123456789abcdef",
					substr(hex, i, 1)) - 1
			return n
		}
		$3 == "w0" && $5 == 2 {
			at = (number($4) - base) / 2
			r = int(at / 100)
			if (at - 100 * r != n[r] % 100)
				print "not in turn"
			n[r]++
		}
		END {
			for (r = 0; r < 12; r++)
				if (n[r])
					printf "%d:%d ", r, n[r]
		}' list
}

for kind in static dynamic; do
	for cc in gcc clang; do
		command -v $cc >/dev/null ||
			{ skip "$cc, $kind" "$cc is missing"; continue; }
		ok "$cc, $kind: compiles" $cc -O2 -g -fsanitize=thread \
			$headers -c -o w.o "$progs/access/wanted.c"
		ok "$cc, $kind: links" access_link $kind $cc app w.o
		is "$cc, $kind: what is wanted" "$(rows off ./app)" \
			"1:100 3:100 5:100 6:100 9:100 11:100 "
		is "$cc, $kind: silent, children end well" \
			"$(cut -d' ' -f2 out) $(grep -v "$in_hooks" err)" "0 "
		ok "$cc, $kind: gaps are said" test "$("$dump" \
			run/*/rank-000000.wmt.xz --count |
			awk '{n += $(NF - 1)} END {print n}')" -gt 20
		# until something is said WM_ACCESS says it
		is "$cc, $kind: on from the start" "$(rows on ./app)" \
			"0:100 1:100 3:100 4:100 5:100 6:100 9:100 11:100 "
		WM_CHILDREN=1 rows off ./app >/dev/null
		is "$cc, $kind: a child says it, too" "$("$dump" \
			run/*/*child*.wmt.xz | grep -c ' w0 [0-9a-f]* 2 ')" 100
		is "$cc, $kind: nothing when tracing is off" "$(WM_DISABLE=1 \
			WM_DIR=no ./app | cut -d' ' -f2) $(ls -d no 2>&1 |
			wc -w)" "0 $(ls -d no 2>&1 | wc -w)"
	done
done
# A loop that is as predicted all along stops at once, too.
halves() {
	rm -rf run
	WM_DIR=run ./halves "$@"
	"$dump" run/*/rank-000000.wmt.xz | grep -c ' w0 [0-9a-f]* 2 '
}
for kind in static dynamic; do
	ok "a regular loop, $kind: compiles" gcc -O2 -fsanitize=thread $headers \
		-c -o h.o "$progs/access/halves.c"
	ok "links" access_link $kind gcc halves h.o
	is "$kind: it stops itself half way" "$(halves)" 100000
	is "$kind: and goes on" "$(halves again)" 150000
done

# Another thread's word reaches it there, too.
for kind in static dynamic; do
	ok "a loop of another thread, $kind: compiles" gcc -O2 -pthread \
		-fsanitize=thread $headers -c -o r.o "$progs/access/reach.c"
	ok "links" access_link $kind gcc reach -pthread r.o
	rm -rf run
	WM_DIR=run timeout $stuck ./reach >out
	read -r then all <out
	n=$("$dump" run/*/rank-000000.wmt.xz --count |
		awk '{ n += $3 } END { print n + 0 }')
	ok "$kind: it stops there ($n of $all, $then by then)" \
		test "$n" -gt 1000 -a "$n" -le "$then"
done

ok "the plain program of C links" gcc -O2 $headers -o plain \
	"$progs/access/wanted.c"
if command -v gfortran >/dev/null; then
	for kind in static dynamic; do
		ok "Fortran, $kind: compiles" gfortran -O2 -g -fsanitize=thread \
			-c "$module" "$progs/access/wanted.f90"
		ok "Fortran, $kind: links" access_link $kind gfortran app \
			wanted.o wmtrace.o
		is "Fortran, $kind: what is wanted" "$(rows off ./app)" \
			"1:100 3:100 "
	done
	ok "the plain program of Fortran" gfortran -O2 "$module" \
		"$progs/access/wanted.f90" -o plain
	like "runs" "$(./plain)" '^[0-9A-F]+ 0$'
else
	skip "Fortran" "gfortran is missing"
fi
done_testing
