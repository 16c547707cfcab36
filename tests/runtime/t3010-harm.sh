# SPDX-License-Identifier: Apache-2.0
# What must not happen to a program because it is traced.
. "$(dirname "$0")/../lib.sh" python3

summary() { # JQ-EXPRESSION on the only trace below run/
	timeout 60 "$dump" --summary "$(find run -name 'rank-*.xz')" |
		jq -c "$1"
}

# ---- stderr, floating point, forks, handlers that leave, locks, the end ----
times() { # N COMMAND...
	local i
	for ((i = 0; i < $1; i++)); do
		"${@:2}" || return
	done
}
# A traced program as with a loader before glibc 2.35, which says nothing of one
# address: the function's weak name is another.
older() { # PROGRAM
	sed 's/_dl_find_object\x00/_dl_find_0bject\x00/' "$1" >older.wm
	chmod +x older.wm
}
for kind in -static "" preloaded; do
	name=${kind:-dynamic}
	for p in stderr_taken stderr_pipe fp_flags fork_in_handler \
		loader_lock loader_held two_ends leave_events; do
		if [ "$name" = preloaded ]; then
			gcc -O1 -fno-builtin -pthread -o $p \
				"$progs/runtime/$p.c" -lm
			rm -f $p.wm
			printf '#!/bin/sh\nexec wm-run ./%s "$@"\n' $p >$p.wm
			chmod +x $p.wm
			continue
		fi
		wmcc -O1 -fno-builtin $kind -pthread -o $p \
			"$progs/runtime/$p.c" -lm 2>>build.log
	done
	WM_DIR=/proc/nowhere ./stderr_taken.wm
	is "$name: no line in a file that took stderr's place" \
		"$? $(cat data)" "0 mine"
	is "$name: no SIGPIPE from a stderr that nobody reads" "$(bash -c \
		'{ sleep 0.3; WM_DIR=/proc/nowhere ./stderr_pipe.wm; echo $? >st; } \
		2>&1 | :; cat st')" 3
	mkfifo fifo
	sleep 300 <>fifo &
	WM_DIR=/proc/nowhere timeout 100 ./stderr_pipe.wm full 2>fifo
	is "$name: no wait for a stderr that is full" $? 3
	kill $!
	wait $! 2>/dev/null
	rm fifo
	ok "$name: no floating-point flag is raised" \
		env WM_DIR=run timeout 60 ./fp_flags.wm
	ok "$name: a handler forks in the middle of events" \
		times "$(long_or 8 1)" env WM_DIR=run timeout 60 ./fork_in_handler.wm
	# KILL: a thread in the runtime has all other signals blocked
	ok "$name: allocation while a callback holds the loader's lock" \
		env WM_DIR=run WM_BUFFER=4K timeout -s KILL 100 ./loader_lock.wm
	if [ "$name" = dynamic ]; then
		older loader_lock.wm
		ok "an older loader: allocation while a callback holds its lock" \
			env WM_DIR=run WM_BUFFER=4K timeout -s KILL 100 \
			./older.wm
	fi
	for how in exit fork open wait; do
		WM_CHILDREN=1 WM_DIR=run timeout -s KILL 100 \
			./loader_held.wm $how
		is "$name: an end while a thread has the loader's lock, $how" \
			$? 3
	done
	rm -f loader.fifo
	# a jump out of malloc can spoil the heap of the program alone, too
	for _ in 1 2 3; do
		rm -rf run
		env WM_DIR=run timeout 100 ./leave_events.wm 2>err
		left=$?
		[ $left = 134 ] || break
	done
	is "$name: handlers leave events by siglongjmp" "$left$(cat err)" 0
	is "$name: and recording goes on" \
		"$(summary '.counts.CALLOC >= 1234')" true
	bad=
	for i in 1 2 3 4; do
		rm -rf run
		WM_DIR=run WM_BUFFER=4K timeout -s KILL 100 ./two_ends.wm 2>err
		got="$?$(cat err) $(summary '[.complete, .unknown, .conflicts]')"
		[ "$got" = "5 [true,0,0]" ] || bad="$bad $got"
	done
	is "$name: an end by two threads among busy ones: all of it, once" \
		"$bad" ""
done

# ---- another C library ----
if command -v musl-gcc >/dev/null; then
	WM_CC=musl-gcc wmcc -static -fno-builtin -o musl -x c - <<'X'
#include <stdlib.h>
int main(void)
{
	free(malloc(10));
	return 6;
}
X
	rm -rf run
	WM_DIR=run timeout 100 ./musl.wm
	is "musl: ends as ever" "$? $(summary .complete)" "6 true"
else
	skip "musl: ends as ever" "musl-gcc is missing"
fi
# ---- another library at the place of one that was closed ----
plug() { # NAME INSTRUCTIONS...: 5 bytes of code at the same place in each
	local name=$1 code=$2 cfa=$3
	cat >"$name.s" <<-X
	.text
	.globl plug
	.type plug,@function
	plug:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6,-16
	$code
	$cfa
	movl \$24,%edi
	call malloc@PLT
	popq %rbp
	.cfi_def_cfa 7,8
	ret
	.cfi_endproc
	.size plug,.-plug
	.section .note.GNU-stack,"",@progbits
	X
	gcc -shared -o "$name.so" "$name.s"
}
plug one "movq %rsp,%rbp" ".cfi_def_cfa_register 6"
plug two "xorl %ebp,%ebp
nop" ""
wmcc -O1 -o close "$progs/runtime/same_place.c" -ldl
for u in table libunwind; do
	rm -rf run
	ok "a library at the place of another, $u" env WM_DIR=run WM_UNWIND=$u \
		./close.wm
done
older close.wm
ok "a library at the place of another, an older loader" \
	env WM_DIR=run ./older.wm

done_testing
