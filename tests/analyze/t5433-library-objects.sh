# SPDX-License-Identifier: Apache-2.0
# Objects of a library that the program does not give back are its leaks, by
# the call that made them; what the library sets up for itself is not, and of
# what is left once it is not known.
. "$(dirname "$0")/../lib.sh" analyze-lib python3

bring report/things.c report/use_things.c
line=$(grep -n '= thing_create' use_things.c | cut -d: -f1)
${CC:-cc} -O1 -fPIC -fno-inline -fno-optimize-sibling-calls -c things.c
ar rc libthings.a things.o
${CC:-cc} -shared -o libthings.so things.o
export LD_LIBRARY_PATH=$W

# objects NAME ARGUMENT...: of the program, bytes that the library keeps, and of
# which it is not known
objects() {
	rm -rf "$1".*.wm
	WM_RUN_ID=1 "./$1.wm" "${@:2}" >out
	json '([(s["name"], s["line"], s["handles"], s["made_by"], s["bytes"])
		for s in j["never_freed"]["sites"] if not s["runtime"]],
		sum(s["bytes"] for s in j["never_freed"]["sites"]
		if s["runtime"] == "library"), j["never_freed"]["unknown"]["bytes"])' \
		--leaks "$1.1.wm"
}

# check NAME OPTION...
check() {
	local n=$1
	shift
	ok "$n: builds" wmcc -g -O1 -fno-inline -o "$n" use_things.c "$@" ||
		return
	is "$n: all are given back" "$(objects "$n" 0 100)" "([], 784, 3640)"
	is "$n: the gate" "$(status wm-analyze -q --fail-on leaks "$n".1.wm)" 0
	is "$n: all are lost" "$(objects "$n" 100 100)" \
		"([('use_thing', $line, 100, 'thing_create', 14000)], 784, 3640)"
	is "$n: JSON without a report" "$(json '[(s["bytes"], s["made_by"])
		for s in j["leaks"] if not s["runtime"]], [s["runtime"]
		for s in j["leaks"]][:4]' "$n".1.wm)" \
		"[(14000, 'thing_create')] [None, 'unknown', 'unknown', 'library']"
	like "$n: text" "$(wm-analyze -q --leaks "$n".1.wm)" \
		"^  100 objects of thing_create in use_thing, \
use_things\.c:$line were not freed: 13\.7 KiB$"
	like "$n: the gate says who" \
		"$(wm-analyze -q --fail-on leaks "$n".1.wm 2>&1 >/dev/null)" \
		'in use_thing: 13\.7 KiB$'
	is "$n: five are lost" "$(objects "$n" 5 100)" \
		"([('use_thing', $line, 5, 'thing_create', 700)], 784, 3640)"
	is "$n: one may be a cache" "$(objects "$n" 1 1)" "([], 784, 3780)"
}

check static -static -L. -lthings
check dynamic -L. -lthings

# Three at three lines are left, one each, in the same way; and three of a loop
# that the compiler unrolled.  For the first call's 20 nodes and a block that is
# left once it is unknown.
bring report/few_things.c
ok "few: builds" wmcc -g -O2 -fno-inline -o few few_things.c -L. -lthings
first=$(grep -n 'a = thing_create' few_things.c | cut -d: -f1)
is "few: all are given back" "$(objects few freed)" "([], 0, 3640)"
is "few: the gate" "$(status wm-analyze -q --fail-on leaks few.1.wm)" 0
is "few: one each at three lines" "$(objects few lost)" \
	"([('at_lines', $first, 3, 'thing_create', 420)], 0, 3640)"
is "few: the gate fails" "$(status wm-analyze -q --fail-on leaks few.1.wm)" 1
text=$(wm-analyze -q --leaks few.1.wm)
for i in 1 2; do
	like "few: line $i" "$text" "^  1 object of thing_create in at_lines, \
few_things\.c:$((first + i)) was not freed: 140 bytes$"
done
like "few: not known" "$text" "^  640 bytes in 20 blocks of thing_create in \
at_lines, few_things\.c:$first$"
is "few: an unrolled loop" "$(objects few unrolled)" "([('unrolled', \
$(grep -n '	thing_create' few_things.c | cut -d: -f1), 3, 'thing_create', \
420)], 0, 3640)"

# A library's table that grows by realloc, below a call of the program that goes
# on, and a pool that it took at the start.
sed 's/^t [0-9]*/&0/' <<'X' | run grow.1.wm
program app
elf app
id 1
module 0 0x400000 0x500000 -
module 0x900000 0x900000 0xa00000 /nowhere/libthings.so
rank 0 of 1
t 1000000 malloc 0x1000 10 main<add<0x900100
t 1100000 malloc 0x2000 50 main<add<0x900200
t 1100010 malloc 0x2100 50 main<add<0x900200
t 4500000 realloc 0x1000 0x1000 20 main<add<0x900300
t 8500000 realloc 0x1000 0x1000 40 main<add<0x900300
t 12500000 realloc 0x1000 0x1000 80 main<add<0x900300
t 16999999 free 0x5000
end
X
is "a table that grows is the program's" "$(json '[(s["name"], s["bytes"],
	s["growth"], s["runtime"]) for s in j["never_freed"]["sites"]]' \
	--leaks grow.1.wm)" \
	"[('add', 80, 'grows', None), ('add', 100, 'once', 'unknown')]"

# calls PATHS LEFT: below a call so many paths are left with so many blocks each,
# 20 others freed one block: they speak for one call
calls() {
	rm -rf calls.1.wm
	{
		printf 'program calls\nelf calls\nid 1\n'
		printf 'module 0 0x400000 0x500000 -\n'
		echo "module 0x900000 0x900000 0xa00000 /nowhere/libthings.so
rank 0 of 1"
		for ((i = 0; i < 20; i++)); do
			echo "t $((1000000 + i)) malloc 0x1000 10 main<add<0x9002$((10 + i))"
			echo "t $((1000000 + i)) free 0x1000"
		done
		for ((i = 0; i < $1 * $2; i++)); do
			echo "t $((1000100 + i)) malloc 0x$((200000 + i * 100)) 10 main<add<0x9001$((10 + i % $1))"
		done
		echo end
	} | run calls.1.wm
	json '[(s["name"], s["handles"], s["bytes"], s["runtime"])
		for s in j["never_freed"]["sites"]]' --leaks calls.1.wm
}
is "more left than there were calls" "$(calls 2 5)" \
	"[('add', None, 100, 'unknown')]"
is "many paths agree" "$(calls 10 5)" "[('add', 5, 500, None)]"

# closes RANKS LEFT: each rank has ten objects of two blocks when MPI_Finalize
# begins, and its library releases all but so many of them at its end
closes() {
	local rank i path
	rm -rf closes.1.wm
	{
		printf 'program closes\nelf closes\nid 1\n'
		printf 'module 0 0x400000 0x500000 -\n'
		echo "module 0x900000 0x900000 0xa00000 /nowhere/libthings.so"
		for ((rank = 0; rank < $1; rank++)); do
			echo "rank $rank of $1"
			for ((i = 0; i < 20; i++)); do
				path=$((1 + i / 10))
				echo "t $((1000000 + i)) malloc 0x$((i + 10))00 10 main<add<0x900${path}00"
			done
			echo 't 2000000 finalize'
			for ((i = 0; i < 20; i++)); do
				[ $((i % 10)) -lt "$2" ] ||
					echo "t $((3000000 + i)) free 0x$((i + 10))00"
			done
			echo end
		done
	} | run closes.1.wm
	json '[(s["name"], s["handles"], s["blocks"], s["runtime"])
		for s in j["never_freed"]["sites"]]' --leaks closes.1.wm
}
is "a library releases all at its end" "$(closes 1 0)" "[]"
is "a library releases all but three" "$(closes 1 3)" "[('add', 3, 6, None)]"
is "a library releases all but one" "$(closes 1 1)" \
	"[('add', None, 2, 'unknown')]"
is "a library releases all but one in each rank" "$(closes 4 1)" \
	"[('add', None, 8, 'unknown')]"
is "a library releases all but one: the gate" "$(status wm-analyze -q \
	--fail-on leaks closes.1.wm)" 0

# Functions of one name in two files are two, in which modules ever: people see
# which is which.  One of a header is one, whatever the way to it.
mkdir way
cat >grab.h <<'X'
#include <stdlib.h>
static __attribute__((noinline)) void *grab(long n)
{
	void *volatile p = malloc(n);
	return p;
}
X
for i in 1 2; do
	cat >init$i.c <<X
#include WAY
void *all$i(void);
static INLINE void *init(void)
{
	void *volatile p = malloc($((i * 100)));
	return p;
}
void *all$i(void)
{
	void *p = init();
	return grab($((i * 1000)) + (p == NULL));
}
X
done
echo 'void *all1(void), *all2(void); int main(void) { all1(); all2(); }' >one.c
part() { # FILE OPTION...
	local way='"grab.h"'
	[ "$1" = init1 ] || way='"way/../grab.h"'
	${CC:-cc} -g "-DWAY=$way" "-DINLINE=$inline" "${@:2}" $1.c
}
# one_name TEXT OPTION...: rows of a program and what it has from init1 and init2
one_name() {
	local n=$1
	shift
	rm -rf one.1.wm
	ok "$n: builds" wmcc -g -O1 -o one one.c -L. "$@"
	WM_RUN_ID=1 ./one.wm
	is "$n: --leaks" "$(wm-analyze -q --leaks one.1.wm | sed -nE \
		'/^The program/,/^$/s/ *([0-9]* bytes) .*  init  /\1 /p' | xargs)" \
		"200 bytes init2.c:5 100 bytes init1.c:5"
	is "$n: --functions" "$(json '[(f["name"], f["file"].split("/")[-1],
		f["bytes"]) for f in j["functions"] if f["name"] in ("init", "grab")]' \
		one.1.wm)" "[('grab', 'grab.h', 3000), ('init', 'init2.c', 200), \
('init', 'init1.c', 100)]"
	is "$n: --tree --bottom-up" "$(wm-analyze -q --tree --bottom-up one.1.wm |
		sed -nE 's/^ .* ([12])  (init|grab)  /\1 \2 /p' | xargs)" \
		"2 grab grab.h 1 init init2.c 1 init init1.c"
}
for inline in '__attribute__((noinline))' '__attribute__((always_inline))inline'; do
	for i in 1 2; do
		part init$i -O1 -fPIC -shared -o libinit$i.so
		part init$i -O1 -fPIC -c
	done
	ar rc libinit.a init1.o init2.o
	${CC:-cc} -shared -o libboth.so init1.o init2.o
	one_name "static, $inline" -static -linit
	one_name "dynamic, $inline" init1.o init2.o
	one_name "one library, $inline" -lboth
done
# Lists that go by names: one of three is in another folder, one not in the first
# run.
mkdir core lib
for i in 1 2 3; do
	file=lib/init$i.c
	[ $i -lt 3 ] || file=core/init1.c
	cat >$file <<X
#include <stdlib.h>
static void *init(long n)
{
	void *volatile p = malloc(n * $i);
	return p;
}
void *(*const take$i)(long) = init;
X
done
cat >by.c <<'X'
#include <stdlib.h>
extern void *(*const take1)(long), *(*const take2)(long), *(*const take3)(long);
int main(int argc, char **argv)
{
	long n = atol(argv[1]);

	take1(n); if (n > 1000) take2(n); take3(2 * n);
}
X
ok "by name: builds" wmcc -g -O1 -o by by.c lib/init1.c lib/init2.c core/init1.c
for i in 1 2 3; do
	WM_RUN_ID=$i ./by.wm ${i}000
done
named() { # LIST ENTRY OPTION...
	json "sorted($2 for s in j$1 if s['name'] == 'init')" "${@:3}"
}
is "by name: folded" "$(wm-analyze -q --export folded by.2.wm)" \
	"main;init  core/init1.c 12000
main;init  lib/init1.c 2000
main;init  lib/init2.c 4000"
is "by name: --compare" "$(named '["compare"]["functions"]' '("/".join(
	s["file"].split("/")[-2:]), s["bytes_a"], s["bytes_b"])' \
	--compare by.1.wm by.2.wm)" "[('core/init1.c', 6000, 12000), \
('lib/init1.c', 1000, 2000), ('lib/init2.c', 0, 4000)]"
is "by name: --compare, by call path" "$(named '["compare"]["paths"]' '(s["path"],
	s["bytes_a"], s["bytes_b"])' --compare by.1.wm by.2.wm)" \
	"[('main;init  core/init1.c', 6000, 12000), ('main;init  lib/init1.c', \
1000, 2000), ('main;init  lib/init2.c', 0, 4000)]"
is "by name: --imbalance" "$(named '["imbalance"]["worst"]["sites"]' '(s["path"],
	s["bytes"])' --imbalance by.2.wm)" "[('main;init  core/init1.c', 12000), \
('main;init  lib/init1.c', 2000), ('main;init  lib/init2.c', 4000)]"
is "by name: --model" "$(named '["formulas"]' 's["path"]' \
	--model by.[123].wm --problem-size 1,2,3)" \
	"['main:7;init  core/init1.c:4', 'main:7;init  lib/init1.c:4', \
'main:7;init  lib/init2.c:4']"
# Each call of malloc is a frame of main of its own.
{
	echo '#include <stdlib.h>'
	echo 'void *volatile p; int main(void) {'
	yes 'p = malloc(1);' | head -n 9000
	echo '}'
} >lines.c
ok "lines: builds" wmcc -g -O0 -o lines lines.c
rm -rf lines.1.wm
WM_RUN_ID=1 ./lines.wm
is "lines: a function of 9000 frames is one" \
	"$(wm-analyze -q --export folded lines.1.wm)" "main 9000"
ok "two libraries: builds" wmcc -g -O1 -o one one.c -L. -linit1 -linit2
rm -rf one.1.wm
WM_RUN_ID=1 ./one.wm
is "two libraries: rows differ" "$(wm-analyze -q --leaks one.1.wm |
	sed -n '/^The program/,/^$/s/.* init  /init /p' | xargs)" \
	"init init2.c:5 init init1.c:5"

# The program's time is from MPI's start to its end: three steps of 160 ms there
# are far apart, of 3 s in all they are not.
{
	printf 'program mpi\nelf mpi\nid 1\nrank 0 of 1\n'
	echo "t 1000000 malloc 0x1000 1 main<start
t 200000000 initialized
t 201000000 malloc 0x2000 1000 main<step
t 208000000 malloc 0x3000 1000 main<step
t 215000000 malloc 0x4000 1000 main<step
t 216000000 finalize
t 300000000 free 0x9000
end"
} | sed 's/^t [0-9]*/&0/' | run mpi.1.wm
is "the time of the program's own" "$(json '[(s["name"], s["growth"])
	for s in j["never_freed"]["sites"]]' --leaks mpi.1.wm)" \
	"[('step', 'grows'), ('start', 'once')]"
done_testing
