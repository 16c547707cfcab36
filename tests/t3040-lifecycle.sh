# SPDX-License-Identifier: Apache-2.0
# How processes begin and end, and on which stacks and descriptors they run.
. "$(dirname "$0")/lib.sh"
progs=$SRC/tests/progs
dump=$SRC/tests/tools/wmt-dump
command -v python3 >/dev/null || skip_all "python3 is missing"

run() { # COMMAND...: in a fresh run directory
	rm -rf run
	mkdir run
	WM_DIR=$W/run timeout -s KILL 60 "$@" >out 2>err
}

summary() { # JQ-EXPRESSION [FILE]: on a trace, the only one by default
	timeout 60 "$dump" --summary \
		"${2:-$(find run -name 'rank-*.xz')}" | jq -c "$1"
}

# ---- descriptors ----
cat >closer.c <<'X'
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
/* A thread closes all descriptors and takes their numbers all the time. */
static volatile int stop;
static void *work(void *arg)
{
	while (!stop) {
		for (int fd = 3; fd < 1024; fd++)
			close(fd);
		for (int i = 0; i < 5; i++)
			if (open("theirs", O_WRONLY | O_CREAT, 0644) < 0)
				return arg;
	}
	return arg;
}
int main(void)
{
	pthread_t t;
	time_t end = time(NULL) + 2;
	long n = 0;

	pthread_create(&t, NULL, work, NULL);
	while (time(NULL) < end && n < 1000000)
		for (size_t i = 0; i < 1000; i++, n++) {
			void *volatile p = malloc(i);
			free(p);
		}
	stop = 1;
	pthread_join(t, NULL);
	for (size_t i = 0; i < 10000; i++) {
		void *volatile p = calloc(1, i);
		free(p);
	}
	printf("%ld\n", n);
	return 0;
}
X
for kind in -static ""; do
	name=${kind:-dynamic}
	# shellcheck disable=SC2086
	wmcc -O1 -fno-builtin $kind -pthread -o closer closer.c
	rm -f theirs
	ok "$name: a thread closes all descriptors" \
		run env WM_BUFFER=4K ./closer.wm
	is "$name: its own files get no byte of ours" "$(wc -c <theirs)" 0
	is "$name: every event is there or is counted, and tracing goes on" \
		"$(summary "[.complete, .counts.CALLOC >= 10000,
		.counts.MALLOC + .counts.FREE + .info.dropped >=
		$(cat out) * 2]")" '[true,true,true]'
done

# ---- small stacks ----
for kind in -static ""; do
	name=${kind:-dynamic}
	# shellcheck disable=SC2086
	wmcc -O1 -g -fno-builtin $kind -o coroutine "$progs/coroutine.c"
	for u in table libunwind check; do
		ok "$name: a coroutine on 4 KiB, WM_UNWIND=$u" run env \
			WM_UNWIND=$u WM_BUFFER=4K ./coroutine.wm
		is "$name: each event of it, at most 2 KiB deep, $u" \
			"$(summary '[.counts.MALLOC >= 20000, .complete,
			.unknown]') $(($(cat out) <= 2048))" \
			'[true,true,0] 1'
	done
done
done_testing
