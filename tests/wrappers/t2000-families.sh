# SPDX-License-Identifier: Apache-2.0
# Every family is recorded once, with its size: what tests/progs state,
# relative to an empty program, by an independent reader.
. "$(dirname "$0")/../lib.sh" python3

# build PROGRAM FLAGS...: PROGRAM.wm from tests/progs/PROGRAM.c
build() {
	local p=$1
	shift
	rm -f "$p" "$p.wm"
	wmcc -O1 -g -fno-builtin "$@" -o "$p" "$progs/$p.c" 2>build.log
}

# run PROGRAM ARGS...: its one trace's summary into $p.json
run() {
	local p=$1 status
	rm -rf run
	WM_DIR=run "./$p.wm" "${@:2}" >out 2>err
	status=$?
	"$dump" --summary run/*/rank-000000.wmt.xz >"$p.json" || return 99
	return $status
}

get() { # PROGRAM JQ-EXPRESSION
	jq -r "$2" "$1.json"
}

# minus PROGRAM KIND: events of this kind beyond those of empty
minus() {
	echo $(($(get "$1" ".counts.$2") - $(get empty ".counts.$2")))
}

for kind in -static "-static-pie -fPIE" "-pie -fPIE" -no-pie; do
	ok "$kind: empty builds" build empty $kind
	ok "$kind: empty runs" run empty
	ok "$kind: families builds" build families $kind
	ok "$kind: families runs" run families
	is "$kind: families is silent" "$(cat out err)" ""
	counts=
	for k in MALLOC CALLOC REALLOC_OUT REALLOC_IN REALLOC_GONE \
		REALLOC_NEW ALIGNED FAILED FREE; do
		counts="$counts $k=$(minus families $k)"
	done
	is "$kind: each call once" "$counts" " MALLOC=3 CALLOC=1\
 REALLOC_OUT=3 REALLOC_IN=2 REALLOC_GONE=1 REALLOC_NEW=2 ALIGNED=5 FAILED=3\
 FREE=9"
	is "$kind: high-water mark" \
		"$(($(get families .peak) - $(get empty .peak)))" 10012
	is "$kind: unfreed bytes" "$(($(get families .unfreed_bytes) - \
		$(get empty .unfreed_bytes)))" 4096
	is "$kind: no release of a block never seen" \
		"$(get families .unknown)" 0
	is "$kind: no allocation at a live address" \
		"$(get families .conflicts)" 0
	is "$kind: complete" "$(get families .complete)" true

	ok "$kind: early builds" build early $kind
	ok "$kind: early runs, all descriptors closed, elsewhere" run early
	is "$kind: before main and after it" \
		"$(minus early MALLOC) $(minus early FREE)" "2 1"
	is "$kind: what the handler kept" "$(($(get early .unfreed_bytes) - \
		$(get empty .unfreed_bytes)))" 2222

	ok "$kind: mappings builds" build mappings $kind
	ok "$kind: mappings runs" run mappings
	counts=
	for k in MAP UNMAP REMAP_OUT REMAP_IN SHM SHM_GONE BREAK_UP \
		BREAK_DOWN FAILED MALLOC FREE; do
		counts="$counts $k=$(minus mappings $k)"
	done
	is "$kind: mappings, breaks and shared memory, each call once" \
		"$counts" " MAP=5 UNMAP=7 REMAP_OUT=2 REMAP_IN=2 SHM=3\
 SHM_GONE=1 BREAK_UP=2 BREAK_DOWN=2 FAILED=0 MALLOC=0 FREE=0"
	is "$kind: what is left of mappings" \
		"$(get mappings '.families | [.mapped, .shm] | @csv')" "60,0"
	is "$kind: their peaks" \
		"$(get mappings '.family_peaks | [.mapped, .shm] | @csv')" \
		"40960,25480"

	ok "$kind: refused builds" build refused $kind
	ok "$kind: refused runs" run refused
	is "$kind: what fails unmaps nothing" \
		"$(get refused '.families.mapped')" 1052672
	is "$kind: a request refused for want of memory is recorded, none for no access" \
		"$(get refused .counts.FAILED)" 1
	is "$kind: a refused release is one of no bytes" \
		"$("$dump" run/*/rank-000000.wmt.xz |
			awk '$3 == "UNMAP" && $5 == 0' | wc -l)" \
		"$([ -s out ] && echo 3 || echo 4)"
	is "$kind: each REMAP_OUT has an end, in a pause, too" \
		"$("$dump" run/*/rank-000000.wmt.xz | grep -A 1 REMAP_OUT |
			awk '{print $3}' | paste -sd ' ')" "REMAP_OUT FAILED"
	is "$kind: the pause ends" \
		"$(get refused '.counts | [.PAUSE, .RESUME] | @csv')" 1,1
done

# The allocator's own mappings are no events, but its footprint.
ok "footprint builds" build footprint -static
ok "footprint runs" run footprint
is "the footprint is what malloc itself says" \
	"$(get footprint .info.footprint)" "$(cat out)"
is "no mapping is recorded for it" "$(minus footprint MAP)" 0
run_with_tunables() {
	export GLIBC_TUNABLES=glibc.malloc.arena_max=2
	run mappings
	local status=$?
	unset GLIBC_TUNABLES
	return $status
}
ok "mappings builds once more" build mappings -static-pie -fPIE
ok "libc maps memory before it has relocated itself" run_with_tunables

# Handlers that map memory in the midst of malloc, and children.
for kind in -static "-static-pie -fPIE" ""; do
	ok "$kind: mapalarm builds" build mapalarm $kind
	ok "$kind: mapalarm runs" run mapalarm
	is "$kind: nothing of it is left" \
		"$(get mapalarm '.families | [.mapped, .stacks] | @csv')" "0,0"
	is "$kind: what is mapped is unmapped, 4000 times and more" "$(get \
		mapalarm '.counts | .MAP == .UNMAP and .MAP > 4000')" true
done

# Stacks of threads: where the threads themselves say that they are.
for kind in -static ""; do
	ok "${kind:-dynamic}: stacks builds" build stacks $kind -lpthread
	ok "${kind:-dynamic}: stacks runs" run stacks
	is "${kind:-dynamic}: each stack, with its guard" "$(sort -u out)" \
		"$("$dump" run/*/rank-000000.wmt.xz |
			awk '$3 == "THREAD_STACK" {print $4, $5}' | sort -u)"
done

# A process ends while a munmap() has not returned, which may be refused.
ok "the library below it builds" gcc -O1 -DLIBRARY -shared -fPIC \
	-o libunmap.so "$progs/unmapping.c"
ok "unmapping builds" build unmapping -pthread -Wl,--no-as-needed -L. \
	-lunmap "-Wl,-rpath,$W"
ok "unmapping runs" run unmapping
is "what has not been unmapped is there" \
	"$(get unmapping '[.families.mapped, .counts.UNMAP, .complete] | @csv')" \
	1048576,2,true

# Calls that are refused when the thread has written their records, as a hook
# within them filled its buffer: all memory is there, at the peak, too.
ok "the library that refuses builds" gcc -O1 -DLIBRARY -shared -fPIC \
	-o librefuse.so "$progs/refusing.c"
ok "refusing builds" build refusing -Wl,--no-as-needed -L. -lrefuse \
	"-Wl,-rpath,$W"
for buffer in 4K 512K; do
	export WM_BUFFER=$buffer
	for how in exit kill end; do
		run refusing $how
		is "$buffer, $how: ends as it should" $? \
			"$([ $how = kill ] && echo 137 || echo 0)"
		wanted="10485760,65536 10485760,65536 UNMAP=$([ $how = end ] &&
			echo 5 || echo 4),1,1,0 0"
		is "$buffer, $how: what is refused is there" "$(get refusing '
			"\(.families | [.mapped, .shm] | @csv) " +
			"\(.family_peaks | [.mapped, .shm] | @csv) " +
			"UNMAP=\(.counts | [.UNMAP, .REMAP_OUT, .REMAP_IN,
				.FAILED] | @csv) \(.info.dropped)"')" "$wanted"
		is "$buffer, $how: by wm-analyze, repacked, too" "$(
			wm-analyze --repack run/* >/dev/null 2>&1
			wm-analyze --json run/* 2>/dev/null | jq -r '.families |
				"\(.mapped.peak) \(.mapped.at_peak) \(.shm.peak) " +
				"\(.mapped.in_peak) \(.stacks.in_peak)"'
		)" "10485760 10485760 65536 true false"
	done
	unset WM_BUFFER
done

# The count at exit is complete: no event is dropped, and END agrees.
is "END counts what the blocks hold" "$(get families .info.total)" \
	"$(get families '[.counts[]] | add')"
done_testing
