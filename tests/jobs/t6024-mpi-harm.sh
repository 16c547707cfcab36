# SPDX-License-Identifier: Apache-2.0
# Programs that use MPI in unusual ways do what they do without us: failed and
# repeated initialisation, finalisation in an exit handler, MPI_Abort in a
# signal handler, handlers of errors, spawned processes.
. "$(dirname "$0")/../lib.sh"

# fate COMMAND...: status and what our program printed
fate() {
	local s
	WM_DIR=run timeout 100 "$@" >out 2>err </dev/null
	s=$?
	grep -E '^(init|again|at exit|failed|parent|child|up)' out | sort
	echo "status $s, $(grep -c wmtrace err) lines of ours"
}
check() { # NAME MPIEXEC FLAG... -- COMPILER FLAG...
	local name=$1 run=("$2") w n i unnamed
	shift 2
	while [ "$1" != -- ]; do
		run+=("$1")
		shift
	done
	shift
	rm -f prog prog.wm
	ok "$name: builds" env WM_CC="$1" wmcc -g \
		-o prog "$progs/mpi/harm.c" "${@:2}"
	rm -rf run && mkdir run
	for w in "" uninitialized abort-first twice handler nothing atexit \
			finalize-twice spawn no-finalize signal; do
		# one rank, where two would race for the job's status
		case $w in
		nothing | atexit | no-finalize | signal | abort-first) n=1 ;;
		*) n=2 ;;
		esac
		fate "${run[@]}" -n $n ./prog $w >wanted
		if [ "$w" = spawn ] && ! grep -q 'status 0' wanted; then
			skip "$name: spawn" "this MPI cannot, here"
			continue
		fi
		fate "${run[@]}" -n $n ./prog.wm $w >got
		# A launcher loses a status now and then, of either: seen of
		# hydra, with a plain program that returned 5.
		for i in 1 2 3; do
			cmp -s wanted got && break
			echo "# again: $(tail -1 wanted), $(tail -1 got)"
			fate "${run[@]}" -n $n ./prog $w >wanted
			sed 's/^/# launcher: /' err
			fate "${run[@]}" -n $n ./prog.wm $w >got
			sed 's/^/# launcher: /' err
		done
		is "$name: ${w:-plain}" "$(cat got)" "$(cat wanted)"
	done
	# no launcher names the job: we broadcast, with its handler put back
	case $name in
	*MPICH) unnamed=(env -u MPI_LOCALRANKID) ;;
	*) unnamed=() ;;
	esac
	for w in handler fatal; do
		fate "${run[@]}" -n 2 ./prog $w >wanted
		is "$name: $w, perhaps with a broadcast of ours" "$(fate \
			"${run[@]}" -n 2 "${unnamed[@]}" ./prog.wm $w)" \
			"$(cat wanted)"
	done
	# a launcher that does not answer: initialisation fails
	is "$name: initialisation fails" \
		"$(PMI_FD=77 PMI_RANK=0 PMI_SIZE=2 PMIX_RANK=0 fate ./prog.wm)" \
		"$(PMI_FD=77 PMI_RANK=0 PMI_SIZE=2 PMIX_RANK=0 fate ./prog)"
}
found=0
if mpi=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null); then
	found=1
	check "static MPICH" "$mpi/bin/mpiexec" -- "$mpi/bin/mpicc" -static
fi
if command -v mpicc.mpich >/dev/null; then
	found=1
	check "dynamic MPICH" mpiexec.mpich -- mpicc.mpich
fi
if command -v mpicc.openmpi >/dev/null; then
	found=1
	check "Open MPI" mpiexec.openmpi --oversubscribe -- mpicc.openmpi
fi
[ $found = 1 ] || skip_all "there is no MPI here"
done_testing
