# SPDX-License-Identifier: Apache-2.0
# run: rest
# Build systems: make, ccache, CMake, autoconf, automake with libtool.
. "$(dirname "$0")/../lib.sh" wmcc-lib
export WM_CC=gcc WM_CXX=g++ WM_FC=gfortran
sources

twins() { # names of all twins below here
	find "${1:-.}" -name '*.wm' -type f | sort | tr '\n' ' '
}

# make
cat >Makefile <<'END'
CFLAGS = -O1
all: one two
one: hello.c
	$(CC) $(CFLAGS) hello.c -o one
two: hello.o
	$(CC) hello.o -o two -static
hello.o: hello.c
	$(CC) $(CFLAGS) -c hello.c
END
make -s CC=gcc && mv one one.ref && mv two two.ref && rm hello.o
make -s CC=wmcc >make.out 2>&1
is "make CC=wmcc" "$? $(cat make.out)" "0 "
ok "make: same program, one step" same one one.ref
ok "make: same program, two steps" same two two.ref
is "make: twins" "$(twins)" "./one.wm ./two.wm "
ok "make: one.wm" traced ./one.wm
ok "make: two.wm" traced ./two.wm
rm -f one two ./*.wm hello.o
sed -i '/^CFLAGS/i CC ?= cc' Makefile
CC=wmcc make -s -e
is "CC=wmcc make: twins" "$(twins)" "./one.wm ./two.wm "

# many links at once, in one folder
mkdir many && for i in $(seq 16); do cp hello.c "many/p$i.c"; done
cat >many/Makefile <<'END'
all: $(patsubst %.c,%,$(wildcard p*.c))
%: %.c
	$(CC) $< -o $@
END
make -s -j8 -C many CC=wmcc
is "make -j: twins" "$(find many -name '*.wm' | wc -l)" 16
is "make -j: nothing is left over" "$(leftovers many)" ""
(cd many && for i in 1 2 3 4; do wmcc p1.c -o one & done; wait)
ok "the same program four times at once" traced many/one.wm
is "four times: nothing is left over" "$(leftovers many)" ""
rm -rf many

# ccache
if have ccache ccache "ccache"; then
	export CCACHE_DIR=$W/ccache
	rm -f one two ./*.wm hello.o
	make -s CC="ccache wmcc"
	is "ccache wmcc: twins" "$(twins .)" "./one.wm ./two.wm "
	ok "ccache wmcc: same program" same two two.ref
	rm -f one two ./*.wm hello.o
	WM_CC="ccache gcc" make -s CC=wmcc
	is "wmcc with ccache gcc: twins" "$(twins .)" "./one.wm ./two.wm "
	ok "wmcc with ccache gcc: same program" same two two.ref
	ok "wmcc with ccache gcc: traces" traced ./two.wm
fi
rm -rf Makefile one* two* ./*.wm hello.o

# CMake, with all three languages and its own probes
cmake_project() {
	mkdir cm && cp hello.c hello.cc hello.f90 cm
	cat >cm/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(three C CXX Fortran)
include(CheckCSourceCompiles)
include(CheckCSourceRuns)
check_c_source_compiles("int main(void) { return 0; }" WORKS)
check_c_source_runs("int main(void) { return 0; }" RUNS)
if(NOT WORKS OR NOT RUNS)
	message(FATAL_ERROR "probes failed")
endif()
find_package(Threads REQUIRED)
add_executable(hello_c hello.c)
target_link_libraries(hello_c Threads::Threads)
add_executable(hello_cxx hello.cc)
add_executable(hello_fortran hello.f90)
target_link_options(hello_fortran PRIVATE -static)
add_library(lib SHARED hello.c)
install(TARGETS hello_c DESTINATION bin)
END
}
if have cmake cmake CMake && have gfortran gfortran CMake; then
	cmake_project
	configure="cmake -S cm -DCMAKE_BUILD_TYPE=Release
		-DCMAKE_INSTALL_PREFIX=$W/inst"
	$configure -B cm-ref -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++ \
		-DCMAKE_Fortran_COMPILER=gfortran >cm.log 2>&1
	cmake --build cm-ref >>cm.log 2>&1
	CC=wmcc CXX=wmcxx FC=wmf90 $configure -B cm-new >cm-new.log 2>&1
	is "CMake configures" $? 0
	is "CMake: no twins of probes" "$(twins cm-new)" ""
	like "CMake knows the compiler" "$(cat cm-new.log)" \
		'C compiler identification is GNU'
	cmake --build cm-new -j2 >>cm-new.log 2>&1
	is "CMake builds" $? 0
	is "CMake: twins" "$(twins cm-new)" \
		"cm-new/hello_c.wm cm-new/hello_cxx.wm cm-new/hello_fortran.wm "
	for p in hello_c hello_cxx hello_fortran; do
		ok "CMake: $p is the same" same cm-ref/$p cm-new/$p
		ok "CMake: $p.wm traces" traced cm-new/$p.wm
	done
	CC=wmcc CXX=wmcxx FC=wmf90 $configure -B cm-only >/dev/null 2>&1
	WM_LINK=only cmake --build cm-only --target install >cm-only.log 2>&1
	is "CMake install with WM_LINK=only" $? 0
	ok "CMake: the installed program traces" traced inst/bin/hello_c
fi

# autoconf alone
if have autoconf autoconf autoconf; then
	mkdir ac && cp hello.c ac
	cat >ac/configure.ac <<'END'
AC_INIT([hello], [1])
AC_PROG_CC
AC_CHECK_FUNCS([malloc strlcpy])
AC_CHECK_LIB([m], [cos])
AC_RUN_IFELSE([AC_LANG_PROGRAM([], [])], [], [AC_MSG_ERROR([cannot run])])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
END
	cat >ac/Makefile.in <<'END'
hello: @srcdir@/hello.c
	@CC@ @CFLAGS@ -o hello @srcdir@/hello.c @LIBS@
END
	(cd ac && autoconf) >ac.log 2>&1
	mkdir ac-ref ac-new
	(cd ac-ref && ../ac/configure CC=gcc CFLAGS=-O1 && make -s) >>ac.log 2>&1
	(cd ac-new && ../ac/configure CC=wmcc CFLAGS=-O1) >ac-new.log 2>&1
	is "configure CC=wmcc" $? 0
	is "configure: no twins" "$(twins ac-new)" ""
	is "configure: the same answers" "$(grep -E '^checking (for (cos|strl|mal)|whether (the C|we are|gcc|wmcc))' \
		ac-new.log | sed 's/wmcc/gcc/')" \
		"$(grep -E '^checking (for (cos|strl|mal)|whether (the C|we are|gcc))' ac.log)"
	make -s -C ac-new >>ac-new.log 2>&1
	is "configure: make" $? 0
	ok "configure: same program" same ac-ref/hello ac-new/hello
	ok "configure: twin" traced ac-new/hello.wm
fi

# automake and libtool
if have automake automake libtool && have libtoolize libtool libtool; then
	mkdir lt && cp hello.c lt
	echo 'int two(void) { return 2; }' >lt/two.c
	cat >lt/configure.ac <<'END'
AC_INIT([hello], [1])
AM_INIT_AUTOMAKE([foreign])
AC_PROG_CC
AM_PROG_AR
LT_INIT
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
END
	cat >lt/Makefile.am <<'END'
lib_LTLIBRARIES = libtwo.la
libtwo_la_SOURCES = two.c
bin_PROGRAMS = hello shello
hello_SOURCES = hello.c
hello_LDADD = libtwo.la
shello_SOURCES = hello.c
shello_LDADD = libtwo.la
shello_LDFLAGS = -all-static
END
	(cd lt && libtoolize -q && autoreconf -i) >lt.log 2>&1
	mkdir lt-ref lt-new
	(cd lt-ref && ../lt/configure CC=gcc CFLAGS=-O1 && make -s) >>lt.log 2>&1
	(cd lt-new && ../lt/configure CC=wmcc CFLAGS=-O1) >lt-new.log 2>&1
	is "libtool: configure" $? 0
	is "libtool: no twins" "$(twins lt-new)" ""
	make -s -C lt-new >>lt-new.log 2>&1
	is "libtool: make" $? 0
	ok "libtool -all-static: same program" same lt-ref/shello lt-new/shello
	ok "libtool -all-static: twin" traced lt-new/shello.wm
	ok "libtool, dynamic: a twin beside the real program" \
		test -f lt-new/.libs/hello.wm -o -f lt-new/hello.wm
	is "libtool keeps the ld of the plain build" \
		"$(grep '^LD=' lt-new/libtool)" "$(grep '^LD=' lt-ref/libtool)"
	is "libtool: no path of wmtools in the build" \
		"$(grep -rlF "$BUILD" lt-new --include=libtool \
			--include=Makefile --include=config.status)" ""
	ok "libtool: no twin of the library" test -z \
		"$(find lt-new -name 'libtwo*.wm')"
fi
is "nothing is left over" "$(leftovers)" ""
done_testing
