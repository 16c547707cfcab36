# SPDX-License-Identifier: Apache-2.0
# MPI programs: which implementation is recognised, what is wrapped, and that
# every rank leaves its trace, for static MPICH and Open MPI (scripts/setup)
# and Debian's dynamic ones.
# run: long
. "$(dirname "$0")/../lib.sh" wmcc-lib mpi-lib
mpi_sources
sed 's/MPI_Init(&argc, &argv)/int got; MPI_Init_thread(\&argc, \&argv, MPI_THREAD_SERIALIZED, \&got)/' \
	mpi.c >thread.c
cat >serial.c <<'E2'
int MPI_Init(int *argc, char ***argv) { return !argc || !argv; }
int MPI_Finalize(void) { return 0; }
int main(int argc, char **argv)
{
	return MPI_Init(&argc, &argv) || MPI_Finalize();
}
E2

# WHAT COMPILER VARIABLE WRAPPER MPIEXEC SOURCE FLAGS...
check() {
	local what=$1 mpiexec=$5
	alike "$what" "$2" "env $3=$2 $4" "${@:6}" || return
	ok "$what: one trace a rank" ranks "$mpiexec" 2 ./app.wm
	case " $* " in
	*" -static "*) like "$what: has the MPI shim" "$(nm app.wm)" \
		' [Tt] __wrap_MPI_Finalize$' ;;
	*) like "$what: has the MPI shim" "$(nm -D app.wm)" \
		' T MPI_Finalize$' ;;
	esac
}

wraps() { # names of MPI functions that app.wm has a wrapper of
	nm app.wm | sed -n 's/.* [Tt] __wrap_\(MPI_.*\|mpi_.*\)/\1/p' | sort |
		tr '\n' ' '
}

mpich=$(ls -d "$WM_CACHE"/mpich-*/bin 2>/dev/null | head -1)
if [ -n "$mpich" ] && [ -x "$mpich/mpicc" ]; then
	for ld in bfd gold lld mold; do
		have "ld.$ld" "$ld" "static MPICH with $ld" || continue
		check "static MPICH, $ld" "$mpich/mpicc" WM_CC wmcc \
			"$mpich/mpiexec" "-fuse-ld=$ld" -static mpi.c
	done
	check "static MPICH, MPI_Init_thread" "$mpich/mpicc" WM_CC wmcc \
		"$mpich/mpiexec" -static thread.c
	check "static MPICH, stripped" "$mpich/mpicc" WM_CC wmcc \
		"$mpich/mpiexec" -static -s mpi.c
	check "static MPICH, LTO" "$mpich/mpicc" WM_CC wmcc \
		"$mpich/mpiexec" -static -flto mpi.c
	check "static MPICH, Fortran" "$mpich/mpifort" WM_FC wmf90 \
		"$mpich/mpiexec" -static mpi.f90
	# the other way round: MPICH's wrapper calls ours
	rm -f app app.wm
	"$mpich/mpicc" -static mpi.c -o plain 2>/dev/null
	WM_CC=gcc MPICH_CC=wmcc "$mpich/mpicc" -static mpi.c -o app 2>/dev/null
	ok "MPICH_CC=wmcc mpicc: same program" same plain app
	ok "MPICH_CC=wmcc mpicc: one trace a rank" \
		ranks "$mpich/mpiexec" 2 ./app.wm
	printf 'app: mpi.c\n\t$(CC) -static mpi.c -o app\n' >Makefile
	rm -f app app.wm
	WM_CC=$mpich/mpicc make -s CC=wmcc 2>/dev/null
	ok "WM_CC=mpicc make CC=wmcc" ranks "$mpich/mpiexec" 2 ./app.wm
	WM_CC=mpicc MPICH_CC=wmcc PATH=$mpich:$PATH wmcc mpi.c -o loop 2>err
	ok "WM_CC=mpicc and MPICH_CC=wmcc: fails" test $? -ne 0
	like "WM_CC=mpicc and MPICH_CC=wmcc: says why" "$(cat err)" \
		'wmcc: error: .*WM_CC'
	# for build systems without wrapper compilers
	"$mpich/mpicc" -static $(wm-config --static --mpi=mpich --pre-ld-flags) \
		mpi.c $(wm-config --static --post-ld-flags) -o conf 2>/dev/null
	ok "wm-config --mpi=mpich" ranks "$mpich/mpiexec" 2 ./conf
	mkdir conf.run
	WM_DIR=conf.run timeout 60 "$mpich/mpiexec" -n 2 ./conf >out 2>&1
	like "wm-config --mpi=mpich: handles are not looked at" \
		"$(wm-analyze -q --leaks conf.run/*)" \
		'^Handles of MPI .* not looked at.* by wm-config'
	"$mpich/mpifort" -static $(wm-config --static --fortran --mpi=mpich \
		--pre-ld-flags) mpi.f90 $(wm-config --static --post-ld-flags) \
		-o conf 2>/dev/null
	ok "wm-config --mpi=mpich --fortran" ranks "$mpich/mpiexec" 2 ./conf
else
	skip "static MPICH" "scripts/setup has not built it"
fi

ompi=$(ls -d "$WM_CACHE"/openmpi-*/bin 2>/dev/null | head -1)
if [ -z "${WM_LONG:-}" ]; then
	: # static Open MPI is for the long tests
elif [ -n "$ompi" ] && [ -x "$ompi/mpicc" ]; then
	for ld in bfd gold lld mold; do
		have "ld.$ld" "$ld" "static Open MPI with $ld" || continue
		check "static Open MPI, $ld" "$ompi/mpicc" WM_CC wmcc \
			"$ompi/mpiexec" "-fuse-ld=$ld" -static mpi.c
	done
	check "static Open MPI, stripped" "$ompi/mpicc" WM_CC wmcc \
		"$ompi/mpiexec" -static -s thread.c
	check "static Open MPI, LTO" "$ompi/mpicc" WM_CC wmcc \
		"$ompi/mpiexec" -static -flto mpi.c
	check "static Open MPI, Fortran" "$ompi/mpifort" WM_FC wmf90 \
		"$ompi/mpiexec" -static mpi.f90
	rm -f app app.wm
	"$ompi/mpicc" -static mpi.c -o plain 2>/dev/null
	WM_CC=gcc OMPI_CC=wmcc "$ompi/mpicc" -static mpi.c -o app 2>/dev/null
	ok "OMPI_CC=wmcc mpicc: same program" same plain app
	ok "OMPI_CC=wmcc mpicc: one trace a rank" \
		ranks "$ompi/mpiexec" 2 ./app.wm
	"$ompi/mpicc" -static $(wm-config --static --mpi=ompi --pre-ld-flags) \
		mpi.c $(wm-config --static --post-ld-flags) -o conf 2>/dev/null
	ok "wm-config --mpi=ompi" ranks "$ompi/mpiexec" 2 ./conf
else
	skip "static Open MPI" "scripts/setup --all builds it"
fi

for family in mpich openmpi; do
	if ! command -v "mpicc.$family" >/dev/null; then
		skip "dynamic $family" "package lib$family-dev is not installed"
		continue
	fi
	check "dynamic $family" "mpicc.$family" WM_CC wmcc "mpiexec.$family" \
		mpi.c
	check "dynamic $family, stripped" "mpicc.$family" WM_CC wmcc \
		"mpiexec.$family" -s mpi.c
	check "dynamic $family, Fortran" "mpif90.$family" WM_FC wmf90 \
		"mpiexec.$family" mpi.f90
	for ld in gold lld mold; do
		have "ld.$ld" "$ld" "dynamic $family with $ld" || continue
		check "dynamic $family, $ld" "mpicc.$family" WM_CC wmcc \
			"mpiexec.$family" "-fuse-ld=$ld" mpi.c
	done
done

# a serial stand-in for MPI is not MPI
gcc -static serial.c -o plain
WM_CC=gcc wmcc -static serial.c -o app
ok "serial stand-in: same program" same plain app
is "serial stand-in: not wrapped" "$(wraps)" ""
ok "serial stand-in: traces" traced ./app.wm

# members of an archive that only MPI_Init pulls in
cat >init.c <<'E2'
void MPIR_Start(void) {}
int MPI_Init(int *argc, char ***argv) { return !argc || !argv; }
E2
printf 'int MPI_Finalize(void) { return 0; }\n' >fini.c
nm -u "$BUILD/lib/wmtools/wm-mpi-static.o" |
	sed -n 's/.* U \(P*MPI_.*\)/int \1(void) { return 0; }/p' >>fini.c
printf 'int MPI_Init(int *, char ***);\nint MPI_Finalize(void);\nint main(int c, char **v) { return MPI_Init(&c, &v) || MPI_Finalize(); }\n' >main.c
gcc -c init.c fini.c main.c && ar rc libfake.a init.o fini.o
for ld in bfd gold lld mold; do
	have "ld.$ld" "$ld" "an archive, $ld" || continue
	rm -f app app.wm
	WM_CC=gcc wmcc -fuse-ld=$ld -static main.o -L. -lfake -o app 2>err
	is "an archive, $ld: no warning" "$(cat err)" ""
	like "an archive, $ld: wrapped" "$(objdump -d --no-show-raw-insn app.wm |
		sed -n '/<main>:/,/^$/p')" 'call.*__wrap_MPI_Init'
done
is "nothing is left over" "$(leftovers)" ""
done_testing
