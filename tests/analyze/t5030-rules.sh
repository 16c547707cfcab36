# SPDX-License-Identifier: Apache-2.0
# The counting rules, one small trace each: order between threads, realloc,
# odd frees, time, generations, modules, allocation sites.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib

# check DESCRIPTION EXPRESSION WANTED [ARGUMENT...]: trace on stdin
check() {
	local d=$1 e=$2 w=$3
	shift 3
	rm -rf x.1.wm
	{
		echo 'elf x'
		echo 'build-id 0011'
		cat
	} | run x.1.wm
	is "$d" "$(json "$e" "$@" x.1.wm)" "$w"
}
PEAK='j["heap"]["peak"]["max"]'
ODD='j["events"]["unknown_free"], j["events"]["conflicts"]'
LEFT='j["ranks"][0]["unfreed_bytes"]'

check "realloc: old and new block never exist together" "$PEAK, $LEFT" \
	"1500 1500" <<'E'
rank 0 of 1
t 1000010 malloc 0x1000 1000 main
t 1000020 realloc 0x1000 0x2000 1500 main
end
E
check "realloc to the same address" "$PEAK, $LEFT, $ODD" "1500 10 0 0" <<'E'
rank 0 of 1
t 1000010 malloc 0x1000 1000 main
t 1000020 realloc 0x1000 0x1000 1500 main
t 1000030 realloc 0x1000 0x1000 10 main
end
E
check "realloc moves the bytes to its own call path" \
	'[(f["name"], f["bytes"]) for f in j["leaks"]]' "[('grow', 30)]" <<'E'
rank 0 of 1
t 1000010 malloc 0x1000 20 main<make
t 1000020 realloc 0x1000 0x2000 30 main<grow
end
E
check "a failed realloc leaves the block" "$PEAK, $LEFT, \
j['events']['failed'], j['events']['realloc']" "20 20 1 0" <<'E'
rank 0 of 1
t 1000010 malloc 0x1000 20 main
t 1000020 out 0x1000
t 1000030 failed 99999 main
end
E
check "realloc(p, 0) frees" "$LEFT, j['events']['realloc'], \
j['events']['free']" "0 1 0" <<'E'
rank 0 of 1
t 1000010 malloc 0x1000 20 main
t 1000020 out 0x1000
t 1000030 gone
end
E
check "realloc across the edge of a block" "$PEAK, $LEFT" "30 30" <<'E'
block-events 2
rank 0 of 1
t 1000010 malloc 0x1000 20 main
t 1000020 realloc 0x1000 0x2000 30 main
end
E
check "a realloc that death interrupted: the block lives" "$LEFT" 20 <<'E'
rank 0 of 1
t 1000010 malloc 0x1000 20 main
t 1000020 out 0x1000
E
check "IN without OUT is an allocation" "$PEAK, j['events']['realloc']" \
	"30 1" <<'E'
rank 0 of 1
t 1000020 in 0x2000 30 main
end
E
check "malloc(0) is an event and a block of 0 bytes" \
	"j['events']['malloc'], j['leaks'][0]['blocks'], $LEFT" "1 1 0" <<'E'
rank 0 of 1
t 1000010 malloc 0x1000 0 main
end
E
check "failed calls may ask for anything" "$PEAK, j['events']['failed']" \
	"0 1" <<'E'
rank 0 of 1
t 1000010 failed 0xffffffffffffffff main
end
E
check "blocks of more than 4 GiB" "$PEAK, $LEFT" "9000000000 5000000000" <<'E'
rank 0 of 1
t 1000010 malloc 0x1000 4000000000 main
t 1000020 malloc 0x7000 5000000000 main
t 1000030 free 0x1000
end
E
check "a free of an unknown block is counted, not subtracted" \
	"$PEAK, $LEFT, $ODD" "20 20 1 0" <<'E'
rank 0 of 1
t 1000010 malloc 0x1000 20 main
t 1000020 free 0x2000
end
E
check "an allocation on a live block replaces it" "$PEAK, $LEFT, $ODD" \
	"30 30 0 1" <<'E'
rank 0 of 1
t 1000010 malloc 0x1000 20 main
t 1000020 malloc 0x1000 30 main
end
E
check "another thread frees a little too early by its clock" \
	"$PEAK, $LEFT, $ODD" "30 0 0 0" <<'E'
rank 0 of 1
thread 1
t 1005000 free 0x1000
t 1005100 malloc 0x2000 30 main
t 1005200 free 0x2000
thread 0
t 1008000 malloc 0x1000 20 main
end
E
check "an early release ends the block before its own" \
	"$PEAK, $LEFT, $ODD" "30 5 0 0" <<'E'
rank 0 of 1
thread 0
t 1000010 malloc 0x1000 10 main
t 1000200 free 0x1000
t 1000210 malloc 0x1000 20 main
t 1900000 malloc 0x3000 5 main
thread 1
t 1000000 malloc 0x2000 10 main
t 1000150 free 0x1000
t 1800000 free 0x2000
end
E
check "the same, but the block never comes" "$LEFT, $ODD" "5 1 0" <<'E'
rank 0 of 1
thread 0
t 1000010 malloc 0x1000 10 main
t 1000200 free 0x1000
t 1900000 malloc 0x1000 5 main
thread 1
t 1000000 malloc 0x2000 10 main
t 1000150 free 0x1000
t 1800000 free 0x2000
end
E
check "beyond the skew window times decide" "$LEFT, $ODD" "20 1 0" <<'E'
rank 0 of 1
thread 1
t 1005000 free 0x1000
thread 0
t 1018000 malloc 0x1000 20 main
end
E
check "another thread gets an address a little too early" \
	"$PEAK, $LEFT, $ODD" "30 30 0 0" <<'E'
rank 0 of 1
thread 0
t 1000010 malloc 0x1000 20 main
t 1006000 free 0x1000
thread 1
t 1003000 malloc 0x1000 30 main
end
E
check "equal times: the rules decide" "$PEAK, $LEFT, $ODD" "30 30 0 0" <<'E'
shift 10
rank 0 of 1
thread 0
t 1000010 malloc 0x1000 30 main
t 1000400 free 0x1000
t 1000400 malloc 0x3000 10 main
thread 1
t 1000400 malloc 0x1000 20 main
end
E
check "two threads that wait for each other go on" "$ODD" "1 0" <<'E'
rank 0 of 1
thread 0
t 1000010 free 0x1000
t 1000500 malloc 0x2000 10 main
thread 1
t 1000010 free 0x2000
t 1000500 malloc 0x1000 10 main
end
E
check "the peak is where it is reached first" \
	'j["ranks"][0]["peak_time_s"]' 2e-06 <<'E'
rank 0 of 1
t 1001000 malloc 0x1000 10 main
t 1002000 malloc 0x2000 10 main
t 1003000 free 0x2000
t 1004000 malloc 0x2000 10 main
end
E
check "ticks become seconds by the clocks" \
	'j["ranks"][0]["peak_time_s"]' 0.25 <<'E'
tick-ns 0.25
start 77
rank 0 of 1
t 1000000077 malloc 0x1000 10 main
t 2000000077 free 0x1000
end
E
check "microseconds of a run of a week" \
	'j["ranks"][0]["peak_time_s"]' 604800.000007 <<'E'
rank 0 of 1
t 1000010 malloc 0x1000 10 main
t 604800001007000 malloc 0x2000 10 main
t 604800001009000 free 0x2000
end
E
check "generations number call paths anew" \
	'[(f["name"], f["bytes"]) for f in j["leaks"]]' \
	"[('b', 20), ('a', 17)]" <<'E'
rank 0 of 1
t 1000010 malloc 0x1000 10 main<a
generation
t 1000020 malloc 0x2000 20 main<b
t 1000030 malloc 0x3000 7 main<a
end
E
check "an empty path has a name" 'j["leaks"][0]["name"]' \
	"?? (no call path)" <<'E'
rank 0 of 1
t 1000010 malloc 0x1000 10 -
end
E
check "an address in no module" 'j["leaks"][0]["name"]' "?? (0x99999999)" <<'E'
rank 0 of 1
t 1000010 malloc 0x1000 10 0x99999999
end
E
check "an address in an unknown library" 'j["leaks"][0]["name"]' \
	"?? (libq.so+0x1234)" <<'E'
module 0 0x400000 0x800000 -
module 0x7f0000000000 0x7f0000000000 0x7f0000010000 /lib/libq.so 77
rank 0 of 1
t 1000010 malloc 0x1000 10 0x7f0000001234
end
E
deep=$(printf 'main%s' "$(printf '<rec%.0s' $(seq 3000))")
check "call paths have no limit" \
	'j["leaks"][0]["name"], j["leaks"][0]["bytes"]' "leaf 10" <<E
rank 0 of 1
t 1000010 malloc 0x1000 10 $deep<leaf
end
E
ok "they can be printed" wm-analyze --leaks --top all x.1.wm
check "ranks at different load addresses have the same functions" \
	'[(f["name"], f["blocks"]) for f in j["leaks"]]' \
	"[('?? (libq.so+0x1234)', 2)]" --rank all <<'E'
module 0x7f0000000000 0x7f0000000000 0x7f0000010000 /lib/libq.so 77
rank 0 of 2
t 1000010 malloc 0x1000 10 0x7f0000001234
end
module 0x7e0000000000 0x7e0000000000 0x7e0000010000 /lib/libq.so 77
rank 1 of 2
t 1000010 malloc 0x1000 10 0x7e0000001234
end
E
check "the rank of MPI_Init corrects the launcher's" \
	'j["run"]["ranks"], j["run"]["complete"]' "1 True" <<'E'
rank 0 of 5
t 1000010 malloc 0x1000 10 main
real-rank 0 of 1
end
E
check "a process without events" "$PEAK, j['events']['total'], \
j['functions'], j['run']['complete']" "0 0 [] True" <<'E'
rank 0 of 1
end
E
is "it has a summary" "$(status wm-analyze x.1.wm)" 0
is "and a timeline" "$(status wm-analyze --timeline --svg s.svg x.1.wm)" 0

# Allocation sites: names and archives that no user wants to see.
site() { # PATH WANTED
	check "site of $1" 'j["leaks"][0]["name"]' "$2" <<E
rank 0 of 1
t 1000010 malloc 0x1000 10 $1
end
E
}
site 'main<f<_Znwm' f
site 'main<f<_ZNSt6vectorIiSaIiEE9push_backEOi<_Znwm' f
site 'main<f<_ZN9__gnu_cxx13new_allocatorIcE8allocateEmPKv<_Znam' f
site 'main<_ZN4Mesh6refineEi<_ZNSs4_Rep9_S_createEmmRKSaIcE' 'Mesh::refine(int)'
site 'MAIN__<__grid_MOD_setup<_gfortran_internal_pack' 'grid::setup'
site 'main<f<strdup<__libc_thing' f
site 'main<f<_IO_file_doallocate<malloc' f
site '__libc_start_main<_dl_relocate<_Znwm' _dl_relocate
site 'main<stdlike<mallocator' mallocator
done_testing
