# SPDX-License-Identifier: Apache-2.0
# WM_ACCESS_LOCALS: each function that begins is a frame in the trace, and who
# counts those that have ended is as deep as the program was; the accesses are
# the same as without (t3410 has them one by one).
. "$(dirname "$0")/../lib.sh" access-lib

# frames_of DUMP: how many, and how many in each other at most
frames_of() {
	awk '$3 == "f0" {
		ended = $5 % 65536
		deep -= ended - 1
		if (deep > deepest)
			deepest = deep
		frames++
	}
	END { print frames + 0, deepest + 0 }' "$1"
}

for level in -O0 -O2; do
	for cc in gcc clang; do
		command -v $cc >/dev/null || continue
		name=$cc$level
		ok "$name compiles" $cc -g $level -fno-inline -fsanitize=thread \
			-c -o $name.o "$progs/access/recurse.c"
		ok "$name links" access_link static gcc $name $name.o
		for locals in on off; do
			rm -rf run
			WM_ACCESS_LOCALS=$locals WM_DIR=run ./$name 3000 >out
			"$dump" run/*/rank-000000.wmt.xz >$locals.dump
		done
		is "$name: off has no frames" "$(frames_of off.dump)" "0 0"
		is "$name: so many functions began, so deep in each other" \
			"$(frames_of on.dump)" "$(cut -d' ' -f1,2 out)"
		is "$name: the accesses are those of before" \
			"$(grep -vc ' f0 ' on.dump)" "$(wc -l <off.dump)"
	done
done
done_testing
