# SPDX-License-Identifier: Apache-2.0
# Page accesses (WM_PAGES) in programs of other languages, C libraries and
# allocators, and below a debugger: results are as without.
# run: rest
. "$(dirname "$0")/../lib.sh" jq
from=$progs/pages/languages

# LEAST: MiB that the only epoch has to have accessed; of short ones, which end
# anywhere in what a program does, all together
same() { # NAME LEAST COMMAND...
	local name=$1 least=$2 interval all
	shift 2
	"$@" >build.log 2>&1 || {
		skip "$name" "$(grep -m1 -E 'error|not found|cannot find' \
			build.log)"
		return
	}
	"./$name" >without 2>&1
	for interval in 20 3600000; do
		rm -rf run
		WM_DIR=run WM_PAGES=$interval timeout $stuck "./$name.wm" >with 2>err
		is "$name, $interval ms: status" $? 0
		is "$name, $interval ms: as without" "$(cat with)" \
			"$(cat without)"
		grep -q 'WM_PAGES: pages are not' err &&
			skip_all "the kernel cannot tell"
		wm-analyze --pages --json run/*.wm >said
		all=add
		[ "$interval" = 20 ] || all=max
		ok "$name, $interval ms: what was accessed is there" jq -e \
			".pages.epochs | map(.accessed) | $all * 4096 >= \
			$least * 1048576" said
	done
}

{
	same plain 4 wmcc -O1 -g -static -o plain "$from/plain.c"
	same pie 4 wmcc -O1 -g -static-pie -o pie "$from/plain.c"
	same team 16 wmcc -O2 -g -static -fopenmp -o team "$from/team.c"
	same own 1 wmcxx -O2 -g -static -pthread -o own "$from/own.cc"
	same arrays 1 wmf90 -O2 -g -static -o arrays "$from/arrays.f90"
	for library in jemalloc tcmalloc_minimal mimalloc; do
		same "$library" 1 wmcxx -O2 -g -static -pthread -o "$library" \
			"$from/own.cc" -l:lib$library.a -lm
	done
	same dynamic 1 wmcc -O1 -g -o dynamic "$from/plain.c"
}
if command -v musl-gcc >/dev/null; then
	WM_CC=musl-gcc same musl 4 wmcc -O1 -g -static -o musl "$from/plain.c"
	like "musl: one line says what cannot be seen" "$(cat err)" \
		'only writes are seen.*not glibc'
	cat >own.c <<'END'
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	int *p = mmap(0, 1 << 20, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*p = 1;
	if (fork() == 0) {
		*p = 2;
		_exit(0);
	}
	wait(0);
	printf("%d\n", *p);
	return 0;
}
END
	WM_CC=musl-gcc same own_mapping 0 wmcc -static -o own_mapping own.c
fi

# ---- a debugger ----
cat >step.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
char *block;
volatile int stop, watched;
static void step(int n)
{
	for (int i = 0; i < 1 << 20; i += 64)
		block[i] += 1;
	watched = n;
}
int main(void)
{
	block = malloc(1 << 20);
	memset(block, 65, 1 << 20);
	puts("begin");
	fflush(stdout);
	for (int i = 1; i < 200000 && !stop; i++) {
		step(i);
		usleep(1000);
	}
	puts("end");
	return 0;
}
END
ok "step builds" wmcc -O0 -g -static -o step step.c
if command -v gdb >/dev/null; then
	WM_DIR=run WM_PAGES=10 ./step.wm >out 2>&1 &
	pid=$!
	soon [ -s out ]
	timeout $stuck gdb -q -batch -p $pid -ex 'print block[64] != 65' \
		-ex 'break step' -ex continue -ex 'print watched + 1 == n' \
		-ex delete -ex 'watch watched' -ex continue -ex continue \
		-ex 'print watched > 1' -ex "gcore core.step" -ex delete \
		-ex 'set var stop = 1' -ex detach >said 2>&1
	grep -q "New value" said || kill $pid
	wait $pid
	is "gdb: the program ends as ever" "$? $(tail -n 1 out)" "0 end"
	if grep -q 'Operation not permitted' said; then
		skip "gdb" "it may not attach"
	else
		is "gdb: reads followed memory, stops, watches" \
			"$(grep -c '^\$[123] = 1$' said)" 3
		like "gdb: the watchpoint" "$(cat said)" '^New value = '
		like "gcore: followed memory is in it" "$(timeout $stuck gdb -q \
			-batch ./step.wm core.step -ex 'print block[100] == 65' \
			-ex 'print watched > 1' 2>&1 | tail -2 | tr '\n' ' ')" \
			'\$1 = 1 \$2 = 1'
	fi
else
	skip "gdb" "it is missing"
fi
done_testing
