# SPDX-License-Identifier: Apache-2.0
# Folding rules: listed, switched off, extended; what MPI allocates counts for
# the function of MPI that the program called.
. "$(dirname "$0")/../lib.sh" analyze-lib

# A run of paths that rules are about: without objects, names decide.
run app.1.wm <<'E'
elf app
build-id 0011
rank 0 of 1
t 1000010 malloc 0x1000 1 main<solve<strdup
t 1000020 malloc 0x2000 2 main<MPI_Init<MPIR_Init_impl<hwloc_load<strdup
t 1000030 malloc 0x3000 4 main<setup<_ZNSt6vectorIdE4growEv<_Znwm
t 1000040 malloc 0x4000 8 main<solve<__wrap_MPI_Send<PMPI_Send<MPIDI_Send
t 1000050 malloc 0x5000 16 main<MPI_Op<callback<_ZNSt6vectorIdE4growEv
t 1000060 malloc 0x6000 32 start_thread<MPID_Progress<MPIDI_Alloc
t 1000070 malloc 0x7000 64 main<mpi_bcast_<mpi_bcast_<PMPI_Bcast
t 1000080 malloc 0x8000 128 main<solve<pool_get<pool_grow
end
E
# sites ARGUMENTS...: name=bytes of each site
sites() {
	json '" ".join(sorted("%s=%d" % (f["name"].split("(")[0], f["bytes"])
		for f in j["functions"]))' "$@" app.1.wm
}
is "the sites" "$(sites)" \
	"MPID_Progress=32 MPI_Bcast=64 MPI_Init=2 MPI_Send=8 callback=16 pool_grow=128 setup=4 solve=1"
is "raw" "$(sites --fold none)" \
	"MPIDI_Alloc=32 MPIDI_Send=8 PMPI_Bcast=64 operator new=4 pool_grow=128 std::vector<double>::grow=16 strdup=3"
is "one group switched off" "$(sites --fold -mpi)" \
	"MPIDI_Alloc=32 MPIDI_Send=8 PMPI_Bcast=64 callback=16 hwloc_load=2 pool_grow=128 setup=4 solve=1"
is "two groups switched off" "$(sites --fold -c++ --fold=-libc)" \
	"MPID_Progress=32 MPI_Bcast=64 MPI_Send=8 operator new=4 pool_grow=128 std::vector<double>::grow=16 strdup=3"
is "and on again" "$(sites --fold none --fold +mpi --fold +libc)" \
	"MPID_Progress=32 MPI_Bcast=64 MPI_Send=8 hwloc_load=2 operator new=4 pool_grow=128 solve=1 std::vector<double>::grow=16"
# A component of MPI that was unloaded meanwhile; and code of no module that MPI
# did not call.
run gone.1.wm <<'E'
elf gone
rank 0 of 1
t 1000010 malloc 0x1000 1 main<MPI_Init<0x7f0000001234<hwloc_load
t 1000020 malloc 0x2000 2 main<setup<0x7f0000001234<hwloc_load
end
E
is "what is in no module goes with MPI around it" "$(json \
	'sorted((f["name"], f["bytes"]) for f in j["functions"])' gone.1.wm)" \
	"[('MPI_Init', 1), ('hwloc_load', 2)]"
# Requests of hwloc's plugins are MPI's when MPI has called them; a program that
# opens two windows itself has its own.
run x11.1.wm <<'E'
elf x11
module 0 0x400000 0x500000 -
module 0x600000 0x600000 0x700000 /nowhere/libmpi.so.40
module 0x700000 0x700000 0x800000 /nowhere/hwloc/hwloc_gl.so
module 0x800000 0x800000 0x900000 /nowhere/libxcb.so.1
rank 0 of 1
t 1000010 malloc 0x1000 1 main<0x600100<0x700100<0x800100
t 1000020 malloc 0x2000 1 main<window<0x800100
t 1000030 malloc 0x3000 1 main<window<0x800110
t 1000040 malloc 0x4000 1 main<window<0x800100
t 1000050 malloc 0x5000 1 main<window<0x800110
end
E
is "libraries below hwloc's plugins" "$(json 'sorted((s["bytes"], s["runtime"])
	for s in j["never_freed"]["sites"])' --leaks x11.1.wm)" \
	"[(1, 'mpi'), (4, None)]"
cat >mine <<'E'
# my pool is an allocator

allocator   name   pool_*
show name MPID_Pro*
show	name	std::vector<double>::*
E
is "rules of one's own" "$(sites --fold mine)" \
	"MPIDI_Alloc=32 MPI_Bcast=64 MPI_Init=2 MPI_Send=8 solve=129 std::vector<double>::grow=20"
wm-analyze --rules --fold mine >all
is "the list can be read again" "$(wm-analyze --fold none --fold all --rules)" \
	"$(cat all)"
is "and gives the same answers" "$(sites --fold none --fold all)" \
	"$(sites --fold mine)"
is "built-in rules are in the list" "$(grep -c '^libc *object *libc.a$' all)" 1
is "and those of the user" "$(grep -c '^allocator *name *pool_\*$' all)" 1

# wrong TEXT CONTENT: what the message says of a file of rules
wrong() {
	printf '%b' "$2" >bad
	is "status: $1" "$(status wm-analyze --fold bad app.1.wm)" 2
	like "says: $1" "$(wm-analyze --fold bad app.1.wm 2>&1)" "$1"
}
wrong "'bad' line 2: 'libx' is no group" '# one\nlibx name y\n'
wrong "'bad' line 1: wanted: libc object" 'libc nam y\n'
wrong "'bad' line 1: wanted: libc object" 'libc name\n'
wrong "'bad' line 1: wanted: mpi object" 'mpi forward x\n'
is "a file that is not there" "$(status wm-analyze --fold nofile app.1.wm)" 2
like "a group that is not there" \
	"$(wm-analyze --fold -libx app.1.wm 2>&1)" "no such group"
is "rules are no JSON" "$(status wm-analyze --rules --json)" 2

# Bindings and other names of a function of MPI are that function.
run bind.1.wm <<'E'
elf app
build-id 0011
rank 0 of 1
t 1000010 malloc 0x1000 1 main<mpi_bcast_f08_<pmpi_bcast_<PMPI_Bcast<MPIR_x
t 1000020 malloc 0x2000 2 main<ompi_mpi_finalize<opal_y
t 1000030 malloc 0x3000 4 main<MPI_Init<MPIDI_Init<PMPI_Comm_dup<MPIR_x
end
E
is "bindings" "$(wm-analyze --tree --csv bind.1.wm | cut -d, -f2,5 |
	sed 1d | tr '\n' ' ')" \
	"main,7 main;MPI_Init,4 main;MPI_Finalize,2 main;MPI_Bcast,1 "

# Real programs.
bring mpi/keep.c mpi/keep.f90
# Open MPI, whose libraries are shared.
if command -v mpicc.openmpi >/dev/null; then
	for how in "WM_CC=mpicc.openmpi wmcc -g keep.c" \
		"WM_FC=mpif90.openmpi wmf90 -g keep.f90"; do
		rm -rf run
		ok "builds with Open MPI: $how" env ${how% *} -o hello ${how##* }
		WM_DIR=run timeout 100 mpirun.openmpi --allow-run-as-root \
			--oversubscribe -n 1 ./hello.wm >out 2>&1 || cat out
		is "MPI is one call of the program" "$(json '[f["name"]
			for f in j["functions"] if f["bytes"] > 60000 and
			f["name"][0] != "?"][0], [l["kind"]
			for l in j["libraries"] if l["group"] == "mpi"][0]' \
			--libraries run/*.wm)" "MPI_Init library"
		is "nothing of it is a place of its own" "$(json \
			'[f["name"] for f in j["functions"] if ("MPI" in
			f["name"] or f["name"].startswith(("opal", "ompi",
			"mca", "dl"))) and not (f["name"][:4] == "MPI_" and
			f["name"][4:].isalpha())]' run/*.wm)" "[]"
	done
else
	skip "Open MPI" "it is not installed"
fi
rm -rf run

# The memory of MPI in a static program, by archive.
mpi=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null) || {
	skip "static MPICH" "scripts/setup --mpi has not been run"
	done_testing
	exit
}
# held RUN: sites of more than 60000 bytes or of MPI, "main=77777"
held() {
	json '" ".join(sorted("%s=%d" % (f["name"], f["bytes"] // 1000)
		for f in j["functions"] if f["bytes"] > 60000 or
		"MPI" in f["name"]))' "$@" | sed 's/\(MPI_[IF][a-z]*\)=[0-9]*/\1/g'
}
# hello SOURCE SITES: MPI and what it is made of, and who holds much
hello() {
	WM_DIR=run ./hello.wm >out 2>&1 || cat out
	is "the sites of $1" "$(held run/*.wm)" "$2"
	ok "more of them raw" test \
		"$(json 'len(j["functions"])' --fold none run/*.wm)" -gt \
		"$(json 'len(j["functions"]) + 3' run/*.wm)"
	strip hello.wm
	rm -rf run
	WM_DIR=run ./hello.wm >out 2>&1
	is "stripped: the sites of $1" "$(held run/*.wm)" "$2"
	rm -rf run
}
ok "builds keep.c" env WM_CC="$mpi/bin/mpicc" wmcc -g -static -o hello keep.c
hello keep.c "MPI_Finalize MPI_Init main=77"
ok "builds keep.f90" env WM_FC="$mpi/bin/mpif90" wmf90 -g -static -o hello \
	keep.f90
hello keep.f90 "MAIN__=80 MPI_Finalize MPI_Init"
done_testing
