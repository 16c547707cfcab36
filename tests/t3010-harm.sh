# SPDX-License-Identifier: Apache-2.0
# What must not happen to a program because it is traced.
. "$(dirname "$0")/lib.sh"
dump=$SRC/tests/tools/wmt-dump
command -v python3 >/dev/null || skip_all "python3 is missing"

summary() { # JQ-EXPRESSION on the only trace below run/
	timeout 60 "$dump" --summary "$(find run -name 'rank-*.xz')" |
		jq -c "$1"
}

# ---- the one line on stderr ----
cat >fd2.c <<'X'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
/* Descriptor 2 becomes a file of the program's own. */
int main(void)
{
	void *volatile p = malloc(10);
	int fd;

	close(2);
	fd = open("data", O_WRONLY | O_CREAT | O_TRUNC, 0644);
	free(p);
	return fd != 2 || write(fd, "mine\n", 5) != 5;
}
X
cat >pipe.c <<'X'
#include <stdlib.h>
#include <unistd.h>
/* Fills its stderr when it has an argument. */
int main(int argc, char **argv)
{
	static char page[4096];
	void *volatile p = malloc(10);

	(void)argv;
	free(p);
	for (int i = 0; argc > 1 && i < 16; i++)
		if (write(2, page, sizeof(page)) < 0)
			return 4;
	return 3;
}
X
# ---- floating point ----
cat >inexact.c <<'X'
#include <fenv.h>
#include <stdlib.h>
/* No event may raise a flag. */
int main(void)
{
	feclearexcept(FE_ALL_EXCEPT);
	for (size_t i = 0; i < 30000; i++) {
		void *volatile p = malloc(i);
		free(p);
	}
	return fetestexcept(FE_ALL_EXCEPT) != 0;
}
X
# ---- fork where it hurts ----
cat >hfork.c <<'X'
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
/* A timer's handler forks in the middle of events; the child goes on. */
static volatile int forks, bad, child;
static void handler(int s)
{
	int status;
	pid_t pid;

	(void)s;
	if (child)
		return;
	pid = fork();
	if (pid == 0) {
		child = 1;
		return;
	}
	waitpid(pid, &status, 0);
	bad += status != 0;
	forks++;
}
int main(void)
{
	struct itimerval it = { { 0, 2000 }, { 0, 2000 } };

	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &it, NULL);
	for (size_t i = 0; forks < 300; i++) {
		void *volatile p = malloc(i % 100 + 1);
		free(p);
		if (child && child++ > 100)
			_exit(0);
	}
	return bad != 0;
}
X
# ---- handlers that leave ----
cat >leave.c <<'X'
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
/* Leaves calls of malloc and free by siglongjmp, as time limits do. */
static sigjmp_buf top;
static volatile int left;
static void handler(int s)
{
	(void)s;
	siglongjmp(top, 1);
}
int main(void)
{
	struct itimerval it = { { 0, 0 }, { 0, 1000 } };

	signal(SIGALRM, handler);
	if (sigsetjmp(top, 1))
		left++;
	if (left < 20) {
		setitimer(ITIMER_REAL, &it, NULL);
		for (;;) {
			void *volatile p = malloc(100000);
			free(p);
		}
	}
	for (int i = 0; i < 1234; i++) {
		void *volatile p = calloc(1, 10);
		free(p);
	}
	return 0;
}
X
# ---- locks ----
cat >loader.c <<'X'
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
/* A callback under the loader's lock takes a lock around which others
 * allocate: the runtime must not want the loader's lock then. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int stop;
static int each(struct dl_phdr_info *i, size_t n, void *d)
{
	(void)i, (void)n, (void)d;
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return 0;
}
static void *work(void *arg)
{
	for (int k = 0; k < 100; k++) {
		pthread_mutex_lock(&m);
		for (size_t i = 0; i < 1000; i++) {
			void *volatile p = malloc(i);
			free(p);
		}
		pthread_mutex_unlock(&m);
	}
	stop = 1;
	return arg;
}
int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	while (!stop)
		dl_iterate_phdr(each, NULL);
	return pthread_join(t, NULL);
}
X
# ---- the end ----
cat >ends.c <<'X'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
/* 64 threads are busy when two others end the process. */
static void *work(void *arg)
{
	for (int i = 0;; i++) {
		void *volatile p = malloc(100);
		free(p);
		if (i % 32 == 0)
			usleep(500);
	}
	return arg;
}
static void *killer(void *arg)
{
	usleep(50000);
	_exit(5);
	return arg;
}
int main(void)
{
	pthread_t t;

	for (int i = 0; i < 64; i++)
		pthread_create(&t, NULL, work, NULL);
	pthread_create(&t, NULL, killer, NULL);
	usleep(50000);
	exit(5);
}
X
times() { # N COMMAND...
	local i
	for ((i = 0; i < $1; i++)); do
		"${@:2}" || return
	done
}
for kind in -static "" preloaded; do
	name=${kind:-dynamic}
	for p in fd2 pipe inexact hfork loader ends leave; do
		if [ "$name" = preloaded ]; then
			gcc -O1 -fno-builtin -pthread -o $p $p.c -lm
			rm -f $p.wm
			printf '#!/bin/sh\nexec wm-run ./%s "$@"\n' $p >$p.wm
			chmod +x $p.wm
			continue
		fi
		# shellcheck disable=SC2086
		wmcc -O1 -fno-builtin $kind -pthread -o $p $p.c \
			-lm 2>>build.log
	done
	WM_DIR=/proc/nowhere ./fd2.wm
	is "$name: no line in a file that took stderr's place" \
		"$? $(cat data)" "0 mine"
	# shellcheck disable=SC2016
	is "$name: no SIGPIPE from a stderr that nobody reads" "$(bash -c \
		'{ sleep 0.3; WM_DIR=/proc/nowhere ./pipe.wm; echo $? >st; } \
		2>&1 | :; cat st')" 3
	mkfifo fifo
	sleep 30 <>fifo &
	WM_DIR=/proc/nowhere timeout 10 ./pipe.wm full 2>fifo
	is "$name: no wait for a stderr that is full" $? 3
	kill $!
	wait $! 2>/dev/null
	rm fifo
	ok "$name: no floating-point flag is raised" \
		env WM_DIR=run timeout 60 ./inexact.wm
	ok "$name: a handler forks in the middle of events" \
		times "$(long_or 8 1)" env WM_DIR=run timeout 60 ./hfork.wm
	# KILL: a thread in the runtime has all other signals blocked
	ok "$name: allocation while a callback holds the loader's lock" \
		env WM_DIR=run WM_BUFFER=4K timeout -s KILL 30 ./loader.wm
	rm -rf run
	ok "$name: handlers leave events by siglongjmp" \
		env WM_DIR=run timeout 30 ./leave.wm
	is "$name: and recording goes on" \
		"$(summary '.counts.CALLOC >= 1234')" true
	bad=
	for i in 1 2 3 4; do
		rm -rf run
		WM_DIR=run WM_BUFFER=4K timeout -s KILL 30 ./ends.wm 2>err
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
	WM_DIR=run timeout 30 ./musl.wm
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
cat >close.c <<'X'
#include <dlfcn.h>
#include <stdlib.h>
/* Opens and closes two libraries that come to the same place in turn. */
int main(void)
{
	for (int i = 0; i < 6; i++) {
		void *h = dlopen(i & 1 ? "./two.so" : "./one.so", RTLD_NOW);
		void *(*plug)(void);
		if (!h)
			return 1;
		*(void **)&plug = dlsym(h, "plug");
		free(plug());
		dlclose(h);
	}
	return 0;
}
X
wmcc -O1 -o close close.c
for u in table libunwind; do
	rm -rf run
	ok "a library at the place of another, $u" env WM_DIR=run WM_UNWIND=$u \
		./close.wm
done

done_testing
