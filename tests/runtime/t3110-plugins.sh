# SPDX-License-Identifier: Apache-2.0
# dlclose, and another library at the same addresses: each block has the call
# path of the library that it is from (tests/progs/plugins.c).  Libraries whose
# allocations cannot be seen (RTLD_DEEPBIND, dlmopen) are named, with status 4.
. "$(dirname "$0")/../lib.sh" jq python3

# library NAME: its plug() keeps a block of 80 bytes from keep_NAME(), whose
# code is at the same place in each of them
library() {
	cat >"$1.c" <<END
#include <stdlib.h>
void *volatile kept;
__attribute__((noinline)) void keep_$1(void) { kept = malloc(80); }
void plug(void) { keep_$1(); kept = NULL; }
END
	gcc -O1 -g -fPIC -shared -fno-builtin -o "$1.so" "$1.c"
}
for l in a b c d; do
	ok "library $l builds" library $l
done
ok "the program builds" wmcc -O1 -g -fno-builtin -pthread -o plugins \
	"$SRC/tests/progs/plugins.c" -ldl

# one that allocates nothing, and one whose process is killed in it
gcc -fPIC -shared -o quiet.so -x c - <<<'void plug(void) {}'
gcc -fPIC -shared -o kill.so -x c - <<'END'
#include <signal.h>
#include <stdlib.h>
void plug(void) { free(malloc(9)); raise(SIGKILL); }
END

# run COMMAND...: $? is the program's
run() {
	rm -rf run
	WM_DIR=run "$@" >out 2>err
}

# kept: function and blocks, of what the program has kept; a line each
kept() {
	wm-analyze --json --leaks run/* 2>/dev/null | jq -r '.leaks[] |
		select(.name | test("^(keep_.|work)$")) |
		"\(.name) \(.blocks)"' | sort | tr '\n' ' '
}

# told: libraries whose allocations are not seen, by the status and a note
told() {
	wm-analyze run/* 2>/dev/null >report
	echo "$?$(sed -n 's/.*: allocations of \(.*\) are not seen:.*/ \1/p' \
		report)"
}

# frames: of call paths that the trace has
frames() {
	"$SRC/tests/tools/wmt-dump" --summary run/*/rank-* | jq .frames
}

# an older loader lists no namespaces
namespaces="n N"
[ "$(printf '%s\n' 'glibc 2.35' "$(getconf GNU_LIBC_VERSION)" | sort -V |
	head -1)" = "glibc 2.35" ] || namespaces=

gcc -shared -fPIC -Dmain=plug -o confined.so "$progs/confined.c"

for way in relinked preloaded; do
	if [ $way = relinked ]; then
		p=./plugins.wm
	else
		p="wm-run ./plugins"
	fi
	{
	ok "$way: two libraries in turn" run $p 10 "$W/a.so" "$W/b.so"
	ok "$way: they do lie at one place" [ "$(cat out)" -ge 10 ]
	is "$way: each block is of its own library" "$(kept)" \
		"keep_a 10 keep_b 10 "
	ok "$way: one library again and again" run $p 20 "$W/a.so"
	is "$way: is one" "$(kept)" "keep_a 20 "
	few=$(frames)
	run $p 50 "$W/a.so"
	# plug() and keep_a(), each time
	is "$way: it takes its own frames with it, and no other's" \
		$(($(frames) - few)) 60
	ok "$way: the other way round, and a third" run $p 10 "$W/c.so" "$W/b.so" "$W/a.so"
	is "$way: three" "$(kept)" "keep_a 10 keep_b 10 keep_c 10 "
	ok "$way: in two threads, while a third allocates" \
		run $p -t 200 "$W/a.so" "$W/b.so" "$W/c.so" "$W/d.so"
	is "$way: as many of each" "$(kept)" \
		"keep_a 200 keep_b 200 keep_c 200 keep_d 200 work 1000 "
	ok "$way: with small buffers" \
		env WM_BUFFER=4K WM_DIR=small $p -t 100 "$W/a.so" "$W/b.so" "$W/c.so" "$W/d.so"
	rm -rf run; mv small run
	is "$way: the same" "$(kept)" \
		"keep_a 100 keep_b 100 keep_c 100 keep_d 100 work 1000 "
	ok "$way: by a name that is not absolute" run $p 5 ./a.so ././b.so
	is "$way: their functions have names all the same" "$(kept)" \
		"keep_a 5 keep_b 5 "
	ok "$way: found along LD_LIBRARY_PATH=." \
		run env LD_LIBRARY_PATH=. $p 5 a.so
	is "$way: it has names, too" "$(kept)" "keep_a 5 "
	is "$way: all was seen" "$(told)" 0
	for letter in d D $namespaces; do
		ok "$way: -$letter: it runs" run $p -$letter 1 ./a.so ./b.so
		is "$way: -$letter: whose blocks are not seen is named" \
			"$(told)" "4 a.so, b.so"
	done
	ok "$way: opened so, it allocates nothing" run $p -D 1 ./quiet.so
	is "$way: and is not named" "$(told)" 0
	# what the look would need ends it from then on
	ok "$way: and the program confines itself: it lives" \
		run $p -D 1 ./quiet.so ./confined.so ./a.so
	is "$way: what was opened so is named" \
		"$(told)" "4 quiet.so, confined.so, a.so"
	run $p -D 1 ./quiet.so ./a.so ./kill.so 2>/dev/null
	is "$way: and killed: what was opened so is named" \
		"$? $(told)" "137 4 quiet.so, a.so, kill.so"
	}
done

# Libraries that go while they are looked at: no other names than theirs.
gcc -shared -fPIC -o churn.so -x c - <<'X'
#include <stdlib.h>
void *churn(void)
{
	return malloc(10);
}
X
wmcc -O1 -pthread -o churn "$progs/runtime/loader_churn.c" -ldl
others=
for _ in 1 2 3; do
	rm -rf run
	WM_DIR=run timeout 100 ./churn.wm
	others="$others$?$(wm-analyze -q run/*.wm 2>&1 >/dev/null |
		sed -n 's/.* allocations of \(.*\) are not seen.*/\1/p' |
		sed 's/churn\.so//; s/libc\.so[.0-9]*//; s/ld-[a-z0-9_-]*\.so[.0-9]*//; s/, //g')"
done
is "libraries that go while they are looked at" "$others" 000

# Some 200 system calls a look, and 400 blocks: not a look for each.
gcc -O1 -fno-builtin -o blocks -x c - -ldl <<'X'
#include <dlfcn.h>
#include <stdlib.h>
int main(void)
{
	if (!dlopen("./quiet.so", RTLD_NOW | RTLD_DEEPBIND))
		return 1;
	for (size_t i = 0; i < 30000; i++)
		free(malloc(i % 1000));
	return 0;
}
X
if strace -o calls true 2>/dev/null; then
	rm -rf run
	ok "many blocks: runs" env WM_BUFFER=4K WM_DIR=run timeout 100 strace \
		-f -e trace=process_vm_readv -o calls wm-run ./blocks
	made=$(grep -c process_vm_readv calls)
	is "many blocks: few looks at libraries ($made calls)" \
		$((made > 0 && made < 20000)) 1
else
	skip "many blocks: few looks at libraries" "no strace"
fi
done_testing
