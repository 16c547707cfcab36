# SPDX-License-Identifier: Apache-2.0
# Identifiers of HDF5 that the program leaves open are its leaks, by the calls
# that made them; those that it closes are not, in whatever way: a stand-in for
# the library, and HDF5 itself.
. "$(dirname "$0")/../lib.sh" analyze-lib python3

mkdir real
bring report/hdf5/left.c report/hdf5/keep.c report/hdf5/library.c
cp left.c keep.c real
cp "$progs/report/hdf5/hdf5.h" .
export LD_LIBRARY_PATH=$W HDF5_USE_FILE_LOCKING=FALSE
line() {
	grep -n "$1" left.c | head -n 1 | cut -d: -f1
}

# left PROGRAM ARGUMENT...: its status, if that is not 0, what it left open, and
# whether the gate passes
left() {
	rm -rf left.1.wm
	WM_NAME=left WM_RUN_ID=1 "$@" >out 2>err || echo "status $?"
	json '(sorted([s["name"], s["handles"], s["made_by"], s["line"]]
		for s in j["never_freed"]["sites"] if s["handles"]),
		j["gates"][0]["handles"], j["gates"][0]["met"])' \
		--leaks --fail-on leaks left.1.wm
}

spaces=$(line 'space = H5Screate_simple(1, &ten, NULL);')
# three are left: in all, without what a file may have, and of a library as well
all="['make_space', 3, 'H5Screate_simple', $spaces], \
['read_step', 3, 'H5Dopen2', $(line 'data = H5Dopen2')], \
['refer', 3, 'H5Dopen2', $(($(line 'H5Iinc_ref') - 2))]"

# check NAME PROGRAM [PLAIN...]: a twin, or wm-run with a program
check() {
	local n=$1
	shift
	is "$n: all are closed" "$(left "$@" close)" "([], 0, False)"
	like "$n: errors and errno are the program's" "$(cat out)" \
		'^(5|77) -1 [1-9] -1 [1-9]$'
	is "$n: three are left" "$(left "$@" close 3)" "([$all], 9, True)"
	like "$n: text" "$(wm-analyze -q --leaks left.1.wm)" \
		"^  3 handles of H5Dopen2 in read_step, left\.c:$(
			line 'data = H5Dopen2') were not freed$"
	like "$n: the gate" "$(wm-analyze -q --fail-on leaks left.1.wm 2>&1 \
		>/dev/null)" 'leaks: 9 handles of HDF5 were never freed; in '
	like "$n: handles are no blocks, and none of HDF5's is doubtful" "$(
		wm-analyze -q --leaks left.1.wm | grep -v '^Kept\|^  ' |
		tr '\n' ' ') $(json '[sum(s["blocks"] for s in
		j["never_freed"]["sites"] if s["bytes"]), sum(
		j["never_freed"][k]["blocks"] for k in ("program", "unknown",
		"runtime"))]' --leaks left.1.wm | sed 's/^\[\(.*\), \1\]$/same/')" \
		'^left  run 1: .* never freed by rank 0  The program.s: handles of HDF5 +Call paths of .* same$'
	is "$n: the file closes what is in it" "$(left "$@" strong 3)" \
		"([['make_space', 3, 'H5Screate_simple', $spaces]], 3, True)"
	is "$n: H5close" "$(left "$@" all 3)" "([], 0, False)"
	is "$n: H5close in a thread" "$(left "$@" thread 3)" "([], 0, False)"
	is "$n: H5close at exit" "$(left "$@" exit 3)" "([$all], 9, True)"
	is "$n: by references" "$(left "$@" release)" "([], 0, False)"
}

# builds NAME OPTION...: of the library, which the file is in
builds() {
	ok "$1: builds" wmcc -g -O1 -pthread -fno-inline \
		-fno-optimize-sibling-calls -o left "${@:2}"
}

# of an archive without lines: it is a library
standin() { # OPTION...
	local f
	for f in library keep; do
		${CC:-cc} -O1 -fPIC "$@" -I. -c $f.c
		${CC:-cc} -shared -o lib$f.so $f.o
		rm -f lib$f.a
		ar rc lib$f.a $f.o
	done
}
standin
builds static -static -I. left.c -L. -lkeep -llibrary && check static ./left.wm
builds "archive" -I. left.c libkeep.a liblibrary.a && check archive ./left.wm
# A library's calls of it cannot be seen then: none is counted.
builds "exported" -I. left.c -L. -lkeep liblibrary.a
is "exported: none is counted" "$(left ./left.wm close 3)" "([], 0, False)"
is "exported: it runs" "$(cat out)" "$(./left close 3)"
if builds dynamic -I. left.c -L. -lkeep -llibrary; then
	check dynamic ./left.wm
	check wm-run wm-run ./left
	is "dynamic: a library's file" "$(left ./left.wm keep)" \
		"([['main', 2, 'keep_open', $(line 'kept = keep_open')]], 2, True)"
	is "dynamic: of 1,000 calls, each" "$(left ./left.wm close 10 |
		grep -o ", 10, 'H5Dopen2'" | wc -l)" 2
fi
if command -v musl-gcc >/dev/null; then
	CC=musl-gcc standin
	WM_CC=musl-gcc builds musl -static -I. left.c libkeep.a liblibrary.a
	is "musl: H5close" "$(left ./left.wm all 3)" "([], 0, False)"
	is "musl: H5close at exit" "$(left ./left.wm exit 3)" "([$all], 9, True)"
else
	skip "musl" "musl-gcc is missing: scripts/setup"
fi
standin -DOLD
builds "1.8" -DOLD -I. left.c -L. -lkeep -llibrary && check "1.8" ./left.wm

# The name of a library that the program needs is enough.
${CC:-cc} -shared -Wl,-soname,libnetcdf.so.19 -o libnetcdf.so.19 keep.o \
	-L. -llibrary
echo 'long keep_open(char *n); int main(void) { keep_open("k"); return 0; }' >by.c
ok "netcdf: builds" wmcc -g -o by by.c -L. -l:libnetcdf.so.19
is "netcdf: a file is left" "$(left ./by.wm)" \
	"([['main', 2, 'keep_open', 1]], 2, True)"

# A program without HDF5 has nothing of it.
echo 'int main(void) { return 0; }' >none.c
for i in '' -static; do
	ok "none $i: builds" wmcc -o none none.c $i
	is "none $i: no HDF5 in it" "$(nm none.wm | grep -c 'H5\|wm_hdf5')" 0
done

# real NAME SUFFIX: Debian's of this kind
real() {
	local n=$1 h=/usr/lib/$(${CC:-cc} -dumpmachine)/hdf5/$2 i
	local inc=/usr/include/hdf5/$2 so

	if ! [ -e "$inc/hdf5.h" ] || ! [ -e "$h/libhdf5.so" ]; then
		skip "$n" "libhdf5-dev is missing: scripts/setup"
		return
	fi
	shift 2
	(cd real && ${CC:-cc} -O1 -fPIC "-I$inc" "$@" -c keep.c &&
		${CC:-cc} -shared -o ../libkeep.so keep.o && rm -f libkeep.a &&
		ar rc libkeep.a keep.o)
	builds "$n" "-I$inc" real/left.c "$@" -L. -lkeep "-L$h" -lhdf5 || return
	check "$n" ./left.wm
	check "$n, wm-run" wm-run ./left
	is "$n: a library's file" "$(left ./left.wm keep)" \
		"([['main', 2, 'keep_open', $(line 'kept = keep_open')]], 2, True)"
	builds "$n, archive" "-I$inc" real/left.c "$@" real/libkeep.a \
		"$h/libhdf5.a" -lcrypto -lcurl -lsz -lz -ldl -lm &&
		check "$n, archive" ./left.wm
}
real HDF5 serial

# HDF5 for C++ closes all when the process exits.
cat >left.cc <<'E2'
#include <H5Cpp.h>
int main()
{
	H5::H5File f("cxx.h5", H5F_ACC_TRUNC);
	hsize_t n = 10;
	for (int i = 0; i < 4; i++) {
		H5::DataSpace *s = new H5::DataSpace(1, &n);
		if (i == 0)
			delete s;
	}
	return 0;
}
E2
lib=/usr/lib/$(${CC:-cc} -dumpmachine)/hdf5/serial
if [ -e "$lib/libhdf5_cpp.so" ] && command -v g++ >/dev/null; then
	ok "C++: builds" wmcxx -g -I/usr/include/hdf5/serial -o left left.cc \
		"-L$lib" -lhdf5_cpp -lhdf5
	like "C++: three are left" "$(left ./left.wm)" \
		"^\(\[\['main', 3, 'H5::DataSpace::DataSpace.*, 3, True\)"
else
	skip "C++" "libhdf5-dev or g++ is missing: scripts/setup"
fi
done_testing
