# SPDX-License-Identifier: Apache-2.0
# Memory of OpenMP's runtime is not the program's.
. "$(dirname "$0")/../lib.sh" analyze-lib wmcc-lib python3

# Each thread forgets a block of 1,000 bytes, main one of 500; what else there
# is belongs to others.
own() { # RUN: the program's sites, and the groups of the others
	json '(sorted((s["name"], s["bytes"]) for s in
		j["never_freed"]["sites"] if not s["runtime"]),
		"openmp" in [s["runtime"] for s in j["never_freed"]["sites"]])' \
		--leaks "$1"
}
check() { # WHAT WANTED COMPILER OPTION...
	local what=$1 wanted=$2
	shift 2
	rm -rf team.*.wm
	if ! "$@" -g -O1 -fopenmp \
		-o team "$progs/report/openmp.c" >cc.err 2>&1; then
		skip "$what" "$(head -1 cc.err)"
		return
	fi
	WM_RUN_ID=1 ./team.wm >/dev/null 2>&1
	is "$what: what leaks is the program's own" "$(own team.1.wm)" "$wanted"
	is "$what: --fail-on leaks" "$(json 'j["gates"][0]["bytes"]' \
		--fail-on leaks team.1.wm)" 4500
}
both="([('grab', 4000), ('main', 500)], True)"
check "gcc, dynamic" "$both" env WM_CC=gcc wmcc
check "gcc, static" "$both" env WM_CC=gcc wmcc -static
check "clang, dynamic" "$both" env WM_CC=clang wmcc
# libgomp puts its own few bytes in front of the block
env WM_CC=gcc wmcc -DGIVEN -g -O1 -fopenmp -o team "$progs/report/openmp.c"
rm -rf team.*.wm
WM_RUN_ID=1 ./team.wm
is "what omp_alloc gives is the program's" "$(json 'sum(800 <= s["bytes"] < 900
	for s in j["never_freed"]["sites"] if s["name"] == "main" and not
	s["runtime"])' --leaks team.1.wm)" 1

# The same by hand: the outermost function of the runtime is the site.
run hand.1.wm <<'E'
program hand
elf hand.wm
id 1
module 0 0x400000 0x500000 -
module 0x600000 0x600000 0x700000 /usr/lib/libgomp.so.1
module 0x800000 0x800000 0x900000 /usr/lib/libompi_common.so.40
rank 0 of 1
t 1000 malloc 0x1000 10 main<0x600100<0x600200
t 2000 malloc 0x2000 20 main<0x600300<omp_alloc<0x600400
t 3000 malloc 0x3000 30 main<0x600100<work
t 4000 malloc 0x4000 40 main<0x800100
end
E
# A library below the runtime: what the runtime asks of it is the runtime's, what
# omp_alloc gives is the caller's, and a region's body is not the runtime's,
# be it the executable's, a library's, or in a thread of the runtime.
run below.1.wm <<'E'
program hand
elf hand.wm
id 1
module 0 0x400000 0x500000 -
module 0x600000 0x600000 0x700000 /usr/lib/libgomp.so.1
module 0xa00000 0xa00000 0xb00000 /usr/lib/libmemkind.so.0
module 0xc00000 0xc00000 0xd00000 /usr/lib/libsolver.so.1
rank 0 of 1
t 1000 malloc 0x1000 10 main<0x600100<0x600200<0xa00100<0xa00200
t 2000 malloc 0x2000 20 main<omp_alloc<0x600400<0xa00300
t 3000 malloc 0x3000 30 main<0x600100<work<0xc00100
t 4000 malloc 0x4000 40 main<0xc00200<0x600100<0xc00300
t 5000 malloc 0x5000 50 0x600500<0xc00400
end
E
is "by hand: a library below the runtime" "$(json '[(s["name"], s["bytes"],
	s["runtime"]) for s in j["never_freed"]["sites"]]' --leaks below.1.wm)" \
	"[('?? (libsolver.so.1+0x400)', 50, None), \
('main', 20, None), ('main', 40, 'unknown'), \
('work', 30, 'unknown'), \
('?? (libgomp.so.1+0x100)', 10, 'openmp')]"
is "by hand" "$(json '[(s["name"], s["bytes"], s["runtime"]) for s in
	j["never_freed"]["sites"]]' --leaks hand.1.wm)" \
	"[('work', 30, None), ('?? (libompi_common.so.40+0x100)', 40, 'mpi'), \
('?? (libgomp.so.1+0x300)', 20, 'openmp'), \
('?? (libgomp.so.1+0x100)', 10, 'openmp')]"
is "by hand: --libraries" "$(json '[(l["name"], l["group"], l["bytes"]) for l in
	j["libraries"] if l["group"]]' --libraries hand.1.wm)" \
	"[('libompi_common.so.40', 'mpi', 40), ('libgomp.so.1', 'openmp', 30)]"
is "by hand: --fold -openmp" "$(json '[s["runtime"] for s in
	j["never_freed"]["sites"]].count("openmp")' --leaks --fold -openmp \
	hand.1.wm)" 0
done_testing
