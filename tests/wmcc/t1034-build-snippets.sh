# SPDX-License-Identifier: Apache-2.0
# run: rest
# The native file for Meson, and the macro for autoconf: twins, app as ever.
. "$(dirname "$0")/../lib.sh" wmcc-lib
unset WM_CC CC CXX FC
product_make install PREFIX=/wm DESTDIR="$W/stage" >install.log 2>&1
mv stage/wm moved
home=$W/moved
PATH=$(printf %s "$PATH" | tr ':' '\n' | grep -vx "$BUILD/bin" | paste -sd:)
sources
printf '%s\n' '#include <wm/wmtrace.h>' \
	'int main(void) { wm_phase("one"); return 0; }' >phases.c
twins() { (cd "$1" && find . -name '*.wm' -type f | sort | tr '\n' ' '); }

# ---- Meson ----
meson_snippet() {
	local p native=$home/share/meson/native/wmtools.ini
	mkdir me && cp hello.c hello.cc hello.f90 phases.c me
	cat >me/meson.build <<'X'
project('all', 'c', 'cpp', 'fortran')
executable('in_c', 'hello.c')
executable('in_c_static', 'hello.c', link_args: '-static')
executable('in_cxx', 'hello.cc')
executable('in_f', 'hello.f90')
shared_library('shared', 'hello.c')
X
	# what the head of the file shows for a meson.build
	sed -n '/^#   wmtools = /,/^#   endif/s/^#   //p' "$native" |
		sed 's/app\.c/phases.c/' >>me/meson.build
	ok "Meson: builds without wmtools" sh -c "meson setup --buildtype release me-ref me &&
		ninja -C me-ref"
	is "Meson: no twins, and no traced program" \
		"$(twins me-ref)$(find me-ref -name app-traced)" ""
	# where Meson looks for it
	ok "Meson: builds with it" env PATH="$home/bin:$PATH" \
		XDG_DATA_DIRS="$home/share" \
		PKG_CONFIG_PATH="$home/lib/pkgconfig" sh -c \
		"meson setup --buildtype release --native-file wmtools.ini \
		me-new me &&
		ninja -C me-new"
	for p in in_c in_c_static in_cxx in_f; do
		ok "Meson: $p is the same" same me-ref/$p me-new/$p
		ok "Meson: $p.wm traces" traced me-new/$p.wm
	done
	ok "Meson: <wm/wmtrace.h> is found" test -x me-new/app
	ok "Meson: the program of the same objects traces" \
		traced me-new/app-traced
	is "Meson: no twins of probes" "$(cd me-new &&
		find meson-private meson-info -name '*.wm')" ""
}
if have meson meson Meson && have ninja ninja-build Meson &&
	have gfortran gfortran Meson; then
	meson_snippet
fi

# ---- autoconf, automake, libtool ----
autoconf_snippet() {
	mkdir ac && cp hello.c phases.c ac && cp hello.cc ac/greet.cc
	cat >ac/configure.ac <<'X'
AC_INIT([hello], [1])
AC_CONFIG_AUX_DIR([build-aux])
AC_CONFIG_MACRO_DIRS([m4])
AM_INIT_AUTOMAKE([foreign no-dist-gzip dist-xz])
AM_PROG_AR
AC_PROG_CC
AC_PROG_CXX
LT_INIT
WM_CHECK_WMTOOLS([AC_DEFINE([HAVE_WMTOOLS], [1], [wmtools is there])])
AC_CHECK_FUNCS([malloc strlcpy])
AC_RUN_IFELSE([AC_LANG_PROGRAM([], [])], [], [AC_MSG_ERROR([cannot run])])
AM_CONDITIONAL([WMTOOLS], [test "$have_wmtools" = yes])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
X
	cat >ac/Makefile.am <<'X'
bin_PROGRAMS = in_c in_c_static in_cxx
in_c_SOURCES = hello.c
in_c_LDADD = libpart.la
in_c_static_SOURCES = hello.c
in_c_static_LDFLAGS = -all-static
in_cxx_SOURCES = greet.cc
lib_LTLIBRARIES = libpart.la
libpart_la_SOURCES = part.c
if WMTOOLS
noinst_PROGRAMS = phases direct
phases_SOURCES = phases.c
phases_CPPFLAGS = $(WMTOOLS_CFLAGS)
direct_SOURCES = hello.c
direct_LDADD = $(WMTOOLS_LIBS)
endif
X
	echo 'int part(void) { return 0; }' >ac/part.c
	mkdir ac/m4
	ok "autoreconf takes the macro from where it is installed" sh -c \
		"cd ac && ACLOCAL='aclocal -I $home/share/aclocal' autoreconf -fi"
	mkdir ac-ref ac-new ac-path ac-none
	ok "configure --without-wmtools, make" sh -c "cd ac-ref &&
		../ac/configure --without-wmtools CFLAGS=-O1 CXXFLAGS=-O1 && make"
	ok "configure --with-wmtools=PREFIX, make" sh -c "cd ac-new &&
		../ac/configure --with-wmtools='$home' CFLAGS=-O1 CXXFLAGS=-O1 && make"
	is "autoconf: the probes ran with the plain compiler" "$(grep -c launch \
		ac-new/confdefs.h ac-new/config.h 2>/dev/null)$(twins \
		ac-new | tr ' ' '\n' | grep conftest)" ""
	is "autoconf: twins of the real programs" "$(twins ac-new)" \
		"./.libs/in_c.wm ./in_c_static.wm ./in_cxx.wm ./phases.wm "
	ok "autoconf: in_c is the same" same ac-ref/.libs/in_c ac-new/.libs/in_c
	for p in in_c_static in_cxx; do
		ok "autoconf: $p is the same" same ac-ref/$p ac-new/$p
		ok "autoconf: $p.wm traces" traced ac-new/$p.wm
	done
	ok "autoconf: the program with WMTOOLS_LIBS traces" \
		traced ac-new/direct
	ok "configure finds it in PATH, relinks nothing unasked" sh -c \
		"cd ac-path && PATH=$home/bin:\$PATH ../ac/configure \
		CFLAGS=-O1 CXXFLAGS=-O1 && make"
	is "autoconf: unasked: no twins" "$(twins ac-path)" ""
	ok "autoconf: unasked: have_wmtools" test -x ac-path/phases
	not_ok "configure --with-wmtools=NOWHERE fails" sh -c "cd ac-none &&
		../ac/configure --with-wmtools=$W/nowhere"
	like "and says why" "$(cat ac-none/config.log)" 'no wmtools: there is no'
}
if have autoreconf autoconf autoconf && have automake automake autoconf &&
	have libtoolize libtool autoconf; then
	autoconf_snippet
fi
done_testing
