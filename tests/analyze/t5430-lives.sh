# SPDX-License-Identifier: Apache-2.0
# Lives of blocks: --leaks with times, --temporaries, --sizes.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib python3

# Ticks of 1 ns.
run app.1.wm <<'E'
program app
elf app.wm
id 1
module 0 0x400000 0x500000 -
module 0x600000 0x600000 0x700000 /lib/x86_64-linux-gnu/libc.so.6
module 0x800000 0x800000 0x900000 /usr/lib/libmpi.so.40
rank 0 of 2
t 2000000 malloc 0x1000 1000 main<make
t 3000000 malloc 0x2000 100 main<make
thread 1
t 4000000 malloc 0x3000 10 main<read<0x600100
t 5000000 malloc 0x4000 33 main<read<strdup
thread 0
t 6000000 malloc 0x5000 70 main<0x800100<0x800200
t 6000000 malloc 0x7000 7 main<make
t 6000100 malloc 0x6000 4 main<churn
t 6000199 free 0x6000
t 6000200 malloc 0x6000 4 main<churn
t 6000300 free 0x6000
t 6000400 malloc 0x6000 4 main<churn
t 6000500 malloc 0x8000 0 main<churn
t 6001400 realloc 0x6000 0x6000 5 main<grow
thread 1
t 6002399 free 0x8000
t 7001400 free 0x6000
thread 0
t 8000000 map 0x100000 8192 main<pages
t 9000000 unmap 0x100000 4096
t 9500000 pause
t 9600000 free 0x9000
t 9700000 resume
t 9900000 free 0x1000
end
rank 1 of 2
t 1500000 malloc 0x1000 10 main<make
t 1600000 free 0x1000
t 9000000 malloc 0x2000 10 main<make
end
E

# leaks ARGUMENT...: sites with bytes, blocks, first, last and whose
leaks() {
	json '[(s["name"], s["bytes"], s["blocks"], s["first_s"], s["last_s"],
		s["runtime"]) for s in j["never_freed"]["sites"]]' --leaks "$@"
}

is "leaks: a part of a mapping, first and last time, runtimes apart" \
	"$(leaks --rank 0 app.1.wm)" "[('pages', 4096, 1, 0.007, 0.007, None), \
('make', 107, 2, 0.002, 0.005, None), ('read', 33, 1, 0.004, 0.004, None), \
('?? (libmpi.so.40+0x100)', 70, 1, 0.005, 0.005, 'mpi'), \
('read', 10, 1, 0.003, 0.003, 'libc')]"
is "leaks: sums" "$(json '[j["never_freed"][k][v] for k in ("program",
	"runtime") for v in ("bytes", "blocks")]' --leaks --rank 0 app.1.wm)" \
	"[4236, 4, 80, 2]"
is "leaks: every report has the plain list" \
	"$(json 'sum(f["bytes"] for f in j["leaks"])' app.1.wm)" 4316
for all in "" "--rank all"; do
	is "leaks: all ranks ($all)" \
		"$(leaks $all app.1.wm | grep -o "'make'[^)]*")" \
		"'make', 117, 3, 0.002, 0.008, None"
done
text=$(wm-analyze --leaks --rank 0 app.1.wm)
like "leaks: text" "$text" '^The program.s: 4\.1 KiB in 4 blocks$'
like "leaks: text of runtimes" "$text" \
	'^Kept by runtimes .*: 80 bytes in 2 blocks$'
like "leaks: times" "$text" '107 bytes +2  2\.000 ms  5\.000 ms  unknown +make$'
is "leaks: CSV" "$(wm-analyze --leaks --csv app.1.wm | sed -n 3p)" \
	"117,3,0.002000,0.008000,2,0,107,0,,make,,0,unknown,,"

# 160 ms: one stretch is 10 ms.  In rank 0 step leaves a block in each of
# three stretches, the outer ones four apart; near in three neighbours; twice in
# two that are far apart.  start leaves many at once, each rank at another time.
# The phases, the iterations and the rest of the program do not matter.
for r in 0 1 2; do
	cat <<E
rank $r of 3
t 1000000 malloc 0x1000 1 main<first
t $((2000000 + r * 5000000)) malloc 0x2000 100 main<start
t $((2000100 + r * 5000000)) malloc 0x2100 100 main<start
$([ $r != 0 ] || echo "t 4100000 malloc 0x3000 1000 main<step
t 4200000 malloc 0x4000 10 main<near
t 5200000 malloc 0x4100 10 main<near
t 6200000 malloc 0x4200 10 main<near
t 6300000 malloc 0x5000 7 main<twice
t 8100000 malloc 0x3100 1000 main<step
t 12100000 malloc 0x3200 1000 main<step
t 15000000 malloc 0x5100 7 main<twice")
t 16999999 free 0x1000
end
E
done >grow.txt
{ printf 'program grow\nelf grow\nid 1\n'; sed 's/^t [0-9]*/&0/' grow.txt; } |
	run grow.1.wm
is "leaks: what grows" "$(json '{s["name"]: s["growth"] for s in
	j["never_freed"]["sites"]}' --leaks grow.1.wm)" "{'step': 'grows', \
'start': 'once', 'near': 'once', 'twice': 'once'}"
text=$(wm-analyze -q --leaks grow.1.wm)
like "leaks: how much of it" "$text" \
	'^  2\.9 KiB of it grow: allocated again and again while the program ran; the other 644 bytes do not\.$'
like "leaks: nothing of it" "$(wm-analyze -q --leaks --rank 1 grow.1.wm)" \
	'^  None of it grows: no call path went on leaving blocks while the program ran\.$'
# Three that are made slowly at the start, and no more for the longer part.
run slow.1.wm <<'E'
program slow
elf slow
id 1
rank 0 of 1
t 10000000 malloc 0x1000 1000 main<handle
t 40000000 malloc 0x2000 1000 main<handle
t 70000000 malloc 0x3000 1000 main<handle
t 170000000 malloc 0x4000 1 main<end
end
E
is "leaks: no more is no growth" "$(json '({s["name"]: s["growth"] for s in
	j["never_freed"]["sites"]}, j["never_freed"]["program"]["growth"])' \
	--leaks slow.1.wm)" "({'handle': 'stopped', 'end': 'once'}, 'stopped')"
like "leaks: until when" "$(wm-analyze -q --leaks slow.1.wm)" \
	'^  2\.9 KiB of it came again and again until 69\.000 ms, and none after that\.$'
# Five in the last tenth of 200 ms, and five at once at its end.
{
	printf '%s\n' 'program late' 'elf late' 'id 1' 'rank 0 of 1' \
		't 1000 malloc 0x80000 1 main<first'
	for i in 0 1 2 3 4; do
		echo "t $((182000000 + i * 4000000)) malloc 0x${i}1000 8 main<step"
	done
	for i in 0 1 2 3 4; do
		echo "t $((199000000 + i)) malloc 0x${i}2000 8 main<end"
	done
	printf '%s\n' 't 200000000 malloc 0x70000 1 main<one' end
} | run late.1.wm
is "leaks: too late to show it" "$(json '{s["name"]: s["growth"] for s in
	j["never_freed"]["sites"]}' --leaks late.1.wm)" \
	"{'end': 'once', 'step': 'unknown', 'first': 'once', 'one': 'once'}"
like "leaks: it came late" "$(wm-analyze -q --leaks late.1.wm)" \
	'^  Whether 40 bytes of it grow is not known: it came in the last quarter of the run; the other 42 bytes do not\.$'
# The same in 16 ms, which are too short to show it.
{ printf 'program short\nelf short\nid 1\n'; cat grow.txt; } | run short.1.wm
is "leaks: too short a run" "$(json '({s["growth"] for s in
	j["never_freed"]["sites"]}, j["never_freed"]["program"]["growth"],
	j["never_freed"]["program"]["grows_bytes"])' --leaks short.1.wm)" \
	"({'unknown'}, 'unknown', 0)"
like "leaks: a report of it" "$(wm-analyze -q --leaks short.1.wm)" \
	"^  Whether it grows is not known: the program's part of the run was shorter than 100 ms\.$"
# One block of a call path is no growth, however short the time is.
run one.1.wm <<'E'
program one
elf one
id 1
rank 0 of 1
t 1000000 malloc 0x1000 100 main<one
t 2000000 malloc 0x2000 10 main<two
t 3000000 malloc 0x3000 10 main<two
end
E
like "leaks: known in part" "$(wm-analyze -q --leaks one.1.wm)" \
	"^  Whether 20 bytes of it grow is not known: the program's part of the run was shorter than 100 ms; the other 100 bytes do not\.$"

# An array grows by realloc to the end, another in the first 30 ms alone.
# temp grows many, one after the other, and leaves a small one.
{
	printf 'program big\nelf big\nid 1\nrank 0 of 1\n'
	echo "t 1000000 malloc 0x1000 10 main<array
t 1000001 malloc 0x2000 10 main<early"
	for i in {1..15}; do
		echo "t ${i}500000 realloc 0x1000 0x1000 $((1000 * i)) main<array
t $((1000100 + i * 100)) realloc 0x2000 0x2000 $((1000 * i)) main<early
t ${i}500100 malloc 0x3000 10 main<temp
t ${i}500200 realloc 0x3000 0x3000 100000 main<temp
t ${i}500300 free 0x3000"
	done | sort -k2n
	echo "t 16500000 malloc 0x4000 10 main<temp
t 16500001 realloc 0x4000 0x4000 20 main<temp
t 16999999 free 0x9000
end"
} | sed 's/^t [0-9]*/&0/' | run big.1.wm
is "leaks: what realloc grows" "$(json '({s["name"]: s["growth"] for s in
	j["never_freed"]["sites"]}, j["never_freed"]["program"]["grows_bytes"])' \
	--leaks big.1.wm)" \
	"({'array': 'grows', 'early': 'once', 'temp': 'once'}, 15000)"

# growth RUN: of each site, and bytes that grow
growth() {
	json '({s["name"]: s["growth"] for s in j["never_freed"]["sites"]},
		j["never_freed"]["program"]["grows_bytes"])' --leaks "$1"
}

# Calls of one line in a library with lines, by return address, as a compiler
# makes them of a loop: each leaves one block, and moves an array on.
cat >line.c <<'X'
void *take(int n);
#define FOUR(n) take(n), take(n + 1), take(n + 2), take(n + 3)
void step(void) { FOUR(0); FOUR(4); }
void apart(void)
{
	take(0);
	take(1);
	take(2);
}
X
gcc -g -O0 -fPIC -shared -Wl,--build-id -o libline.so line.c
calls=($(objdump -d libline.so | awk '/call.*take/ { take = 1; next }
	take { sub(":", "", $1); print "0x" $1; take = 0 }'))
is "one line: calls" "${#calls[@]}" 11
id=$(readelf -n libline.so | sed -n 's/.*Build ID: //p')
# calls_of RUN FIRST LAST: rank 0 leaves a block in each of these; ranks 1 and 2
# leave one of the first call each
calls_of() {
	local k time
	{
		printf '%s\n' "program $1" "elf $1" 'id 1' \
			'module 0 0x400000 0x500000 -' \
			"module 0x600000 0x600000 0x700000 $PWD/libline.so $id" \
			'rank 0 of 3' 't 1000001 malloc 0x1000 8 main<first' \
			't 2000000 malloc 0x2000 8 main<0x601000'
		for ((k = $2; k <= $3; k++)); do
			time=$((40000000 * (k - $2) + 5000000))
			at=$(printf '%#x' $((0x600000 + calls[k])))
			echo "t $time malloc $((65536 * (k + 1))) 10 main<$at
t $((time + 1)) realloc 0x2000 0x2000 $((k * 100 + 99)) main<$at"
		done
		echo "t $((40000000 * (k - $2))) free 0x1000
end"
		for k in 1 2; do
			at=$(printf '%#x' $((0x600000 + calls[$2])))
			echo "rank $k of 3
t 1000001 malloc 0x1000 8 main<first
t ${k}40000000 malloc 0x2000 10 main<$at
t 400000000 free 0x1000
end"
		done
	} | sed '/^t.*0x601000/d; s/realloc 0x2000 0x2000 99 /malloc 0x2000 99 /' |
		run "$1.1.wm"
}
calls_of same 0 7
is "leaks: calls of one line grow together" "$(growth same.1.wm)" \
	"({'step': 'grows'}, 899)"
is "leaks: of one rank, too" "$(json '[s["growth"] for s in
	j["never_freed"]["sites"]]' --leaks --rank 0 same.1.wm)" "['grows']"
like "leaks: all that is left of it" "$(wm-analyze -q --leaks same.1.wm)" \
	'^  All of it grows: it was allocated again and again while'
calls_of apart 8 10
is "leaks: those of several lines do not" "$(growth apart.1.wm)" \
	"({'apart': 'once'}, 0)"
# Without lines it is not known.
{
	printf '%s\n' 'program bare' 'elf bare' 'id 1' 'rank 0 of 1' \
		't 1000001 malloc 0x1000 10 main<start'
	for k in 1 2 3 4 5; do
		echo "t ${k}0000000 malloc 0x${k}0000 10 main<step+$((k * 16))"
	done
	printf '%s\n' 't 60000000 free 0x70000' end
} | sed 's/^t [0-9]*0000000/&0/' | run bare.1.wm
is "leaks: calls without lines" "$(growth bare.1.wm)" \
	"({'step': 'unknown', 'start': 'once'}, 0)"
like "leaks: and why" "$(wm-analyze -q --leaks bare.1.wm)" \
	'^  Whether 50 bytes of it grow is not known: it came from several calls whose source lines are not known \(-g\); the other 10 bytes do not\.$'

# until RUN STEP LAST: a block each STEP ms until LAST, in a run of 160 ms
until_ms() {
	local k
	{
		printf '%s\n' "program $1" "elf $1" 'id 1' 'rank 0 of 1' \
			't 1000000 malloc 0x1000 1 main<first'
		for ((k = 1; k <= $3; k += $2)); do
			echo "t $((k * 1000000 + 1000000)) malloc $((k * 65536)) 10 main<step"
		done
		printf '%s\n' 't 161000000 free 0x1000' end
	} | run "$1.1.wm"
	growth "$1.1.wm"
}
is "leaks: a little less than half of the time" "$(until_ms less 2 78)" \
	"({'step': 'stopped'}, 0)"
is "leaks: a little more" "$(until_ms more 2 82)" "({'step': 'stopped'}, 0)"
is "leaks: most of it" "$(until_ms most 2 121)" "({'step': 'grows'}, 610)"
is "leaks: seldom, to the end" "$(until_ms seldom 40 121)" \
	"({'step': 'grows'}, 40)"
is "leaks: a longer time, but not much" "$(until_ms longer 2 105)" \
	"({'step': 'unknown'}, 0)"
like "leaks: and until when" "$(wm-analyze -q --leaks longer.1.wm)" \
	'^  Whether it grows is not known: it came again and again until 105\.000 ms, and no more until the end\.$'

# The main program's handles (MPI_Recv_init) are not its memory.
{
	printf '%s\n' 'program own' 'elf own' 'id 1' 'rank 0 of 1' \
		't 1000000 malloc 0x1000 100000 main<MAIN__'
	for k in {10..99}; do
		echo "t ${k}000000 mpi 0x2000000000005$k 5 main<MAIN__+32"
	done
	printf '%s\n' 't 110000000 malloc 0x3000 1 main<MAIN__' \
		't 110000001 free 0x3000' end
} | run own.1.wm
is "leaks: only handles grow" "$(growth own.1.wm)" "({'MAIN__': 'handles'}, 0)"

run fort.1.wm <<'E'
elf fort
rank 0 of 1
t 1000010 malloc 0x1000 100 main<MAIN__
t 1000020 malloc 0x2000 10 main<MAIN__<forget_
end
E
like "leaks: allocatables of a main program" "$(wm-analyze --leaks fort.1.wm)" \
	'^  MAIN__ is the main program in Fortran: its allocatables live'
has_no "leaks: no such line without one" 'Fortran' wm-analyze --leaks app.1.wm

# site NAME ARGUMENT...: what --temporaries tells of it
site() {
	local n=$1
	shift
	json '[(s["reusable"], s["blocks"], s["bytes"], s["most"],
		s["released"], s["mean_life_ns"], s["lives"]) for s in
		j["temporaries"]["sites"] if s["name"] == "'"$n"'"]' \
		--temporaries "$@"
}
# churn: lives of 99, 100, 1000 (ended by realloc) and 1899 ns
is "temporaries: by hand" "$(site churn app.1.wm)" \
	"[(2, 4, 12, 2, 4, 774, [1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0])]"
is "temporaries: what realloc gives lives on its own" "$(site grow app.1.wm)" \
	"[(0, 1, 5, 1, 1, 1000000, [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0])]"
is "temporaries: mappings do not count" "$(site pages app.1.wm)" "[]"
is "temporaries: all ranks" "$(site make --rank all app.1.wm | cut -c1-24)" \
	"[(1, 5, 1127, 4, 2, 4000"
is "temporaries: most reusable first" "$(json '[s["name"] for s in
	j["temporaries"]["sites"]][0]' --temporaries app.1.wm)" churn
text=$(wm-analyze --temporaries --rank 0 app.1.wm)
like "temporaries: text" "$text" '^  2 of them could reuse an older block\.$'
like "temporaries: row" "$text" '^ +2 +4 +12 bytes +2 +774 ns +churn$'
like "temporaries: lives" "$text" '^ +< 10 us +2  #{40}$'
is "temporaries: CSV" "$(wm-analyze --temporaries --csv app.1.wm |
	sed -n 2p)" "2,4,12,2,4,774,1,0,2,churn,,0"

sizes() {
	json '[(s["from"], s["to"], s["blocks"], s["bytes"], s["peak_blocks"],
		s["peak_bytes"]) for s in j["sizes"]]' --sizes "$@"
}
is "sizes: of all, and at the peak" "$(sizes app.1.wm)" \
	"[(0, 0, 1, 0, 0, 0), (4, 7, 5, 24, 1, 7), (8, 15, 1, 10, 1, 10), \
(32, 63, 1, 33, 1, 33), (64, 127, 2, 170, 2, 170), \
(512, 1023, 1, 1000, 1, 1000)]"
is "sizes: all ranks" "$(sizes --rank all app.1.wm | grep -o '(8, 15[^)]*)')" \
	"(8, 15, 3, 30, 2, 20)"
is "sizes: CSV" "$(wm-analyze --sizes --csv app.1.wm | sed -n 3p)" \
	"4,7,5,24,1,7"

cp -r app.1.wm packed.1.wm
wm-analyze --quiet --repack packed.1.wm >/dev/null
for r in leaks temporaries sizes; do
	is "repacked: --$r" \
		"$(answer wm-analyze --quiet --$r --csv packed.1.wm)" \
		"$(answer wm-analyze --quiet --$r --csv app.1.wm)"
done

# The function that the program calls decides, not those that it calls.
run libc.1.wm <<'E'
program libc
elf libc.wm
id 1
rank 0 of 1
t 2000000 malloc 0x1000 8 main<copy<strdup
t 2000000 malloc 0x2000 4 main<start<_nl_find_locale<strdup
end
E
is "leaks: libc keeps what it duplicates for itself" "$(leaks libc.1.wm)" \
	"[('copy', 8, 1, 0.001, 0.001, None), \
('start', 4, 1, 0.001, 0.001, 'libc')]"

run none.1.wm <<'E'
program none
elf none.wm
id 1
rank 0 of 1
end
E
is "no events" "$(leaks none.1.wm) $(site main none.1.wm) \
$(sizes none.1.wm)" "[] [] []"

# Killed, and a block is missing between birth and release.
run dead.1.wm <<'E'
program dead
elf dead.wm
id 1
rank 0 of 1
t 2000000 malloc 0x1000 10 main<one
t 2000000 malloc 0x2000 10 main<one
block
skip 1
t 4000000 free 0x1000
t 5000000 malloc 0x3000 20 main<two
E
is "killed, with a gap: no leaks" "$(leaks dead.1.wm)" "[]"
is "killed, with a gap: held" "$(json '[(s["name"], s["bytes"], s["blocks"],
	s["first_s"], s["last_s"], s["runtime"]) for s in
	j["never_freed"]["held_sites"]]' --leaks dead.1.wm)" \
	"[('two', 20, 1, 0.004, 0.004, None), ('one', 10, 1, 0.001, 0.001, None)]"
is "killed, with a gap: lives" "$(site one dead.1.wm)" \
	"[(0, 2, 20, 2, 1, 2000000, [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0])]"
is "killed: partial" "$(status wm-analyze --temporaries dead.1.wm)" 4
done_testing
