# SPDX-License-Identifier: Apache-2.0
# When things go wrong: the user's build gets what it would get without us,
# and one line that says why there is no twin.
# run: quick
. "$(dirname "$0")/../lib.sh" wmcc-lib
export WM_CC=gcc
sources
gcc -O1 -c hello.c
gcc -c "$progs/link/clash.c"

# WHAT: app was made as without us, err holds one warning, nothing is left
plain_and_one_warning() {
	is "$1: status" "$2" 0
	ok "$1: same program" same plain app
	is "$1: one line" "$(wc -l <err)" 1
	like "$1: a warning" "$(cat err)" "^wmcc: warning: 'app(\.wm)?' .*: .*: "
	is "$1: nothing on stdout" "$(cat out)" ""
	is "$1: nothing is left over" "$(leftovers)" ""
}

# the second link fails
gcc -static clash.o -o plain
wmcc -static hello.o -o app
wmcc -static clash.o -o app >out 2>err
plain_and_one_warning "twin link fails" $?
like "twin link fails: the linker's reason" "$(cat err)" wm_enter_again
ok "twin link fails: no outdated twin" test ! -e app.wm
WM_LINK=only wmcc -static clash.o -o app >out 2>err
plain_and_one_warning "WM_LINK=only, twin link fails" $?
ok "WM_LINK=only, twin link fails: no twin" test ! -e app.wm

# the first link fails
printf 'int f(void);\nint main(void) { return f(); }\n' >undef.c
gcc -c undef.c
rm -f app
gcc -static undef.o -o app >out.ref 2>err.ref
ref=$?
wmcc -static undef.o -o app >out 2>err
is "plain link fails: status" $? $ref
is "plain link fails: messages" "$(cat err)" "$(cat err.ref)"
ok "plain link fails: no twin" test ! -e app.wm
is "plain link fails: nothing is left over" "$(leftovers)" ""
echo 'int main(void) { return nothing; }' >bad.c
gcc bad.c -o app >out.ref 2>err.ref
ref=$?
wmcc bad.c -o app >out 2>err
is "compiler error: status" $? $ref
is "compiler error: messages" "$(cat err)" "$(cat err.ref)"
wmcc -c bad.c 2>err
is "compiler error with -c: status" $? 1
# whoever started make may ignore the end of children, and so do we, then
ignored() { env --ignore-signal=CHLD "$@" 2>/dev/null; }
ignored wmcc bad.c -o app
is "compiler error, SIGCHLD is ignored: status" $? $ref
ignored wmcc -c bad.c
is "compiler error with -c, SIGCHLD is ignored: status" $? 1
rm -f app.wm
ignored wmcc -static undef.o -o app
is "plain link fails, SIGCHLD is ignored: status" $? $ref
ignored wmcc -static hello.o -o app
is "SIGCHLD is ignored: status, twin" "$? $(ls app.wm)" "0 app.wm"
rm -f app.wm
for how in -E -s; do # sed knows both options, too
	is "SIGCHLD is ignored: the compiler inherits that, $how" "$(
		WM_CC="sed -n /SigIgn/p /proc/self/status" \
			ignored wmcc $how hello.c)" \
		"$(ignored grep SigIgn /proc/self/status)"
done

# something in the way
gcc -static hello.o -o plain
mkdir app.wm
wmcc -static hello.o -o app >out 2>err
plain_and_one_warning "app.wm is a folder" $?
ok "app.wm is still a folder" test -d app.wm
rmdir app.wm

# no room, no right to write
mkdir small
if mount -t tmpfs -o size=1500k tmpfs small 2>/dev/null; then
	wmcc -static hello.o -o small/app >out 2>err
	is "disk full: status" $? 0
	ok "disk full: same program" same plain small/app
	is "disk full: one line" "$(wc -l <err)" 1
	is "disk full: nothing else" "$(ls -A small)" app
	umount small
else
	skip "disk full" "no right to mount a tmpfs"
fi
mkdir fixed && cp plain fixed/app && chmod 777 fixed/app
export TMPDIR=$W/tmp && mkdir -m 1777 tmp
run_as=
[ "$(id -u)" -ne 0 ] || run_as="setpriv --reuid=65534 --clear-groups"
if $run_as true 2>/dev/null; then
	chmod 755 . fixed
	[ -n "$run_as" ] || chmod 555 fixed
	# where another user can reach it
	mkdir reach && cp -a "$BUILD/bin" "$BUILD/lib" "$BUILD/libexec" reach/
	chmod -R a+rX reach
	$run_as reach/bin/wmcc -static hello.o -o fixed/app >out 2>err
	is "read-only folder: status" $? 0
	ok "read-only folder: same program" same plain fixed/app
	is "read-only folder: one line" "$(wc -l <err)" 1
	chmod 755 fixed
	is "read-only folder: nothing else" "$(ls -A fixed)" app
else
	skip "read-only folder" "no setpriv (package util-linux)"
fi

# an installation with holes
mkdir inst
cp -a "$BUILD/bin" "$BUILD/lib" "$BUILD/libexec" inst
PATH=$W/inst/bin:$PATH wmcc -static hello.o -o app
ok "an installation that was moved" traced ./app.wm
ln -s "$W/inst/bin/wmcc" elsewhere
./elsewhere -static hello.o -o app
ok "called through a link" traced ./app.wm
rm -f app inst/lib/wmtools/wm-static.o
inst/bin/wmcc -static hello.o -o app >out 2>err
plain_and_one_warning "no runtime object" $?
ok "no runtime object: no outdated twin" test ! -e app.wm
rm inst/lib/wmtools/wm-dynamic.o
gcc hello.o -o plain
inst/bin/wmcc hello.o -o app >out 2>err
plain_and_one_warning "no runtime object, dynamic" $?
rm -rf inst/libexec
inst/bin/wmcc hello.o -o app >out 2>err
is "no shims: status" $? 127
inst/bin/wmcc -c hello.c -o hello2.o
is "no shims, -c: status" $? 0

# programs that cannot be traced
gcc -fno-builtin "$progs/allocators/malloc_free.c" -o plain
wmcc -fno-builtin "$progs/allocators/malloc_free.c" -o app >out 2>err
plain_and_one_warning "a dynamic program with its own malloc" $?
if gcc -m32 -static hello.c -o plain 2>/dev/null; then
	wmcc -m32 -static hello.c -o app >out 2>err
	plain_and_one_warning "another processor" $?
else
	skip "another processor" "gcc-multilib is not installed"
fi

# signals
printf '#!/bin/sh\nkill -SEGV $$\n' >dies && chmod +x dies
(WM_CC=./dies; export WM_CC; ulimit -c 0; exec wmcc hello.o -o app) 2>/dev/null
is "the compiler dies of a signal" $? $((128 + 11))
(WM_CC=./dies; export WM_CC; ulimit -c 0; exec wmcc -c hello.c) 2>/dev/null
is "the compiler dies of a signal, -c" $? $((128 + 11))

# a linker that dallies over the twin, leaving a part of it
mkdir slow
cat >slow/ld <<'END'
#!/bin/bash
case "$*" in
*wm-static.o*)
	[ "$1" = -o ] && echo part >"$2"
	: >"$STARTED"
	exec sleep 300 ;;
esac
exec ld "$@"
END
chmod +x slow/ld
for sig in TERM INT HUP; do
	rm -f app app.wm started
	# a background job ignores SIGINT: undo that
	STARTED=$W/started setsid env --default-signal=INT \
		wmcc -B./slow -static hello.o -o app >out 2>err &
	pid=$!
	soon [ -e started ]
	ok "SIG$sig: something to clean up" test -n "$(leftovers)"
	group=$(ps -o pgid= -p $pid | tr -d ' ')
	kill -s $sig -- "-$group"
	wait $pid
	is "SIG$sig: status" $? $((128 + $(kill -l $sig)))
	soon eval '[ -z "$(leftovers)" ]'
	is "SIG$sig: nothing is left over" "$(leftovers)" ""
	ok "SIG$sig: no twin" test ! -e app.wm
done

# a linker that makes rubbish of the twin: no census, but the twin stays
cat >slow/ld <<'END'
#!/bin/bash
case "$*" in
*wm-static.o*) [ "$1" = -o ] && echo rubbish >"$2"; exit 0 ;;
esac
exec ld "$@"
END
gcc -static hello.o -o plain
wmcc -B./slow -static hello.o -o app >out 2>err
plain_and_one_warning "no census" $?
is "no census: the twin is there" "$(cat app.wm)" rubbish

# a linker that says more of the twin than anybody wants to keep
cat >slow/ld <<'END'
#!/bin/bash
case "$*" in
*wm-static.o*)
	[ "$1" = -o ] && echo "ld: error: this is why" && yes | head -c 20M
	exit 1 ;;
esac
exec ld "$@"
END
rm -f app.wm
wmcc -B./slow -static hello.o -o app >out 2>err
plain_and_one_warning "a linker that says 20 MB" $?
like "a linker that says 20 MB: its reason" "$(cat err)" "error: this is why"

# a linker that crashes over the twin
cat >slow/ld <<'END'
#!/bin/bash
case "$*" in
*wm-static.o*) kill -ABRT $$ ;;
esac
exec ld "$@"
END
wmcc -B./slow -static hello.o -o app >out 2>err
plain_and_one_warning "the linker crashes" $?
like "the linker crashes: told" "$(cat err)" "Aborted"
is "nothing is left over in TMPDIR" "$(ls -A tmp | grep -v '^cc')" ""
done_testing
