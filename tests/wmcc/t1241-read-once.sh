# SPDX-License-Identifier: Apache-2.0
# What a linker reads from standard input, or from a pipe that the shell made:
# the same program as without us, and a twin that was linked from the same.
. "$(dirname "$0")/../lib.sh" wmcc-lib
export WM_CC=gcc
sources
gcc -O1 -c hello.c
# a script that shows in the program: a symbol, and a place for the text; more
# than a pipe holds at once
script() {
	ld --verbose | sed '1,/^====/d;/^====/,$d' |
		sed 's/^SECTIONS$/said_by_script = 0x4711; SECTIONS/'
	seq -f '/* comment %g */' "${1:-1}"
}
script >script.ld
script 9000 >large.ld
ok "the script is more than a pipe holds" \
	test "$(wc -c <large.ld)" -gt 131072

# builds WHAT: app was built as ref, with the same words, and its twin runs
builds() {
	is "$1: status, output" "$? $(cat out)" "0 $(cat ref.out)"
	ok "$1: same program" same ref app
	ok "$1: twin" traced ./app.wm
	like "$1: its linker read the same" "$(nm app.wm)" \
		'^0*4711 A said_by_script'
	rm -f ref app app.wm
}

for how in "-T /dev/stdin" "-Wl,-T,/dev/stdin" -T/proc/self/fd/0 \
	-Wl,--script=/dev/fd/0; do
	gcc -static hello.o $how -o ref <script.ld >ref.out 2>&1
	wmcc -static hello.o $how -o app <script.ld >out 2>&1
	builds "$how, a file"
	cat large.ld | gcc -static hello.o $how -o ref >ref.out 2>&1
	cat large.ld | timeout 100 wmcc -static hello.o $how -o app >out 2>&1
	builds "$how, a pipe"
done
gcc -static hello.o -T <(cat large.ld) -o ref >ref.out 2>&1
timeout 100 wmcc -static hello.o -T <(cat large.ld) -o app >out 2>&1
builds "<(...)"
gcc -static hello.o -Wl,-s -T /dev/stdin -o ref <script.ld >ref.out 2>&1
cat script.ld | timeout 100 wmcc -static hello.o -Wl,-s -T /dev/stdin -o app \
	>out 2>&1
builds "stripped: three links"
echo "-static hello.o -T /dev/stdin" >rsp
gcc @rsp -o ref <script.ld >ref.out 2>&1
cat script.ld | timeout 100 wmcc @rsp -o app >out 2>&1
builds "in a response file"
# two at a time
echo '{ said_by_list; };' >list
{ gcc hello.o -Wl,--dynamic-list=/dev/fd/5 -T /dev/stdin -o ref \
	<script.ld 5<list >ref.out; } 2>&1
{ cat script.ld | timeout 100 wmcc hello.o -Wl,--dynamic-list=/dev/fd/5 \
	-T /dev/stdin -o app 5< <(cat list) >out; } 2>&1
builds "two pipes"

# linkers know a pipe from a file: GNU ld takes no object from one
cat hello.o | gcc -static /dev/stdin -o app >ref.out 2>&1
status=$?
cat hello.o | timeout 100 wmcc -static /dev/stdin -o app >out 2>&1
is "an object: as GNU ld says" "$? $(cat out)" "$status $(cat ref.out)"
wmcc -static /dev/stdin -o app <hello.o
ok "an object that is a file: twin" traced ./app.wm
rm -f app app.wm
if have ld.lld lld "lld, an object from a pipe"; then
	gcc -fuse-ld=lld -static hello.o -o ref
	cat hello.o | timeout 100 wmcc -fuse-ld=lld -static /dev/stdin -o app
	ok "lld, an object: same program" same ref app
	ok "lld, an object: twin" traced ./app.wm
	rm -f app app.wm
fi
if have ld.gold gold "gold, a script"; then
	cat script.ld | gcc -fuse-ld=gold -static hello.o -T /dev/stdin \
		-o ref >ref.out 2>&1
	status=$?
	cat script.ld | timeout 100 wmcc -fuse-ld=gold -static hello.o \
		-T /dev/stdin -o app >out 2>&1
	is "gold, a script: as gold says" "$? $(cat out)" \
		"$status $(cat ref.out)"
	ok "gold, a script: same program" same ref app
fi

# a failure, and a linker that does not read to the end
cat large.ld | gcc -static gone.o -T /dev/stdin -o x >ref.out 2>&1
status=$?
cat large.ld | timeout 100 wmcc -static gone.o -T /dev/stdin -o x >out 2>&1
is "a failed link ends, too" "$? $(cat out)" "$status $(cat ref.out)"
# a pipe with a name: a second link would wait for ever
mkfifo fifo
cat script.ld >fifo &
timeout 100 wmcc -static hello.o -T fifo -o app >out 2>&1
is "a FIFO: status, one line" "$? $(wc -l <out)" "0 1"
like "a FIFO: why there is no twin" "$(cat out)" \
	"^wmcc: warning: 'app.wm' not made: only one link can read 'fifo': name "
wait
# a compiler that runs no linker of ours
printf '#!/bin/sh\nCOMPILER_PATH= exec gcc -B/usr/bin "$@"\n' >deaf
chmod +x deaf
cat script.ld | WM_CC=./deaf timeout 100 wmcc -static hello.o \
	-T /dev/stdin -o app >out 2>&1
is "a deaf compiler: status, one line" "$? $(wc -l <out)" "0 1"
like "a deaf compiler: why" "$(cat out)" "not made: .* standard input"
ok "a deaf compiler: no wrong twin" test ! -e app.wm
is "nothing is left over" "$(leftovers)" ""
done_testing
