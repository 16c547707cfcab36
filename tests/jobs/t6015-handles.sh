# SPDX-License-Identifier: Apache-2.0
# Handles of MPI that the program loses are its leaks, by the calls that made
# them; those that it frees are not, whatever pools MPI keeps.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/analyze-lib.sh"
. "$SRC/tests/mpi-lib.sh"
command -v python3 >/dev/null || skip_all "python3 is missing"

bring mpi/handles.c
line() {
	grep -n "$1(" handles.c | head -n 1 | cut -d: -f1
}

# job DIR LAUNCHER ARGUMENT...: two ranks
job() {
	local dir=$1
	shift
	rm -rf "$dir" && mkdir "$dir"
	WM_DIR=$dir timeout 100 "$1" -n 2 ./handles.wm "${@:2}" >out 2>err
}

# made_by FUNCTION...: handles, who made them, and where
made_by() {
	json 'sorted([s["name"], s["handles"], s["made_by"], s["line"]]
		for s in j["never_freed"]["sites"] if s["handles"] and
		s["name"] in "'"$*"'".split())' --leaks lost/*.wm
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
}

if mpi=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null); then
	check "static MPICH" "$mpi/bin/mpiexec" "$mpi/bin/mpicc" -static
else
	skip "static MPICH" "it is missing: scripts/setup --mpi"
fi
if command -v mpicc.mpich >/dev/null; then
	check "MPICH" mpiexec.mpich mpicc.mpich
else
	skip "MPICH" "it is missing: scripts/setup"
fi
if command -v mpicc.openmpi >/dev/null; then
	check "Open MPI" mpirun.openmpi mpicc.openmpi
	is "Open MPI: what MPICH has in pools" \
		"$(made_by use_info use_op use_handler use_key)" "\
[['use_handler', 10, 'MPI_Comm_create_errhandler', \
$(line MPI_Comm_create_errhandler)], \
['use_info', 10, 'MPI_Info_create', $(line MPI_Info_create)], \
['use_key', 10, 'MPI_Comm_create_keyval', $(line MPI_Comm_create_keyval)], \
['use_op', 10, 'MPI_Op_create', $(line MPI_Op_create)]]"
else
	skip "Open MPI" "it is missing: scripts/setup"
fi
done_testing
