# SPDX-License-Identifier: Apache-2.0
# The whole way, from source to report: what tests/progs state is what
# wm-analyze says.
. "$(dirname "$0")/../lib.sh"
mpi=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null) || mpi=

# held REPORT NAME FILE: bytes/blocks of function NAME in functions or leaks
held() {
	jq -r --arg n "$2" "[.$1[] | select(.name | test(\"^\(\$n)(\\\\(|\$)\"))] |
		\"\(map(.bytes) | add // 0)/\(map(.blocks) | add // 0)\"" "$3"
}

run() { # JSON COMMAND...
	local json=$1
	shift
	rm -rf run
	WM_DIR=run "$@" >out 2>err && wm-analyze --json run/*.wm >"$json"
}

wmcc -O1 -static -o empty "$progs/empty.c"
run empty.json ./empty.wm

# ---- C++ ----
ok "mesh: builds" wmcxx -O1 -g -static -o mesh "$progs/mesh.cpp"
ok "mesh: runs" run mesh.json ./mesh.wm 50
is "mesh: vertices at the peak" "$(held functions vertices mesh.json)" \
	"80024/2"
is "mesh: 1,000 cells and the scratch vector at the peak" \
	"$(held functions refine mesh.json)" "48800/1001"
is "mesh: nothing of it leaks" "$(held leaks vertices mesh.json) $(held leaks \
	refine mesh.json) $(held leaks deep mesh.json)" "0/0 0/0 0/0"
is "mesh: printf's buffer is main's, which called it" \
	"$(held leaks main mesh.json)" 4096/1
is "mesh: files and lines are known" "$(jq -r '[.functions[] |
	select(.name | startswith("refine")) | .file | split("/") | last] |
	unique[]' mesh.json)" mesh.cpp

# ---- C++ and Fortran, dynamic: the program is not its first library ----
ok "dynamic mesh: builds" wmcxx -O1 -g -o dmesh "$progs/mesh.cpp"
ok "dynamic mesh: runs and is known again" run dmesh.json ./dmesh.wm 50
is "dynamic mesh: vertices at the peak" "$(held functions vertices dmesh.json)" \
	"80024/2"
is "dynamic mesh: has its census" "$(jq '.static.bytes > 0' dmesh.json)" true
ok "dynamic fields: builds" wmf90 -O1 -g -o dfields "$progs/fields.f90"
ok "dynamic fields: runs and is known again" run dfields.json ./dfields.wm
is "dynamic fields: static memory is that of the static program's arrays" \
	"$(jq '.static.bytes >= 104000' dfields.json)" true

# ---- Fortran ----
ok "fields: builds" wmf90 -O1 -g -static -o fields "$progs/fields.f90"
ok "fields: runs" run fields.json ./fields.wm
is "fields: density at the peak" "$(held functions MAIN__ fields.json |
	sed 's/^0.0$//')$(held functions fields fields.json |
	sed 's,^0/0$,,')" "800000/1"
is "fields: work at the peak" "$(held functions step_ fields.json |
	sed 's,^0/0$,,')$(held functions step fields.json |
	sed 's,^0/0$,,')" "400000/1"
wm-analyze --static-report --json fields.wm >static.json
row() { # NAME: bytes of the variable
	jq -r --arg n "$1" '[.sections[].rows[] | select(.name // "" |
		test($n)) | .bytes] | add' static.json
}
is "fields: module array" "$(row '(^|[^a-z])grid')" 80000
is "fields: SAVE array" "$(row '^history')" 16000
is "fields: COMMON block" "$(row '^state_')" 8000
is "fields: COMMON is marked" "$(jq -r '[.sections[].rows[] |
	select(.name // "" | test("^state_")) | .common] | unique | tostring' \
	static.json | tr -d '[]' | sed 's/1/true/')" true
is "fields: the run says the same of static memory" \
	"$(jq -c .static fields.json || echo none)" \
	"$(jq -ec .static static.json)"

# ---- OpenMP ----
ok "team: builds" wmcc -O1 -g -static -fopenmp -fno-builtin \
	-Wl,-u,pthread_mutex_destroy -o team "$progs/team.c"
ok "team: runs" run team.json ./team.wm 4
is "team: 400 blocks at the peak" "$(held functions grab team.json)" \
	"400000/400"
is "team: cross-thread frees leave nothing" "$(held leaks grab team.json)" 0/0

# ---- C, exact totals relative to an empty program ----
ok "families: builds" wmcc -O1 -g -static -fno-builtin -o families \
	"$progs/families.c"
ok "families: runs" run families.json ./families.wm
is "families: events beyond those of an empty program" \
	"$(jq -c -s '(.[0].events) as $e | .[1].events | [.malloc - $e.malloc,
		.calloc - $e.calloc, .realloc - $e.realloc, .free - $e.free,
		.aligned - $e.aligned, .failed - $e.failed, .dropped,
		.total - $e.total]' empty.json families.json)" \
	"[3,1,5,9,5,3,0,26]"
is "families: high-water mark beyond that of an empty program" \
	"$(jq -s '.[1].heap.peak.max - .[0].heap.peak.max' \
		empty.json families.json)" 10012
is "families: the leak" "$(held leaks leak families.json)" 4096/1

# ---- MPI ----
if [ -n "$mpi" ]; then
	ok "stencil: builds" env WM_CC="$mpi/bin/mpicc" wmcc -O1 -g -static \
		-o stencil "$progs/stencil.c"
	for n in 1 2 4; do
		ok "stencil: runs on $n" run st.json "$mpi/bin/mpiexec" -n $n \
			./stencil.wm 256 10
		is "stencil $n: run" "$(jq -c '.run | [.ranks, .nodes,
			.complete]' st.json)" "[$n,1,true]"
		is "stencil $n: fields" "$(held functions make_field st.json)" \
			"$((2 * 258 * 258 * 8))/2"
		is "stencil $n: halos" "$(held functions make_halos st.json)" \
			"$((8 * 256 * 8))/8"
		is "stencil $n: notes leak" "$(held leaks log_step st.json)" \
			640/10
		is "stencil $n: nothing else of it leaks" \
			"$(held leaks smooth st.json) $(held leaks collect \
				st.json)" "0/0 0/0"
		is "stencil $n: every rank" "$(jq -c '[.ranks[].rank]' \
			st.json)" "$(seq -s, 0 $((n - 1)) | sed 's/.*/[&]/')"
		is "stencil $n: peak is the sum of its functions" \
			"$(jq '.heap.peak.max == ([.functions[].bytes] | add)' \
			st.json)" true
		is "stencil $n: nothing unknown" "$(jq -c '.events |
			[.dropped, .unknown_free, .conflicts]' st.json)" \
			"[0,0,0]"
	done
else
	skip "stencil" "static MPICH is missing: scripts/setup --mpi"
fi
done_testing
