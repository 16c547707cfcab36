# SPDX-License-Identifier: Apache-2.0
# WMCC_ACCESS=1 when linking: app.wma beside app.wm, from hooked objects, in
# every language, way of linking and archive; app and app.wm are as without.
. "$(dirname "$0")/../lib.sh" wmcc-lib
sources
export WM_ACCESS_CACHE=$W/cache WM_CC=gcc WM_CXX=g++ WM_FC=gfortran

# calls PROGRAM FUNCTION: does it call hooks of loads and stores?
calls() {
	objdump -d --no-show-raw-insn "$1" |
		awk -v f="<$2>:" '$2 == f {on = 1; next} /^$/ {on = 0}
			on && /call.*<__tsan_(read|write)/ {n++}
			END {exit !n}'
}
lines() { wc -l <"$1"; }
runs() { # PROGRAM: its output, traces elsewhere
	WM_DIR=$W/traces "./$1" 2>&1 </dev/null
	echo "status $?"
}

cat >part.c <<'END'
int part_sum[8];
int part(int i)
{
	part_sum[i & 7] += i;
	return part_sum[0];
}
END
cat >main.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int part(int);
int main(void)
{
	int n = 0, *p = malloc(100 * sizeof(*p));

	for (int i = 0; i < 100; i++)
		n += p[i] = part(i);
	printf("%d\n", n);
	free(p);
	return 0;
}
END
cat >part.cc <<'END'
#include <atomic>
#include <vector>
std::atomic<int> count;
int part_sum[8];
extern "C" int part(int i)
{
	std::vector<int> v(10, i);

	count++;
	part_sum[i & 7] += v[3];
	return part_sum[0];
}
int main()
{
	int n = 0;

	for (int i = 0; i < 100; i++)
		n += part(i);
	return n != 5104 || count != 100;
}
END
cat >part.f90 <<'END'
subroutine part(x, n)
  integer :: n, i
  real(8) :: x(n)
  !$omp parallel do
  do i = 1, n
    x(i) = x(i) + i
  end do
end subroutine
program p
  real(8), allocatable :: a(:)
  allocate(a(1000))
  a = 0
  call part(a, 1000)
  print *, sum(a)
end program
END
cat >omp.c <<'END'
#include <stdio.h>
int part_sum[1000];
void part(int n)
{
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		part_sum[i] += i;
}
int main(void)
{
	part(1000);
	printf("%d\n", part_sum[999]);
	return 0;
}
END

# ---- every language and way of linking: objects, then a link ----
check() { # COMPILER WRAPPER VARIABLE FUNCTION FLAGS SOURCE...
	local what="$1 $5 $6" c="$1" w="$2" v="$3" f="$4" flags="$5" s objects=
	shift 5
	rm -f ./*.o app app.wm app.wma
	if ! $c $flags -O1 "$@" -o app 2>plain.err; then
		skip "$what" "$c cannot: $(head -1 plain.err)"
		return
	fi
	for s; do
		env "$v=$c" "$w" $flags -O1 -c "$s" -o "${s%.*}.o"
		objects="$objects ${s%.*}.o"
	done
	env "$v=$c" "$w" $flags -O1 $objects -o app >out 2>err
	mv app with && mv app.wm with.wm
	is "$what: status and messages" "$? $(grep -v 'dlopen\|libgomp.a' err)" "0 "
	ok "$what: app.wma sees part" calls app.wma "$f"
	not_ok "$what: app.wm does not" calls with.wm "$f"
	is "$what: the same output" "$(runs app.wma)" "$(runs with)"
	WMCC_ACCESS=0 env "$v=$c" "$w" $flags -O1 $objects -o app 2>err
	ok "$what: app is as without" same app with
	ok "$what: app.wm is as without" same app.wm with.wm
	ok "$what: without it an old app.wma goes" test ! -e app.wma
	is "$what: libtsan is in none" \
		"$(readelf -d with.wm | grep -c tsan)" 0
}
export WMCC_ACCESS=1
for flags in -static "" "-static-pie -fPIE" "-static -g -s" "-static -flto"; do
	check gcc wmcc WM_CC part "$flags" main.c part.c
done
check gcc wmcc WM_CC part._omp_fn.0 "-static -fopenmp" omp.c
check g++ wmcxx WM_CXX part "-static" part.cc
check g++ wmcxx WM_CXX part "" part.cc
# without that the plain program ends by SIGSEGV, whatever compiles it
check gfortran wmf90 WM_FC part_._omp_fn.0 \
	"-static -fopenmp -Wl,-u,pthread_mutex_destroy" part.f90
wmf90 -static -fopenmp part.f90 -o app 2>/dev/null
like "and app.wma does not" "$(runs app.wma | paste -sd' ')" \
	"^ +500500.* status 0$"
check gfortran wmf90 WM_FC part_ "" part.f90
for c in clang; do
	have clang clang clang || continue
	check clang wmcc WM_CC part "-static" main.c part.c
	check clang wmcc WM_CC part "" main.c part.c
	check clang++ wmcxx WM_CXX part "-static" part.cc
done
for l in gold lld; do
	have ld.$l $l $l &&
		check gcc wmcc WM_CC part "-static -fuse-ld=$l" main.c part.c
done

# ---- compile and link in one command ----
rm -rf cache ./*.o app*
gcc -static -O1 main.c part.c -o plain
wmcc -static -O1 main.c part.c -o app 2>err
is "one command: status and messages" "$? $(cat err)" "0 "
ok "the same program" same plain app
ok "app.wma sees it" calls app.wma part
is "nothing is left over" "$(leftovers) $(ls -d cache/tmp.* 2>&1 | grep -vc 'No such')" " 0"
rm -rf cache app* temps plain
mkdir temps
(cd temps && wmcc -static -O1 -save-temps ../main.c ../part.c -o app) 2>err
is "-save-temps: status and messages" "$? $(cat err)" "0 "
ok "-save-temps: app.wma sees it" calls temps/app.wma part
rm -rf cache app*
gcc -O1 -c main.c
wmcc -static -flto -O1 main.o part.c -lm -o app 2>err
ok "with an object, for link-time optimization" calls app.wma part
like "what has no hooks is told" "$(cat err)" \
	"^wmcc: 'app.wma' does not see the accesses of 1 of 2 objects \('main.o'\): 'wm-analyze --static-report app.wma'"
if have clang clang "clang, one command"; then
	WM_CC=clang wmcc -O1 part.c main.c -o app 2>err
	is "clang, one command" "$(calls app.wma part; echo $?) $(cat err)" "0 "
fi

# ---- archives ----
rm -rf cache app* ./*.o
mkdir -p one two lib
wmcc -O1 -c main.c
cp part.c one/util.c
echo 'int unused_sum; int unused(void) { return unused_sum++; }' >unused.c
cat >two/util.c <<'END'
int other_sum[8];
int other(int i) { return other_sum[i & 7] += i; }
END
cat >main2.c <<'END'
#include <stdio.h>
int part(int), other(int);
int main(void) { printf("%d\n", part(8) + other(3)); return 0; }
END
wmcc -O1 -c main2.c
wmcc -O1 -c unused.c
for d in one two; do wmcc -O1 -c $d/util.c -o $d/util.o; done
sees_both() { # DESCRIPTION INPUT...
	local d=$1
	shift
	rm -f app app.wm app.wma
	wmcc -static "$@" -o app 2>err
	is "$d: status and messages" "$? $(cat err)" "0 "
	ok "$d: a member" calls app.wma part
	ok "$d: another one" calls app.wma other
	is "$d: it runs" "$(runs app.wma)" "$(runs app)"
	is "$d: a member that is not needed is not there" \
		"$(nm app.wma | grep -c ' unused')" 0
}
ar rc lib/libt.a unused.o one/util.o
ar q lib/libt.a two/util.o 2>/dev/null # two members of one name
sees_both "two members of one name" main2.o lib/libt.a
sees_both "-lNAME" main2.o -Llib -lt
sees_both "-l NAME" main2.o -L lib -l t
mkdir moved && cp -p lib/libt.a moved/libmoved.a
sees_both "installed under another name" main2.o -Lmoved -lmoved
sees_both "whole" main2.o -Wl,--start-group lib/libt.a -Wl,--end-group
ar rcT lib/libthin.a unused.o one/util.o two/util.o
sees_both "a thin archive" main2.o lib/libthin.a
sees_both "a thin archive by -l" main2.o -Llib -lthin
if have ld.lld lld "lld"; then
	sees_both "lld" main2.o -fuse-ld=lld -Llib -lt
fi
# as libtool does it
mkdir -p .libs && mv one/util.o .libs/libone.o && cp two/util.o .libs/two.o
ar rc .libs/libconv.a .libs/libone.o .libs/two.o unused.o
strip --version >/dev/null && cp .libs/libconv.a kept.a && mv .libs install
sees_both "moved objects" main2.o install/libconv.a
is "the archive is as it was" "$(cmp install/libconv.a kept.a; echo $?)" 0
(unset WMCC_ACCESS; gcc -O1 -c two/util.c -Dother_sum=theirs -o theirs.o)
cp unused.c theirs-too.c
(unset WMCC_ACCESS; gcc -O2 -c theirs-too.c) # which the link does not take
ar rc libtheirs.a theirs.o theirs-too.o
rm -f app.wma
wmcc -static main2.o install/libone.o libtheirs.a -o app 2>err
like "other people's archive" "$(cat err)" \
	"1 of 3 objects \('libtheirs.a'\)"
is "it is in the report" "$(wm-analyze --static-report app.wma |
	grep -c ' 1  libtheirs.a ')" 1
like "and in JSON" "$(wm-analyze --static-report --json app.wma |
	tr -d '\n')" '"hooked": 2, .*"name": "libtheirs.a", "system": false'
is "app.wm has no such list" "$(wm-analyze --static-report --json app.wm |
	grep -c hookless)" 0
# gathered by ld -r, stripped: other bytes
rm -f app.wma
wmcc -nostdlib -r install/libone.o two/util.o -o both.o
wmcc -static main2.o both.o -o app 2>err
like "a relocatable link" "$(cat err)" "1 of 2 objects \('both.o'\)"

# ---- what cannot be done ----
declined() { # DESCRIPTION PATTERN
	is "$1: status, lines" "$status $(lines err)" "0 1"
	like "$1: says why" "$(cat err)" "$2"
	ok "$1: app and app.wm are there" test -x app -a -x app.wm
}
wmcc -static main2.o install/libone.o two/util.o -o app
cp app.wma before
mv cache away
wmcc -static main2.o install/libone.o two/util.o -o app 2>err
status=$?
declined "an empty cache" "'app.wma' not made: none of its objects has access hooks: WMCC_ACCESS=1 must be set when they are compiled"
ok "an outdated app.wma is removed" test ! -e app.wma
rm -rf cache && mv away cache
chmod 777 cache
wmcc -static main2.o install/libone.o two/util.o -o app 2>err
status=$?
declined "a cache that others may write to" "'app.wma' not made: cache '.*': others may write to it"
chmod 700 cache
echo 'notes of mine' >app.wma
wmcc -static main2.o install/libone.o two/util.o -o app 2>err
status=$?
declined "a file of the user" "'app.wma' not made: there is a file of this name that is no twin"
is "it is as it was" "$(cat app.wma)" "notes of mine"
rm app.wma
wmcc -shared -fPIC part.c -o libpart.so 2>err
is "a shared library: no line, no twin" "$? $(cat err) $(ls libpart.so*)" \
	"0  libpart.so"
wmcc -O1 main.o -L. -lpart -Wl,-rpath,"$W" -o app 2>err
like "a shared library of the user's is told" "$(cat err)" "'.*libpart.so'"
wmcc -fsanitize=address main2.c part.c two/util.c -o app 2>err
like "a sanitizer: one line" "$(lines err) $(cat err)" "^1 .*'app.wm' not made"

# ---- damage ----
rm -f app.wma
hash=$(sha256sum <two/util.o | cut -c1-64)
printf 'X' | dd of="cache/$hash.o" bs=1 seek=700 conv=notrunc 2>/dev/null
wmcc -static main2.o install/libone.o two/util.o -o app 2>err
like "a damaged hooked object is not used" "$(cat err)" \
	"1 of 3 objects \('two/util.o'\)"
ok "and is gone" test ! -e "cache/$hash.o"
ok "the others are used" calls app.wma part
# of another plain object
cp "cache/$(sha256sum <main2.o | cut -c1-64).o" "cache/$hash.o"
wmcc -static main2.o install/libone.o two/util.o -o app 2>err
like "one under a wrong name" "$(cat err)" "1 of 3 objects \('two/util.o'\)"
printf '!<arch>\nnonsense' >bad.a
cp install/libconv.a cut.a && truncate -s -40 cut.a
wmcc -static main2.o install/libconv.a bad.a -o app 2>/dev/null
is "a bad archive: the linker's status" $? 1

# ---- objects that go while others build ----
mkdir greedy
cat >greedy/ld <<'END'
#!/bin/bash
case "$*" in
*wm-access-*.o*) rm -f "$WM_ACCESS_CACHE"/*.o ;;
esac
exec ld "$@"
END
chmod +x greedy/ld
again() {
	wmcc -O1 -c main2.c && wmcc -O1 -c one/util.c -o install/libone.o &&
		wmcc -O1 -c two/util.c -o two/util.o
}
again
wmcc -B./greedy -static main2.o install/libone.o two/util.o -o app 2>err
is "they go while app.wma is linked: status and messages" "$? $(cat err)" "0 "
ok "it has them" calls app.wma other
is "the cache is empty" "$(ls -A cache)" ""
again
one=$(stat -c %s cache/*.o | sort -n | tail -n 1)
(export WM_ACCESS_CACHE_MAX=$((one * 2)) && again &&
	wmcc -static main2.o install/libone.o two/util.o -o app) 2>err
like "they went before: the reason" "$(lines err) $(cat err)" \
	"^1 .*of 3 objects \('main2.o'; WM_ACCESS_CACHE_MAX is reached\)"
again

# ---- another user, another place ----
ok "WM_TWIN_DIR" env WM_TWIN_DIR="$W/twins" wmcc -static main2.o install/libconv.a -o app
ok "it is there" calls twins/app.wma part
ok "WM_LINK=only" env WM_LINK=only wmcc -static main2.o install/libconv.a -o only
ok "the program is traced" traced ./only
ok "and only.wma is there" calls only.wma part
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null &&
	setpriv --reuid=65534 --regid=65534 --clear-groups \
		test -x "$(command -v wmcc)"; then
	mkdir -m 777 theirs
	cp main2.o install/libconv.a part.c two/util.c theirs
	chmod 755 "$W"
	(cd theirs && setpriv --reuid=65534 --regid=65534 --clear-groups \
		env HOME="$W/theirs" wmcc -static main2.o libconv.a -o app) 2>err
	like "another user does not use this cache" "$? $(cat err)" \
		"^0 .*cache '$W/cache': Permission denied|another user's"
	(cd theirs && setpriv --reuid=65534 --regid=65534 --clear-groups \
		env -u WM_ACCESS_CACHE -u WM_CACHE HOME="$W/theirs" sh -c \
		'wmcc -O1 -c part.c && wmcc -O1 -static main2.o part.o util.c -o app') 2>err
	ok "but has one of their own" calls theirs/app.wma part
	rm -f theirs/app.wma
	cp -r cache readable && chmod 755 readable && chmod 644 readable/*
	(cd theirs && setpriv --reuid=65534 --regid=65534 --clear-groups env \
		WM_ACCESS_CACHE="$W/readable" wmcc -static main2.o libconv.a \
		-o app) 2>err
	is "root's cache, which only root may write to: messages" \
		"$? $(cat err)" "0 "
	ok "it is used, for archives too" calls theirs/app.wma other
else
	skip "another user" "only root can become one, and wmcc must lie where all may go"
fi

# ---- MPI: its compilers, and what they call ----
cat >mpi.c <<'END'
#include <mpi.h>
#include <stdio.h>
int part_sum[64];
__attribute__((noinline)) int part(int n)
{
	for (int i = 0; i < n; i++)
		part_sum[i] += i;
	return part_sum[3];
}
int main(int argc, char **argv)
{
	int rank, mine, sum;

	MPI_Init(&argc, &argv);
	mine = part(64);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (!rank)
		printf("sum %d\n", sum);
	MPI_Finalize();
	return 0;
}
END
mpich=$(ls -d "$WM_CACHE"/mpich-*/bin 2>/dev/null | head -1)
for mpi in "${mpich:-none}/mpicc mpiexec -static" "mpicc.mpich mpiexec.mpich" \
	"mpicc.openmpi mpiexec.openmpi"; do
	set -- $mpi
	have "$1" mpich "$1" || continue
	rm -f mpi.o app app.wm app.wma
	WM_CC=$1 wmcc ${3:-} -O1 -c mpi.c 2>err
	WM_CC=$1 wmcc ${3:-} mpi.o -o app 2>>err
	is "$1: only MPI is told" "$(grep wmcc: err | grep -vc libmpi)" 0
	ok "$1: app.wma sees it" calls app.wma part
	run=$2
	[ -z "${3:-}" ] || run=$mpich/$2
	is "$1: it runs" "$(WM_DIR=$W/traces timeout 100 "$run" \
		$([ "$2" != mpiexec.openmpi ] || echo --allow-run-as-root \
		--oversubscribe) -n 2 ./app.wma 2>&1)" "sum 6"
done
if have mpicc.mpich mpich "mpicc -cc=wmcc"; then
	rm -f app.wma
	mpicc.mpich -cc=wmcc -O1 mpi.c -o app
	ok "mpicc -cc=wmcc" calls app.wma part
fi

# ---- a signal while app.wma is linked ----
rm -rf slow && mkdir slow
cat >slow/ld <<'END'
#!/bin/bash
case "$*" in
*wm-access-static.o*) touch waiting; sleep 300 ;;
esac
exec ld "$@"
END
chmod +x slow/ld
setsid wmcc -B./slow -static main2.o install/libconv.a -o app & pid=$!
soon [ -e waiting ]
kill -- -$pid # as a terminal does it: all of them
wait $pid
soon no_files 'cache/tmp.*'
is "a signal at the link: nothing is left in the cache" \
	"$(ls -d cache/tmp.* 2>/dev/null) $(leftovers)" " "

# ---- make -j ----
mkdir many && cd many || exit 1
for i in $(seq 12); do
	sed "s/part/part$i/g" ../part.c >p$i.c
	printf 'int part%s(int); int main(void) { return part%s(0); }\n' $i $i >m$i.c
done
printf '%%: m%%.o p%%.o\n\twmcc -static $^ -o app$@\n%%.o: %%.c\n\twmcc -O1 -c $<\n' >Makefile
ok "make -j8" make -s -j8 $(seq 12)
for i in $(seq 12); do calls app$i.wma part$i && echo yes; done >seen
is "each has its twin" "$(lines seen)" 12
is "nothing is left over" "$(leftovers) $(ls -d ../cache/tmp.* 2>/dev/null)" " "
done_testing
