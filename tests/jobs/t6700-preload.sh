# SPDX-License-Identifier: Apache-2.0
# wm-run: programs that were not relinked have the same traces as those that
# were, and do not notice.
. "$(dirname "$0")/../lib.sh" wmcc-lib python3
library=$BUILD/lib/wmtools/libwmtrace.so

summary() { # JQ-EXPRESSION on the only trace below run/
	timeout 60 "$dump" --summary "$(find run -name 'rank-*.xz')" |
		jq -c "$1"
}

# The reports without the values that differ from run to run.
report() { # RUN of $p
	wm-analyze --quiet --json "$1" | jq -S '{static, events, functions, leaks,
		phases, names, snapshots, families,
		peak: .heap.peak_bytes, complete: .run.complete}
		| walk(if type == "object" then with_entries(select(.key |
			test("(_s|seconds)$") | not)) else . end)' |
		if [ $p = threads ]; then # peaks change with each run
			jq 'del(.families, .functions, .peak)'
		else
			cat
		fi
}

# ---- the same events as relinked ----
# same_trace SOURCE COMPILER FLAGS...
same_trace() {
	local p=${1%.*} cc=$2
	shift 2
	"$cc" -O1 -g -pthread -o "$p" "$@" 2>build.log || return
	rm -rf a b
	WM_DIR=a WM_RUN_ID=1 timeout 60 "./$p.wm" >out.a 2>err.a
	echo "status $?" >>out.a
	WM_DIR=b WM_RUN_ID=1 timeout 60 wm-run "./$p" >out.b 2>err.b
	echo "status $?" >>out.b
	report "a/$p.1.wm" >a.json
	report "b/$p.1.wm" >b.json
	[ "$(wc -c <a.json)" -gt 200 ] && diff a.json b.json &&
		diff err.a err.b &&
		{ [ "$p" = stacks ] || diff out.a out.b; }
}
for p in families.c mappings.c threads.c count.c stacks.c annotate.c \
	life.c early.c walks.c; do
	ok "$p: reports are those of the relinked program" same_trace $p wmcc \
		-fno-builtin "$progs/$p" -ldl
done
if have g++ g++ "C++"; then
	for p in news.cpp mesh.cpp; do
		ok "$p: the same" same_trace $p wmcxx "$progs/$p"
	done
fi
if have gfortran gfortran "Fortran"; then
	ok "fields.f90: the same" same_trace fields.f90 wmf90 \
		"$progs/fields.f90"
fi

# ---- names and static memory ----
bring preload/table.c
census() { # RUN: static bytes, variables with their lines, sites
	wm-analyze --quiet --json "$1" |
		jq -c '[.static.bytes, (.functions | map(.name))]'
	wm-analyze --static-report "$1" --json 2>/dev/null |
		jq -c '[first(.. | objects | select(.name? == "table"
			and .file?)) | .bytes, .file, .line]'
}
gcc -g -O1 -o table table.c
bytes=$(size -A table | awk '/^\.(data|bss) / {n += $2} END {print n}')
known="[$bytes,[\"hold\"]] [4000,\"$W/table.c\",5] "
WM_DIR=t WM_RUN_ID=1 wm-run ./table
is "static memory, a variable and its line, the allocating function" \
	"$(census t/table.1.wm | tr '\n' ' ')" "$known"
strip -o stripped table
WM_DIR=t WM_RUN_ID=1 WM_NAME=s wm-run ./stripped
is "SIGCHLD is ignored: static memory all the same" "$(env \
	--ignore-signal=CHLD wm-analyze --quiet --json t/s.1.wm |
	jq .static.bytes)" "$bytes"
is "a stripped program: static memory all the same" "$(wm-analyze --quiet \
	--json t/s.1.wm | jq .static.bytes)" "$bytes"
wm-census table >t/table.1.wm/program.wmc.xz
rm table
is "wm-census: with the bundle the program may go" \
	"$(census t/table.1.wm | tr '\n' ' ')" "$known"
rm t/table.1.wm/program.wmc.xz
sed -i 's/1000/1001/' table.c
gcc -g -O1 -o table table.c
is "another build by that name is not taken for it" \
	"$(wm-analyze --quiet --json t/table.1.wm 2>/dev/null |
		jq -c .static)" null
wm-census t/nothing 2>/dev/null
is "wm-census: no program" $? 127
wmcc -o twin table.c 2>build.log
wm-census twin.wm 2>err
is "wm-census: a relinked program" "$? $(cat err)" \
	"3 wm-census: 'twin.wm' is relinked: its census is in it"
like "wm-census --help" "$(wm-census --help)" '^usage: wm-census '
wm-census --nonsense 2>err
like "wm-census: an option that is none" "$? $(cat err)" '^127 .*--help'

# ---- what the program notices ----
gcc -o look "$progs/preload/look.c"
untouched() { # WORDS...: of env(1), before the program
	env "$@" ./look a "b c" >plain.out 2>plain.err
	echo "status $?" >>plain.out
	env "$@" wm-run ./look a "b c" >traced.out 2>traced.err
	echo "status $?" >>traced.out
	cmp plain.out traced.out && cmp plain.err traced.err
}
export WM_DIR=$W/run
ok "output, status, errno and environment are the program's" untouched
is "and there is a trace" "$(summary '[.complete, .unknown]')" "[true,0]"
for v in "" libm.so.6 "libm.so.6 libdl.so.2" "libdl.so.2:libm.so.6" ":"; do
	ok "LD_PRELOAD='$v' stays as it is" untouched "LD_PRELOAD=$v"
done
ok "in a small environment, too" untouched -i PATH="$PATH" WM_DIR="$WM_DIR"
rm -rf run
ok "WM_DISABLE=1 runs it plainly" untouched WM_DISABLE=1
ok "and leaves nothing" test ! -e run
LD_PRELOAD=$library ./look >traced.out
is "without wm-run: the library takes itself out" \
	"$(grep -c LD_PRELOAD traced.out) $(summary .complete)" "0 true"
{ wm-run sh -c 'kill -SEGV $$'; } 2>/dev/null
is "signals are the program's own" $? 139
wm-run ./look >/dev/full 2>err
is "what it says is what the program says" "$? $(cat err)" "7 "

# ---- what is traced ----
# traces COMMAND...: names of the programs that left traces, sorted
traces() {
	rm -rf run
	timeout 60 "$@" >out 2>err </dev/null
	[ -d run ] || return 0
	(cd run && ls -d -- *.wm) | sed 's/\..*//' | sort | tr '\n' ' '
}
cat >start.c <<'X'
#include <stdlib.h>
int main(void)
{
	return system("./look >/dev/null; exit 5") != 5 << 8;
}
X
gcc -o start start.c
printf '#!/bin/sh\ndate\n./look\nexec ./start\n' >script
printf '#! /usr/bin/env ./look\n' >indirect
printf './look\n' >bare
cp script cat
chmod +x script indirect bare cat
is "a program" "$(traces wm-run ./start)" "start "
is "--follow: what it starts, too" "$(traces wm-run --follow ./start)" \
	"look start "
is "a shell: what it starts" "$(traces wm-run sh -c './look; ./start')" \
	"look start "
is "a script: the same, without its helpers" "$(traces wm-run ./script)" \
	"look start "
is "a script by the name of a helper" "$(traces wm-run ./cat)" "look start "
is "a script without #!" "$(traces wm-run ./bare)" "look "
is "#!/usr/bin/env PROGRAM" "$(traces wm-run ./indirect)" "look "
is "commands that take one" \
	"$(traces wm-run env A=1 nice timeout 100 ./start)" "start "
is "--trace: that program alone" \
	"$(traces wm-run --trace start ./script)" "start "
is "--trace twice" "$(traces wm-run --trace start --trace=look \
	sh -c './start; ./look')" "look start "
is "a helper that is named" \
	"$(traces wm-run cat "$progs/preload/look.c")" "cat "
is "a shell that is named" "$(traces wm-run --trace bash bash -c :)" "bash "
is "wm-run within wm-run: once" "$(traces wm-run sh -c 'wm-run ./start')" \
	"start "

gcc -O1 -no-pie -fno-pie -o fixed "$progs/preload/fixed.c"
is "a program at a fixed address, with malloc's address" \
	"$(traces wm-run ./fixed) $(summary .counts.MALLOC)" "fixed  1"

# ---- what cannot be traced ----
refused() { # PROGRAM: prints the reason
	rm -rf run
	timeout 100 wm-run "$@" >out 2>err
	echo "$? $(cat out err) $(ls run 2>/dev/null)"
}
echo 'int main(void) { return 3; }' >main.c
gcc -static -o static main.c
like "static programs" "$(refused ./static)" \
	"^126 wm-run: error: './static' is static: .*wmcc"
gcc -fno-builtin -rdynamic -o own "$progs/allocators/malloc_free.c"
like "programs with their own malloc" "$(refused ./own)" \
	"^126 wm-run: error: './own' brings its own malloc.*wmcc"
gcc -fno-builtin -rdynamic -DFREE_ALONE -o owns \
	"$progs/allocators/malloc_free.c"
like "with their own free alone" "$(refused ./owns)" \
	"^126 wm-run: error: './owns' brings its own free.*wmcc"
like "their own malloc behind a shell: one line, and it runs" \
	"$(refused sh -c ./own)" \
	"^0 wmtrace: the program brings its own malloc.*wmcc"
is "and nothing with WM_QUIET" "$(WM_QUIET=1 refused sh -c ./own)" "0  "
if gcc -m32 -o small main.c 2>/dev/null; then
	like "32-bit programs" "$(refused ./small)" "^126 .*another kind"
else
	skip "32-bit programs" "package gcc-multilib is missing"
fi
if command -v musl-gcc >/dev/null; then
	musl-gcc -o musl main.c
	like "musl programs" "$(refused ./musl)" "^126 .*runs with musl"
	musl-gcc -o musl2 "$progs/preload/musl.c"
	rm -rf run
	wm-run sh -c './musl2; exit $?' >out 2>err
	is "musl programs behind a shell: they run, without a trace" \
		"$? $(cat out err) $(find . -path './run/*' | wc -l)" \
		"3 block hidden 0"
else
	skip "musl programs" "musl-gcc is missing"
fi
if gcc -fsanitize=address -o asan main.c 2>/dev/null; then
	like "programs with a sanitizer" "$(refused ./asan)" "^126 .*sanitizer"
else
	skip "programs with a sanitizer" "libasan is missing"
fi
like "no program" "$(refused)" "^127 .*which program"
like "a program that is not there" "$(refused ./nowhere)" \
	"^127 wm-run: error: './nowhere': No such file"
like "one that is none" "$(refused ./main.c)" \
	"^126 wm-run: error: './main.c': Permission denied"
like "an option that is none" "$(refused --nonsense ./look)" "^127 .*--help"
wmcc -o twin main.c 2>build.log
wmcc -static -o stwin main.c 2>build.log
for t in twin stwin; do
	rm -rf run
	wm-run ./$t.wm
	is "$t.wm: traces itself, once" "$? $(find run -name 'rank*' | wc -l)" \
		"3 1"
	rm -rf run
	sh -c "LD_PRELOAD=$library ./$t.wm" 2>err
	is "$t.wm, the library preloaded all the same" \
		"$? $(find run -name 'rank*' | wc -l) $(cat err)" "3 1 "
done
mkdir "with space"
cp "$BUILD/bin/wm-run" "$library" "with space/"
mkdir -p "with space/bin" "with space/lib/wmtools"
mv "with space/wm-run" "with space/bin/"
mv "with space/libwmtrace.so" "with space/lib/wmtools/"
"with space/bin/wm-run" ./look >out 2>err
like "installed where LD_PRELOAD cannot point to" "$? $(cat err)" \
	"^127 .*a space or a colon"

# ---- allocators ----
if have g++ g++ "allocators"; then
	g++ -O1 -g -fno-builtin -o pnews "$progs/news.cpp"
	for a in jemalloc tcmalloc_minimal mimalloc; do
		lib=$(ls /usr/lib/x86_64-linux-gnu/lib$a.so.? 2>/dev/null |
			head -1)
		[ -n "$lib" ] ||
			{ skip "lib$a.so" "it is not installed"; continue; }
		rm -rf run
		LD_PRELOAD=$lib wm-run ./pnews
		s=$?
		with=$(summary '[.counts | .NEW, .DELETE]')
		rm -rf run
		LD_PRELOAD=$lib wm-run ./pnews none
		is "lib$a.so, preloaded: new and delete, each once" \
			"$s $(jq -nc "[$with, $(summary \
				'[.counts | .NEW, .DELETE]')] | [.[0][0] -
				.[1][0], .[0][1] - .[1][1]]")" "0 [8,8]"
	done
fi

# ---- libraries that come later, into a scope of their own ----
if have g++ g++ "a C++ library"; then
	g++ -O1 -g -fPIC -shared \
		-o plug.so "$progs/preload/plug.cc" && gcc -o later "$progs/preload/later.c" -ldl
	rm -rf run
	timeout 100 wm-run ./later
	is "a C++ library in a C program" \
		"$? $(summary '[.complete, .unknown, .counts.MALLOC > 1000]')" \
		"9 [true,0,true]"
fi
is "the library needs libc alone" "$(readelf -d "$library" |
	sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')" libc.so.6
done_testing
