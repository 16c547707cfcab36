# SPDX-License-Identifier: Apache-2.0
# Local variables by name (WM_ACCESS_LOCALS): in their own function and through
# pointers, in recursion, after a longjmp, and below a function without hooks.
. "$(dirname "$0")/../lib.sh" access-lib
names=$BUILD/test/tools/access-names

# build NAME KIND COMPILER SOURCE FLAGS...
build() {
	local name=$1 kind=$2 cc=$3 source=$4
	shift 4
	ok "$name compiles" "$cc" "$@" -fsanitize=thread -c -o "$name.o" \
		"$progs/names/$source"
	[ "$cc" = gfortran ] || cc=gcc
	ok "$name links" access_link "$kind" "$cc" "$name" "$name.o"
	rm -rf run
	ok "$name runs" env WM_ACCESS_LOCALS=on WM_DIR=run sh -c \
		"./$name >want"
	timeout 60 "$names" run/*/rank-000000.wmt.xz >got
}

# The accesses behind each mark, as the program prints them in `want`: lines
# MARK TAB WANTED TAB GOT
pairs() {
	awk 'NR == FNR {
		if (/^G mark/)
			mark = $0
		else
			want[mark] = $0
		next
	}
	FNR == 1 {
		mark = ""
	}
	/^G mark\[/ {
		mark = $0
		next
	}
	mark in want && !/^G (step|want|sink)/ {
		print mark "\t" want[mark] "\t" $0
		delete want[mark]
	}
	END {
		for (mark in want)
			print mark "\t" want[mark] "\tnothing"
	}' want got
}

for kind in static dynamic; do
	build gcc-$kind $kind gcc locals.c -g -O0
	pairs >all
	is "gcc -O0, $kind: each of $(wc -l <all) has its name" \
		"$(cut -f3 all)" "$(cut -f2 all)"
	ok "so many were asked for" [ "$(wc -l <all)" = 18 ]
	is "what a function without hooks has on the stack is nobody's" \
		"$(grep -c '^L stale old' got)" 100
done
"$names" run/*/rank-000000.wmt.xz --table >table
is "the table has them by cells" \
	"$(grep -cxE '60 list\[\]|4 here\[\]|100 old\[\]|1 q\[1\]\.y|5 deep\[1\]' table)" 5
like "the report has them, too" "$(wm-analyze --accesses run/*)" \
	" main::list"
for report in --cache=L1=32K/8/64 --reuse --false-sharing; do
	ok "frames are no accesses: $report" wm-analyze $report run/*
done

# Where not all is in memory, or known: none is wrong.
for flags in "gcc -g -O2" "gcc -gdwarf-4 -O1 -fomit-frame-pointer" \
	"gcc -g -O2 -fno-omit-frame-pointer" "clang -g -O0" "clang -g -O2" \
	"clang -gdwarf-4 -O1"; do
	cc=${flags%% *}
	command -v "$cc" >/dev/null || continue
	build "${flags// /}" static "$cc" locals.c ${flags#* }
	pairs | awk -F'\t' '$3 !~ / \?$/' >all
	is "$flags: those that are named are right" "$(cut -f3 all)" \
		"$(cut -f2 all)"
	ok "$flags: $(wc -l <all) are" [ "$(wc -l <all)" -ge 13 ]
done

# Without debug information frames are not known, and nothing is guessed.
build plain static gcc locals.c -O0
is "without -g: no names" "$(grep -c '^L' got)" 0

if command -v gfortran >/dev/null; then
	build fortran static gfortran locals.f90 -g -O0
	# three calls; of p(2)%y: set, then loaded, stored and loaded
	is "Fortran: elements and members" \
		"$(grep -cx 'L down here(3,0)' got) $(
			grep -cx 'L down p(2)%y' got)" "9 12"
fi
done_testing
