# SPDX-License-Identifier: Apache-2.0
# Where twins go: beside the program or into WM_TWIN_DIR, and never over a file
# that is not a twin.
. "$(dirname "$0")/../lib.sh" wmcc-lib
export WM_CC=gcc
sources
gcc -O1 -c hello.c

# lines FILE: how many
lines() { wc -l <"$1"; }
# owner TWIN: the program whose twin it says it is
owner() { readelf -p .wm_origin "$1" | sed -n 's/^ *\[ *0\] *//p'; }

# ---- a user's own file ----
echo 'notes of mine' >app.wm
wmcc hello.o -o app >out 2>err
is "a file of the user: status" $? 0
is "it is as it was" "$(cat app.wm)" "notes of mine"
is "one line" "$(lines err)" 1
like "that says why and what to do" "$(cat err)" \
	"^wmcc: warning: 'app.wm' not made: there is a file .* no twin: move it away.*WM_TWIN_DIR"
is "nothing is left over" "$(leftovers)" ""
wmcc -fsanitize=address hello.c -o app 2>/dev/null
is "a link without twin leaves it alone" "$(cat app.wm)" "notes of mine"
gcc hello.o -o app.wm
cp app.wm before
wmcc hello.o -o app 2>err
ok "a program of the user" same app.wm before
is "one line for it" "$(lines err)" 1
gcc $(wm-config --pre-ld-flags) hello.o $(wm-config --post-ld-flags) -o app.wm
cp app.wm before
wmcc hello.o -o app 2>err
ok "a program that wm-config's flags made" same app.wm before
rm -f app.wm
WM_LINK=only wmcc hello.o -o app.wm
cp app.wm before
wmcc hello.o -o app 2>err
ok "a program that WM_LINK=only made" same app.wm before
rm -f app.wm
echo 'notes of mine' >notes
ln -s notes app.wm
wmcc hello.o -o app 2>err
is "a symbolic link" "$(readlink app.wm) $(cat notes)" "notes notes of mine"
rm app.wm
mkfifo app.wm
wmcc hello.o -o app 2>err & pid=$!
soon eval '! kill -0 $pid'
kill $pid 2>/dev/null && not_done=1
is "a FIFO: the link ends" "${not_done:-0}" 0
ok "a FIFO is still there" test -p app.wm
rm app.wm

# the twin's link fails: what is there is removed only when it is a twin
echo 'notes of mine' >app.wm
wmcc -static "$progs/link/clash.c" -o app 2>err
is "no twin, file of the user: it is as it was" "$(cat app.wm)" "notes of mine"
is "and one line" "$(lines err)" 1
rm app.wm
wmcc -static hello.o -o app
wmcc -static "$progs/link/clash.c" -o app 2>err
ok "no twin, outdated twin: it is removed" test ! -e app.wm
wmcc -static hello.o -o app
printf '#!/bin/sh\nCOMPILER_PATH= exec gcc -B/usr/bin "$@"\n' >deaf
chmod +x deaf
WM_CC=./deaf wmcc hello.c -o app 2>err
ok "a compiler that has no twin: it is removed" test ! -e app.wm
echo 'notes of mine' >app.wm
WM_CC=./deaf wmcc hello.c -o app 2>err
is "or left, if it is no twin" "$(cat app.wm)" "notes of mine"
rm app.wm

# twins
wmcc -static hello.o -o app
is "a twin says whose it is" "$(owner app.wm)" "$PWD/app"
cp app.wm before
wmcc -static -Wl,--defsym=another=1 hello.o -o app 2>err
is "a twin is replaced: nothing is said" "$(cat err)" ""
not_ok "and it is the new one" cmp -s app.wm before
objcopy --remove-section=.wm_origin app.wm
ok "a twin of 0.1.0 has the census only" readelf -SW app.wm
wmcc -static hello.o -o app 2>err
is "it is replaced" "$(cat err) $(owner app.wm)" " $PWD/app"
mkdir was && mv app app.wm was && mv was is
(cd is && wmcc -static ../hello.o -o app) 2>err
is "a folder that was moved: replaced" "$(cat err) $(owner is/app.wm)" \
	" $PWD/is/app"
rm -rf is

# a file that comes while the twin is linked
mkdir slow
cat >slow/ld <<'END'
#!/bin/bash
case "$*" in
*wm-static.o*) cp "$COMES" app.wm ;;
esac
exec ld "$@"
END
chmod +x slow/ld
echo 'notes of mine' >notes
COMES=notes wmcc -B./slow -static hello.o -o app 2>err
is "a file that comes later" "$(cat app.wm)" "notes of mine"
is "one line for it" "$(lines err)" 1
is "and nothing is left over" "$(leftovers)" ""
rm app.wm

# as an attacker would: the name is now a file, now a twin, now nothing
wmcc -static hello.o -o app && cp app.wm twin && rm app.wm
(
	for i in $(seq 3000); do
		cp twin .t && mv -f .t app.wm
		echo "mine $i" >.n && mv -f .n app.wm
		[ "$(head -c 5 app.wm | tr -d '\0')" = "mine " ] ||
			echo "lost $i" >>lost
		[ ! -e stop ] || break
		rm -f app.wm
	done
) & pid=$!
for _ in 1 2 3 4 5 6 7 8; do wmcc -static hello.o -o app 2>/dev/null; done
touch stop; wait $pid
ok "a name that changes all the time: no file is lost" test ! -e lost
is "and nothing is left over" "$(leftovers)" ""
rm -f app app.wm stop

# ---- WM_TWIN_DIR ----
mkdir -p src test
cp hello.c src/main.c
sed 's/malloc(10)/malloc(20)/' hello.c >test/main.c
export WM_TWIN_DIR=$W/twins/of/mine
(cd src && wmcc main.c -o main) >out 2>&1
is "WM_TWIN_DIR: status and output" "$? $(cat out)" "0 "
is "nothing beside the program" "$(ls -A src)" "main
main.c"
is "the folder was made, and is all" "$(ls -A "$WM_TWIN_DIR")" main.wm
ok "the twin runs from there" traced "$WM_TWIN_DIR/main.wm"
(cd src && wmcc main.c -o main) >out 2>&1
is "again" "$(cat out) $(owner "$WM_TWIN_DIR/main.wm")" " $W/src/main"
(cd test && wmcc main.c -o main) >out 2>&1
is "a program of the same name: status, one line" "$? $(lines out)" "0 1"
like "it says where the twin is" "$(cat out)" \
	"^wmcc: warning: '$WM_TWIN_DIR/main.wm' is the twin of '$W/src/main': that of '$W/test/main' is '$WM_TWIN_DIR$W/test/main.wm'"
is "the first keeps its name" "$(owner "$WM_TWIN_DIR/main.wm")" "$W/src/main"
is "the second has its whole path" "$(owner "$WM_TWIN_DIR$W/test/main.wm")" \
	"$W/test/main"
mv src/main gone
(cd test && wmcc main.c -o main) >out 2>&1
is "and keeps it when the name is free" \
	"$(cat out) $(owner "$WM_TWIN_DIR/main.wm")" " $W/src/main"
mkdir third && cp hello.c third/main.c
(cd third && wmcc main.c -o main) >out 2>&1
is "a program that is gone has no right to a name" \
	"$(cat out) $(owner "$WM_TWIN_DIR/main.wm")" " $W/third/main"
rm -rf "$WM_TWIN_DIR"
for i in 1 2 3 4 5 6 7 8; do mkdir m$i; done
for i in 1 2 3 4 5 6 7 8; do
	(cd m$i && wmcc ../hello.o -o main 2>/dev/null) &
done
wait
is "eight of one name at once: eight twins" "$(find "$WM_TWIN_DIR" -name \
	main.wm | while read -r f; do owner "$f"; done | sort | paste -sd' ')" \
	"$(echo "$W"/m[1-8]/main)"
is "and nothing is left over" "$(leftovers "$WM_TWIN_DIR")" ""
echo 'notes of mine' >"$WM_TWIN_DIR/app.wm"
wmcc hello.o -o app 2>err
is "a file of the user there" "$(cat "$WM_TWIN_DIR/app.wm") $(lines err)" \
	"notes of mine 1"
wmcc -static hello.o -o failing
wmcc -static "$progs/link/clash.c" -o failing 2>err
ok "an outdated twin there is removed" test ! -e "$WM_TWIN_DIR/failing.wm"
WM_LINK=only wmcc hello.o -o only
ok "WM_LINK=only: the program itself" traced ./only
ok "WM_LINK=only: not there" test ! -e "$WM_TWIN_DIR/only.wm"
like "-show tells the name" "$(wmcc -show hello.o -o x)" \
	"-o $WM_TWIN_DIR/x.wm$"
touch file
WM_TWIN_DIR=$W/file/x wmcc hello.o -o app 2>err
is "no folder: status, one line" "$? $(lines err)" "0 1"
like "no folder: says why" "$(cat err)" \
	"'$W/file/x/app.wm' not made: Not a directory: WM_TWIN_DIR"
long=$(printf 'a%.0s' $(seq 253))
(unset WM_TWIN_DIR; wmcc hello.o -o "$long") 2>err
like "a name with no room for .wm" "$? $(lines err) $(cat err)" \
	"^0 1 .*: File name too long: "
WM_TWIN_DIR=$W/file wmcc hello.o -o app 2>err
like "a file in the folder's place" "$? $(lines err) $(cat err)" \
	"^0 1 .*: .*Not a directory"
WM_TWIN_DIR=/sys/wm/x wmcc hello.o -o app 2>err
like "nobody may make it: says why" "$(cat err)" \
	"not made: (Operation not p|P)ermi|not made: Read-only"
(cd src && WM_TWIN_DIR=.twins wmcc main.c -o main)
ok "a relative one is taken from where the link runs" \
	traced src/.twins/main.wm
WM_TWIN_DIR="$W/a b'c" wmcc hello.o -o app
ok "odd characters" traced "a b'c/app.wm"

# libraries beside the program
mkdir lib
echo 'int two(void) { return 2; }' >two.c
gcc -shared -fPIC two.c -o lib/libtwo.so
printf 'int two(void);\nint main(void) { return two() - 2; }\n' >usetwo.c
wmcc usetwo.c -o usetwo -Llib -ltwo -Wl,-rpath,'$ORIGIN/lib'
ok "a program with \$ORIGIN" ./usetwo
ok "its twin finds the library, too" traced "$WM_TWIN_DIR/usetwo.wm"
wmcc usetwo.c -o usetwo2 -Llib -ltwo -Wl,-rpath='${ORIGIN}/./lib'
ok "\${ORIGIN}" traced "$WM_TWIN_DIR/usetwo2.wm"
LD_RUN_PATH='$ORIGIN/lib' wmcc usetwo.c -o usetwo3 -Llib -ltwo
ok "LD_RUN_PATH" traced "$WM_TWIN_DIR/usetwo3.wm"

# the run directory and the reader
mkdir runs && cp hello.c named.c && wmcc -g named.c -o named
(cd runs && "$WM_TWIN_DIR/named.wm") >/dev/null
like "the run directory has the program's name" "$(ls runs)" '^named\..*\.wm$'
rm "$WM_TWIN_DIR/named.wm"
like "the reader needs neither twin nor program" \
	"$(cd runs && wm-analyze --temporaries)" ' main$'
done_testing
