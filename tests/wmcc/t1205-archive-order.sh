# SPDX-License-Identifier: Apache-2.0
# A link finds other members when an archive comes before what needs it.  The
# twin has the same ones as the program, or there is none and one line says why.
. "$(dirname "$0")/../lib.sh" wmcc-lib

own="base malloc free calloc realloc posix_memalign"
for p in $own; do
	gcc -O1 -fno-builtin -DPART_$p -c -o part_$p.o "$progs/parts.c"
done
ar rc libparts.a $(printf 'part_%s.o ' $own)
gcc -O1 -w -fno-builtin -DHAVE_free -DHAVE_calloc -DHAVE_realloc \
	-DHAVE_posix_memalign -c "$progs/calls.c"

malloc_bytes() {
	nm -S "$1" | awk '$4 == "malloc" {print $2}'
}

# WHAT FLAGS...: twin and program have the same malloc
link() {
	local what=$1 kind=told
	shift
	rm -rf app app.wm run
	ok "$what: links" wmcc -static -o app "$@"
	wmcc -static -o app "$@" >log 2>&1
	if [ -e app.wm ]; then
		kind=same
		is "$what: the same malloc" "$(malloc_bytes app.wm)" \
			"$(malloc_bytes app)"
		WM_DIR=run ./app.wm >twin.out
		./app >app.out
		is "$what: the same results" "$(cat twin.out)" "$(cat app.out)"
		is "$what: silent" "$(cat log)" ""
	else
		like "$what: says why" "$(cat log)" \
			"^wmcc: warning: 'app.wm' not made: .*(would come from|multiple definition)"
		is "$what: one line" "$(wc -l <log)" 1
	fi
	is "$what: as expected" $kind $expected
}

expected=same
for ld in bfd gold lld mold; do
	have "ld.$ld" "$ld" "$ld" || continue
	link "archive behind, $ld" -fuse-ld=$ld calls.o libparts.a
	expected=told
	# these two take all archives for one
	case $ld in lld | mold) expected=same ;; esac
	link "archive in front, $ld" -fuse-ld=$ld libparts.a calls.o
	expected=same
done
expected=told
# a function whose member is alone in the C library: no clash, another one
echo 'int shmdt(const void *p) { return p ? 7 : 0; }' >shm.c
gcc -c shm.c && ar rc libshm.a shm.o
gcc -O1 -w -fno-builtin -DHAVE_shmat -DHAVE_shmdt -c "$progs/calls.c" -o shmcalls.o
link "one function in front" libshm.a shmcalls.o
like "one function in front: which and what to do" "$(cat log)" \
	"shmdt would come from 'libshm.a.shm.o.', not from 'libc.a.shmdt.o.': put the libraries after the objects"
link "group" -Wl,--start-group libparts.a calls.o -lc -Wl,--end-group
expected=same
link "libc in front" -lc calls.o libparts.a
done_testing
