# SPDX-License-Identifier: Apache-2.0
# Families of memory in the reports: mappings, shared memory, MPI's, stacks.
. "$(dirname "$0")/../lib.sh" analyze-lib

run fam.1.wm <<'E'
elf app.wm
rank 0 of 2
t 1000100 malloc 0x1000 1000 main<setup
t 1000200 map 0x100000 8192 main<maps
t 1000250 stack 0x900000 8388608 main<start
t 1000300 shm 0x200000 4096 main<share
t 1000400 mpi 0x5000 300 main<window
t 1000500 newop 0x6000 50 main<setup
t 1000600 unmap 0x101000 4096
t 1000700 remap-out 0x100000 4096
t 1000800 remap-in 0x300000 12288 main<grow
t 1000900 mpi-free 0x5000
t 1001000 delete 0x6000
t 1001100 shm-gone 0x200000 0
t 1001200 stack-gone 0x900000
t 1001300 brk-up 0x400010 100 main<brk
t 1001400 brk-down 0x400040 52
t 1001500 unmap 0x700000 4096
t 1001600 free 0x5000
end
rank 1 of 2
t 1000100 malloc 0x1000 10 main<setup
t 1000200 map 0x100000 4096 main<maps
t 1000300 map 0x100000 4096 main<over
t 1000400 remap-out 0x100000 4096
t 1000500 failed 8192 main<grow
end
E

fam() { # KEY of each family
	json "[j['families'][k]['$1'] for k in ('heap', 'mapped', 'shm', \
'mpi', 'stacks')]" "${@:2}" fam.1.wm
}
is "peak of all that counts" "$(json 'j["heap"]["peak"]["max"]' fam.1.wm)" \
	$((1000 + 12288 + 4096 + 300 + 50))
is "what each family has in it" "$(fam at_peak)" "[1050, 12288, 4096, 300, \
8388608]"
is "the peak of each" "$(fam peak)" "[1050, 12388, 4096, 300, 8388608]"
is "stacks stand apart" "$(fam in_peak)" "[True, True, True, True, False]"
is "what is left" "$(json "[(r[k + '_unfreed_bytes'], \
r[k + '_unfreed_blocks']) for k in ('heap', 'mapped', 'shm', 'mpi') for r in \
j['ranks']]" fam.1.wm)" \
	"[(1000, 1), (10, 1), (12336, 2), (4096, 1), (0, 0), (0, 0), (0, 0), (0, 0)]"
is "who holds it" "$(json "[(f['name'], f['bytes'], f['blocks']) for f in \
j['functions']]" fam.1.wm)" "[('grow', 12288, 1), ('share', 4096, 1), \
('setup', 1050, 2), ('window', 300, 1)]"
is "a mapping on top replaces, a failed mremap does not" "$(json \
	"[(f['name'], f['bytes']) for f in j['leaks']]" --rank 1 fam.1.wm)" \
	"[('over', 4096), ('setup', 10)]"
is "a block of MPI is no block of the heap, and munmap may find nothing" \
	"$(json "(j['events']['unknown_free'], j['events']['conflicts'])" \
	fam.1.wm)" "(1, 0)"
is "events by function" "$(json "[j['events'][k] for k in ('malloc', 'free', \
'new', 'delete', 'map', 'unmap', 'remap', 'brk', 'shm', 'shm_gone', 'mpi', \
'mpi_free', 'failed', 'thread_stacks', 'total')]" fam.1.wm)" \
	"[2, 1, 1, 1, 3, 2, 1, 2, 1, 1, 1, 1, 1, 1, 18]"
out=$(wm-analyze fam.1.wm)
like "summary: the table of families" "$out" \
	'^  mapped +12\.0 KiB +12\.1 KiB  mmap, brk'
like "summary: stacks" "$out" '^  stacks +8\.0 MiB +8\.0 MiB  .*not part'

run heap.1.wm <<'E'
rank 0 of 1
t 1000100 malloc 0x1000 1000 main
end
E
has_no "no table where there is nothing but heap" "By kind" \
	wm-analyze heap.1.wm
is "no footprint where none was told" \
	"$(json 'j["heap"]["footprint"]["max"]' heap.1.wm)" None
done_testing
