# SPDX-License-Identifier: Apache-2.0
# Whose it is that memory was never freed: by call path, not by names of libraries.
# run: quick
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/analyze-lib.sh"
command -v python3 >/dev/null || skip_all "no python3"

# whose ARGUMENT...: bytes and who keeps them
whose() {
	json 'sorted((s["bytes"], s["runtime"], s["name"])
		for s in j["never_freed"]["sites"])' --leaks "$@"
}

# Drivers below MPI_Init, which no rule names (0x700000), the loader (0x800000),
# and a library of which nothing is known (0x900000): what it leaves once may be
# its cache
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
	sed 's/), /)\n/g' | grep -v library)" "[(4, 'mpi', 'MPI_Allreduce')
(16, None, 'add')
(67, 'mpi', 'MPI_Init')
(1024, None, '?? (libphysics.so+0x700)')]"
is "constructors, and what is left once: the library's" "$(json 'sorted(s["bytes"] for s in
	j["never_freed"]["sites"] if s["runtime"] == "library")' \
	--leaks app.1.wm)" "[8, 32, 128, 256, 512]"
is "the gate follows" "$(status wm-analyze --fail-on leaks=1040 app.1.wm) $(status \
	wm-analyze --fail-on leaks=1039 app.1.wm)" "0 1"
# The same in each list: the program's, libraries', runtimes', most bytes first.
order="[(1024, None), (16, None), (512, 'library'), (256, 'library'), \
(128, 'library'), (32, 'library'), (8, 'library'), (67, 'mpi'), (4, 'mpi')]"
is "JSON without a report: whose, in order" "$(json '[(s["bytes"], s["runtime"])
	for s in j["leaks"]]' app.1.wm)" "$order"
is "--leaks --json" "$(json '[(s["bytes"], s["runtime"])
	for s in j["never_freed"]["sites"]]' --leaks app.1.wm)" "$order"
is "--leaks --csv" "$(wm-analyze -q --leaks --csv app.1.wm | cut -d, -f1,9 |
	xargs)" "bytes,runtime 1024, 16, 512,library 256,library 128,library \
32,library 8,library 67,mpi 4,mpi"
is "MPI's share, too" "$(json 'j["mpi"]["inside_bytes"]' app.1.wm)" 71
done_testing
