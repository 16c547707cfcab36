# SPDX-License-Identifier: Apache-2.0
# Optimised programs: every function of the source is in the call paths, the
# site is the user's line, and names fit the terminal.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/analyze-lib.sh"

cat >driver.hpp <<'END'
#include <vector>
namespace mini {
template <class T, class Index, class Size> struct matrix {
	std::vector<T> values;
	std::vector<Index> columns;
	matrix(Size n) : values(n), columns(n / 2) {}
};
static inline double driver(int n)
{
	matrix<double, int, unsigned long> m(n);
	std::vector<double> x(3 * n);
	return m.values[n / 2] + x[n] + m.columns[1];
}
}
END
cat >main.cc <<'END'
#include "driver.hpp"
int main(int argc, char **argv)
{
	(void)argv;
	return (int)mini::driver(argc * 100000);
}
END
cat >util.h <<'END'
#include <stdlib.h>
static inline void *take(size_t n)
{
	void *p = malloc(n);
	if (!p)
		abort();
	return p;
}
END
cat >main.c <<'END'
#include "util.h"
void *volatile keep;
static void setup(int n)
{
	keep = take(77777 * n);
}
int main(int argc, char **argv)
{
	(void)argv;
	setup(argc);
	return 0;
}
END

# path: the lines of the first call path, without what starts main()
path() {
	wm-analyze --functions --top 1 "$@" 2>/dev/null |
		sed -n '/ block$/,/^$/{/ block$/d;/^$/d;s/^ *//;p}'
}
sites() { # ARGUMENTS...: name, file and line of what holds 10000 bytes
	json '[(f["name"].split("(")[0], (f["file"] or "-").split("/")[-1],
		f["line"], f["bytes"]) for f in j["functions"]
		if 77777 <= f["bytes"] < 10**7 and f["name"][0] != "?"]' "$@"
}
for cxx in g++ clang++; do
	command -v $cxx >/dev/null || {
		skip "$cxx" "not installed"
		continue
	}
	for flags in "-O2 -static" "-O3 -static-pie -fPIE"; do
		rm -rf run
		WM_CXX=$cxx wmc++ -g $flags -o app main.cc 2>cc.err || {
			skip "$cxx $flags" "$(grep -m1 . cc.err)"
			continue
		}
		WM_DIR=run ./app.wm
		like "$cxx $flags: the sites" "$(sites run/*.wm)" \
			"^\[\('mini::driver', 'driver.hpp', 11, 2400000\), \('mini::matrix.*', 'driver.hpp', 6, 1000000\)\]$"
		is "$cxx $flags: the path" "$(path run/*.wm | sed 's/(.*)//')" \
			"$(printf 'mini::driver  driver.hpp:11\nmain  main.cc:5')"
		like "$cxx $flags: full names in JSON" "$(wm-analyze --json \
			run/*.wm)" '"mini::matrix<double, int, unsigned long>::matrix'
		rm -rf app.wm
		is "$cxx $flags: without the program" \
			"$(path run/*.wm | sed 's/(.*)//')" \
			"$(printf 'mini::driver  driver.hpp:11\nmain  main.cc:5')"
	done
done
for cc in gcc clang; do
	command -v $cc >/dev/null || {
		skip "$cc" "not installed"
		continue
	}
	for flags in "-O2 -static" -O2 "-O2 -flto -static"; do
		rm -rf run
		WM_CC=$cc wmcc -g $flags -o app main.c 2>cc.err || {
			skip "$cc $flags" "$(grep -m1 . cc.err)"
			continue
		}
		WM_DIR=run ./app.wm
		is "$cc $flags: the site" "$(sites run/*.wm)" \
			"[('take', 'util.h', 4, 77777)]"
		is "$cc $flags: the path" "$(path run/*.wm)" \
			"$(printf 'take  util.h:4\nsetup  main.c:5\nmain  main.c:10')"
	done
done

# A library, with names that only its own object knows.
cat >lib.cc <<'END'
#include <vector>
namespace {
struct cell { double at[3]; };
struct grid {
	std::vector<cell> cells;
	grid(int n) : cells(n) {}
};
}
static grid *volatile keep;
extern "C" void lib_hold(void)
{
	keep = new grid(10000);
}
END
echo 'void lib_hold(void); int main(void) { lib_hold(); return 0; }' >use.c
for cxx in g++ clang++; do
	rm -rf run
	$cxx -g -O2 -shared -fPIC -o libhold.so lib.cc 2>cc.err &&
		wmcc -g -o dyn use.c -L. -lhold -Wl,-rpath,"$PWD" 2>cc.err || {
		skip "$cxx: a library" "$(grep -m1 . cc.err)"
		continue
	}
	WM_DIR=run ./dyn.wm
	like "$cxx: a library: the site" "$(sites run/*.wm)" \
		"\('', 'lib.cc', 6, 240000\)|namespace\)::grid::grid"
	like "$cxx: a library: the path" "$(path run/*.wm | tr '\n' ';')" \
		'^\(anonymous namespace\)::grid::grid(\(int\))?  lib.cc:6;lib_hold  lib.cc:12;main  use.c:1;$'
done

# Long names: short in text, whole in JSON.
cat >long.cc <<'END'
#include <cstdlib>
template <class A, class B, class C> struct triple { A a; B b; C c; };
void *volatile keep;
template <class T> struct assembler {
	__attribute__((noinline, noipa)) void *operator()(const T *, const T &, int n)
	{
		return keep = std::malloc(n);
	}
};
typedef triple<triple<double, int, long>, triple<float, short, char>, int> deep;
int main()
{
	deep d = deep();
	return assembler<deep>()(&d, d, 1000000) == 0;
}
END
rm -rf run
wmc++ -g -O2 -static -o app long.cc
WM_DIR=run ./app.wm
is "a long name in text" "$(path run/*.wm | head -1)" \
	"assembler<...>::operator()(...)  long.cc:7"
like "a long name in JSON" "$(sites run/*.wm)" "operator', 'long.cc', 7"
like "all of it in JSON" "$(wm-analyze --json run/*.wm)" \
	'"assembler<triple<triple<double, int, long>, triple<float, short, char>, int> >::operator\(\)\(triple<.* const&, int\)"'

# Own frames: a wrapper between main() and what MPI or a user's function does.
cat >own.c <<'END'
#include <stdlib.h>
void *volatile keep;
__attribute__((noinline)) void hold(void)
{
	keep = malloc(99999);
}
__attribute__((noinline)) void __wrap_call(void) { hold(); keep = keep; }
int main(void) { __wrap_call(); keep = keep; return 0; }
END
rm -rf run
wmcc -g -O1 -fno-optimize-sibling-calls -static -o app own.c
WM_DIR=run ./app.wm
is "frames of wmtools are not shown" "$(path run/*.wm)" \
	"$(printf 'hold  own.c:5\nmain  own.c:8')"
done_testing
