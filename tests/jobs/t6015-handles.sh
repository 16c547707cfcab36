# SPDX-License-Identifier: Apache-2.0
# Handles of MPI that the program loses are its leaks, by the calls that made
# them; those that it frees are not, whatever pools MPI keeps.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/analyze-lib.sh"
. "$SRC/tests/mpi-lib.sh"
command -v python3 >/dev/null || skip_all "python3 is missing"

bring mpi/handles.c mpi/handles.f90
cat >free.c <<'X'
#include <mpi.h>
void free_in_c(MPI_Fint *request);
void free_in_c(MPI_Fint *request)
{
	MPI_Request r = MPI_Request_f2c(*request);

	MPI_Request_free(&r);
}
X
cat >errors.c <<'X'
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	MPI_Datatype type;

	MPI_Init(&argc, &argv);
	dlopen("/nowhere.so", RTLD_NOW);
	MPI_Type_contiguous(3, MPI_INT, &type);
	MPI_Type_free(&type);
	puts(dlerror() ? "kept" : "lost");
	return MPI_Finalize();
}
X
line() {
	grep -n "$1(" handles.c | head -n 1 | cut -d: -f1
}

# job DIR LAUNCHER ARGUMENT...: two ranks
job() {
	local dir=$1 launcher=$2
	shift 2
	rm -rf "$dir" && mkdir "$dir"
	[ "${1:-}" = wm-run ] || set -- ./handles.wm "$@"
	WM_DIR=$dir timeout 100 "$launcher" -n 2 "$@" >out 2>err
}

# made_by FUNCTION...: handles, who made them, and where
made_by() {
	json 'sorted([s["name"], s["handles"], s["made_by"], s["line"]]
		for s in j["never_freed"]["sites"] if s["handles"] and
		s["name"] in "'"$*"'".split())' --leaks lost/*.wm
}

# check_pools NAME HANDLES: that lie in pools of some MPI, and how many calls for
# memory they are
check_pools() {
	is "$1: requests, operations, error handlers, keys, infos" \
		"$(made_by use_empty use_op use_handler use_key use_receive \
			use_send)" "\
[['use_empty', $2, 'MPI_Info_dup', $(line MPI_Info_dup)], \
['use_handler', $2, 'MPI_Comm_create_errhandler', \
$(line MPI_Comm_create_errhandler)], \
['use_key', $2, 'MPI_Comm_create_keyval', $(line MPI_Comm_create_keyval)], \
['use_op', $2, 'MPI_Op_create', $(line MPI_Op_create)], \
['use_receive', $2, 'MPI_Recv_init', $(line MPI_Recv_init)], \
['use_send', $2, 'MPI_Ssend_init', $(line MPI_Ssend_init)]]"
	like "$1: infos with a value" "$(wm-analyze -q --leaks --top all \
		lost/*.wm)" \
		"^  $2 handles of MPI_Info_create in use_info, handles\.c:$(
			line MPI_Info_create) were not freed"
	is "$1: no memory of MPI's" "$(json '[j["events"][k] for k in
		("mpi", "mpi_free", "unknown_free", "conflicts")]' lost/*.wm)" \
		"[0, 0, 0, 0]"
}

# check_fortran NAME LAUNCHER CC FC [OPTION]: three of each are left in a rank
check_fortran() {
	local name=$1
	WM_CC=$3 wmcc -c free.c
	ok "$name: builds" env WM_FC="$4" wmf90 ${5:+"$5"} -O0 -g \
		-o handles handles.f90 free.o || return
	ok "$name: runs" job lost "$2"
	# not where: for some calls of modules gfortran has another line
	is "$name: three of each" "$(wm-analyze -q --leaks --top all lost/*.wm | sed -n \
		's/^  \([0-9]*\) handles* of \(.*\) in kinds::use_.*90:.* w.*/\1 \2/p' |
		sort)" "$(sed -n 's/.*! \(MPI_\)/6 \1/p' handles.f90 | sort)"
}

# check_made NAME RANKS: those of make_*, each line as often as it says
check_made() {
	is "$1: each line of calls" "$(wm-analyze -q --leaks --top all \
		lost/*.wm | sed -n \
		's/^  \([0-9]*\) handles* of \(.*\) in make_.*, .*:\([0-9]*\) w.*/\3 \2 \1/p' |
		sort -n)" "$(grep -n 'MPI_.*lost: ' handles.c | sed 's/\([0-9]*\):.*\(MPI_[A-Za-z_]*\)(.*lost: \([0-9]*\).*/\1 \2 \3/' |
		awk -v r="$2" '{ print $1, $2, r * $3 }')"
}

# check NAME LAUNCHER CC [OPTION]
check() {
	local name=$1 launcher=$2 text
	ok "$name: builds" env WM_CC="$3" wmcc ${4:+"$4"} -O1 -g -fno-inline \
		-o handles handles.c || return
	ok "$name: frees all" job clean "$launcher"
	is "$name: no leaks of the program" "$(wm-analyze -q --fail-on leaks \
		clean/*.wm 2>&1 >/dev/null; echo $?)" 0
	ok "$name: loses five of each" job lost "$launcher" 5
	is "$name: communicators, datatypes, groups, files, windows" \
		"$(made_by use_comm use_split use_type use_group use_file \
			use_window)" "\
[['use_comm', 10, 'MPI_Comm_dup', $(line MPI_Comm_dup)], \
['use_file', 10, 'MPI_File_open', $(line MPI_File_open)], \
['use_group', 10, 'MPI_Group_incl', $(line MPI_Group_incl)], \
['use_split', 10, 'MPI_Comm_split', $(line MPI_Comm_split)], \
['use_type', 10, 'MPI_Type_vector', $(line MPI_Type_vector)], \
['use_window', 10, 'MPI_Win_create', $(line MPI_Win_create)]]"
	is "$name: the program's own" "$(json '[(s["bytes"], s["handles"])
		for s in j["never_freed"]["sites"] if s["name"] == "use_bytes"]' \
		--leaks lost/*.wm)" "[(1000, None)]"
	check_pools "$name" 10
	text=$(wm-analyze -q --leaks lost/*.wm)
	like "$name: text" "$text" "^  10 handles of MPI_Comm_dup in use_comm,\
 handles\.c:$(line MPI_Comm_dup) were not freed: [0-9.]+ [KM]iB$"
	like "$name: the gate" "$(wm-analyze -q --fail-on leaks=1001 lost/*.wm \
		2>&1 >/dev/null)" '^wm-analyze: --fail-on leaks=1001: .* in use_'
	is "$name: JSON and gate agree" "$(json \
		'j["never_freed"]["program"]["bytes"] - j["gates"][0]["bytes"]' \
		--leaks --fail-on leaks lost/*.wm)" 0
	is "$name: one rank" "$(json '[s["handles"] for s in
		j["never_freed"]["sites"] if s["name"] == "use_comm"]' --leaks \
		--rank 1 lost/*.wm)" "[5]"
	ok "$name: loses one of each" job lost "$launcher" 1
	like "$name: handles are no blocks" "$(wm-analyze -q --leaks lost/*.wm)" \
		"^The program.s: 200 bytes in 2 blocks, in 2 ranks, "
	is "$name: no rank has most of no bytes" "$(json '{s["max_rank"]
		for s in j["never_freed"]["sites"] if s["handles"]}' \
		--leaks lost/*.wm)" "{None}"
	check_pools "$name, one of each" 2
	check_made "$name, one of each" 2
	like "$name: their memory is in what MPI keeps" "$(wm-analyze -q --leaks \
		lost/*.wm)" '^  The memory of handles without bytes is not known'
	like "$name: two calls in one line are as one" "$(wm-analyze -q --leaks \
		lost/*.wm)" "^  4 handles of MPI_Comm_dup in use_pair, handles\.c:$(
			line 'MPI_Comm_dup(world, &a), MPI_Comm_dup') were not freed"
	[ -n "${4:-}" ] && return
	WM_CC=$3 wmcc -o errors errors.c
	is "$name: the program's dlerror() is kept" \
		"$(WM_DIR=clean timeout 60 ./errors.wm 2>err)$(WM_DIR=clean timeout \
			60 wm-run ./errors 2>err)" "keptkept"
	ok "$name, wm-run: frees all" job clean "$launcher" wm-run ./handles
	is "$name, wm-run: no leaks of the program" "$(wm-analyze -q --fail-on \
		leaks clean/*.wm 2>&1 >/dev/null; echo $?)" 0
	ok "$name, wm-run: loses one of each" job lost "$launcher" wm-run \
		./handles 1
	check_pools "$name, wm-run" 2
	check_made "$name, wm-run" 2
}

if mpi=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null); then
	check "static MPICH" "$mpi/bin/mpiexec" "$mpi/bin/mpicc" -static
	check_fortran "static MPICH, Fortran" "$mpi/bin/mpiexec" \
		"$mpi/bin/mpicc" "$mpi/bin/mpifort" -static
else
	skip "static MPICH" "it is missing: scripts/setup --mpi"
fi
if command -v mpicc.mpich >/dev/null; then
	check "MPICH" mpiexec.mpich mpicc.mpich
	check_fortran "MPICH, Fortran" mpiexec.mpich mpicc.mpich mpifort.mpich
else
	skip "MPICH" "it is missing: scripts/setup"
fi
if command -v mpicc.openmpi >/dev/null; then
	check "Open MPI" mpirun.openmpi mpicc.openmpi
	check_fortran "Open MPI, Fortran" mpirun.openmpi mpicc.openmpi \
		mpifort.openmpi
else
	skip "Open MPI" "it is missing: scripts/setup"
fi
done_testing
