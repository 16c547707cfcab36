# SPDX-License-Identifier: Apache-2.0
# wm-run with programs as Debian has them: MPI jobs of both families, and
# programs without MPI.  They do what they do, and their traces are whole.
# run: rest
. "$(dirname "$0")/../lib.sh" wmcc-lib mpi-lib
library=$BUILD/lib/wmtools/libwmtrace.so
command -v /usr/bin/python3 >/dev/null || skip_all "python3 is missing"
export WM_DIR=$W/run

# whole N: one run of N ranks, each with a trace of all its events; no release
# of a block never seen, no block on top of another
whole() {
	local got
	got=$(timeout 100 wm-analyze --quiet --json run/*.wm | jq -c '[
		.run.ranks, (.ranks | map(.rank)), .run.complete,
		.events.unknown_free, .events.conflicts, .events.dropped]')
	echo "got $got"
	[ "$got" = "[$1,[$(seq -s, 0 $(($1 - 1)))],true,0,0,0]" ]
}

# job DESCRIPTION N WANTED COMMAND...: prints WANTED, and is traced.  Jobs end
# by themselves; who runs the tests has a limit.
job() {
	local what=$1 n=$2 wanted=$3
	shift 3
	rm -rf run
	is "$what: runs as ever" "$("$@" 2>err </dev/null)" "$wanted"
	ok "$what: one run, $n whole traces" whole "$n"
	is "$what: says nothing of itself" "$(grep wmtrace err)" ""
}

# ---- MPI ----
gcc -o later "$progs/preload/later.c" -ldl
for mpi in mpich openmpi; do
	have mpicc.$mpi lib$mpi-dev "$mpi" || continue
	run="mpiexec.$mpi -n 4"
	mpicc.$mpi -g -DPRELOAD -o hello "$progs/mpi/hello.c"
	job "$mpi, C" 4 "4 ranks" $run wm-run ./hello
	is "$mpi: rank 3 has its block" "$("$dump" \
		run/*/rank-000003.wmt.xz | grep -c ' MALLOC .* 4000 ')" 1
	job "$mpi, wm-run before the launcher" 4 "4 ranks" wm-run $run ./hello
	# Open MPI cannot do without a name
	[ $mpi = mpich ] && job "$mpi, a launcher that names no job" 4 \
		"4 ranks" $run env -u MPI_LOCALRANKID WM_RUN_ID=given \
		wm-run ./hello
	mpifort.$mpi -g -o fhello "$progs/mpi/hello.f90"
	job "$mpi, Fortran" 4 "4 ranks" $run wm-run ./fhello
	mpicc.$mpi -shared -fPIC -o tool.so "$progs/mpi/pmpi.c"
	job "$mpi, a profiling library" 4 "4 ranks$W/tool.so" $run \
		env LD_PRELOAD="$W/tool.so" wm-run ./hello
	is "$mpi: it sees each rank" "$(grep -c profiled err)" 4
	mpicc.$mpi -shared -fPIC -o plug.so "$progs/preload/plug_mpi.c"
	# UCX comes too late to be kept from our mmap (wm-run(1)): t3112 has the note
	job "$mpi, in a library of its own" 4 "" \
		env UCX_MEM_MMAP_HOOK_MODE=none $run wm-run ./later
	if wmcc_works=$(WM_CC=mpicc.$mpi wmcc -g -DPRELOAD -o twin \
		"$progs/mpi/hello.c" 2>&1); then
		job "$mpi, relinked and preloaded" 4 "4 ranks" $run \
			env LD_PRELOAD="$library" ./twin.wm
	else
		echo "# $wmcc_works"
	fi
done

mpi_quiet() { # it says what there is to say in np.out
	"$@" >/dev/null
}
if have NPmpich2 netpipe-mpich2 "netpipe, MPICH"; then
	job "netpipe, MPICH" 2 "" mpi_quiet mpiexec.mpich -n 2 \
		wm-run NPmpich2 -u 1000 -n 5 -o np.out
	is "netpipe has measured" "$(wc -l <np.out)" 43
fi
if have NPopenmpi netpipe-openmpi "netpipe, Open MPI"; then
	rm -f np.out
	job "netpipe, Open MPI" 2 "" mpi_quiet mpiexec.openmpi -n 2 \
		wm-run NPopenmpi -u 1000 -n 5 -o np.out
	is "netpipe has measured" "$(wc -l <np.out)" 43
fi
if /usr/bin/python3 -c 'import mpi4py' 2>/dev/null; then
	cat >sum.py <<-'X'
	from mpi4py import MPI
	c = MPI.COMM_WORLD
	d = c.allgather({"rank": c.Get_rank(), "x": list(range(10))})
	s = c.allreduce(c.Get_rank())
	if c.Get_rank() == 0:
	    print(c.Get_size(), s, len(d))
	X
	job "mpi4py" 4 "4 6 4" mpiexec.openmpi -n 4 wm-run /usr/bin/python3 \
		sum.py
else
	skip "mpi4py" "package python3-mpi4py is not installed"
fi
if have hpcc hpcc "hpcc"; then
	sed 's/^1000 /200 /' /usr/share/doc/hpcc/examples/_hpccinf.txt \
		>hpccinf.txt 2>/dev/null
	[ -s hpccinf.txt ] || { # documents may not be installed
		hpcc_input=$("$SRC/scripts/fetch-hpcc" --cached 2>/dev/null)
		tar -xOf "$hpcc_input" --wildcards '*/_hpccinf.txt' |
			sed 's/^1000 /200 /' >hpccinf.txt
	}
	mpiexec.openmpi -n 4 hpcc >/dev/null 2>&1
	# rows of CPU time are there only where a clock tick went by
	passed=$(grep -v '^CPU' hpccoutf.txt | grep -c PASSED)
	rm hpccoutf.txt
	job "hpcc" 4 "" mpiexec.openmpi -n 4 wm-run hpcc
	is "hpcc: as many checks passed" \
		"$(grep -v '^CPU' hpccoutf.txt | grep -c PASSED)" "$passed"
	is "hpcc: to its end" "$(grep -c '^Success=1' hpccoutf.txt)" 1
fi

# ---- without MPI ----
# plain NAME COMMAND...: the same output and status, and one whole trace of
# the program of that name
plain() {
	local name=$1
	shift
	"$@" >plain.out 2>plain.err </dev/null
	echo "status $?" >>plain.out
	rm -rf run
	timeout 200 wm-run --trace "$name" "$@" >traced.out 2>traced.err \
		</dev/null
	echo "status $?" >>traced.out
	ok "$name: output and status are the same" cmp plain.out traced.out
	ok "$name: so is standard error" cmp plain.err traced.err
	ok "$name: a whole trace" whole 1
}
plain bash bash -c 'for i in {1..2000}; do a[i]=$((i * i)); done
	echo "${a[*]}" | cksum; exit 3'
plain python3 /usr/bin/python3 -c 'import json, re, hashlib
print(hashlib.md5(json.dumps([list(range(100))] * 1000).encode()).hexdigest())
raise SystemExit(4)'
plain perl perl -e 'my %h; $h{$_ % 1000} .= "x$_" for 1 .. 100000;
	print length(join "", values %h), "\n"; exit 5'
printf '#include <stdio.h>\nint f(int x) { return x * x + nothing; }\n' >cc.c
plain cc1 gcc -O2 -S -o - cc.c
printf '#include <stdio.h>\nint f(int x) { return x * x; }\n' >cc.c
plain cc1 gcc -O2 -S -o - cc.c
if have git git "git"; then
	git init -q g && cp "$SRC"/runtime/*/*.c g/ && git -C g add -A &&
		git -C g -c user.name=a -c user.email=a@b commit -qm one
	plain git git -C g log --stat -p
fi
plain xz sh -c "xz -T2 -c '$BUILD/bin/wm-analyze' | cksum"
done_testing
