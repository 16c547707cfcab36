# SPDX-License-Identifier: Apache-2.0
# What the tests of the census share; sourced after lib.sh.
#
#   need_tools             or skip the file
#   embed APP [MAP]        copy APP to APP.wm, with a census of APP
#   sections_match APP     all sections that readelf shows, with their sizes
#   rows_add_up APP        in each section
#   row APP NAME           section bytes object file:line common, per row
#   total APP CLASS        bytes of the sections of a class

PATH=$BUILD/test/tools:$PATH

need_tools() {
	[ -x "$BUILD/test/tools/census-embed" ] ||
		skip_all "make unit-tests builds census-embed"
}

embed() {
	cp "$1" "$1.wm" && census-embed "$1" "$1.wm" "${2:--}"
}

sections_match() {
	readelf -SW "$1" | sed -n 's/^ *\[ *[0-9]*\] //p' |
		while read -r name _ _ _ size _ flags _; do
			[[ $flags == *A* ]] && echo "$name $((16#$size))"
		done >"$1.wanted"
	census-dump "$1.wm" sections | awk '{print $1, $3}' >"$1.got"
	[ -s "$1.wanted" ] && diff "$1.wanted" "$1.got"
}

rows_add_up() {
	census-dump "$1.wm" rows |
		awk -F'\t' '{sum[$1] += $4}
			END {for (s in sum) print s, sum[s]}' |
		sort >"$1.sums"
	census-dump "$1.wm" sections | awk '$3 > 0 {sum[$1] += $3}
		END {for (s in sum) print s, sum[s]}' | sort >"$1.sizes"
	[ -s "$1.sums" ] && diff "$1.sums" "$1.sizes"
}

row() {
	census-dump "$1.wm" rows | awk -F'\t' -v name="$2" '
		{ sub(/.*\//, "", $5); sub(/.*\//, "", $6) }
		$2 == name {
			print $1, $4, $5, $6 ":" $7, $8
		}'
}

total() {
	census-dump "$1.wm" sections | awk -v class="$2" '
		$2 == class {sum += $3} END {print sum + 0}'
}
