# SPDX-License-Identifier: Apache-2.0
# How ranks ended: who was silent first, who still runs, where, by groups.
. "$(dirname "$0")/../lib.sh" analyze-lib wmcc-lib python3

# ranks HEAD...: what stands before each of ranks 0 to 5; 0 and 1 die in dgemm,
# 2 before them in read, 3 calls MPI_Abort, 4 ends, 5 dies in dgemm, too
ranks() {
	cat <<-E2
		program app
		elf app.wm
		id 1
		start 1000000000
		window
		host one
		rank 0 of 6
		t 2000000000 malloc 0x1000 1000 main<solve<dgemm
		t 5000000000 malloc 0x2000 300 main<solve<dgemm
		t 5500000000 free 0x2000
		rank 1 of 6
		t 2000000000 malloc 0x1000 1000 main<solve<dgemm
		t 6000000000 malloc 0x2000 300 main<solve<dgemm
		rank 2 of 6
		t 2000000000 malloc 0x1000 1000 main<solve<dgemm
		t 3000000000 malloc 0x1f00 1000 main<read
		rank 3 of 6
		t 2000000000 malloc 0x1000 1000 main<fail
		t 4000000000 free 0x1000
		end MPI_Abort
		rank 4 of 6
		t 1500000000 malloc 0x1000 1000 main
		end exit
		$1
		rank 5 of 6
		t 8000000000 malloc 0x1000 1000 main<solve<dgemm
	E2
}
groups() {
	json '[(g["ending"], g["reason"], g["first_s"], g["last_s"], g["path"],
		g["ranks"]) for g in j["deaths"]["groups"]]' "$@"
}
alike() {
	json '[(g["ending"], g["path"], g["ranks"])
		for g in j["deaths"]["groups"]]' "$@"
}

run app.1.wm < <(ranks "# rank 5 is like the others")
is "groups in order of their last events" "$(groups app.1.wm)" "[\
('ended', 'exit', 0.5, 0.5, None, [4]), \
('no end', None, 2.0, 2.0, 'main;read', [2]), \
('aborted', 'MPI_Abort', 3.0, 3.0, 'main;fail', [3]), \
('no end', None, 4.5, 7.0, 'main;solve;dgemm', [0, 1, 5])]"
is "the one that called MPI_Abort is first, by one clock" "$(json '[
	j["deaths"]["first_rank"], j["deaths"]["clock"]]' app.1.wm)" "[3, 'boot']"
text=$(wm-analyze -q app.1.wm)
like "text: who was first" "$text" \
	'^  Gave up by itself: rank 3 on one \(pid 103\) called MPI_Abort, 3\.000000 s'
like "text: who was silent before" "$text" \
	'^  Rank 2 was silent before it, from 2\.000000 s on: a rank is silent when it waits and when it has died\.$'
like "text: who had ended before" "$text" \
	'^  Rank 4 had ended before that, without being killed\.$'
like "text: a line for each group" "$text" \
	'^  0-1, 5 +4\.500 to 7\.000 s +killed, crashed or running  dgemm < solve < main$'
like "text: MPI_Abort" "$text" '^  3 .* called MPI_Abort +fail < main$'
unlike "text: one clock needs no caveat" "$text" 'wall clocks'

# Rank 5 is of another machine, whose clock of the boot began 3 s later and whose
# wall clock says that it died before all others did.
run far.1.wm < <(ranks 'host two
mono 2000000000
real 1699999996700000000')
is "machines are put in order by wall clocks" "$(json '[
	j["deaths"]["first_rank"], j["deaths"]["clock"],
	[g["ranks"] for g in j["deaths"]["groups"]]]' far.1.wm)" \
	"[3, 'wall', [[4], [0, 1, 5], [2], [3]]]"
like "and the text says so" "$(wm-analyze -q far.1.wm)" \
	'^  The order is that of the wall clocks of several machines, which may'

is "it gave up" "$(json '[g["rank"] for g in j["deaths"]["gave_up"]]' \
	app.1.wm)" "[3]"
is "sentences are those of the text" "$(json '"\n".join("  " + s
	for s in j["deaths"]["sentences"])' app.1.wm)" "$(grep -A9 '^How ranks' \
	<<<"$text" | sed -n '2,/^  ranks/p' | sed '$d')"

# close ABORT [EXIT]: the same within 7 ms, with these in the places of the ends
# of ranks 3 and 4
close() {
	ranks "# rank 5 is like the others" |
		sed "s/^\(start\|t\) \([0-9]*\)000/\1 \2/; s/^end MPI_Abort/$1/
			s/^end exit/${2-end exit}/"
}
# late SECONDS: rank 1 gives up so long after rank 0, which waits for it
late() {
	cat <<-E2
		program app
		elf app.wm
		id 1
		start 1000000000
		rank 0 of 2
		t 2000000000 malloc 0x1000 1000 main
		rank 1 of 2
		t $((2000000000 + $1)) $2
		$3
	E2
}
run close.1.wm < <(close '# killed' '# killed')
is "which was first cannot be told" "$(json '(j["deaths"]["first_rank"],
	j["deaths"]["first_ranks"], j["deaths"]["doubt_s"])' close.1.wm)" \
	"(None, [0, 1, 2, 3, 4, 5], 0.01)"
like "text: it cannot be told" "$(wm-analyze -q close.1.wm)" \
	'^  All 6 ranks died, and fell silent within 6\.[0-9]+ ms: which was first is not known\.'
run close.5.wm < <(close '# killed')
like "text: so where one had ended" "$(wm-analyze -q close.5.wm)" \
	'^  5 of 6 ranks died, and fell silent within 5\.0 ms: which was first is not known\.'
run only.1.wm < <(late 20000000 'malloc 0x1000 1000 main' 'end exit')
is "the only one that died is the first" "$(json '(j["deaths"]["first_rank"],
	j["deaths"]["sentences"][0][:20])' only.1.wm)" "(0, 'No other rank died: ')"
run only.2.wm < <(late 20000000 'malloc 0x1000 1000 main' '')
is "who was silent first need not be the first" "$(json '(
	j["deaths"]["first_rank"], j["deaths"]["first_ranks"])' only.2.wm)" \
	"(None, [0])"
like "text: so" "$(wm-analyze -q only.2.wm)" \
	'^  It may not be the rank that failed: a rank that waits is silent, too\.'
run close.2.wm < <(close 'end MPI_Abort')
is "of those one called MPI_Abort" "$(json 'j["deaths"]["first_ranks"]' \
	close.2.wm)" "[3]"
like "text: it gave up by itself" "$(wm-analyze -q close.2.wm)" \
	'^  Gave up by itself: rank 3 on one \(pid 103\) called MPI_Abort,'
like "text: the others are its victims" "$(wm-analyze -q close.2.wm)" \
	'^  4 others died, too: a launcher ends a job that loses a rank\.$'
# exits MPI STATUS: rank 4 exits, as far as MPI came
exits() {
	close '# killed' | sed "s/^end exit/exit-status $2\nmpi-came $1\nend exit/"
}
run close.3.wm < <(exits 1 3)
is "of those one ended without MPI_Finalize" "$(json '([g["reason"]
	for g in j["deaths"]["groups"] if g["without_finalize"]],
	[(g["rank"], g["reason"]) for g in j["deaths"]["gave_up"]])' close.3.wm)" \
	"(['exit'], [(4, 'exit')])"
like "text: so" "$(wm-analyze -q close.3.wm)" \
	'^  Gave up by itself: rank 4 .* ended \(exit, status 3\) without MPI_Finalize, '
like "text: the others were seen after that" "$(wm-analyze -q close.3.wm)" \
	'^  5 others died, too: a launcher ends a job that loses a rank\.$'
unlike "text: who exited did not do so before that" \
	"$(wm-analyze -q close.3.wm)" 'had ended before|Silent first'
run close.4.wm < <(exits 2 3)
is "with MPI_Finalize it has not given up" \
	"$(json 'j["deaths"]["gave_up"]' close.4.wm)" "[]"

for wait in 261000000 3000000000; do
	run late.$wait.wm < <(late $wait 'malloc 0x1000 1000 main' 'end MPI_Abort')
	is "a rank that waited for MPI_Abort is not the first, $wait ns" \
		"$(json 'j["deaths"]["first_rank"]' late.$wait.wm)" 1
done
run late.3.wm < <(late 20000000 'failed 33554432 main' 'end exit')
like "a rank was refused a request and ended" "$(wm-analyze -q late.3.wm)" \
	'^  Gave up by itself: rank 1 .* was refused 32\.0 MiB and ended \(exit\)'

run crash.1.wm < <(late 20000000 \
	'malloc 0x1000 1000 main<work<ucs_handle_error<ucs_print' '')
like "a handler of fatal signals was at work" "$(wm-analyze -q crash.1.wm)" \
	'^  Gave up by itself: rank 1 .* crashed: .* is in ucs_handle_error, which handles fatal signals\.$'
run late.4.wm < <(late 20000000 'malloc 0x1000 1000 main' 'mpi-came 1
end exit')
like "one that exits while others wait may do so for a death" \
	"$(wm-analyze -q late.4.wm)" '^  1 other died, perhaps earlier:'
is "no one knows which was first" "$(json '(j["deaths"]["first_rank"],
	j["deaths"]["first_ranks"])' late.4.wm)" "(None, [0, 1])"
run late.5.wm < <(late -20000000 'malloc 0x1000 1000 main' 'mpi-came 1
end exit')
is "another that was alive after that died with it" "$(json '(
	j["deaths"]["first_rank"], j["deaths"]["sentences"][1])' late.5.wm)" \
	"(1, '1 other died, too: a launcher ends a job that loses a rank.')"
run all.1.wm <<'E2'
program app
elf all.wm
id 1
mpi-came 1
rank 0 of 2
t 2000000 malloc 0x1000 10 main
end
rank 1 of 2
t 2000000 malloc 0x1000 10 main
end
E2
like "all left: that is told" "$(wm-analyze -q all.1.wm)" \
	'^  0-1 .* ended \(exit\) without MPI_Finalize'

run fine.1.wm <<'E2'
program app
elf fine.wm
id 1
rank 0 of 1
t 2000 malloc 0x1000 10 main
end
E2
is "all ended in order: null" "$(json 'j["deaths"]' fine.1.wm)" None
unlike "and no section" "$(wm-analyze -q fine.1.wm)" 'How ranks ended'
(head -c -20 app.1.wm/rank-000004.wmt.xz >cut && cp -r app.1.wm cut.1.wm &&
	cp cut cut.1.wm/rank-000004.wmt.xz)
is "a damaged trace" "$(json '[g["ending"] for g in j["deaths"]["groups"]
	if 4 in g["ranks"]]' cut.1.wm)" "['damaged']"

# ---- processes of this machine ----
cat >hang.c <<'E2'
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static void *volatile kept;
__attribute__((noinline)) static void hang(int die)
{
	kept = malloc(1 << 20);
	if (write(1, "held\n", 5) != 5)
		abort();
	if (die)
		raise(SIGKILL);
	for (die = 0; die < 60; die++)
		sleep(1);
}
int main(int argc, char **argv)
{
	char c;

	(void)argv;
	if (argc > 2)
		return read(0, &c, 1) < 0;
	hang(argc > 1);
	return 0;
}
E2
ok "a program builds" wmcc -O1 -g -static -o hang hang.c
export WM_DIR=$W/job WM_RUN_ID=1 PMI_SIZE=2
PMI_RANK=0 ./hang.wm die >/dev/null 2>&1
PMI_RANK=1 ./hang.wm >held &
pid=$!
soon [ -s held ]
soon it_sleeps $pid
is "one was killed, one still runs" "$(alike job/*.wm)" \
	"[('killed', 'main;hang', [0]), ('running', 'main;hang', [1])]"
like "text: still running" "$(wm-analyze -q job/*.wm)" \
	'^  1 .* still running +hang < main$'
like "the remark says so" "$(wm-analyze job/*.wm 2>&1 >/dev/null)" \
	'rank 1: .* has no end: the process is still running; all events that it wrote'
kill -KILL $pid
wait $pid 2>/dev/null
is "both are dead, alike" "$(alike job/*.wm)" "[('killed', 'main;hang', [0, 1])]"

# ---- abort() is known, and kills as it does without ----
cat >fail.c <<'E2'
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
static void *volatile kept;
static jmp_buf back;
static void leave(int sig)
{
	(void)sig;
	longjmp(back, 1);
}
int main(int argc, char **argv)
{
	(void)argv;
	kept = malloc(100);
	assert(argc < 3);
	if (argc > 1) {
		signal(SIGABRT, leave);
		if (setjmp(back))
			return 0;
	}
	abort();
}
E2
for link in -static -rdynamic; do
	wmcc -O1 -g $link -o fail fail.c
	export WM_RUN_ID=fail$link
	is "$link: a handler of SIGABRT goes on" "$(./fail.wm go; echo $?) $(
		json 'j["deaths"]' job/fail.*.wm)" "0 None"
	rm -r job/fail.*.wm
	./fail.wm 2>/dev/null
	is "$link: abort() is as without" $? 134
	is "$link: and known" "$(json '[(g["ending"], g["reason"])
		for g in j["deaths"]["groups"]]' job/fail.*.wm)" \
		"[('aborted', 'abort')]"
	rm -r job/fail.*.wm
	./fail.wm assert it 2>/dev/null
	is "$link: a failed assertion" "$(json 'j["deaths"]["sentences"][1]' \
		job/fail.*.wm)" "Rank 0: an assertion failed in main (fail.c:16)."
	rm -r job/fail.*.wm
	./fail.wm 2>/dev/null
	like "$link: text" "$(wm-analyze -q job/fail.*.wm 2>/dev/null)" \
		'called abort\(\) +main$'
	rm -r job/fail.*.wm
done

# ---- a release of what is no block, behind which there is no event ----
cat >stray.c <<'E2'
#include <signal.h>
#include <stdlib.h>
#include <string.h>
static char *volatile kept, *volatile other;
static void print(int sig)
{
	(void)sig;
	other = malloc(30);
}
static _Alignas(16) size_t fake[16] = { 0, 0x31 };
__attribute__((noinline)) static void *make(size_t size)
{
	char *volatile p = malloc(size);

	return p;
}
__attribute__((noinline)) static void drop(char *p)
{
	free(p);
	__asm__ volatile("" ::: "memory");
}
int main(int argc, char **argv)
{
	char stack[64];

	kept = make(100);
	other = make(5000);
	if (argc < 2)
		return 1;
	switch (argv[1][0]) {
	case 'h': /* handler, and twice */
		signal(SIGABRT, print);
		/* fall through */
	case 't': /* twice */
		drop(kept);
		drop(kept);
		break;
	case 'l': /* large, twice */
		drop(other);
		drop(other);
		break;
	case 'i': /* inside */
		drop(kept + 16);
		break;
	case 's': /* stack */
		drop(stack + 16);
		break;
	case 'r': /* realloc */
		drop(kept);
		other = realloc(kept, 300);
		break;
	case 'd': /* damage */
		memset(kept, 255, 112);
		drop(other);
		break;
	case 'a': /* by itself, after one that glibc takes for a block */
		drop((char *)(fake + 2));
		abort();
	}
	return 0;
}
E2
# a block where another one was, of a library whose malloc is its own, is freed
cat >give.c <<'E2'
#include <stdlib.h>
void *give(size_t size)
{
	return malloc(size);
}
E2
cat >taker.c <<'E2'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
int main(void)
{
	void *library = dlopen("./give.so", RTLD_NOW | RTLD_DEEPBIND);
	void *(*give)(size_t) = (void *(*)(size_t))dlsym(library, "give");
	char *volatile p = malloc(100);

	free(p);
	p = give(100);
	free(p);
	*(volatile int *)8 = 1;
	return 0;
}
E2
gcc -w -shared -fPIC -fno-builtin -o give.so give.c
wmcc -O1 -fno-builtin -o taker taker.c
WM_RUN_ID=taker ./taker.wm 2>/dev/null
is "a release of what was not seen is no cause" "$(json \
	'j["run"]["ranks"], j["deaths"]["strays"]' job/taker.taker.wm)" "1 []"
died() {
	json '[(x["rank"], x["call"], x["block"], x["bytes"], x["offset"])
		for x in j["deaths"]["strays"]] + [s.split(" was given ")[1]
		for s in j["deaths"]["sentences"] if " was given " in s]' "$@"
}
made='in make \(stray\.c:13\) < main\.'
for link in -static -rdynamic; do
	wmcc -O1 -g $link -o stray stray.c
	for way in twice large inside stack realloc abort handler; do
		WM_RUN_ID=$way ./stray.wm $way 2>/dev/null
		[ $? = 134 ] || echo "# $way did not abort"
		died job/stray.$way.wm >died
		case $way in
		twice) like "$link: a block freed twice" "$(<died)" \
			"^\[\(0, 'free', 'freed', 100, 0\), 'a block of 100 bytes that had been freed [0-9.]+ [nu]s before and was allocated $made'\]$" ;;
		handler) like "$link: with a handler of SIGABRT that allocates" \
			"$(<died)" "^\[\(0, 'free', 'freed', 100, 0\), .* allocated $made'\]$" ;;
		large) like "$link: a large block freed twice" "$(<died)" \
			"^\[\(0, 'free', 'freed', 5000, 0\), 'a block of 4\.9 KiB that had been freed .* allocated $made'\]$" ;;
		inside) is "$link: an address inside of a block" "$(<died)" \
			"[(0, 'free', 'live', 100, 16), 'an address 16 bytes inside a block of 100 bytes that was allocated in make (stray.c:13) < main.']" ;;
		stack) is "$link: of the stack" "$(<died)" \
			"[(0, 'free', 'none', 0, 0), 'an address that is in no recorded block of the heap.']" ;;
		realloc) like "$link: realloc of what was freed" "$(<died)" \
			"^\[\(0, 'realloc', 'freed', 100, 0\), 'a block of 100 bytes that had been freed .* allocated $made'\]$" ;;
		abort) is "$link: an abort() of its own has no such cause" \
			"$(<died)" "[]" ;;
		esac
	done
	[ $link = -rdynamic ] || {
		WM_RUN_ID=damage ./stray.wm damage 2>/dev/null
		is "$link: the heap was damaged" "$(json '(j["deaths"]["strays"],
			j["deaths"]["sentences"][1][:46],
			"; or a signal handler" in
			j["deaths"]["sentences"][1])' job/stray.damage.wm)" \
			"([], 'Rank 0 aborted in a call of the allocator: gli', True)"
	}
	like "$link: in words" "$(wm-analyze -q job/stray.twice.wm \
		2>/dev/null)" "$([ $link = -static ] &&
		echo '^  Rank 0 aborted in free\(\), which was given a block' ||
		echo '^  The likely cause: the last call of rank 0 is free\(\), which was given')"
	rm -r job/stray.*.wm
done

# strays HEAD...: rank 0 frees twice, in thread 0, and is killed; thread 1
strays() {
	cat <<-E2
		program app
		elf app.wm
		id 1
		start 1000000000
		window
		rank 0 of 2
		t 2000000000 malloc 0x1000 100 main<make
		t 2100000000 malloc 0x2000 100 main
		thread ${2:-0}
		t 2200000000 free 0x1000
		thread 0
		t 2300000000 free 0x1000
		${1-}
		rank 1 of 2
		t 2000000000 malloc 0x1000 100 main<make
		t 2400000000 malloc 0x3000 100 main<make
	E2
}
stray() {
	run "stray.$1.wm" < <(strays "${@:2}")
	json '([x["rank"] for x in j["deaths"]["strays"]],
		[x["rank"] for x in j["deaths"]["gave_up"]])' "stray.$1.wm"
}
is "of two ranks the one that freed twice gave up" "$(stray 1)" "([0], [0])"
like "text: it died" "$(wm-analyze -q stray.1.wm)" \
	'^  Gave up by itself: rank 0 on .* died, 1\.300000 s after'
like "text: what it was given" "$(wm-analyze -q stray.1.wm)" \
	'^  The likely cause: the last call of rank 0 is free\(\), which was given a block of 100 bytes that had been freed 100 ms before and was allocated in make < main'
is "its thread went on after that" "$(stray 2 't 2300001000 free 0x2000')" \
	"([], [])"
is "another thread did, for a moment" "$(stray 3 'thread 1
t 2305000000 free 0x2000')" "([0], [0])"
is "another thread did, and lived" "$(stray 4 'thread 1
t 2350000000 free 0x2000')" "([], [])"
is "another thread had freed it" "$(stray 5 '' 1)" "([0], [0])"
like "text: another thread" "$(wm-analyze -q stray.5.wm)" \
	'had been freed 100 ms before by another thread and was allocated in make < main'
is "both threads at once" "$(stray 6 'thread 1
t 2300000500 free 0x1000' 2)" "([0], [0])"
is "what a pause has hidden is not known" "$(stray 7 'pause
t 2310000000 resume
t 2320000000 free 0x5000')" "([], [])"
is "nor where blocks that it has hidden lie now" "$(stray 12 'pause
t 2300001000 resume
t 2310000000 malloc 0x5000 10 main
t 2320000000 free 0x5000
t 2330000000 free 0x5000')" "([], [])"
is "nor which block it is where such releases are usual" "$(stray 13 '
t 2310000000 free 0x7000
t 2320000000 free 0x8000
t 2330000000 malloc 0x5000 10 main
t 2330001000 free 0x5000
t 2330002000 free 0x5000')" "([], [])"
is "nor what was lost" "$(stray 8 'dropped 3')" "([], [])"
# more events than are decoded at a time
many() {
	local i

	for ((i = 1; i <= ${4:-600}; i++)); do
		echo "t $(($1 + i)) $2 0x$((i + 9))000 $3"
	done
}
is "many events are before it" "$(stray 10 "t 2300000500 free 0x2000
$(many 2300001000 malloc '10 main')
t 2300002000 free 0x1000")" "([0], [0])"
# 4 before it; it is the last one of 256, and as many come after it
is "many events come after it" "$(stray 11 "$(many 2300001000 malloc '10 main' 251)
t 2300002000 free 0x1000
$(many 2300002000 free '' 251)
$(many 2300003000 malloc '10 main' 5)")" "([], [])"
run stray.9.wm < <(strays | grep -v window)
is "nor the last event, without a window" \
	"$(json 'j["deaths"]["strays"]' stray.9.wm)" "[]"

# ---- what was looked at now and then is a lower bound ----
cat >often.c <<'E2'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_barrier_t touched;
static void *touch(void *unused)
{
	volatile char page[1 << 20];
	size_t i;

	for (i = 0; i < sizeof(page); i += 1024)
		page[i] = 1;
	pthread_barrier_wait(&touched);
	for (;;)
		pause();
	return unused;
}
int main(int argc, char **argv)
{
	pthread_t thread;
	int i;

	pthread_barrier_init(&touched, NULL, 2);
	pthread_create(&thread, NULL, touch, NULL);
	pthread_barrier_wait(&touched);
	for (i = 0; i < 20000; i++) {
		void *volatile p = malloc(100);

		free(p);
	}
	return argc > 1 ? 0 : raise(SIGKILL);
}
E2
wmcc -O1 -static -pthread -o often often.c
for end in killed ended; do
	WM_RUN_ID=often WM_BUFFER=64K WM_WINDOW=0 ./often.wm \
		$([ $end = killed ] || echo ends) 2>/dev/null
	text=$(wm-analyze -q job/*.often.wm 2>/dev/null)
	for row in "system" "resident" "stack" "stacks"; do
		is "$row of a process that was $end" "$(grep -cE \
			"^  $row  .*  at least: .*(sample|estimated)" \
			<<<"$text")" $([ $end = killed ] && echo 1 || echo 0)
	done
	bound=$([ $end = killed ] && echo True || echo False)
	is "JSON: a lower bound, where it was $end" "$(json '[x["lower_bound"]
		for x in [j["memory"]["rss"], j["heap"]["footprint"]] +
		j["ranks"]]' job/*.often.wm)" "[$bound, $bound, $bound]"
	wm-analyze -q --html often.html job/*.often.wm 2>/dev/null
	"$SRC/tests/tools/page-data" often.html >often.json
	is "page: a lower bound, where it was $end" "$(jq -c \
		'[.ranks[].lower_bound]' often.json)" "[${bound,}]"
	rm -r job/*.often.wm
done

# ---- a process that ends while its trace is read ----
# wm-analyze asks for the host when it looks a process up: the TURN-th time the
# process ends before that.
cat >end.c <<'E2'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void end_process(void)
{
	int fd = open(getenv("END_FIFO"), O_WRONLY), ends = 0;
	char stat[400] = "";

	if (write(fd, "x", 1) != 1)
		abort();
	close(fd);
	while (!ends) {
		usleep(1000);
		fd = open(getenv("END_STAT"), O_RDONLY);
		ends = fd < 0 || read(fd, stat, sizeof(stat) - 1) <= 0 ||
		       strstr(stat, ") Z");
		close(fd);
	}
}
int gethostname(char *name, size_t size)
{
	static int turns;

	if (++turns == atoi(getenv("END_TURN")))
		end_process();
	return ((int (*)(char *, size_t))dlsym(RTLD_NEXT, "gethostname"))(
		name, size);
}
E2
gcc -shared -fPIC -o end.so end.c -ldl
mkfifo fifo
exec 3<>fifo
unset PMI_SIZE
for turn in 1 2; do
	WM_RUN_ID=end$turn ./hang.wm a b <&3 &
	pid=$!
	soon eval 'ls job/*.end$turn.wm/*.wmw'
	soon it_sleeps $pid
	END_FIFO=fifo END_STAT=/proc/$pid/stat END_TURN=$turn \
		LD_PRELOAD=$W/end.so "$BUILD/bin/wm-analyze" -q --json \
		job/*.end$turn.wm >answer
	is "it ends when it is looked up, time $turn: none died" \
		"$? $(python3 -c 'import json
print(json.load(open("answer"))["deaths"])')" "0 None"
	wait $pid
done
# the job's launcher, which the first rank's trace need not have
printf '%s\n' "host $(uname -n)" "boot $(cat /proc/sys/kernel/random/boot_id)" \
	'program mpi' 'id 7' 'rank 0 of 2' 't 2000 malloc 0x1000 3000 main' \
	block 'field 13 Slurm' 'rank 1 of 2' 't 2000 malloc 0x1000 2000 main' \
	block | run mpi.7.wm
like "where signals are, by any rank's launcher" \
	"$(wm-analyze --json mpi.7.wm 2>/dev/null | jq -r '.deaths.sentences[-1]')" \
	'^The traces do not record signals; sacct -j JOB '

done_testing
