# SPDX-License-Identifier: Apache-2.0
# Files that wm-analyze writes: nothing that is not its own is replaced.
. "$(dirname "$0")/../lib.sh" analyze-lib wmcc-lib

for r in 1 2; do
	run app.$r.wm <<E
program app
elf app
id $r
rank 0 of 1
t 1000 malloc 0x1000 $((r * 100)) main<solve
end
E
done
try() { # NAME WANTED-STATUS ARGUMENT...: and stderr in err
	local name=$1 wanted=$2 s
	shift 2
	"${analyzer:-wm-analyze}" -q "$@" >out 2>err
	s=$?
	is "$name" "$s" "$wanted"
}
find app.1.wm app.2.wm -type f | sort | xargs cksum >before

try "--html=RUN: a run directory is no file" 2 --html=app.1.wm
like "--html=RUN: what to type" "$(cat err)" \
	"'app\.1\.wm' is a directory.*--html FILE RUN"
is "--html=RUN: said once" "$(grep -c . err)" 1
try "--html=TRACE" 2 --html=app.1.wm/rank-000000.wmt.xz app.2.wm
like "--html=TRACE: what it is" "$(cat err)" 'is a trace, not a file to write'
try "--html=TRACE --force" 2 --force --html=app.1.wm/rank-000000.wmt.xz app.2.wm
try "--svg RUN" 2 --timeline --svg app.1.wm app.2.wm
try "--output RUN" 2 --export folded --output app.1.wm app.2.wm
is "the runs are as they were" \
	"$(find app.1.wm app.2.wm -type f | sort | xargs cksum)" "$(cat before)"

# a page without a name
named() { # NAME FILE ARGUMENT...: the page is FILE, and stdout says so
	local name=$1 file=$2
	shift 2
	rm -f ./*.html
	try "$name" 0 "$@"
	is "$name: where" "$(cat out) $(cat err)$(echo *.html)" "$file $file"
}
named "--html RUN" app.1.wm.html --html app.1.wm
try "--html RUN: its own from before" 0 --html app.1.wm
named "--html RUN/" app.2.wm.html --html app.2.wm/
named "RUN --html" app.1.wm.html app.1.wm --html
named "--html OPTION" app.1.wm.html --html --rank 0 "$W/app.1.wm"
named "--html TRACE" rank-000000.wmt.xz.html --html app.2.wm/rank-000000.wmt.xz
touch app.2.wm
named "--html alone: the newest run" app.2.wm.html --html
try "--html --output FILE" 0 --html --output x.html app.1.wm
is "--html --output FILE: nothing to say" "$(cat out err; ls x.html)" x.html
(cd app.1.wm && wm-analyze -q --html . >../out)
is "--html .: the run's name" "$(cat out; ls app.1.wm/*.html)" \
	"app.1.wm.html
app.1.wm/app.1.wm.html"
rm app.1.wm/app.1.wm.html
try "--html RUN that is not there" 3 --html no.wm
is "--html RUN that is not there: no page" "$(cat err; ls no.wm 2>&1)" \
	"wm-analyze: 'no.wm': No such file or directory
ls: cannot access 'no.wm': No such file or directory"
echo mine >app.1.wm.html
try "--html RUN: a foreign file" 2 --html app.1.wm
like "--html RUN: that is said" "$(cat out err app.1.wm.html | tr '\n' ';')" \
	"^wm-analyze: 'app\.1\.wm\.html' is there, .*--force;mine;$"
rm -f ./*.html

# --open: only then, with the program that the user names
mkdir bin
printf '#!/bin/sh\necho "$0 $*" >>"%s/opened"\nexit ${BAD:-0}\n' "$W" |
	tee bin/mine >bin/xdg-open
chmod +x bin/*
opens() { # NAME WANTED-STATUS BROWSER ARGUMENT...
	local name=$1 wanted=$2 browser=$3
	shift 3
	rm -f opened
	BROWSER=$browser PATH=$W/bin:$PATH try "$name" "$wanted" "$@"
}
opens "no --open" 0 mine --html app.1.wm
ok "no --open, no browser" [ ! -e opened ]
opens "--open" 0 none:mine --html --open app.1.wm
is "--open: \$BROWSER, the first that is there" "$(cat opened)" \
	"$W/bin/mine $W/app.1.wm.html"
opens "--html FILE --open" 0 "" --html f.html --open app.1.wm
is "--open: xdg-open" "$(cat opened)" "$W/bin/xdg-open $W/f.html"
BAD=3 opens "--open that fails" 3 mine --html --open app.1.wm
like "--open that fails: one line" "$(tr '\n' ';' <err)" \
	"^wm-analyze: --open: 'mine' did not open 'app\.1\.wm\.html': [^;]*;$"
rm bin/*
analyzer=$(command -v wm-analyze)
BROWSER='' PATH=$W/bin try "--open, no browser" 3 --html --open app.1.wm
like "--open, no browser: one line, and the page is there" \
	"$({ cat out err; ls app.1.wm.html; } | tr '\n' ';')" \
	"^app.1.wm.html;wm-analyze: --open: no program [^;]*;app.1.wm.html;$"
try "--html - --open" 2 --html - --open app.1.wm
try "--open without --html" 2 --open app.1.wm
unset analyzer
rm -rf ./*.html bin opened

# each writer: new, its own, a foreign file, --force
writer() { # NAME ARGUMENT...: the file comes behind them
	local name=$1
	shift
	rm -f f
	try "$name: a new file" 0 "$@" f app.1.wm
	try "$name: its own from before" 0 "$@" f app.1.wm
	try "$name: that of another run" 0 "$@" f app.2.wm
	ok "$name: it is written" [ -s f ]
	printf 'int main(void) { return 0; }\n' >f
	try "$name: a foreign file" 2 "$@" f app.1.wm
	like "$name: what can be done" "$(cat err)" \
		"^wm-analyze: 'f' is there, .*another name, or --force$"
	is "$name: it is as it was" "$(cat f)" 'int main(void) { return 0; }'
	try "$name: --force" 0 --force "$@" f app.1.wm
	ok "$name: replaced" sh -c '! grep -q "int main" f'
	: >f
	try "$name: an empty file" 0 "$@" f app.1.wm
}
writer "--html" --html
writer "--timeline --svg" --timeline --svg
writer "--tree --svg" --tree --svg
writer "--imbalance --svg" --imbalance --svg
for format in folded speedscope pprof massif csv; do
	writer "--export $format" --export $format --output
done
printf '<svg xmlns="http://www.w3.org/2000/svg" width="9"></svg>\n' >logo.svg
cp logo.svg kept.svg
try "a picture of somebody else" 2 --timeline --svg logo.svg app.1.wm
ok "it is as it was" cmp logo.svg kept.svg
ln -s kept.svg link.svg
try "a link to a foreign file" 2 --timeline --svg link.svg app.1.wm
ok "that file is as it was" cmp logo.svg kept.svg
try "a device" 0 --timeline --svg /dev/null app.1.wm
ok "nothing lies about" sh -c "! ls | grep -v \
	'^\(app\|app\.[12]\.wm\|before\|err\|f\|kept\.svg\|link\.svg\|logo\.svg\|out\)$'"

# ---- the old file stays until the new one is whole ----
rm -f f
try "a page" 0 --html f app.1.wm
chmod 640 f
cp f kept.html
ln -sf f link.html
(
	trap '' XFSZ
	ulimit -f 4
	wm-analyze -q --html link.html app.2.wm 2>err
) >out
is "no room for the new one: status" $? 3
is "no room: why" "$(cat err)" "wm-analyze: 'link.html': File too large"
ok "no room: the old one is as it was" cmp f kept.html
is "no room: nothing beside it" "$(find . -maxdepth 1 -name '.?*')" ""
try "room for it" 0 --html link.html app.2.wm
not_ok "it is a new one" cmp -s f kept.html
is "a link stays a link, its file has the mode that it had" \
	"$(readlink link.html) $(stat -c %a f)" "f 640"
is "nothing beside it" "$(find . -maxdepth 1 -name '.?*')" ""
(
	trap '' XFSZ
	ulimit -f 4
	wm-analyze -q --html new.html app.2.wm 2>err
) >out
is "no room for a first one: status, and no half of it" \
	"$? $(ls new.html 2>/dev/null)" "3 "

# ---- a report that is interrupted ----
cat >sent.c <<'E'
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
/* The report is there, but not all of it in its file. */
int fflush(FILE *f)
{
	static int (*real)(FILE *);

	if (f && f != stdout && f != stderr)
		raise(atoi(getenv("SENT")));
	*(void **)&real = dlsym(RTLD_NEXT, "fflush");
	return real(f);
}
E
gcc -D_GNU_SOURCE -shared -fPIC -o sent.so sent.c -ldl
interrupted() { # SIGNAL FILE
	{ (SENT=$1 LD_PRELOAD=$W/sent.so exec wm-analyze -q --html "$2" \
		app.1.wm); } >out 2>&1
}
cp f kept.html
for s in HUP INT TERM; do
	interrupted "$(kill -l $s)" f
	is "SIG$s: it ends by that" "$?" "$((128 + $(kill -l $s)))"
	ok "SIG$s: the old file is as it was" cmp f kept.html
	is "SIG$s: nothing beside it" "$(find . -maxdepth 1 -name '.?*')" ""
	interrupted "$(kill -l $s)" new.html
	is "SIG$s: no half of a first one" "$? $(ls new.html 2>/dev/null)" \
		"$((128 + $(kill -l $s))) "
done
(trap '' HUP; interrupted 1 f)
is "SIGHUP is ignored: it goes on" $? 0
not_ok "there is a new one" cmp -s f kept.html
cp kept.html f

# what cannot be replaced is written itself
{ wm-analyze -q --tree --svg /dev/stdout app.1.wm; echo more; } >out
ok "/dev/stdout: what follows is behind it" sh -c \
	'grep -q "<svg" out && [ "$(tail -1 out)" = more ]'
is "/dev/stdout is what it was" "$(stat -c %F /dev/stdout)" "symbolic link"
mkfifo pipe
timeout 100 cat pipe >got &
try "a pipe" 0 --tree --svg pipe app.1.wm
wait $!
ok "a pipe: all of it" cmp got <(wm-analyze -q --tree --svg - app.1.wm)
ok "a pipe is still one" [ -p pipe ]
mkdir -m 755 closed
wm-analyze -q --html closed/f app.1.wm
chmod 666 closed/f
chmod 755 "$W"
chmod 555 closed
user() { "$@"; }
[ "$(id -u)" != 0 ] ||
	user() { setpriv --reuid=54321 --regid=54321 --clear-groups "$@"; }
if user wm-analyze --version >out 2>&1; then
	user wm-analyze -q --html closed/f app.2.wm 2>err
	is "a folder that nothing can be made in" "$? $(cat err)" "0 "
	ok "the file is written" cmp closed/f f
	chmod 200 closed/f
	[ "$(id -u)" = 0 ] || chmod 000 closed/f
	user wm-analyze -q --html closed/f app.2.wm 2>err
	is "a file that cannot be read: no fault of usage" \
		"$? $(cat err)" "3 wm-analyze: 'closed/f': Permission denied"
else
	skip "a folder that nothing can be made in" "no setpriv, or no way in"
fi
chmod 755 closed

# the program in place of its run
cp /bin/true app.wm
try "the program itself" 2 app.wm
is "the program itself: what was meant" "$(cat err)" \
	"wm-analyze: 'app.wm' is a program, not a run: run it first, and name\
 the run directory that it makes (for its static memory: wm-analyze\
 --static-report app.wm)"

# on a terminal text has the notes, so stderr has not
run killed.3.wm <<'E'
program killed
id 3
rank 0 of 1
t 1000 malloc 0x1000 10 main
E
if command -v script >/dev/null; then
	for r in --summary --leaks --tree --imbalance; do
		script -qec "wm-analyze $r killed.3.wm" /dev/null >tty 2>&1 \
			</dev/null
		is "$r on a terminal: each note once" "$(grep -c 'no end:' tty)" 1
	done
else
	skip "each note once" "no script(1)"
fi
is "elsewhere both have them" "$(wm-analyze killed.3.wm 2>err |
	grep -c 'no end:')$(grep -c 'no end:' err)" 11
done_testing
