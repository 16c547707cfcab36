# SPDX-License-Identifier: Apache-2.0
# Programs in which another tool wraps functions that the twin wraps, too: the
# twin does what the plain program does, and both tools see each call once.
. "$(dirname "$0")/../lib.sh" wmcc-lib mpi-lib jq
export WM_CC=gcc
two=$progs/link/two_tools
tools() { # FLAGS...: tool.o and libtool.a
	gcc -O1 -fno-builtin "$@" -c "$two/tool.c"
	rm -f libtool.a libthin.a
	ar rc libtool.a tool.o
	ar rcT libthin.a tool.o
}
gcc -O1 -fno-builtin -c "$two/app.c"
gcc -O1 -fno-builtin -c "$two/arena.c"
rm -f libarena.a && ar rc libarena.a arena.o
hidden() { find . -maxdepth 1 -name '.*' ! -name . | tr '\n' ' '; }

# seen: what the trace has, as the other tool counts
seen() {
	wm-analyze --quiet --json run/*.wm | jq -r '.events |
		"\(.malloc) \(.free) \(.map) \(.unmap) \(.dropped)"'
}

# both WHAT FLAGS...: malloc and free as the tool counts them, where it sees
# those of libc, too
both() {
	local what=$1 told
	shift
	rm -rf app app.wm plain run
	gcc "$@" $wrap -o plain 2>/dev/null
	wmcc "$@" $wrap -o app 2>err
	is "$what: linked, silent" "$? $(cat err)" "0 "
	ok "$what: same program" same plain app
	is "$what: nothing is left over" "$(hidden)" ""
	told=$(WM_DIR=run ./app.wm)
	is "$what: the tool sees the same" "$told" "$(./plain)"
	case "$*" in
	*-static*) is "$what: the trace has each call once" "$(seen)" \
		"${told% * *} 1 1 0" ;;
	*) like "$what: the trace is there" "$(seen)" '^[1-9]' ;;
	esac
}

wrap=-Wl,--wrap=malloc,--wrap=free,--wrap=fork,--wrap=mmap
tools
for ld in bfd gold lld mold; do
	have "ld.$ld" "$ld" "$ld" || continue
	both "$ld, archive" -fuse-ld=$ld -static app.o -L. -ltool
	both "$ld, object" -fuse-ld=$ld -static app.o tool.o
done
both "thin archive" -static app.o -L. -l:libthin.a
both "static-pie" -static-pie app.o -L. -ltool
both "stripped" -static -s app.o -L. -ltool
both "dynamic" app.o -L. -ltool
both "link-time optimization" -static -flto -fno-builtin "$two/app.c" -L. -ltool
tools -DBEHIND
both "all are called" -static app.o -L. -ltool
if have clang clang "clang's object"; then
	clang -O1 -fno-builtin -ffunction-sections -c "$two/tool.c"
	both "clang's object" -static -Wl,--gc-sections app.o tool.o
fi

# what the link does not wrap stays unused: none of these is counted
tools
wrap=-Wl,--wrap=malloc,--unresolved-symbols=ignore-all
rm -rf app app.wm run
wmcc -static app.o tool.o $wrap -o app 2>err
told=$(WM_DIR=run ./app.wm)
is "wrappers without --wrap: unused" "$told" "$(./app)"
like "wrappers without --wrap: none is called" "$told" ' 0 0 0$'
is "wrappers without --wrap: the trace has all" "$(seen)" \
	"${told%% *} 2 1 1 0"

# wrappers that call nothing that they wrap
wrap=-Wl,--wrap=malloc,--wrap=free,--wrap=calloc,--wrap=realloc
for ld in bfd gold lld mold; do
	have "ld.$ld" "$ld" "an arena, $ld" || continue
	both "an arena, $ld" -fuse-ld=$ld -static app.o -L. -larena
done
both "an arena, object" -static app.o arena.o

# no name in the objects: no twin, rather than one without the other tool
wrap=-Wl,--wrap=malloc,--wrap=free,--wrap=fork,--wrap=mmap
rm -rf -- *.wm
wmcc -static -flto -fno-builtin "$two/app.c" "$two/tool.c" $wrap -o app 2>err
is "a tool that is optimized at the link: no twin" "$? $(find . -name app.wm)" "0 "
like "... says why" "$(cat err)" "^wmcc: warning: 'app.wm' not made: the program has a __wrap_[a-z]* of its own, which link-time optimization .*hides"

mpich=$(mpich_prefix)
if [ -n "$mpich" ] && [ -x "$mpich/mpicc" ]; then
	mpi_sources
	"$mpich/mpicc" -c "$two/mpi_tool.c"
	rm -f libmpitool.a libprofiled.a
	ar rc libmpitool.a mpi_tool.o
	"$mpich/mpicc" -DPROFILED -c "$two/mpi_tool.c" -o profiled.o
	ar rc libprofiled.a profiled.o
	wrap=-Wl,--wrap=MPI_Init,--wrap=PMPI_Init,--wrap=MPI_Finalize
	# a launcher whose variables do not name ranks: MPI_Init does
	printf '#!/bin/sh\nexec env -u MPI_LOCALRANKID ./app.wm\n' >ranked
	chmod +x ranked
	for how in "-L. -lmpitool" mpi_tool.o "-L. -lprofiled" \
		"-L. -lmpitool -Wl,-u,MPI_Init,-u,__wrap_MPI_Init,-u,MPI_Wtime"; do
		for kind in -static ""; do
			what="MPI, ${how##* } $kind"
			rm -rf app app.wm
			WM_CC=$mpich/mpicc wmcc $kind mpi.c $how $wrap -o app 2>/dev/null
			"$mpich/mpiexec" -n 2 ./app | sort >want
			ok "$what: a trace a rank, of one run" \
				ranks "$mpich/mpiexec" 2 ./ranked
			"$mpich/mpiexec" -n 2 env WM_DIR=run ./app.wm | sort >got
			is "$what: the same" "$(cat got)" "$(cat want)"
			is "$what: the tool's wrappers, once" \
				"$(grep -c 'tool: begun 1' got)" 2
		done
	done
	# a tool that has MPI's functions by PMPI, and malloc by --wrap
	"$mpich/mpicc" -fno-builtin -c "$two/pmpi_tool.c" "$two/pmpi_app.c"
	rm -f libpmpitool.a
	ar rc libpmpitool.a pmpi_tool.o
	wrap=-Wl,--wrap=malloc,--wrap=free
	for how in "-L. -lpmpitool" pmpi_tool.o; do
		for kind in -static ""; do
			what="PMPI and --wrap, $how $kind"
			rm -rf app app.wm run
			WM_CC=$mpich/mpicc wmcc $kind pmpi_app.o $how $wrap -o app 2>err
			is "$what: linked, wmcc is silent" \
				"$? $(grep wmcc: err)" "0 "
			"$mpich/mpiexec" -n 2 ./app >want
			"$mpich/mpiexec" -n 2 env WM_DIR=run ./app.wm >got
			is "$what: the tool sees each call once" \
				"$(sort -u got)" "tool: 1 1 2 1"
			is "$what: as in the plain program" "$(sort got)" \
				"$(sort want)"
			is "$what: two ranks; its blocks, the program's" "$(
				wm-analyze --json --leaks run/*.wm |
				jq -c '.run.ranks, ([.leaks[] |
				select(.name == "main" or .name == "MPI_Init") |
				[.name, .bytes]] | sort)' | tr '\n' ' ')" \
				'2 [["MPI_Init",5000],["main",4711]] '
		done
	done
else
	skip "MPI" "no static MPICH: scripts/setup"
fi
done_testing
