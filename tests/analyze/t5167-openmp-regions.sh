# SPDX-License-Identifier: Apache-2.0
# Regions of OpenMP are called by their function and line.
. "$(dirname "$0")/../lib.sh" analyze-lib wmcc-lib

# regions: name, symbol and bytes of those that were never freed
regions() {
	json 'sorted((f["name"], f.get("symbol"), f["bytes"]) for f in
		j["leaks"] if f["name"].startswith("OpenMP"))' --functions team.1.wm
}
# build WHAT COMMAND...: false when the compiler has no OpenMP
build() {
	local what=$1
	shift
	rm -rf team.*.wm team team.wm
	if ! "$@" -g -fopenmp -o team >cc.err 2>&1; then
		skip "$what" "$(head -1 cc.err)"
		return 1
	fi
	WM_RUN_ID=1 ./team.wm >/dev/null 2>&1
}
source=$progs/report/regions.cc
for flags in "-O0" "-O2" "-O2 -static"; do
	build "gcc $flags" env WM_CXX=g++ wmcxx $flags "$source" || continue
	is "gcc $flags" "$(regions)" \
		"[('OpenMP region in solve(int), regions.cc:18', '_ZL5solvei._omp_fn.0', 4000)]"
	folded=$(wm-analyze -q --export folded --by threads team.1.wm)
	like "it stands below its thread ($flags)" "$folded" \
		'^thread 1 \(OpenMP[^;]*\);OpenMP region in solve\(int\), regions\.cc:18 1000$'
	like "and below its function ($flags)" "$folded" \
		'^main thread;main;solve\(int\);OpenMP region in solve\(int\), regions\.cc:18 1000$'
	like "what it calls is below it ($flags)" "$folded" \
		';OpenMP region in space::relax\(int\), regions\.cc:31;grab\(int\) 2000$'
	like "the tree has its symbol ($flags)" "$(wm-analyze -q --tree --json \
		team.1.wm)" '"symbol": "_ZL5solvei\._omp_fn\.0"'
done
like "--fold none shows what starts it" "$(wm-analyze -q --export folded \
	--fold none team.1.wm)" 'GOMP_parallel;OpenMP region in solve'
cp -r team.1.wm again.2.wm
has_no "what compares runs has no lines in names" 'OpenMP region' \
	wm-analyze -q --compare --csv team.1.wm again.2.wm
like "but symbols" "$(wm-analyze -q --compare --csv team.1.wm again.2.wm)" \
	'solve\(int\) \[clone \._omp_fn'
# clang before 17 does not name the function: it is the one around the line
for flags in "-O0" "-O2"; do
	build "clang $flags" env WM_CXX=clang++ wmcxx $flags "$source" || continue
	like "clang $flags" "$(regions)" \
		"^\[\('OpenMP region in solve\(int\), regions\.cc:1[89]', '[^']*omp_outlined[^']*', 4000\)\]$"
	is "once on a path ($flags)" "$(wm-analyze -q --export folded \
		team.1.wm | grep -c 'OpenMP region.*OpenMP region')" 0
done
# without debug information: no line
if build "gcc, no -g" env WM_CXX=g++ wmcxx -O1 -g0 "$source" -g0; then
	like "no line is told where nobody knows" "$(regions)" \
		"OpenMP region in solve\(int\)(, regions\.cc:18)?'"
fi
for flags in "-O0" "-O2"; do
	build "gfortran $flags" wmf90 $flags "$progs/report/regions.f90" || continue
	is "gfortran $flags" "$(regions)" \
		"[('OpenMP region in mesh::refine, regions.f90:14', '__mesh_MOD_refine._omp_fn.0', 4000)]"
done
done_testing
