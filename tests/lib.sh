# SPDX-License-Identifier: Apache-2.0
# TAP for shell tests.  Source it first; end with `done_testing`.  Words behind
# it are what the file needs: NAME-lib, which is tests/NAME-lib.sh, or a program,
# without which the file is skipped.
#
#   ok DESCRIPTION COMMAND...      the command succeeds
#   is DESCRIPTION GOT WANTED      two strings are equal
#   like DESCRIPTION GOT REGEX     extended regular expression
#   is_silent DESCRIPTION COMMAND...      it succeeds, and says nothing at all
#   has_no DESCRIPTION REGEX COMMAND...   it succeeds, says something, and in no
#                                  line of stdout does REGEX match
#
# Not `is DESCRIPTION "$(COMMAND | FILTER)" ""`, which a COMMAND that crashes
# passes, too.  So does `is DESCRIPTION "$(COMMAND A)" "$(COMMAND B)"`; with
# "$(answer COMMAND A)" it does not.
#
#   skip DESCRIPTION REASON        one test that cannot run here
#   skip_all REASON                the (rest of the) file cannot run here
#
#   bring FOLDER/FILE...           copies of programs of tests/progs, for what is
#                                  compiled, changed or named where it lies
#
# timeout $stuck COMMAND...: what may hang is ended, seconds after which also a
# slow and busy machine would be done.
#
# $W is a fresh directory (removed at the end) and the working directory;
# $SRC is the source tree, $progs its tests/progs, $dump its wmt-dump, $BUILD the
# build folder; $BUILD/bin leads PATH.
set -u
SRC=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${BUILD:-$SRC/build}
case ${XDG_CACHE_HOME:-} in
/*) WM_CACHE=${WM_CACHE:-$XDG_CACHE_HOME/wmtools} ;;
*) WM_CACHE=${WM_CACHE:-${HOME:-/root}/.cache/wmtools} ;;
esac
progs=$SRC/tests/progs
dump=$SRC/tests/tools/wmt-dump
export SRC BUILD WM_CACHE
# Debian's python3 comes first, which scripts/setup installs: that of a user may
# be a script of shell, and then each start of it takes five times as long.
python=$BUILD/test/python
if [ -x /usr/bin/python3 ] && [ ! -e "$python/python3" ]; then
	mkdir -p "$python" && ln -sf /usr/bin/python3 "$python/"
fi
export PATH=$BUILD/bin:$python:$PATH
unset python
export LC_ALL=C
unset MAKEFLAGS MFLAGS MAKELEVEL
# The tests' own: no variables of wmtools, which programs would be told.
export -n WM_LONG WM_KILLS WM_TEST_TIMEOUT
unset WM_DIR WM_NAME WM_RUN_ID WM_DISABLE WM_LINK WM_QUIET WM_UNWIND \
	WM_TIME_RES WM_BUFFER WM_COMPRESS WM_WINDOW WM_WINDOW_DIR \
	WM_CHILDREN WM_SUMMARY WM_MAX_BYTES WM_MEMORY WM_RANKS \
	WM_PAGES WM_PAGES_RANKS WM_ACCESS WM_ACCESS_RANKS WM_ACCESS_BURST \
	WM_CC WM_CXX WM_FC WM_TWIN_DIR \
	WM_VARIABLES WMCC_ACCESS WM_ACCESS_CACHE WM_ACCESS_CACHE_MAX \
	WM_DEBUG_PATH WM_DEBUGINFOD DEBUGINFOD_URLS \
	XDG_CACHE_HOME COLUMNS
W=$(mktemp -d "${TMPDIR:-/tmp}/wmtest.XXXXXX")
trap 'cd /; rm -rf "$W"' EXIT
cd "$W" || exit 1
# Open MPI's mpirun makes and removes /tmp/ompi.HOST.UID; of two that start at
# one time one may fail ("File exists").
export OMPI_MCA_orte_tmpdir_base=$W
# Its mpirun and mpiexec refuse root, and count cores.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export OMPI_MCA_rmaps_base_oversubscribe=1
stuck=900
tap_n=0
tap_failed=0

# product_make TARGET...: make on the product as it was built for this test, so
# that nothing is built anew with other flags below tests that run beside
product_make() {
	eval "make -s -C \"\$SRC\" BUILD=\"\$BUILD\" $(cat "$BUILD/variables") \
		\"\$@\""
}

bring() { # FOLDER/FILE...
	cp "${@/#/$progs/}" .
}

# The product has sanitizers (make check SAN=...).  Memory that a command or a
# library of MPI has not freed at its end is no finding.
has_sanitizers() {
	grep -q 'SAN=' "$BUILD/variables" 2>/dev/null
}
if has_sanitizers; then
	export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}
fi

# small DESCRIPTION COMMAND...: ok, of memory or time; sanitizers take their own
small() {
	if has_sanitizers; then
		skip "$1" "built with sanitizers"
	else
		ok "$@"
	fi
}

# built_once STAMP COMMAND...: COMMAND makes something in $BUILD that several
# test files use; one of them runs it, the others wait
built_once() {
	local stamp=$BUILD/test/$1
	shift
	(
		flock -w 1700 9 || exit 1
		"$@"
	) 9>"$stamp.lock"
}

# soon COMMAND...: waits until it succeeds, however busy the machine is; 1 after
# more than two minutes
soon() {
	for _ in {1..2400}; do
		"$@" >/dev/null 2>&1 && return
		sleep 0.05
	done
	return 1
}

# it_sleeps PID: the process waits for something, by the kernel's word
it_sleeps() {
	grep -q '^State:.S' "/proc/$1/status"
}

# no_files PATTERN: none has a name like it
no_files() {
	! compgen -G "$1" >/dev/null
}

# cpu_ms PID: what a process has had of the processors
cpu_ms() {
	local s
	read -r -a s <"/proc/$1/stat" && echo $(((s[13] + s[14]) * 10))
}

# made_by_clang TARGET...: makes TARGETs by clang, warnings as errors, in
# $BUILD/test/clang
made_by_clang() {
	built_once clang make -s -k -j2 -C "$SRC" BUILD="$BUILD/test/clang" \
		CC=clang CFLAGS="-O2 -g" SAN= COVERAGE= DEVELOPER=1 "$@"
}

# long_or LONG SHORT: how many of something, in the long tests and in the others
long_or() {
	if [ -n "${WM_LONG:-}" ]; then echo "$1"; else echo "$2"; fi
}

tap_result() { # STATUS DESCRIPTION
	tap_n=$((tap_n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tap_n - $2"
	else
		echo "not ok $tap_n - $2"
		tap_failed=$((tap_failed + 1))
	fi
}

ok() {
	local d=$1 out s
	shift
	out=$("$@" 2>&1)
	s=$?
	tap_result $s "$d"
	[ $s -eq 0 ] || printf 'status %s of: %s\n%s\n' $s "$*" "$out" |
		head -40 | sed 's/^/# /'
	return $s
}

not_ok() { # the command fails (but is not killed by a signal)
	local d=$1 out s
	shift
	out=$("$@" 2>&1)
	s=$?
	if [ $s -ne 0 ] && [ $s -lt 126 ]; then
		tap_result 0 "$d"
	else
		tap_result 1 "$d"
		printf 'status %s of: %s\n%s\n' $s "$*" "$out" | head -40 |
			sed 's/^/# /'
	fi
}

is() {
	if [ "$2" = "$3" ]; then
		tap_result 0 "$1"
	else
		tap_result 1 "$1"
		printf 'got:    %s\nwanted: %s\n' "$2" "$3" | sed 's/^/# /'
	fi
}

like() {
	if printf '%s\n' "$2" | grep -Eq -- "$3"; then
		tap_result 0 "$1"
	else
		tap_result 1 "$1"
		printf 'got:     %s\npattern: %s\n' "$2" "$3" | sed 's/^/# /'
	fi
}

is_silent() {
	local d=$1 out s
	shift
	out=$("$@" 2>&1)
	s=$?
	[ $s -eq 0 ] && [ -z "$out" ]
	tap_result $? "$d"
	[ $s -eq 0 ] && [ -z "$out" ] ||
		printf 'status %s of: %s\n%s\n' $s "$*" "$out" | head -40 |
		sed 's/^/# /'
}

has_no() {
	local d=$1 p=$2 out s found
	shift 2
	out=$("$@" 2>/dev/null)
	s=$?
	found=$(grep -E -- "$p" <<<"$out")
	[ $s -eq 0 ] && [ -n "$out" ] && [ -z "$found" ]
	tap_result $? "$d"
	[ $s -eq 0 ] && [ -n "$out" ] && [ -z "$found" ] ||
		printf 'status %s of: %s\npattern: %s\n%s\n' $s "$*" "$p" \
		"${found:-no output}" | head -40 | sed 's/^/# /'
}

# answer COMMAND...: what it prints; a line that is equal to no other when it
# fails or prints nothing
answer() {
	local out s
	out=$("$@" 2>/dev/null)
	s=$?
	if [ $s -eq 0 ] && [ -n "$out" ]; then
		printf '%s\n' "$out"
	else
		echo "no answer ($BASHPID): $*: status $s"
	fi
}

skip() {
	tap_n=$((tap_n + 1))
	echo "ok $tap_n # SKIP $1: $2"
}

done_testing() {
	echo "1..$tap_n"
	[ $tap_failed -eq 0 ]
}

skip_all() {
	if [ "$tap_n" -eq 0 ]; then
		echo "1..0 # SKIP $1"
		exit
	fi
	skip "all the rest" "$1"
	done_testing
	exit
}

for tap_need; do
	case $tap_need in
	*-lib) . "$SRC/tests/$tap_need.sh" ;;
	*) command -v "$tap_need" >/dev/null ||
		skip_all "$tap_need is missing: scripts/setup" ;;
	esac
done
