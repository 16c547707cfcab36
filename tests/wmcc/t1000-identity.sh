# SPDX-License-Identifier: Apache-2.0
# The plain program is byte-identical to a build without wmcc, in every
# language, way of linking and compiler; the twin is there and traces.
. "$(dirname "$0")/../lib.sh" wmcc-lib
sources

# COMPILER WRAPPER VARIABLE SOURCE FLAGS
check() {
	alike "$1 $5" "$1" "env $3=$1 $2" $5 -O1 "$4" || return
	ok "$1 $5: the twin traces" traced ./app.wm
}

for flags in "" -static "-static -flto" -static-pie -no-pie \
	"-static -g" "-flto" "-static -s" "-s"; do
	check gcc wmcc WM_CC hello.c "$flags"
done
for flags in "" -static "-static -flto" -static-pie; do
	have g++ g++ "g++ $flags" && check g++ wmcxx WM_CXX hello.cc "$flags"
	have gfortran gfortran "gfortran $flags" &&
		check gfortran wmf90 WM_FC hello.f90 "$flags"
done
for flags in "" -static "-static -flto" -static-pie; do
	have clang clang "clang $flags" && check clang wmcc WM_CC hello.c "$flags"
done
for flags in "" -static "-static -flto"; do
	have clang++ clang "clang++ $flags" &&
		check clang++ wmcxx WM_CXX hello.cc "$flags"
done

# objects, too, and libraries
gcc -O1 -g -c hello.c -o plain.o
WM_CC=gcc wmcc -O1 -g -c hello.c -o app.o
ok "an object is the same" same plain.o app.o
gcc -shared -fPIC hello.c -o plain.so
WM_CC=gcc wmcc -shared -fPIC hello.c -o app.so
ok "a shared library is the same" same plain.so app.so
ok "a shared library has no twin" test ! -e app.so.wm
gcc -r plain.o -o plain-r.o
WM_CC=gcc wmcc -r plain.o -o app-r.o
ok "a relocatable link is the same" same plain-r.o app-r.o
ok "a relocatable link has no twin" test ! -e app-r.o.wm
is "nothing is left over" "$(leftovers)" ""
done_testing
