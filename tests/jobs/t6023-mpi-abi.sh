# SPDX-License-Identifier: Apache-2.0
# The ABI of the MPI-5 standard: a library of that ABI, which hands its calls
# to MPICH with other handles, so that there are real ranks.
. "$(dirname "$0")/../lib.sh" python3

mkdir abi
# job NAME LAUNCHER...: two ranks, of a job whose name has to go round
job() {
	local name=$1
	shift
	rm -rf run && mkdir run
	WM_DIR=run timeout 100 "$@" -n 2 env -u MPI_LOCALRANKID ./prog.wm \
		>out 2>&1
	is "$name: runs" "$? $(cat out)" "0 "
	is "$name: ranks, windows, memory" "$(for f in run/*.wm/rank-*; do
		"$dump" --summary "$f" | jq -c '[.info.rank, .info.ranks,
			.counts.MPI_ALLOC, .counts.MPI_FREE, .families.mpi,
			.complete]'
	done | tr '\n' ' ') $(ls run | wc -l)" \
		"[0,2,2,2,0,true] [1,2,2,2,0,true]  1"
}

if mpi=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null); then
	nm "$mpi/lib/libmpi.a" 2>/dev/null |
		sed -n 's/.* \(P\{0,1\}MPI_[A-Za-z_]*\)$/\1 R\1/p' |
		sort -u >names
	objcopy --redefine-syms=names "$mpi/lib/libmpi.a" abi/libreal.a
	gcc -c -o abi/abi.o "$progs/mpi/abi/abi.c"
	ar rc abi/libmpi_abi.a abi/abi.o
	ok "static: builds" env WM_CC=gcc wmcc -static -I"$progs/mpi/abi" \
		-o prog "$progs/mpi/abi/prog.c" \
		-Labi -lmpi_abi -lreal $("$mpi/bin/mpicc" -link_info |
			tr ' ' '\n' | grep '^-l' | grep -v '^-lmpi$')
	job static "$mpi/bin/mpiexec"
else
	skip "static" "static MPICH is missing: scripts/setup --mpi"
fi
if [ -e /usr/lib/x86_64-linux-gnu/libmpich.so.12 ] &&
		command -v mpiexec.mpich >/dev/null; then
	rm -f prog prog.wm
	gcc -shared -fPIC -D_GNU_SOURCE -DLOADER -Wl,-soname,libmpi_abi.so.0 \
		-o abi/libmpi_abi.so.0 "$progs/mpi/abi/abi.c"
	ln -s libmpi_abi.so.0 abi/libmpi_abi.so
	ok "dynamic: builds" env WM_CC=gcc wmcc -I"$progs/mpi/abi" \
		-o prog "$progs/mpi/abi/prog.c" -Labi \
		-lmpi_abi -Wl,-rpath,"$W/abi"
	job dynamic mpiexec.mpich
else
	skip "dynamic" "package libmpich12 is missing"
fi
done_testing
