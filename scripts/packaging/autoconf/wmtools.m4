# SPDX-License-Identifier: Apache-2.0
#
# WM_CHECK_WMTOOLS([IF-FOUND], [IF-NOT-FOUND]): memory-traced twins beside the
# programs of a package.
#
#   AC_PROG_CC
#   WM_CHECK_WMTOOLS
#
# gives configure an option, and its user the choice:
#
#   configure                         as before; wmtools is looked for
#   configure --with-wmtools          all programs get twins, app.wm beside app
#   configure --with-wmtools=PREFIX   by the wmtools installed there
#   configure --without-wmtools       not even looked for
#
# Variables that are substituted, empty when wmtools is not there:
#   WMTOOLS_PREFIX        where it is installed
#   WMTOOLS_CFLAGS        flags for <wm/wmtrace.h>
#   WMTOOLS_LIBS          flags that make a dynamic program itself traced,
#   WMTOOLS_STATIC_LIBS   and a static one, without a twin
#   WMTOOLS_LAUNCH        the word before a compiler that links twins
#
# The shell variable have_wmtools is yes or no.  Probes of configure run with
# the plain compilers; those of makefiles are changed at its end.
#
# Where aclocal does not look: aclocal -I $(wm-config --prefix)/share/aclocal.
#
# Checked by tests/wmcc/t1034-build-snippets.sh: autoconf 2.71, automake 1.16
# with libtool 2.4, C and C++.
# serial 1
AC_DEFUN([WM_CHECK_WMTOOLS],
[AC_ARG_WITH([wmtools],
  [AS_HELP_STRING([--with-wmtools@<:@=PREFIX@:>@],
    [link memory-traced twins (app.wm) beside programs])],
  [], [with_wmtools=check])
have_wmtools=no
wm_path=$PATH
AS_CASE([$with_wmtools], [yes | no | check], [],
  [wm_path=$with_wmtools/bin])
AS_IF([test "x$with_wmtools" != xno],
  [AC_PATH_PROG([WM_CONFIG], [wm-config], [], [$wm_path])])
AS_IF([test -n "$WM_CONFIG"],
  [WMTOOLS_PREFIX=`"$WM_CONFIG" --prefix 2>/dev/null`
  WMTOOLS_LAUNCH=$WMTOOLS_PREFIX/libexec/wmtools/launch
  AS_IF([test -x "$WMTOOLS_LAUNCH"],
    [have_wmtools=yes
    WMTOOLS_CFLAGS=`"$WM_CONFIG" --cflags`
    WMTOOLS_LIBS=`"$WM_CONFIG" --libs`
    WMTOOLS_STATIC_LIBS=`"$WM_CONFIG" --static --libs`],
    [WMTOOLS_PREFIX= WMTOOLS_LAUNCH=])])
AC_SUBST([WMTOOLS_PREFIX])
AC_SUBST([WMTOOLS_CFLAGS])
AC_SUBST([WMTOOLS_LIBS])
AC_SUBST([WMTOOLS_STATIC_LIBS])
AC_SUBST([WMTOOLS_LAUNCH])
AS_IF([test "$have_wmtools" = yes], [$1],
  [AS_CASE([$with_wmtools], [no | check], [],
    [AC_MSG_ERROR([no wmtools: there is no wm-config in '$wm_path'])])
  $2])
AC_CONFIG_COMMANDS_PRE(
[AS_IF([test "$have_wmtools" = yes && test "x$with_wmtools" != xcheck],
  [CC="$WMTOOLS_LAUNCH $CC"
  test -z "$CXX" || CXX="$WMTOOLS_LAUNCH $CXX"
  test -z "$FC" || FC="$WMTOOLS_LAUNCH $FC"
  test -z "$F77" || F77="$WMTOOLS_LAUNCH $F77"])])
])
