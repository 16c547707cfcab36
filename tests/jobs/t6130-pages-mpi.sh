# SPDX-License-Identifier: Apache-2.0
# Page accesses of MPI programs: results as without, only the ranks that are
# asked for, memory of the MPI library's own messages included.
. "$(dirname "$0")/../lib.sh" python3 jq

# epochs RANK: how many there are, and why they end.  Each rank uses 0.4 s of
# CPU time: more than 3 epochs of 20 ms of its own, and a quarter of what it uses
# counts as its own in any case (cost.h).
epochs() {
	"$SRC/tests/tools/wmt-dump" --pages run/*/rank-00000"$1".wmt.xz |
		jq -r '"\(.epochs | length | if . > 3 then "many" else . end) \(.end)"'
}

# job NAME MPICC MPIEXEC FLAGS...
job() {
	local name=$1 cc=$2 exec=$3
	shift 3
	ok "$name: builds" env WM_CC="$cc" wmcc -O2 -g "$@" -o stencil \
		"$SRC/tests/progs/pages/stencil.c"
	timeout $stuck "$exec" -n 4 ./stencil >plain
	rm -rf run
	WM_DIR=run WM_PAGES=20 timeout $stuck "$exec" -n 4 ./stencil.wm >out 2>err
	is "$name: ends as ever" $? 0
	said=$(cat err)
	is "$name: results as ever" "$(cat out)" "$(cat plain)"
	rm -rf run
	WM_DIR=run WM_PAGES=20 WM_PAGES_RANKS=1,3 timeout $stuck "$exec" -n 4 \
		./stencil.wm >out 2>err
	said_some=$(cat err)
	is "$name: some ranks: results as ever" "$(cat out)" "$(cat plain)"
	is "$name: those ranks" "$(epochs 1), $(epochs 3)" \
		"many null, many null"
	like "$name: not the others" "$(epochs 0), $(epochs 2)" \
		'^[0-3] .*, [0-3] '
}

if mpi=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null); then
	job "static MPICH" "$mpi/bin/mpicc" "$mpi/bin/mpiexec" -static
	is "static MPICH: silent" "$said" ""
	ok "static MPICH: the field is among what is used" \
		[ "$(wm-analyze --pages --json --rank 1 run/*.wm |
			jq '[.pages.sites[] | select(.name == "field") |
				.touched_bytes > 1800000] | any')" = true ]
else
	skip "static MPICH" "it is missing: scripts/setup --mpi"
fi
if mpi=$("$SRC/scripts/setup" --print-prefix openmpi 2>/dev/null); then
	job "static Open MPI" "$mpi/bin/mpicc" "$mpi/bin/mpiexec" -static
else
	skip "static Open MPI" "it is missing: scripts/setup --mpi"
fi
if command -v mpicc.mpich >/dev/null; then
	job "dynamic MPICH" mpicc.mpich mpiexec.mpich
	line="wmtrace: WM_PAGES: only writes are seen, no reads"
	is "dynamic MPICH: one line" "${said%: *}" "$line"
	is "dynamic MPICH: one line without rank 0, too" "${said_some%: *}" \
		"$line"
else
	skip "dynamic MPICH" "package libmpich-dev is missing"
fi

# The rank that prints it where rank 0 has no pages: the first that has.
who() { # VARIABLE...: ranks of 4 that say something
	local r
	for r in 0 1 2 3; do
		env PMI_RANK=$r PMI_SIZE=4 WM_DIR=run WM_PAGES=20 "$@" \
			timeout $stuck wm-run ./own >out 2>err
		is "$* rank $r: ends" "$?" 0
		grep -q "WM_PAGES: only writes" err && speakers="$speakers $r"
	done
}
echo 'int main(void) { return 0; }' >own.c
cc -o own own.c
for list in 0-3:0 1,3:1 3,2:2 3:3; do
	speakers=
	who "WM_PAGES_RANKS=${list%:*}"
	is "pages of ranks ${list%:*}: who speaks" "$speakers" " ${list#*:}"
done
speakers=
who WM_PAGES_RANKS=1-3 WM_RANKS=2-3
is "only ranks 2 and 3 are traced: who speaks" "$speakers" " 2"
done_testing
