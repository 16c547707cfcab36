# SPDX-License-Identifier: Apache-2.0
# Where the launcher names the job, tracing makes no call of MPI that others
# have to join: none in 100,000 ranks waits for a rank that is late because of
# us.  Counted behind the profiling interface, below all that we call.
. "$(dirname "$0")/../lib.sh"

calls="Bcast Reduce Allreduce Barrier Gather Gatherv Allgather Allgatherv
Alltoall Scatter Scan Send Recv Isend Irecv Sendrecv Comm_split Comm_split_type
Comm_dup Comm_create"

# counters PREFIX: each PMPI function counts, and says so on stderr at the end
counters() {
	echo '#include <stdio.h>'
	echo '#include <stdlib.h>'
	for c in $calls; do
		cat <<-C
		static int n_$c;
		$(printf "$2" $c)
		long ${1}PMPI_$c(long a, long b, long c, long d, long e, long f,
			long g, long h, long i, long j, long k, long l);
		long ${1}PMPI_$c(long a, long b, long c, long d, long e, long f,
			long g, long h, long i, long j, long k, long l)
		{
			n_$c++;
			return $3;
		}
		C
	done
	echo '__attribute__((destructor)) static void tell(void) {'
	for c in $calls; do
		echo "if (n_$c) fprintf(stderr, \"called $c %d\\n\", n_$c);"
	done
	echo 'fprintf(stderr, "counted\n"); }'
}
args='a, b, c, d, e, f, g, h, i, j, k, l'
types='long, long, long, long, long, long, long, long, long, long, long, long'
flags=
for c in $calls; do flags="$flags -Wl,--wrap=PMPI_$c"; done

# none NAME RANKS COMMAND...: no call is counted, in RANKS ranks
none() {
	local name=$1 n=$2
	shift 2
	rm -rf run
	WM_DIR=$W/run timeout 120 "$@" >out 2>err
	is "$name: no call that others join" "$(grep 'called' err | sort -u)" ""
	is "$name: $n ranks were counted" "$(grep -c '^counted$' err)" "$n"
	is "$name: and traced" "$(find run -name 'rank-*' | wc -l)" "$n"
}

mpi=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null)
if [ -n "$mpi" ] && [ -x "$mpi/bin/mpicc" ]; then
	counters __wrap_ "extern long __real_PMPI_%s($types);" X |
		sed -E 's/^(static int n_([A-Za-z_]+);)$/\1\n#define REAL __real_PMPI_\2/' |
		sed -e 's/return X;/return REAL('"$args"');/' \
		-e 's/^#define REAL/#undef REAL\n&/' >count.c
	ok "static: builds" env WM_CC="$mpi/bin/mpicc" wmcc -static \
		-fno-builtin -o quiet "$progs/mpi/no_calls.c" count.c $flags
	none "hydra" 4 "$mpi/bin/mpiexec" -n 4 ./quiet.wm
	none "hydra, WM_RANKS" 4 env "WM_RANKS=0-9" "$mpi/bin/mpiexec" -n 4 \
		./quiet.wm
	rm -rf run
	WM_DIR=$W/run timeout 120 "$mpi/bin/mpiexec" -n 4 env \
		-u MPI_LOCALRANKID ./quiet.wm >out 2>err
	is "an unknown launcher: one broadcast a rank" \
		"$(grep called err | sort | uniq -c | tr -s ' ')" \
		" 4 called Bcast 1"
	for p in srun slurmctld slurmd munged; do
		command -v $p >/dev/null || PATH=$PATH:/usr/sbin:/sbin
	done
	if command -v slurmctld >/dev/null && command -v munged >/dev/null &&
		[ "$(id -u)" = 0 ]; then
		slurm=$SRC/scripts/try-slurm
		trap '"$slurm" down "$W/slurm"; cd /; rm -rf "$W"' EXIT
		if "$slurm" up "$W/slurm" 2>slurm.log; then
			export SLURM_CONF=$W/slurm/slurm.conf
			none "srun" 4 srun -N2 -n4 --mpi=pmi2 ./quiet.wm
			unset SLURM_CONF
		else
			skip "srun" "Slurm does not start: $(tail -1 slurm.log)"
		fi
	else
		skip "srun" "Slurm is missing, or no root"
	fi
else
	skip "static MPICH" "it is missing: scripts/setup --mpi"
fi

# Dynamic: a library in front of all others.
counters "" "" 0 | sed -E 's/^(static int n_([A-Za-z_]+);)$/\1\n#define NAME "PMPI_\2"/' |
	sed -e 's/return 0;/return ((long (*)('"$types"'))dlsym(RTLD_NEXT, NAME))('"$args"');/' \
	-e 's/^#define NAME/#undef NAME\n&/' \
	-e '1i #define _GNU_SOURCE\n#include <dlfcn.h>' >preload.c
ok "the counting library builds" gcc -shared -fPIC -o libcount.so preload.c -ldl
if command -v mpicc.mpich >/dev/null && command -v mpiexec.mpich >/dev/null; then
	ok "dynamic MPICH: builds" env WM_CC=mpicc.mpich wmcc \
		-o dquiet "$progs/mpi/no_calls.c"
	none "dynamic MPICH" 4 mpiexec.mpich -n 4 env \
		LD_PRELOAD="$W/libcount.so" ./dquiet.wm
	# wm-run in front of one program of two, and a launcher without a name:
	# a broadcast would meet the other program's reduction
	mpicc.mpich -o mix "$progs/mpi/reduce.c"
	cp mix other
	rm -rf run
	WM_DIR=$W/run timeout 60 mpiexec.mpich -n 2 env -u MPI_LOCALRANKID \
		wm-run ./mix : -n 2 ./other >out 2>err
	is "wm-run for some programs, an unknown launcher: no broadcast" \
		"$? $(cat out)" "0 4"
	is "and traced" "$(find run -name 'rank-00000[01]*' | wc -l)" 2
else
	skip "dynamic MPICH" "package mpich is missing"
fi
if command -v mpicc.openmpi >/dev/null; then
	export OMPI_MCA_btl=self,vader
	ok "Open MPI: builds" env WM_CC=mpicc.openmpi wmcc \
		-o oquiet "$progs/mpi/no_calls.c"
	none "Open MPI" 4 mpiexec.openmpi --oversubscribe -n 4 env \
		LD_PRELOAD="$W/libcount.so" ./oquiet.wm
else
	skip "Open MPI" "package openmpi-bin is missing"
fi
done_testing
