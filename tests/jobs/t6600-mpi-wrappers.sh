# SPDX-License-Identifier: Apache-2.0
# run: rest
# The compiler wrappers of MPI around ours: mpicc -cc=wmcc, MPICH_CC, OMPI_CC
# and the like, from C, C++ and Fortran, in one call and in two; then CMake,
# autoconf and Meson.  Intel MPI's I_MPI_CC is not tested: there is none here.
. "$(dirname "$0")/../lib.sh" wmcc-lib mpi-lib
mpi_sources
export WM_CC=gcc WM_CXX=g++ WM_FC=gfortran
unset MPICH_CC MPICH_CXX MPICH_FC MPICH_F77 OMPI_CC OMPI_CXX OMPI_FC

steps() { # OUTPUT COMMAND SOURCE FLAGS...: compile, then link
	local out=$1 command=$2 source=$3
	shift 3
	$command "$@" -c "$source" -o mpi.o && $command "$@" mpi.o -o "$out"
}

# WHAT MPIEXEC PLAIN-COMMAND COMMAND SOURCE FLAGS...: the same program with
# our compiler behind the wrapper as without, and a trace a rank
around() {
	local what=$1 mpiexec=$2 plain=$3 command=$4 source=$5
	shift 5
	alike "$what" "$plain" "$command" "$source" "$@" || return
	ok "$what: a trace a rank" ranks "$mpiexec" 2 ./app.wm
	rm -f app app.wm
	steps plain "$plain" "$source" "$@" >plain.out 2>&1
	steps app "$command" "$source" "$@" >app.out 2>&1
	is "$what, two steps: status" $? 0
	ok "$what, two steps: same program" same plain app
	ok "$what, two steps: traces" traced timeout 60 ./app.wm
}

# WHAT MPIEXEC FOLDER/ SUFFIX FLAGS...: a whole MPICH
mpich_family() {
	local what=$1 run=$2 dir=$3 end=$4 p
	shift 4
	p=$dir
	around "$what, -cc=wmcc" "$run" "${p}mpicc$end" \
		"${p}mpicc$end -cc=wmcc" mpi.c "$@"
	around "$what, -cxx=wmcxx" "$run" "${p}mpicxx$end" \
		"${p}mpicxx$end -cxx=wmcxx" mpi.cc "$@"
	around "$what, -fc=wmf90" "$run" "${p}mpifort$end" \
		"${p}mpifort$end -fc=wmf90" mpi.f90 "$@"
	around "$what, MPICH_CC" "$run" "${p}mpicc$end" \
		"env MPICH_CC=wmcc ${p}mpicc$end" mpi.c "$@"
	around "$what, MPICH_CXX" "$run" "${p}mpicxx$end" \
		"env MPICH_CXX=wmcxx ${p}mpicxx$end" mpi.cc "$@"
	around "$what, MPICH_FC" "$run" "${p}mpifort$end" \
		"env MPICH_FC=wmf90 ${p}mpifort$end" mpi.f90 "$@"
	around "$what, MPICH_F77" "$run" "${p}mpif77$end" \
		"env MPICH_F77=wmf90 MPICH_FC=wmf90 ${p}mpif77$end" mpi.f "$@"
}
bring mpi/mpi.f

mpich=$(mpich_prefix)
if [ -n "$mpich" ]; then
	mpich_family "static MPICH" "$mpich/mpiexec" "$mpich/" "" -static
	# wmcc's own wrapper within: told, and no loop
	PATH=$mpich:$PATH WM_CC=mpicc timeout 100 "$mpich/mpicc" -cc=wmcc \
		-static mpi.c -o app >out 2>&1
	ok "WM_CC=mpicc and -cc=wmcc: fails" test $? -ne 0
else
	skip "static MPICH" "scripts/setup has not built it"
fi
if command -v mpicc.mpich >/dev/null; then
	mpich_family "Debian's MPICH" mpiexec.mpich "" .mpich
else
	skip "Debian's MPICH" "package libmpich-dev is not installed"
fi
if command -v mpicc.openmpi >/dev/null; then
	around "Open MPI, OMPI_CC" mpiexec.openmpi mpicc.openmpi \
		"env OMPI_CC=wmcc mpicc.openmpi" mpi.c
	around "Open MPI, OMPI_CXX" mpiexec.openmpi mpicxx.openmpi \
		"env OMPI_CXX=wmcxx mpicxx.openmpi" mpi.cc
	around "Open MPI, OMPI_FC" mpiexec.openmpi mpif90.openmpi \
		"env OMPI_FC=wmf90 mpif90.openmpi" mpi.f90
	around "Open MPI, OMPI_FC, mpif77" mpiexec.openmpi mpif77.openmpi \
		"env OMPI_FC=wmf90 mpif77.openmpi" mpi.f
else
	skip "Open MPI" "package libopenmpi-dev is not installed"
fi

# ---- build systems that look for MPI themselves ----
mkdir cm && cp mpi.c mpi.cc cm
cat >cm/CMakeLists.txt <<'E2'
cmake_minimum_required(VERSION 3.13)
project(both C CXX)
find_package(MPI REQUIRED)
add_executable(in_c mpi.c)
target_link_libraries(in_c MPI::MPI_C)
add_executable(in_cxx mpi.cc)
target_link_libraries(in_cxx MPI::MPI_CXX)
E2
# WHAT MPIEXEC CMAKE-OPTION...
cmake_mpi() {
	local what=$1 run=$2 p
	shift 2
	rm -rf bd
	cmake -S cm -B bd "$@" >cm.log 2>&1
	is "CMake, $what: configures" "$? $(find bd -name '*.wm' | wc -l)" "0 0"
	cmake --build bd >>cm.log 2>&1
	is "CMake, $what: builds" $? 0
	for p in in_c in_cxx; do
		ok "CMake, $what: $p.wm leaves a trace a rank" \
			ranks "$run" 2 "bd/$p.wm"
	done
}
if have cmake cmake CMake && have mpicc.mpich libmpich-dev "CMake, FindMPI"; then
	cmake_mpi "our compilers and FindMPI" mpiexec.mpich \
		-DCMAKE_C_COMPILER=wmcc -DCMAKE_CXX_COMPILER=wmcxx \
		-DMPI_C_COMPILER="$(command -v mpicc.mpich)" \
		-DMPI_CXX_COMPILER="$(command -v mpicxx.mpich)"
	WM_CC=mpicc.mpich WM_CXX=mpicxx.mpich cmake_mpi \
		"our compilers around MPI's" mpiexec.mpich \
		-DCMAKE_C_COMPILER=wmcc -DCMAKE_CXX_COMPILER=wmcxx
	# The wrapper that CMake asks for its flags, with our compiler inside.
	MPICH_CC=wmcc MPICH_CXX=wmcxx cmake_mpi "MPI's compilers around ours" \
		mpiexec.mpich -DCMAKE_C_COMPILER="$(command -v mpicc.mpich)" \
		-DCMAKE_CXX_COMPILER="$(command -v mpicxx.mpich)"
fi
if have cmake cmake CMake && [ -n "$mpich" ]; then
	cmake_mpi "static MPICH" "$mpich/mpiexec" -DCMAKE_C_COMPILER=wmcc \
		-DCMAKE_CXX_COMPILER=wmcxx -DMPI_C_COMPILER="$mpich/mpicc" \
		-DMPI_CXX_COMPILER="$mpich/mpicxx" \
		-DCMAKE_EXE_LINKER_FLAGS=-static
fi

if have autoconf autoconf autoconf && [ -n "$mpich" ]; then
	mkdir ac && cp mpi.c ac
	cat >ac/configure.ac <<'E2'
AC_INIT([mpi], [1])
AC_ARG_VAR([MPICC], [compiler of MPI programs])
AC_PROG_CC
CC=$MPICC
AC_CHECK_FUNCS([MPI_Init], [], [AC_MSG_ERROR([no MPI])])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
E2
	printf 'mpi: @srcdir@/mpi.c\n\t@MPICC@ @CFLAGS@ -static -o mpi @srcdir@/mpi.c\n' \
		>ac/Makefile.in
	(cd ac && autoconf) >ac.log 2>&1
	(cd ac && ./configure CC=wmcc MPICC="$mpich/mpicc -cc=wmcc") >>ac.log 2>&1
	is "./configure CC=wmcc MPICC='mpicc -cc=wmcc'" \
		"$? $(find ac -name '*.wm' | wc -l)" "0 0"
	make -s -C ac >>ac.log 2>&1
	ok "configure: a trace a rank" ranks "$mpich/mpiexec" 2 ac/mpi.wm
fi

if have meson meson Meson && have mpicc.mpich libmpich-dev Meson; then
	mkdir me && cp mpi.c me
	cat >me/meson.build <<'E2'
project('mpi', 'c')
executable('mpi', 'mpi.c')
E2
	MPICH_CC=wmcc CC=mpicc.mpich meson setup me/bd me >me.log 2>&1
	is "Meson, MPICH_CC: configures" "$? $(find me -name '*.wm' | wc -l)" \
		"0 0"
	MPICH_CC=wmcc ninja -C me/bd >>me.log 2>&1
	ok "Meson: a trace a rank" ranks mpiexec.mpich 2 me/bd/mpi.wm
fi
is "nothing is left over" "$(leftovers)" ""
done_testing
