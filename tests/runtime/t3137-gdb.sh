# SPDX-License-Identifier: Apache-2.0
# The commands that scripts/gdb/wmtools.py gives gdb, on a traced program with
# the runtime's debug information: docs/debugging.md.
. "$(dirname "$0")/../lib.sh" gdb
gdb -q -batch -ex 'python print("it can")' 2>&1 | grep -q '^it can' ||
	skip_all "gdb has no Python"

cat >two.c <<'E2'
#include <pthread.h>
#include <stdlib.h>
static pthread_barrier_t both;
static void *work(void *bytes)
{
	void *volatile p = malloc((size_t)bytes);

	pthread_barrier_wait(&both);
	pthread_barrier_wait(&both);
	free(p);
	return NULL;
}
void stop(void)
{
}
int main(void)
{
	pthread_t other;

	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&other, NULL, work, (void *)4321);
	pthread_barrier_wait(&both);
	free(malloc(1234));
	stop();
	pthread_barrier_wait(&both);
	pthread_join(other, NULL);
	return 0;
}
E2
cp -a "$BUILD/bin" "$BUILD/lib" "$BUILD/libexec" .
cp "$BUILD/test/wm-static.o" lib/wmtools/
ok "a program is linked with a runtime that has its debug information" \
	bin/wmcc -g -O0 -fno-builtin -static -pthread -o two two.c

ask() { # PROGRAM COMMAND...: what gdb answers at stop()
	local program=$1
	shift
	timeout 200 env WM_RUN_ID=1 gdb -q -batch \
		-ex "source $SRC/scripts/gdb/wmtools.py" -ex 'break stop' \
		-ex run "${@/#/-ex=}" -ex 'echo end\n' -ex kill "$program" \
		</dev/null 2>&1
}
ask ./two.wm wm-trace 'echo -- slots\n' wm-slots 'echo -- records\n' \
	'wm-records 0 2' wm-records 'echo -- walk\n' wm-walk \
	'thread 2' wm-records wm-walk 'wm-records 1' >said
if ! grep -q '^Breakpoint 1, stop\|hit Breakpoint 1' said; then
	sed 's/^/# /' said
	skip_all "gdb may not run a program here"
fi
part() { # NAME
	sed -n "/^-- $1/,/^-- /p" said
}
like "wm-trace: the file" "$(cat said)" 'file +.*/two\.1\.wm/rank-.*wmt'
like "wm-trace: the state" "$(cat said)" '^tracing +on$'
is "wm-slots: two threads, a star at the selected one" \
	"$(part slots | awk '$1 == "*" && $2 == 0 || $1 == 1 {print $NF}' |
		sort | uniq -c | tr -s ' ')" " 2 buffer"
like "wm-records: the last ones, the newest last" "$(part records |
	sed 's/  *[0-9]* //' | tail -3 | tr '\n' ' ')" \
	'malloc +addr (0x[0-9a-f]+) size 1234 stack [1-9][0-9]* .*free +addr \1 '
like "wm-walk: the last call path" "$(part walk | head -3)" \
	'^#0 .* main \(two\.c:23\)$'
like "the other thread: its record" "$(part walk)" 'malloc .* size 4321 '
like "and its path" "$(part walk)" '^#0 .* work \(two\.c:6\)$'
like "a thread without a slot" "$(cat said)" '^thread 1 has no slot$'
objcopy -g two.wm bare.wm
like "a runtime without debug information: the remedy" \
	"$(ask ./bare.wm wm-slots)" \
	'no debug information: docs/debugging.md$'
done_testing
