# SPDX-License-Identifier: Apache-2.0
# What builds do to a compiler: probes that want silence, closed descriptors,
# response files that can be read once, temporary files that are asked for.
. "$(dirname "$0")/../lib.sh" wmcc-lib
export WM_CC=gcc
sources
gcc -O1 -c hello.c
lines() { wc -l <"$1"; }
twins() { find "${1:-.}" -name '*.wm' | sort | paste -sd' '; }

# ---- probes ----
bring link/clash.c
gcc -c clash.c
# a configure script, written by hand, with names of its own; as zlib's, it
# takes any output for "no", and removes the names that it knows
cat >configure <<'END'
#!/bin/sh
try() { test -z "$($CC "$@" 2>&1)" && echo yes || echo no; }
cp hello.c one$$.c
cp clash.c two$$.c
echo "a program: $(try one$$.c -o one$$)"
echo "one without a twin: $(try -static two$$.c -o two$$)"
(echo "in a subshell: $(try -static two$$.c -o two$$)")
rm -f one$$ one$$.c two$$ two$$.c
END
chmod +x configure
cp configure Configure
cp configure by-hand
for c in ./configure "sh ./configure" "bash ./Configure"; do
	CC=gcc $c >ref.out 2>&1
	CC=wmcc $c >new.out 2>&1
	is "$c: the same answers" "$(cat new.out)" "$(cat ref.out)"
	is "$c: nothing is left" "$(twins)" ""
done
CC=wmcc ./by-hand >new.out 2>&1
like "a script of another name: real programs" "$(cat new.out)" \
	'without a twin: no'
rm -f -- *.wm
cat >Makefile <<'END'
app: hello.o
	$(CC) -o app hello.o
END
printf '#!/bin/sh\nmake -s CC=wmcc\n' >configure
./configure
is "make below configure: a real program" "$(twins)" ./app.wm
rm -f app app.wm
for f in ztest1234 _configtest .sconf_temp/x .conf_check_1/y config.tests/z/z; do
	mkdir -p "$(dirname $f)"
	wmcc hello.c -o $f
	is "$f: no twin" "$(twins)" ""
done
# sources from a pipe, from nowhere; outputs among temporary files
wmcc -static -x c - -o piped <clash.c >out 2>&1
is "from standard input: no line" "$? $(cat out)" "0 "
wmcc -nostdlib -static -Wl,-e,0 -x c /dev/null -o empty >out 2>&1
is "from /dev/null: no line" "$? $(cat out)" "0 "
TMPDIR=$W wmcc -static clash.o -o "$W/temporary" >out 2>&1
is "an output in TMPDIR: no line" "$? $(cat out)" "0 "
wmcc -static clash.o -o real >out 2>&1
is "a real program: one line" "$? $(lines out)" "0 1"
wmcc -x c - -o piped <hello.c >out 2>&1
ok "from standard input: a twin where one can be" traced ./piped.wm

# ---- closed descriptors ----
for closed in '<&-' '>&-' '2>&-' '<&- >&-' '<&- >&- 2>&-'; do
	rm -f app app.wm
	eval "wmcc -static hello.c -o app $closed" >out 2>&1
	is "$closed: status and output" "$? $(cat out)" "0 "
	ok "$closed: twin" traced ./app.wm
	eval "gcc undefined.c $closed" >ref.out 2>&1
	eval "wmcc undefined.c $closed" >out 2>&1
	is "$closed: a failure" "$? $(cat out)" "1 $(cat ref.out)"
done
# a compiler that says which descriptors it has
printf '#!/bin/sh\nfor i in 0 1 2; do [ -e /dev/fd/$i ] && echo $i; done >"$SAID"\nexec gcc "$@"\n' \
	>says && chmod +x says
SAID=$W/said WM_CC=./says wmcc -c hello.c <&- 2>&-
is "the compiler has what we have" "$(paste -sd' ' said)" "1"

# ---- response files ----
for cc in gcc clang; do
	have $cc $cc "$cc: FIFO" || continue
	rm -f app app.wm fifo
	mkfifo fifo
	echo "hello.o -o app" >fifo &
	writer=$!
	WM_CC=$cc timeout 100 wmcc @fifo >out 2>&1
	is "$cc: a FIFO: status and output" "$? $(cat out)" "0 "
	kill $writer 2>/dev/null
	ok "$cc: a FIFO: twin" traced ./app.wm
	rm -f app app.wm
	WM_CC=$cc timeout 100 wmcc @<(echo "-static hello.o -o app") >out 2>&1
	is "$cc: <(...): status and output" "$? $(cat out)" "0 "
	ok "$cc: <(...): twin" traced ./app.wm
	rm -f app app.wm
	echo "hello.o -o app" | WM_CC=$cc timeout 100 wmcc @/dev/stdin >out 2>&1
	is "$cc: a pipe: status and output" "$? $(cat out)" "0 "
	ok "$cc: a pipe: twin" traced ./app.wm
	echo "-c hello.c -o piped.o" | WM_CC=$cc timeout 100 wmcc @/dev/stdin
	ok "$cc: a pipe for a compile" test -f piped.o
	rm -f piped.o
done
echo "@fifo" >nested
timeout 10 wmcc --version @nested >/dev/null 2>&1 & pid=$!
echo "-v" >fifo & writer=$!
wait $pid
is "a FIFO within a file: the compiler's own" "$?" \
	"$(echo "-v" >fifo & timeout 10 gcc --version @nested >/dev/null 2>&1; echo $?)"
kill $writer 2>/dev/null

# ---- what LTO is asked to leave ----
if have ld.lld lld "lld, --save-temps"; then
	for how in -Wl,--save-temps -Wl,--lto-obj-path=lto.o \
		"-flto=thin -Wl,--save-temps" -Wl,-plugin-opt=save-temps; do
		rm -rf ref new && mkdir ref new
		flags="-flto -fuse-ld=lld -O1 $how"
		(cd ref && clang $flags ../hello.c -o app) >ref.out 2>&1 ||
			{ skip "lld $how" "this clang cannot"; continue; }
		(cd new && WM_CC=clang wmcc $flags ../hello.c -o app) >out 2>&1
		is "lld $how: output" "$(cat out)" "$(cat ref.out)"
		is "lld $how: files" "$(ls -A new | sed 's/-[0-9a-f]\{6\}/-X/')" \
			"$( (ls -A ref; echo app.wm) | sort |
				sed 's/-[0-9a-f]\{6\}/-X/')"
		ok "lld $how: same program" same ref/app new/app
		for f in ref/lto.o* ref/app.*.bc; do
			[ -f "$f" ] || continue
			case $f in *.index.bc) continue ;; esac
			ok "lld $how: ${f#ref/} is the plain program's" \
				same "$f" "new/${f#ref/}"
		done
		ok "lld $how: twin" traced new/app.wm
	done
fi
is "nothing is left over" "$(leftovers)" ""
done_testing
