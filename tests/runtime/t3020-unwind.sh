# SPDX-License-Identifier: Apache-2.0
# The table unwinder and libunwind give the same call path, event by event:
# WM_UNWIND=check counts what both took and what differed.
# run: long
. "$(dirname "$0")/../lib.sh" python3

# same NAME AT-LEAST COMMAND...: no difference in that many paths
same() {
	local name=$1 least=$2 checked=0 differed=0 f c d
	shift 2
	rm -rf run
	mkdir run
	WM_DIR=run WM_UNWIND=check timeout 120 "$@" >out 2>err
	for f in run/*/rank-*.wmt.xz; do
		read -r c d <<<"$("$dump" --summary "$f" |
			jq -r '.info | "\(.checked) \(.differed)"')"
		checked=$((checked + c)) differed=$((differed + d))
	done
	is "$name: no path differs" "$differed" 0
	is "$name: most events were walked by the table" \
		"$((checked >= least))" 1
}

for flags in "-O2" "-O0" "-O2 -fno-omit-frame-pointer" "-O3 -mavx2"; do
	wmcxx $flags -g -static -o flow "$progs/runtime/flow.cpp" 2>build.log
	same "odd control flow, $flags" 5000 ./flow.wm
done
if command -v clang++ >/dev/null; then
	WM_CXX=clang++ wmcxx -O2 -static \
		-o flow "$progs/runtime/flow.cpp" 2>build.log
	same "odd control flow, clang" 5000 ./flow.wm
else
	skip "odd control flow, clang" "package clang is missing"
fi
wmcxx -O2 -static -o mesh "$progs/mesh.cpp"
same "C++ exceptions" 50000 ./mesh.wm
wmcc -O1 -fno-builtin -static -pthread -o threads "$progs/threads.c"
same "400 threads" 80000 ./threads.wm
if [ -n "${WM_LONG:-}" ]; then
	wmcc -O1 -fno-builtin -static -pthread -o paths "$progs/paths.c"
	same "131,072 paths" 262144 ./paths.wm
fi
wmcc -O1 -fno-builtin -static -o deep "$progs/deep.c"
same "10,000 frames" 1 ./deep.wm
kinds=("-O2" "-O2 -static")
[ -z "${WM_LONG:-}" ] || kinds=("-O2 -fPIE -static-pie" "-O0 -static" "${kinds[@]}")
for flags in "${kinds[@]}"; do
	wmcc $flags -fno-builtin -pthread -o walks "$progs/walks.c"
	same "stacks of all kinds, $flags" 40000 ./walks.wm
done
# what WM_UNWIND=check does not go through: the paths of late are remembered
if [ -n "${WM_LONG:-}" ]; then
	for u in table libunwind; do
		rm -rf run
		mkdir run
		WM_DIR=run WM_UNWIND=$u ./walks.wm
		"$dump" run/*/rank-*.wmt.xz |
			awk '$3 == "MALLOC" {$2 = $4 = ""; print}' | sort >$u.paths
	done
	is "stacks of all kinds, without check: the paths of libunwind" \
		"$(wc -l <table.paths) $(cksum <table.paths)" \
		"$(wc -l <libunwind.paths) $(cksum <libunwind.paths)"
fi
# ---- frame pointers that change where return addresses do not ----
for flags in "-O0" "-O2"; do
	wmcc $flags -static -o pointers "$progs/runtime/pointers.c"
	same "frame pointers, $flags" 29000 ./pointers.wm
	for u in table libunwind; do
		rm -rf run
		mkdir run
		WM_DIR=run WM_UNWIND=$u ./pointers.wm >out
		"$dump" run/*/rank-*.wmt.xz |
			awk '$3 == "MALLOC" {$2 = $4 = ""; print}' | cksum >$u.paths
	done
	is "frame pointers, $flags, without check: the paths of libunwind" \
		"$(cat table.paths)" "$(cat libunwind.paths)"
done
for flags in "-O2 -static" "-O3"; do
	wmcc $flags -fno-builtin -o same_frame "$progs/runtime/same_frame.c"
	same "frames of one size, $flags" 2600 ./same_frame.wm
	# how many frames: the shorter path has four less
	rm -rf run
	mkdir run
	WM_DIR=run ./same_frame.wm >out
	is "frames of one size, $flags, without check" "$("$dump" \
		run/*/rank-*.wmt.xz | awk '$3 == "MALLOC" && $5 ~ /^3(00|33)$/ {
		n[$5 " " NF]++ } END { for (i in n) print n[i] }')" \
		"50
50"
done
wmcc -O2 -o coroutines "$progs/runtime/coroutines.c"
same "coroutines, up to where makecontext began them" 9600 ./coroutines.wm
# a stack in a frame of main's is not the thread's own, though it is as near
for flags in "-O2" "-O0"; do
	wmcc $flags -fno-builtin -static -o own_stack \
		"$progs/runtime/own_stack.c"
	WM_DIR=run ./own_stack.wm >out 2>err
	is "a coroutine's stack in main's frame ends, $flags" "$? $(cat out)" "0 ok"
done
wmcc -O2 -static -o places "$progs/runtime/places.c"
same "addresses of one path at places of another" 3000 ./places.wm
wmcc -O2 -fno-omit-frame-pointer -static -o places "$progs/runtime/places.c"
same "the same, with frame pointers" 3000 ./places.wm
# ---- recursion: what is far out is compared by its period ----
kinds=("-O2" "-O0")
[ -z "${WM_LONG:-}" ] || kinds=("-O3 -fno-omit-frame-pointer" "-O1" "${kinds[@]}")
for flags in "${kinds[@]}"; do
	wmcc $flags -static -pthread -o repeats "$progs/runtime/repeats.c"
	same "recursions, $flags" 42000 ./repeats.wm
	for u in table libunwind; do
		rm -rf run
		mkdir run
		WM_DIR=run WM_UNWIND=$u ./repeats.wm >out
		"$dump" run/*/rank-*.wmt.xz |
			awk '$3 == "MALLOC" {$2 = $4 = ""; print}' | cksum >$u.paths
	done
	is "recursions, $flags, without check: the paths of libunwind" \
		"$(cat table.paths)" "$(cat libunwind.paths)"
done
wmcc -O2 -static -o shrinking "$progs/runtime/shrinking.c"
same "a stack that is shorter than it was" 800 ./shrinking.wm
for flags in "-O2" "-O2 -fno-omit-frame-pointer" "-O0"; do
	wmcc $flags -static -o shrinking "$progs/runtime/shrinking.c"
	rm -rf run
	mkdir run
	got=
	for by in 1 3 5 9; do
		got="$got $(WM_DIR=run ./shrinking.wm $by) $?"
	done
	is "nothing is read where it ends, $flags" \
		"$got" " 817 0 286 0 180 0 110 0"
done
wmcc -O1 -fno-builtin -static -o jump "$progs/jump.c" "$progs/jump_alloc.c"
same "events left by longjmp" 20000 ./jump.wm
wmf90 -O2 -g -static -o matmul "$progs/runtime/matmul.f90"
same "Fortran, AVX matmul" 500 ./matmul.wm
for kind in -static-pie -pie; do
	wmcxx -O2 -fPIE $kind -o mesh "$progs/mesh.cpp"
	same "C++ exceptions, $kind" 50000 ./mesh.wm
done
# ---- frame pointers ----
wmcc -O1 -fno-builtin -fno-omit-frame-pointer -fno-optimize-sibling-calls \
	-static -o garbage "$progs/garbage.c"
for u in table fp; do
	rm -rf run
	mkdir run
	is "anything in the frame pointer, WM_UNWIND=$u" \
		"$(WM_DIR=run WM_UNWIND=$u ./garbage.wm) $?" "515 0"
	"$dump" run/*/rank-*.wmt.xz | awk '$3 == "MALLOC" && $5 == 777' |
		cut -d' ' -f6- >$u.path
done
is "fp: the innermost 200 frames are those of the table" \
	"$(cut -d' ' -f-203 fp.path)" "$(cut -d' ' -f-203 table.path)"
is "fp: and they are 200" "$(($(wc -w <fp.path) >= 203))" 1
for flags in "-O2 -fno-omit-frame-pointer" "-O2 -fomit-frame-pointer"; do
	wmcxx $flags -g -static -o flow "$progs/runtime/flow.cpp" 2>build.log
	rm -rf run
	mkdir run
	for u in table fp; do
		WM_DIR=run WM_NAME=$u WM_UNWIND=$u ./flow.wm || echo "died"
		wm-analyze --json run/$u.*/rank-*.wmt.xz |
			jq -c '[.events, .ranks[0].peak_bytes]' >$u.sums
	done
	is "fp: odd control flow, $flags" "$(cat fp.sums)" "$(cat table.sums)"
done
done_testing
