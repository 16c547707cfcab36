# SPDX-License-Identifier: Apache-2.0
# Every linker, however the user chose it: identity, twin, and what the twin
# exports and wraps.
. "$(dirname "$0")/../lib.sh" wmcc-lib
sources
gcc -O1 -c hello.c
cat >many.cc <<'END'
#include <memory>
#include <iostream>
int main()
{
	auto p = std::make_unique<int[]>(100);
	std::cout << p[0] << std::endl;
}
END

# more static memory than a distance of 32 bits reaches over
cat >huge.c <<'END'
#include <stdlib.h>
char field[2200u << 20];
int main(void)
{
	char *volatile p = malloc(1000000);

	field[sizeof(field) - 1] = p ? 1 : 0;
	free(p);
	return field[sizeof(field) - 1] - 1;
}
END

linker_package() {
	case $1 in
	bfd | gold) echo binutils ;;
	*) echo "$1" ;;
	esac
}

# WHAT COMPILER FLAGS...
check() {
	alike "$1" "$2" "env WM_CC=$2 wmcc" "${@:3}" || return
	ok "$1: twin traces" traced ./app.wm
}

for ld in bfd gold lld mold; do
	have "ld.$ld" "$(linker_package $ld)" "$ld" || continue
	for mode in "" -static -static-pie "-static -s" "-static -Wl,-Map,m"; do
		check "gcc $ld $mode" gcc "-fuse-ld=$ld" $mode hello.o
	done
	have clang clang "clang $ld" &&
		check "clang $ld" clang "-fuse-ld=$ld" -static hello.o
	[ $ld = lld ] || # it cannot read GCC's LTO objects
		check "gcc $ld LTO" gcc "-fuse-ld=$ld" -static -flto hello.c
	for model in medium large; do
		check "$ld, 2.2 GB, $model" gcc "-fuse-ld=$ld" \
			-mcmodel=$model huge.c
	done
	gcc "-fuse-ld=$ld" hello.o -o plain
	WM_CC=gcc wmcc "-fuse-ld=$ld" hello.o -o app
	nm -D --defined-only app.wm >symbols
	for s in malloc calloc realloc free posix_memalign aligned_alloc; do
		like "$ld: a dynamic twin exports $s" "$(cat symbols)" \
			" T $s\$"
	done
	nm app.wm >symbols
	# but what stands before a function of liblzma in the runtime itself
	is "$ld: a dynamic twin wraps nothing" \
		"$(grep __wrap_ symbols | grep -vc 't __wrap_lzma_crc32$')" 0
	if have g++ g++ "$ld C++"; then
		WM_CXX=g++ wmcxx "-fuse-ld=$ld" many.cc -o app
		ok "$ld: dynamic C++" traced ./app.wm
		WM_CXX=g++ wmcxx "-fuse-ld=$ld" -static many.cc -o app
		ok "$ld: static C++" traced ./app.wm
	fi
done

# Libraries of any name that the program needs for nothing but what a twin
# defines, and functions of the program's own that a library needs.
bring mpi/stub.c
NL='
'
cat >few.c <<'END'
int MPI_Init(int *, char ***), MPI_Finalize(void);
long long H5Pcopy(long long);
int H5Pclose(long long), use(int);
int main(void)
{
	return MPI_Init(0, 0) + (H5Pcopy(5) != 6) + H5Pclose(5) + use(0) +
	       MPI_Finalize();
}
END
cat >ids.c <<'END'
long long H5Pcopy(long long id) { return id + 1; }
int H5Pclose(long long id) { return id != 5; }
int H5Iis_valid(long long id) { return id == 6; }
END
cat >use.c <<'END'
int MPI_Ibarrier(int, int *), MPI_Wait(int *, void *), H5Pclose(long long);
int use(int r) { return MPI_Ibarrier(0, &r) + MPI_Wait(&r, 0) + H5Pclose(5); }
END
echo 'int use(int r) { return r; }' >none.c
cat >arena.c <<'END'
#include <stddef.h>
static char bytes[1 << 20];
static size_t used;
void *malloc(size_t n) { return bytes + ((used += n + 31 & -16) - n - 16 & -16); }
void free(void *p) { (void)p; }
END
echo '#include <stdlib.h>
void *volatile p; int main(void) { p = malloc(9); free(p); return 0; }' >grab.c
gcc -c few.c
for f in stub ids use none arena; do
	gcc -O1 -fno-builtin -fPIC -shared $f.c -o libodd-$f.so
	gcc -O1 -c $f.c
done
echo 'GROUP ( libodd-ids.so )' >libodd-script.so
needs() { readelf -d "$1" | grep NEEDED; }
export LD_LIBRARY_PATH=$PWD
for ld in bfd gold lld mold; do
	command -v ld.$ld >/dev/null || continue
	check "$ld, --as-needed" gcc -fuse-ld=$ld -Wl,--as-needed few.c none.o \
		-L. -lodd-stub ./libodd-ids.so -lodd-use
	is "$ld, --as-needed: runs" "$(traced ./app.wm)" \
		"exit status 0${NL}1 traces"
	is "$ld, --as-needed: the same libraries" "$(needs app.wm)" \
		"$(needs app)"
	WM_CC=gcc wmcc -fuse-ld=$ld -Wl,--as-needed few.c none.o -L. \
		-l odd-stub -lodd-script -o app
	is "$ld, a linker script: the same libraries" "$(needs app.wm)" \
		"$(needs app)"
	WM_CC=gcc wmcc -fuse-ld=$ld -Wl,--as-needed -fno-builtin grab.c -L. \
		-lodd-arena -o app
	is "$ld, an allocator: the same libraries" "$(needs app.wm)" \
		"$(needs app)"
	check "$ld, functions of its own" gcc -fuse-ld=$ld few.c stub.o ids.o \
		-L. -lodd-use
	is "$ld, functions of its own: runs" "$(traced ./app.wm)" \
		"exit status 0${NL}1 traces"
done
unset LD_LIBRARY_PATH

# a linker chosen by path
if have mold mold "-B" && [ -x /usr/libexec/mold/ld ]; then
	check "gcc -B" gcc -B/usr/libexec/mold -static hello.o
	like "-B: the user's linker" "$(readelf -p .comment app.wm)" mold
	check "gcc -B, compile and link" gcc -B/usr/libexec/mold hello.c
	mkdir bin && ln -s /usr/libexec/mold/ld bin/ld
	check "gcc -B relative" gcc -B./bin hello.o
	have clang clang "clang -B" &&
		check "clang -B" clang -B/usr/libexec/mold -static hello.o
	rm -f plain app app.wm
	COMPILER_PATH=$PWD/bin gcc hello.o -o plain
	COMPILER_PATH=$PWD/bin WM_CC=gcc wmcc hello.o -o app
	ok "the user's COMPILER_PATH: same program" same plain app
	like "the user's COMPILER_PATH: its linker" \
		"$(readelf -p .comment app)" mold
	ok "the user's COMPILER_PATH: twin" traced ./app.wm
fi
if have clang clang "--ld-path" && have ld.lld lld "--ld-path"; then
	check "clang --ld-path" clang --ld-path="$(command -v ld.lld)" \
		-static hello.o
	like "--ld-path: that linker" "$(readelf -p .comment app.wm)" LLD
	check "clang -fuse-ld=/PATH" clang \
		-fuse-ld="$(command -v ld.gold)" -static hello.o
fi

# a compiler that looks for its linker in no place that we know
mkdir odd
cat >odd/cc <<END
#!/bin/bash
unset COMPILER_PATH
args=()
for a in "\$@"; do case \$a in -B*) ;; *) args+=("\$a") ;; esac; done
exec gcc "\${args[@]}"
END
chmod +x odd/cc
check "a compiler that ignores us" odd/cc -static hello.o
check "a compiler that ignores us, dynamic" odd/cc hello.o
WM_CC=odd/cc LD_LIBRARY_PATH=. wmcc -Wl,--as-needed few.o none.o -L. -lodd-stub \
	-lodd-ids -o app
is "a compiler that ignores us: the same libraries" "$(needs app.wm)" \
	"$(needs app)"
WM_CC=odd/cc wmcc hello.c -o app 2>err
is "the same with a source: status" $? 0
ok "the same with a source: plain program" ./app
like "the same with a source: warning" "$(cat err)" \
	"^wmcc: warning: 'app.wm' not made: .*-c"
ok "the same with a source: no outdated twin" test ! -e app.wm
is "the same with a source: one line" "$(wc -l <err)" 1
# one that knows -B only
cat >odd/bcc <<END
#!/bin/bash
unset COMPILER_PATH
exec gcc "\$@"
END
chmod +x odd/bcc
check "a compiler that knows -B only" odd/bcc -static hello.c

# a version script that hides everything
printf '{ local: *; };\n' >hide
for ld in bfd gold lld mold; do
	command -v ld.$ld >/dev/null || continue
	check "$ld and a version script" gcc -fuse-ld=$ld hello.o \
		-Wl,--version-script=hide
	is "$ld and a version script: exports" "$(nm -D --defined-only app.wm |
		grep -cE ' T (malloc|calloc|free|realloc)$')" 4
done
is "nothing is left over" "$(leftovers)" ""
done_testing
