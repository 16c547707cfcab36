#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A real MPI program: HPC Challenge from Debian's source package, built fully
# static with wmcc as its compiler driver, run on 4 ranks (fewer fail hpcc's
# own check) with the input file that comes with it.  About 30 s.
# run: rest
. "$(dirname "$0")/../lib.sh"

mpich=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null) ||
	skip_all "no static MPICH: run scripts/setup"
archive=$("$SRC/scripts/fetch-hpcc" --cached 2>/dev/null) ||
	skip_all "no hpcc source: run scripts/setup"
case $(gcc -print-file-name=libblas.a) in
/*) ;;
*) skip_all "no libblas.a: run scripts/setup" ;;
esac
ranks=4
export WM_CC=$mpich/bin/mpicc

mkdir hpcc run
tar -xf "$archive" -C hpcc --strip-components=1

# The makefile reads the names of tools and flags from hpl/Make.<arch>.  The
# reference BLAS is Fortran, hence -lgfortran; -fcommon because the sources
# define one variable in several files.
cat >hpcc/hpl/Make.wm <<'EOF'
SHELL = /bin/sh
CD = cd
MKDIR = mkdir -p
RM = /bin/rm -f
ARCH = $(arch)
TOPdir = ../../..
INCdir = $(TOPdir)/include
LIBdir = $(TOPdir)/lib/$(ARCH)
HPLlib = $(LIBdir)/libhpl.a
HPL_LIBS = $(HPLlib) -lblas -lgfortran -lquadmath -lm
HPL_DEFS = -DAdd__ -DF77_INTEGER=int -DStringSunStyle \
	-I$(INCdir) -I$(INCdir)/$(ARCH)
CC = wmcc
CCNOOPT = $(HPL_DEFS) -fcommon -O0 -g -w
CCFLAGS = $(HPL_DEFS) -fcommon -O2 -g -w
LINKER = $(CC)
LINKFLAGS = $(CCFLAGS) -static
ARCHIVER = ar
ARFLAGS = r
RANLIB = ranlib
EOF

ok "builds with wmcc" make -C hpcc -j2 arch=wm
ok "makes the program" test -x hpcc/hpcc
ok "makes the traced program beside it" test -x hpcc/hpcc.wm
for f in hpcc hpcc.wm; do
	is "$f is static" "$(readelf -lW hpcc/$f |
		awk '/LOAD/ { load = 1 } /INTERP/ { dyn = 1 }
		END { print load ? dyn ? "dynamic" : "static" : "none" }')" static
done

# Objects and library are up to date: this links again, without us.
mv hpcc/hpcc hpcc/hpcc.ours
ok "links with the plain compiler" make -C hpcc arch=wm CC="$WM_CC"
ok "the program is the plain compiler's, byte for byte" \
	cmp hpcc/hpcc hpcc/hpcc.ours

cp hpcc/_hpccinf.txt run/hpccinf.txt
(
	cd run && timeout 600 "$mpich/bin/mpiexec" -n $ranks ../hpcc/hpcc.wm
) >out 2>err </dev/null
is "the traced program's exit status" $? 0
is "says nothing on stdout" "$(cat out)" ""
is "says nothing on stderr" "$(cat err)" ""

result() { grep -E "^ *$1" run/hpccoutf.txt | sort -u | tr -s '\n ' ' '; }
is "hpcc: all its checks pass" "$(result Success=)" "Success=1 "
checked="tests completed and passed residual checks"
is "hpcc: PTRANS" "$(result "[0-9]+ $checked\\.")" " 5 $checked. "
like "hpcc: HPL" "$(cat run/hpccoutf.txt)" '^\|\|Ax-b\|\|.* PASSED$'
is "hpcc: RandomAccess" "$(result 'MPIRandomAccess(_LCG)?_Errors=')" \
	"MPIRandomAccess_Errors=0 MPIRandomAccess_LCG_Errors=0 "

dir=$(echo run/*.wm)
ok "one run directory" test -d "$dir"
is "one trace for each rank" "$(cd "$dir" && echo rank-*.xz)" \
	"$(for r in $(seq 0 $((ranks - 1))); do
		printf 'rank-%06d.wmt.xz ' "$r"; done | sed 's/ $//')"
ok "xz accepts the traces" xz -t "$dir"/rank-*.xz

wm-analyze --json "$dir" >report.json 2>err
is "wm-analyze's exit status" $? 0
q() { jq -r "$1" report.json; }
is "schema" "$(q .schema)" wmtools.report/1
is "program" "$(q .run.program)" hpcc
is "ranks" "$(q .run.ranks)" $ranks
is "complete" "$(q .run.complete)" true
is "nothing salvaged" "$(q '.run.salvaged_ranks | length')" 0
is "nothing dropped" "$(q .events.dropped)" 0
is "every rank is listed once" \
	"$(q '[.ranks[].rank] | sort | @csv')" 0,1,2,3
# N = 1000 in blocks of 80 on a 2 x 2 grid: the smallest share of the matrix
# is 480 x 480, the workspace of the other benchmarks a few times that.
is "every rank holds at least its share of the matrix" \
	"$(q '[.ranks[] | select(.peak_bytes >= 480 * 480 * 8 and
		.peak_bytes < 64e6)] | length')" $ranks
is "every rank has events" \
	"$(q '[.ranks[] | select(.events > 0)] | length')" $ranks
is "the maximum is that of its rank" \
	"$(q '.heap.peak.max == (.heap.peak.max_rank as $r | .ranks[] |
		select(.rank == $r) | .peak_bytes)')" true
is "the functions add up to the peak" \
	"$(q '([.functions[].bytes] | add) == .heap.peak.max')" true
is "hpcc's own functions are named, with file and line" \
	"$(q '[.functions[] | select((.name | test("^(HPL|HPCC)_")) and
		.line > 0 and (.file | test("\\.c$")))] | length > 0')" true
sections=$(size -A -d hpcc/hpcc |
	awk '$1 ~ /^\.(data|bss|tdata|tbss)$/ { n += $2 } END { print n }')
is "static memory is that of the plain program" "$(q .static.bytes)" \
	"$sections"

done_testing
