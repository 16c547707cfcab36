# SPDX-License-Identifier: Apache-2.0
# Whose it is that memory was never freed: by call path, not by names of libraries.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib python3

# whose ARGUMENT...: bytes and who keeps them
whose() {
	json 'sorted((s["bytes"], s["runtime"], s["name"])
		for s in j["never_freed"]["sites"])' --leaks "$@"
}

# Drivers below MPI_Init, which no rule names (0x700000), the loader (0x800000),
# and a library of which nothing is known (0x900000): what it leaves once may be
# its cache or an object
run app.1.wm <<'X'
program app
elf app
id 1
module 0 0x400000 0x500000 -
module 0x700000 0x700000 0x800000 /nowhere/libdriver-devices.so
module 0x800000 0x800000 0x900000 /nowhere/ld-linux-x86-64.so.2
module 0x900000 0x900000 0xa00000 /nowhere/libphysics.so
rank 0 of 1
t 1000010 malloc 0x1000 1 main<MPI_Init<hwloc_load<0x700100<0x700200
t 1000020 malloc 0x2000 2 main<MPI_Init<0x700100<0x700300
t 1000030 malloc 0x3000 4 main<MPI_Allreduce<0x700400
t 1000040 malloc 0x4000 8 main<MPI_Allreduce<add<0x900100
t 1000050 malloc 0x5000 16 main<MPI_Allreduce<add
t 1000060 malloc 0x6000 32 main<0x900200
t 1000070 malloc 0x7000 64 main<0x900300<MPI_Init<0x700500
t 1000080 malloc 0x8000 128 0x800100<0x900400
t 1000090 malloc 0x9000 256 main<0x800200<0x900500<malloc
t 1000100 malloc 0xa000 512 main<0x900600<0x800300<0x700600
t 1000110 malloc 0xb000 1024 0x900700
end
X
is "below MPI: MPI's, but for callbacks of the program" "$(whose app.1.wm |
	sed 's/), /)\n/g' | grep -v -e library -e unknown)" "[(4, 'mpi', 'MPI_Allreduce')
(16, None, 'add')
(67, 'mpi', 'MPI_Init')
(1024, None, '?? (libphysics.so+0x700)')]"
is "constructors: the library's; what is left once: not known" "$(json '[sorted(s["bytes"]
	for s in j["never_freed"]["sites"] if s["runtime"] == r)
	for r in ("library", "unknown")]' --leaks app.1.wm)" "[[128, 256, 512], [8, 32]]"
is "the gate follows" "$(status wm-analyze --fail-on leaks=1040 app.1.wm) $(status \
	wm-analyze --fail-on leaks=1039 app.1.wm)" "0 1"
# The same in each list: the program's, those not known, libraries', runtimes',
# most bytes first.
order="[(1024, None), (16, None), (32, 'unknown'), (8, 'unknown'), \
(512, 'library'), (256, 'library'), (128, 'library'), (67, 'mpi'), (4, 'mpi')]"
is "JSON without a report: whose, in order" "$(json '[(s["bytes"], s["runtime"])
	for s in j["leaks"]]' app.1.wm)" "$order"
is "--leaks --json" "$(json '[(s["bytes"], s["runtime"])
	for s in j["never_freed"]["sites"]]' --leaks app.1.wm)" "$order"
is "--leaks --csv" "$(wm-analyze -q --leaks --csv app.1.wm | cut -d, -f1,9 |
	xargs)" "bytes,runtime 1024, 16, 32,unknown 8,unknown 512,library \
256,library 128,library 67,mpi 4,mpi"
is "MPI's share, too" "$(json 'j["mpi"]["inside_bytes"]' app.1.wm)" 71

# Handles of MPI (docs/trace-format.md, 5.13), which are no memory: requests
# (class 1) by MPI_Send_init (1) and MPI_Recv_init (5), operations (class 2).
# Those that MPI makes for itself are its own; others may be freed that no call
# made.
# One of 30 is freed in MPI_Finalize, which calls the functions of attributes.
{
	cat <<'X'
program handles
elf handles
id 1
module 0 0x400000 0x500000 -
rank 0 of 1
t 1000000 mpi 0x200000000000500 5 main<once
t 1000001 mpi 0x400000000000500 29 main<MPI_Op_create<mpi_op_create_f08_
t 1000002 mpi 0x400000000000501 29 main<MPI_File_open<MPI_File_setup
t 1000003 mpi 0x200000000000502 5 main<freed
t 1000004 mpi-free 0x200000000000502
t 1000005 mpi-free 0x200000000000777
t 1000006 mpi 0x200000000000500 5 main<again
t 1000007 mpi 0x200000000000503 999 main<unknown
t 1000008 malloc 0x1000 100 main<solve
t 1000009 mpi 0x5000 50 main<window
t 1000010 initialized
X
	for ((i = 0; i < 30; i++)); do
		echo "t $((2000000 + i * 5000000)) mpi 0x$((200000000000600 + i)) 1 main<send"
	done
	printf 't 150000000 finalize\nt 150000001 mpi-free 0x200000000000600\n'
	printf 't 150000002 mpi 0x200000000000700 1 main<late\nend\n'
} | run handles.1.wm
is "handles: how many, by whom" "$(json '[(s["name"], s["handles"],
	s["made_by"], s["bytes"], s["growth"])
	for s in j["never_freed"]["sites"] if s["handles"]]' --leaks \
	handles.1.wm)" "[('send', 29, 'MPI_Send_init', 0, 'grows'), \
('again', 1, 'MPI_Recv_init', 0, 'once'), \
('main', 1, 'MPI_Op_create', 0, 'once')]"
is "handles: no memory, no faults" "$(json 'j["events"]["mpi"],
	j["events"]["mpi_free"], j["events"]["unknown_free"],
	j["events"]["conflicts"], j["events"]["total"],
	[v for k, v in j["ranks"][0].items() if k[:3] == "mpi"]' \
	handles.1.wm)" "1 0 0 0 2 [50, 50, 50, 1]"
is "handles: the gate" "$(status wm-analyze -q --fail-on leaks=150 \
	handles.1.wm) $(json 'j["gates"][0]["handles"]' --fail-on leaks \
	handles.1.wm)" "0 31"
# Handles that a library makes (0x900000, without lines) are by the program's call
# of it; of one a rank it is not known whether the library keeps it.
{
	printf 'program through\nelf through\nid 1\n'
	printf 'module 0 0x400000 0x500000 -\n'
	echo 'module 0x900000 0x900000 0xa00000 /nowhere/libphysics.so'
	for ((i = 0; i < 2; i++)); do
		cat <<X
rank $i of 2
t 1000000 mpi 0x1000000000000500 63 main<several<0x900100<0x900200
t 1000001 mpi 0x1000000000000501 63 main<several<0x900100<0x900200
t 1000002 mpi 0x1000000000000502 63 main<several<0x900100<0x900200
t 1000003 mpi 0x1000000000000503 63 main<one<0x900300
t 1000004 mpi 0x1000000000000504 63 main<direct
t 1000005 finalize
end
X
	done
} | run through.1.wm
is "handles that libraries make" "$(json '[(s["name"], s["handles"],
	s["made_by"], s["runtime"]) for s in j["never_freed"]["sites"]]' \
	--leaks through.1.wm)" "[('several', 6, 'MPI_Comm_dup', None), \
('direct', 2, 'MPI_Comm_dup', None), ('one', 2, 'MPI_Comm_dup', 'unknown')]"
text=$(wm-analyze -q --leaks through.1.wm)
like "handles that libraries make: the call" "$text" \
	'^  6 handles of MPI_Comm_dup by .*libphysics.* in several were not freed$'
like "handles that libraries make: not known whose" "$text" \
	'^  2 handles of MPI_Comm_dup by .*libphysics.* in one$'
is "handles that libraries make: the gate" "$(wm-analyze -q --fail-on leaks \
	through.1.wm 2>&1 >/dev/null)" "wm-analyze: --fail-on leaks: 8 handles of \
MPI were never freed; in several"
# A group (class 10) has references, which MPI_Comm_group (79) returns; the last
# one is freed first.  One that MPI_Group_incl (83) makes is another group.
run groups.1.wm <<'X'
program groups
elf groups
id 1
rank 0 of 1
t 1000000 mpi 0x1400000000000500 79 main<first
t 1000001 mpi 0x1400000000000500 79 main<second
t 1000002 mpi 0x1400000000000500 79 main<second
t 1000003 mpi 0x1400000000000500 79 main<third
t 1000004 mpi-free 0x1400000000000500
t 1000005 mpi 0x1400000000000600 79 main<gone
t 1000006 mpi 0x1400000000000600 79 main<gone
t 1000007 mpi 0x1400000000000600 83 main<made
t 1000008 mpi 0x1400000000000700 79 main<freed
t 1000009 mpi 0x1400000000000700 79 main<freed
t 1000010 mpi-free 0x1400000000000700
t 1000011 mpi-free 0x1400000000000700
t 1000012 mpi-free 0x1400000000000700
t 1000013 finalize
end
X
is "handles: references to groups" "$(json 'sorted((s["name"], s["handles"])
	for s in j["never_freed"]["sites"]), j["events"]["conflicts"]' \
	--leaks groups.1.wm)" \
	"[('first', 1), ('made', 1), ('second', 2)] 0"
# Another thread makes one with a value that was just freed: by the stamps it is
# made first.
run threads.1.wm <<'X'
program threads
elf threads
id 1
rank 0 of 1
t 1000000 mpi 0x200000000000500 1 main<first
t 1002000 mpi-free 0x200000000000500
t 9000000 malloc 0x1000 1 main
t 9000001 free 0x1000
thread 1
t 1001990 mpi 0x200000000000500 1 main<second
t 9000000 malloc 0x2000 1 main
t 9000001 free 0x2000
end
X
is "handles: of two threads" "$(json '[(s["name"], s["handles"])
	for s in j["never_freed"]["sites"]]' --leaks threads.1.wm)" \
	"[('second', 1)]"
is "handles: only a gate without a limit" "$(status wm-analyze -q --fail-on \
	leaks=1 threads.1.wm) $(status wm-analyze -q --fail-on leaks \
	threads.1.wm) $(wm-analyze -q --fail-on leaks threads.1.wm 2>&1 \
	>/dev/null)" "0 1 wm-analyze: --fail-on leaks: 1 handle of MPI was never \
freed; in second"
done_testing
