# SPDX-License-Identifier: Apache-2.0
# `make distcheck` of an automake project: it builds in a folder of its own,
# runs tests, installs, uninstalls, cleans, and wants to find nothing then.
. "$(dirname "$0")/../lib.sh" wmcc-lib automake
export WM_CC=gcc
sources
mkdir project && cd project || exit 1
mkdir src tests
cp ../hello.c src/hello.c
cp ../hello.c tests/hello.c
cat >configure.ac <<'END'
AC_INIT([hello], [1.0])
AM_INIT_AUTOMAKE([foreign subdir-objects])
AC_PROG_CC
AC_CHECK_LIB([m], [cos])
AC_CONFIG_FILES([Makefile src/Makefile tests/Makefile])
AC_OUTPUT
END
echo 'SUBDIRS = src tests' >Makefile.am
cat >src/Makefile.am <<'END'
bin_PROGRAMS = hello
hello_SOURCES = hello.c
END
cat >tests/Makefile.am <<'END'
check_PROGRAMS = hello
hello_SOURCES = hello.c
TESTS = hello
END
autoreconf -i >../autoreconf.log 2>&1 || skip_all "autoreconf fails here"
./configure CC=gcc >../configure.log 2>&1

not_ok "without WM_TWIN_DIR twins are in its way" make distcheck CC=wmcc
chmod -R u+w . && rm -rf hello-1.0
export WM_TWIN_DIR=$W/twins
ok "make distcheck CC=wmcc" make distcheck CC=wmcc
is "two twins of one name" "$(find "$W/twins" -name '*.wm' -printf '%f ')" \
	"hello.wm hello.wm "
ok "they trace" traced "$(find "$W/twins" -name hello.wm | head -1)"
export WM_DIR=$W/runs
ok "with WM_LINK=only and WM_DIR, too" make distcheck CC=wmcc WM_LINK=only
is "its test was traced" "$(find "$W/runs" -name 'rank-*' | wc -l)" 1
is "nothing is in the project" "$(find . -name '*.wm')" ""

# the line for Makefile.am of wmcc(1)
unset WM_TWIN_DIR WM_DIR
for d in src tests; do
	echo 'clean-local: ; rm -rf hello.wm hello.*.wm' >>$d/Makefile.am
done
ok "with a rule of its own" make distcheck CC=wmcc
done_testing
