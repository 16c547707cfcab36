# SPDX-License-Identifier: Apache-2.0
# Accesses of threads without events, in blocks that another thread allocates
# and releases: the trace says between which of its events they lie.
. "$(dirname "$0")/../lib.sh" access-lib

# trace PROGRAM ARGUMENTS...: how many accesses of others lie where main's own
# of the same round do, and what does not
trace() {
	local base

	rm -rf run
	base=$(WM_DIR=run timeout $stuck "$@") || { echo "status $?"; return; }
	"$dump" run/*/rank-000000.wmt.xz >list || return
	"$dump" run/*/rank-000000.wmt.xz --seen 0 >seen || return
	awk -v base="$((16#$base))" '
		function number(hex, n, i) {
			for (i = 1; i <= length(hex); i++)
				n = n * 16 + index("0123456789abcdef",
					substr(hex, i, 1)) - 1
			return n
		}
		$3 != "w0" || $5 != 2 { next }
		{
			r = (number($4) - base) / 2
			if (r < 0 || r >= 300)
				next
		}
		FNR == NR && $1 == 0 {
			if (!(r in first))
				first[r] = $2
			last[r] = $2
		}
		FNR != NR && $1 != 0 {
			if ($2 < first[r] || $2 > last[r])
				wrong++
			n++
		}
		END { printf "%d %d\n", n, wrong }' list seen
}

for kind in static dynamic; do
	for cc in gcc clang; do
		command -v $cc >/dev/null ||
			{ skip "$cc, $kind" "$cc is missing"; continue; }
		ok "$cc, $kind: compiles" $cc -O2 -g -fsanitize=thread \
			-c -o hand.o "$progs/access/hand.c"
		ok "$cc, $kind: links" access_link $kind $cc hand hand.o
		is "$cc, $kind: all are in their place" "$(trace ./hand)" \
			"1200 0"
		is "$cc, $kind: and of threads that have ended" \
			"$(trace ./hand each)" "1200 0"
	done
	ok "$kind: OpenMP compiles" gcc -O2 -g -fopenmp -fsanitize=thread \
		-c -o hand.o "$progs/access/hand.c"
	ok "$kind: OpenMP links" access_link $kind gcc hand hand.o -fopenmp
	is "$kind: OpenMP" "$(trace ./hand)" "1200 0"
done

done_testing
