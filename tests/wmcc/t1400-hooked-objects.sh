# SPDX-License-Identifier: Apache-2.0
# WMCC_ACCESS=1 when compiling: each object is compiled a second time, with
# access hooks, into a cache under the hash of the plain object; what the user
# sees is as without.
. "$(dirname "$0")/../lib.sh" wmcc-lib
sources
export WM_ACCESS_CACHE=$W/cache WM_CC=gcc WM_CXX=g++ WM_FC=gfortran

# A compiler that says how often it was run.
counting() { # NAME COMPILER
	printf '#!/bin/sh\necho run >>%s/runs\nexec %s "$@"\n' "$W" "$2" >"$1"
	chmod +x "$1"
}
kept() { find "$W/cache" -name '*.o' 2>/dev/null | wc -l; }
hash_of() { sha256sum <"$1" | cut -c1-64; }
hooked() { # OBJECT: has the cache its hooked one?
	nm "$W/cache/$(hash_of "$1").o" | grep -q ' U __tsan_'
}
lines() { wc -l <"$1"; }

# ---- nothing without it ----
counting cc-counted gcc
WM_CC=./cc-counted wmcc -O1 -c hello.c -o x.o
is "without WMCC_ACCESS: one run, no cache" "$(lines runs) $(ls -d cache 2>&1)" \
	"1 ls: cannot access 'cache': No such file or directory"
rm runs
WMCC_ACCESS=0 WM_CC=./cc-counted wmcc -O1 -c hello.c -o x.o
is "WMCC_ACCESS=0: the same" "$(lines runs) $(kept)" "1 0"
export WMCC_ACCESS=1
rm runs
WM_CC=./cc-counted wmcc -O1 -c hello.c -o x.o
is "WMCC_ACCESS=1: two runs" "$(lines runs)" 2
ok "and a hooked object" hooked x.o
WM_DISABLE=1 WM_CC=./cc-counted wmcc -O1 -c hello.c -o y.o
is "WM_DISABLE=1: one" "$(lines runs)" 3
WM_CC=./cc-counted wmcc -O1 -c hello.c -o conftest.o
is "a test program of configure: one" "$(lines runs)" 4
for option in -E -S -M -MM -fsyntax-only; do
	rm -f runs
	WM_CC=./cc-counted wmcc $option -c hello.c -o out >/dev/null
	is "$option: one" "$(lines runs)" 1
done
rm -rf cache

# ---- every compiler; the object and the messages are as without ----
check() { # COMPILER WRAPPER VARIABLE SOURCE FLAGS
	local what="$1 $5" status
	rm -rf plain ours cache
	# debug information has the name of the folder
	mkdir ours
	if ! (cd ours && eval "$1 $5 -c ../$4 -o x.o" 2>../plain.err); then
		skip "$what" "$1 cannot: $(head -1 plain.err)"
		return
	fi
	mv ours plain
	mkdir ours
	(cd ours && eval "env '$3=$1' $2 $5 -c ../$4 -o x.o" 2>../ours.err)
	status=$?
	is "$what: status, messages" "$status $(cat ours.err)" "0 $(cat plain.err)"
	# what a compile says of itself beside the object
	is "$what: the same files" \
		"$(cd ours && sha256sum $(find . -type f | sort))" \
		"$(cd plain && sha256sum $(find . -type f | sort))"
	ok "$what: a hooked object" hooked ours/x.o
	is "$what: and nothing else in the cache" "$(find cache | wc -l)" 2
}
cat >warns.c <<'END'
#include <stdatomic.h>
int unused(void) { int x; return x; }
void fence(void) { atomic_thread_fence(memory_order_seq_cst); }
END
cat >mod.f90 <<'END'
module m
  integer :: x(10)
end module
subroutine s
  use m
  x = x + 1
end subroutine
END
check gcc wmcc WM_CC hello.c "-O1 -g -MMD -MP"
check gcc wmcc WM_CC hello.c "-O2 -flto -frandom-seed=1"
check gcc wmcc WM_CC hello.c "-O2 -Wp,-MD,x.dep -pipe"
check gcc wmcc WM_CC hello.c "-MD -MF deps -MT x"
check gcc wmcc WM_CC hello.c "-MMD -MF deps"
check gcc wmcc WM_CC hello.c "-g -gsplit-dwarf -fstack-usage"
check gcc wmcc WM_CC hello.c "-save-temps"
check gcc wmcc WM_CC hello.c "--coverage -frandom-seed=1"
check gcc wmcc WM_CC hello.c "-fsanitize=undefined"
check gcc wmcc WM_CC hello.c "-fdump-tree-optimized"
check gcc wmcc WM_CC warns.c "-O2 -Wall"
check gcc wmcc WM_CC warns.c "-Werror"
check gcc wmcc WM_CC hello.c "-static -fopenmp -Dx='\"a b\"' -include stdio.h"
check gcc wmcc WM_CC hello.c "-fno-ident"
check g++ wmcxx WM_CXX hello.cc "-O2 -std=c++17 -MMD"
check gfortran wmf90 WM_FC hello.f90 "-O2"
check gfortran wmf90 WM_FC mod.f90 "-O2"
check gfortran wmf90 WM_FC mod.f90 "-O2 -J ."
for c in clang; do
	have clang clang clang || continue
	check clang wmcc WM_CC hello.c "-O1 -g -MMD"
	check clang wmcc WM_CC hello.c "-O2 -flto"
	check clang wmcc WM_CC warns.c "-O2 -Wall"
	check clang wmcc WM_CC warns.c "-static -Werror"
	check clang wmcc WM_CC hello.c "-g -gsplit-dwarf"
	check clang++ wmcxx WM_CXX hello.cc "-O2 -MD"
done

# DEPENDENCIES_OUTPUT: gcc adds to that file
DEPENDENCIES_OUTPUT=$W/add.d wmcc -c hello.c -o x.o
is "DEPENDENCIES_OUTPUT is written once" "$(grep -c 'x\.o:\|hello\.o:' add.d)" 1

# times: an object that was there before is not taken for a new one
rm -rf cache
wmcc -O1 -c hello.c -o x.o
before=$(stat -c '%y %i' x.o)
sleep 0.1
wmcc -O1 -c hello.c -o y.o
is "an object has its time" "$(stat -c '%y %i' x.o)" "$before"

# ---- several sources, response files, other names ----
rm -rf cache
echo 'int two; int f(void) { return two; }' >two.c
echo '-O1 -c hello.c "two.c"' >all.rsp
wmcc @all.rsp
ok "several sources, the first" hooked hello.o
ok "the second" hooked two.o
rm -rf cache
cp two.c odd.name
wmcc -x c -c odd.name -otwo.o
ok "-x c, -oFILE" hooked two.o
rm -rf cache
printf '.globl f\nf: ret\n' >asm.s
wmcc -c asm.s 2>err
is "assembler: no hooks, and no line" "$(kept) $(cat err)" "0 "
cp two.c two.h
wmcc -c two.h -o two.h.gch 2>err
is "a precompiled header: no hooks, no line" "$? $(kept) $(cat err)" "0 0 "
wmcc -fsanitize=address -c two.c 2>err
is "another sanitizer: none, no line" "$? $(kept) $(cat err)" "0 0 "

# ---- what cannot be done: one line, and the status of the plain compile ----
one_line() { # DESCRIPTION STATUS PATTERN
	is "$1: status and lines" "$2 $(lines err)" "0 1"
	like "$1: says why" "$(cat err)" "$3"
}
wmcc -c -x c - -o x.o <two.c 2>err
is "standard input, maybe a probe: no line" "$? $(kept) $(cat err)" "0 0 "
wmcc -c -x c /dev/stdin -o x.o <two.c 2>err
one_line "standard input" $? "warning: no access hooks for '/dev/stdin': its source can be read only once"
wmcc -c two.c -o x.o -Xpreprocessor -MD -Xpreprocessor x.d 2>err
one_line "-Xpreprocessor" $? "its dependency file would be written twice"
wmcxx -fmodules-ts -c hello.cc -o x.o 2>err
one_line "modules of C++" $? "'hello.cc': modules of C\+\+ would be written twice"
printf '#!/bin/sh\ncase "$*" in *-fsanitize=thread*) echo "t.c:1: error: sorry" >&2; exit 1;; esac\nexec gcc "$@"\n' >no-hooks
chmod +x no-hooks
WM_CC=./no-hooks wmcc -c two.c 2>err
one_line "a compiler that fails" $? "'two.c': t.c:1: error: sorry: 'app.wma' will not see"
printf '#!/bin/sh\n[ "$1" != --version ] || exec echo other\nexec gcc -fno-ident "$@"\n' >other
chmod +x other
WM_CC=./other wmcc -c two.c 2>err
one_line "another compiler" $? "neither gcc nor clang"
# what its calls of memcpy and MPI are called could not be changed
cat >odd-class <<'END'
#!/bin/sh
gcc "$@" || exit
case "$*" in *-fsanitize=thread*)
	for last; do :; done
	printf '\001' | dd of="$last" bs=1 seek=4 conv=notrunc 2>/dev/null;;
esac
END
chmod +x odd-class
WM_CC=./odd-class wmcc -c two.c 2>err
one_line "an object that cannot be read" $? "'two.c': its object is no ELF file of 64 bits with a table of symbols: 'app.wma' will not see"
is "and it is not kept" "$(kept)" 0
wmcc -c missing.c 2>err
is "a compile that fails: its status alone" "$? $(grep -c wmcc: err) $(kept)" "1 0 0"

# ---- the cache's folder ----
mkdir -m 777 open
WM_ACCESS_CACHE=$W/open wmcc -c two.c 2>err
one_line "others may write" $? "cache '$W/open': others may write to it: WM_ACCESS_CACHE=DIR"
is "nothing is put there" "$(ls -A open)" ""
WM_ACCESS_CACHE=/proc/nowhere wmcc -c two.c 2>err
one_line "nobody may make it" $? "cache '/proc/nowhere': No such file"
touch file
WM_ACCESS_CACHE=$W/file wmcc -c two.c 2>err
one_line "a file in its place" $? "cache '$W/file': Not a directory"
if [ "$(id -u)" -eq 0 ]; then
	mkdir -m 700 theirs && chown nobody theirs
	WM_ACCESS_CACHE=$W/theirs wmcc -c two.c 2>err
	one_line "another user's" $? "cache '$W/theirs': it is another user's"
else
	skip "another user's" "only root can make one"
fi
(umask 0; WM_ACCESS_CACHE=$W/new/cache wmcc -c two.c)
is "it is made for the user alone" "$(stat -c %a new new/cache)" "700
700"
mkdir home
(unset WM_ACCESS_CACHE; WM_CACHE=$W/all HOME=$W/home wmcc -c two.c)
is "WM_CACHE" "$(ls "$W/all")" access
(unset WM_ACCESS_CACHE WM_CACHE; HOME=$W/home wmcc -c two.c)
is "the default" "$(ls home/.cache/wmtools)" access
(unset WM_ACCESS_CACHE WM_CACHE
	XDG_CACHE_HOME=$W/xdg HOME=$W/home wmcc -c two.c)
is "XDG_CACHE_HOME" "$(ls xdg/wmtools)" access
rm -r home/.cache
(unset WM_ACCESS_CACHE WM_CACHE; XDG_CACHE_HOME=xdg2 HOME=$W/home wmcc -c two.c)
is "which is absolute, or does not count" "$(ls home/.cache/wmtools) $(ls |
	grep -c xdg2)" "access 0"
(unset WM_ACCESS_CACHE; XDG_CACHE_HOME=$W/xdg3 WM_CACHE=$W/all wmcc -c two.c)
is "WM_CACHE comes first" "$(ls | grep -c xdg3)" 0
cache_of() { # VARIABLE...: where scripts/setup keeps what it builds
	env -u WM_CACHE "$@" bash -c '. "$0/scripts/setup-lib.sh"; echo "$wm_cache"' \
		"$SRC"
}
is "scripts/setup: XDG_CACHE_HOME" "$(cache_of XDG_CACHE_HOME=/x HOME=/h)" \
	/x/wmtools
is "scripts/setup: absolute" "$(cache_of XDG_CACHE_HOME=x HOME=/h)" \
	/h/.cache/wmtools
is "scripts/setup: without" "$(cache_of HOME=/h)" /h/.cache/wmtools
is "scripts/setup: WM_CACHE" "$(cache_of XDG_CACHE_HOME=/x WM_CACHE=/c HOME=/h)" /c
rm -rf cache

# full: a file system of a few pages
if mkdir small && mount -t tmpfs -o size=16k,mode=700 none small 2>/dev/null; then
	WM_ACCESS_CACHE=$W/small wmcc -g3 -O1 -c hello.c -o x.o 2>err
	one_line "a full disk" $? "no access hooks for 'hello.c': .*No space left"
	is "nothing is left there" "$(ls -A small)" ""
	umount small
else
	skip "a full disk" "no mount here"
fi

# ---- bounded: the least recently used go first ----
rm -rf cache
for i in 1 2 3 4 5 6; do
	echo "int a$i; int f$i(void) { return a$i; }" >v$i.c
	wmcc -c v$i.c
	touch -d "2020-01-0$i" "cache/$(hash_of v$i.o).o"
done
echo 'int f1(void); int main(void) { return f1(); }' | gcc -x c -c - -o uses.o
wmcc uses.o v1.o -o app 2>err # a link is a use
one=$(stat -c %s "cache/$(hash_of v1.o).o")
echo 'int b; int g(void) { return b; }' >last.c
WM_ACCESS_CACHE_MAX=$((one * 3 + one / 2)) wmcc -c last.c
is "three are left" "$(kept)" 3
ok "the new one" hooked last.o
ok "the one that was used last" hooked v1.o
ok "and the newest of the others" hooked v6.o
WM_ACCESS_CACHE_MAX=1K wmcc -c v2.c 2>err
one_line "less than one" $? "'v2.c': it has more bytes than WM_ACCESS_CACHE_MAX"
is "less than one: none" "$(kept)" 0
WM_ACCESS_CACHE_MAX=much wmcc -c v2.c 2>err
like "not a number" "$? $(lines err) $(cat err)" "^0 1 .*WM_ACCESS_CACHE_MAX='much'"
ok "2G is used" hooked v2.o
mkdir cache/tmp.killed cache/tmp.working
touch -d '3 days ago' cache/tmp.killed
wmcc -c v3.c
is "what a killed process left goes" "$(cd cache && ls -d tmp.*)" tmp.working
rmdir cache/tmp.working

# ---- a signal while the second compile runs: nothing is left ----
rm -rf cache
printf '#!/bin/sh\ncase "$*" in *-fsanitize=thread*) touch waiting; sleep 300;; esac\nexec gcc "$@"\n' >slow
chmod +x slow
WM_CC=./slow wmcc -c two.c & pid=$!
soon [ -e waiting ]
kill $pid
wait $pid
is "a signal: the status" $? 143
is "and the cache is empty" "$(ls -A cache)" ""

# ---- what runs, and what is opened ----
if have strace strace "programs that are run"; then
	count() { # PROGRAM...: how many programs are run, files of the cache opened
		strace -f -e trace=execve,openat,mkdir -o trace "$@"
		echo "$(grep -c 'execve(.* = 0' trace) $(grep -c "$W/cache" trace)"
	}
	# wmcc, gcc, cc1, as
	is "without WMCC_ACCESS: the compiler alone" \
		"$(unset WMCC_ACCESS; count wmcc -O1 -c two.c)" "4 0"
	like "with it: twice" "$(count wmcc -O1 -c two.c)" "^7 [1-9]"
fi

# ---- many at one time, some killed ----
rm -rf cache
for i in $(seq 20); do
	echo "int a$i; int f$i(void) { return a$i; }" >m$i.c
done
printf 'all: %s\n%%.o: %%.c\n\twmcc -c $<\n' "$(echo m{1..20}.o)" >Makefile
ok "make -j8" make -s -j8
is "as many objects" "$(kept)" 20
rm -rf cache m*.o
for _ in 1 2 3 4 5; do
	make -s -j4 >/dev/null 2>&1 & pid=$!
	sleep 0.1
	kill $pid
	wait $pid 2>/dev/null
done
ok "killed several times, then to the end" make -s -j4
for i in $(seq 20); do
	[ ! -e "cache/$(hash_of "m$i.o").o" ] || hooked "m$i.o" || echo "m$i" >>broken
done
is "no hooked object is broken" "$(cat broken 2>/dev/null)" ""
# rooms (tmp.*) that a kill between two children left go later
is "and no file is half there" "$(find cache -maxdepth 1 -name '*.o' | grep -vcE '/[0-9a-f]{64}\.o$')" 0
is "nothing is left over here" "$(leftovers)" ""
done_testing
