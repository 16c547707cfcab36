# SPDX-License-Identifier: Apache-2.0
# Programs with jemalloc, tcmalloc or mimalloc, static and shared: their
# operator new does not end in malloc, and is recorded once all the same.
. "$(dirname "$0")/../lib.sh" python3 g++

build() { # NAME SOURCE COMPILER FLAGS...
	local p=$1 s=$2 cc=$3
	shift 3
	rm -f "$p" "$p.wm" plain
	"$cc" -O1 -g -fno-builtin -o "$p" "$s" "$@" 2>build.log &&
		WM_DISABLE=1 "$cc" -O1 -g -fno-builtin -o plain "$s" "$@"
}

run() { # PROGRAM ARGS...
	local p=$1 status
	rm -rf run
	WM_DIR=run "./$p.wm" "${@:2}" >out 2>err
	status=$?
	"$dump" --summary run/*/rank-000000.wmt.xz >"$p.json" || return 99
	return $status
}

get() {
	jq -r "$2" "$1.json"
}

minus() { # KIND...: events of news beyond those of none
	local k out=
	for k; do
		out="$out $k=$(($(get news ".counts.$k") - \
			$(get none ".counts.$k")))"
	done
	echo $out
}

peak() {
	echo $(($(get news .peak) - $(get none .peak)))
}

check() { # KIND LIBRARY CALLS [no-throw]
	local what="${1:-dynamic} ${2:-libc}"

	ok "$what: news builds" build news "$progs/news.cpp" wmcxx $1 $2
	ok "$what: the program is what it was" cmp news plain
	ok "$what: does nothing" run news none
	mv news.json none.json
	ok "$what: runs" run news
	is "$what: silent" "$(cat out err)" ""
	is "$what: each call once" "$(minus NEW DELETE MALLOC ALIGNED FREE)" "$3"
	is "$what: bytes" "$(peak)" $((4 + 40 + 4 + 40 + 128 + 384 + 128 + \
		1000 + 33))
	is "$what: nothing is left" "$(($(get news .unfreed_bytes) - \
		$(get none .unfreed_bytes)))" 0
	is "$what: every release is known" "$(get news .unknown)" \
		"$(get none .unknown)"
	[ "${4:-}" = no-throw ] && return
	ok "$what: an operator new that throws" run news throw
	# beside the exception, which is allocated within operator new, and the
	# unwinder's tables
	is "$what: fails, and tracing goes on" \
		"$(get news .counts.FAILED) $(($(get news .counts.MALLOC) - \
		$(get none .counts.MALLOC) >= 11))" "1 1"
}

bypass="NEW=8 DELETE=8 MALLOC=1 ALIGNED=0 FREE=1"
through="NEW=0 DELETE=0 MALLOC=6 ALIGNED=3 FREE=9"
check -static "" "$through"
check "" "" "$through"
for lib in jemalloc tcmalloc_minimal mimalloc; do
	throws=
	# it is built as C and aborts where it should throw
	[ $lib = mimalloc ] && throws=no-throw
	for kind in -static ""; do
		suffix=so
		[ -n "$kind" ] && suffix=a
		if [ ! -f "$(g++ -print-file-name=lib$lib.$suffix)" ]; then
			skip "${kind:-dynamic} $lib" \
				"lib$lib.$suffix is not installed"
			continue
		fi
		check "$kind" -l$lib "$bypass" $throws
		if [ -z "$kind" ]; then
			like "$lib: the traced program still uses it" \
				"$(readelf -d news.wm)" "lib$lib"
		fi
		# a program in C has no operator new, and must link
		ok "${kind:-dynamic} $lib: C" build simple \
			"$progs/allocators/c_only.c" wmcc $kind -l$lib -lstdc++ -lm
		ok "${kind:-dynamic} $lib: C runs" run simple
		like "${kind:-dynamic} $lib: C is recorded" \
			"$(get simple '.counts | @text')" '"CALLOC":[1-9]'
	done
done

# Sized frees: in static programs the allocator's own.
gcc -O1 -c "$progs/allocators/sized_free.c" &&
	ar rc libjemalloc_like.a sized_free.o
for kind in "-static sized_free.o" "-static -L. -ljemalloc_like" sized_free.o; do
	ok "sized frees, $kind: builds" build news \
		"$progs/allocators/sized.c" wmcc $kind
	ok "sized frees, $kind: runs" run news
	is "sized frees, $kind: each once" \
		"$(get news '.counts.FREE') $(get news .unknown)" "2 0"
done

# The loader is not asked while another thread opens a library: KILL, for a
# thread that waits there has all other signals blocked.
jemalloc=-ljemalloc
[ -f "$(g++ -print-file-name=libjemalloc.so)" ] || jemalloc=
ok "new while a library is opened: builds" build loader_new \
	"$progs/runtime/loader_new.cpp" wmcxx -std=c++17 -pthread $jemalloc -ldl
is "new while a library is opened" "$(WM_DIR=run timeout -s KILL 60 \
	./loader_new.wm; echo $?)" 3
is "new while a library is opened, wm-run" "$(WM_DIR=run timeout -s KILL 60 \
	wm-run ./loader_new; echo $?)" 3

# wm-run looks into all libraries that are open and keeps none of them open.
g++ -O1 -fno-builtin -shared -fPIC -o plug.so -x c++ - <<'X'
extern "C" int plug(void)
{
	int *volatile p = new int(3);
	int r = *p;

	delete p;
	return r;
}
X
gcc -O1 -o plain -x c - -ldl <<'X'
#include <dlfcn.h>
int main(void)
{
	void *h = dlopen("./plug.so", RTLD_NOW);
	int r = h ? ((int (*)(void))dlsym(h, "plug"))() : 1;

	dlclose(h);
	return dlopen("./plug.so", RTLD_NOW | RTLD_NOLOAD) ? 4 : r;
}
X
is "wm-run: a library in C++ that is closed goes" \
	"$(./plain; echo $?) $(WM_DIR=run wm-run ./plain; echo $?)" "3 3"
done_testing
