# SPDX-License-Identifier: Apache-2.0
# Static programs whose IFUNC resolvers allocate, which is before threads have
# their storage: they run as without us, what the resolver did is counted as
# lost, and all that follows is traced.
. "$(dirname "$0")/../lib.sh"

for cc in gcc clang; do
	command -v $cc >/dev/null || { skip "$cc" "no $cc" && continue; }
	for link in -static -static-pie; do
		pic=-fno-pie
		[ $link = -static ] || pic=-fPIE
		for how in MMAP SBRK OWN; do
			name=$cc$link-$how
			own=
			if [ $how = OWN ]; then
				own=own$link.o
				$cc -O1 -fno-builtin $pic -DALLOCATOR -c \
					-o $own "$SRC/tests/progs/resolver.c"
			fi
			WM_CC=$cc wmcc -O1 -g -fno-builtin $pic $link -D$how \
				-o $name "$SRC/tests/progs/resolver.c" $own \
				2>>build.log
			is "$name: the plain program works" \
				"$(./$name; echo $?)" "$(printf '1 1\n0')"
			is "$name: as it does when it is traced" \
				"$(WM_DIR=run ./$name.wm 2>err; echo $?)" \
				"$(printf '1 1\n0')"
			is "$name: one event is lost, main's are there" \
				"$(wm-analyze --quiet --json run/$name.*.wm \
				2>/dev/null | jq -c '[.run.complete,
				.events.dropped, .events.malloc > 0,
				.events.free > 0]')" '[false,1,true,true]'
			like "$name: why is told" "$(cat err)" \
				'1 event .*not recorded: an IFUNC resolver'
			[ $how = MMAP ] && strace -o calls true 2>/dev/null ||
				continue
			rm -rf run
			WM_DIR=run strace -o calls -e inject=write:signal=KILL \
				./$name.wm >out 2>&1
			like "$name: and of a killed process, too" \
				"$(wm-analyze run/*.wm 2>&1)" \
				'1 event.*an IFUNC resolver'
		done
	done
done

# A resolver that runs because the loader is asked for the real functions.
gcc -shared -fPIC -fno-builtin -DLIBRARY -o libboot.so "$progs/runtime/boot.c"
wmcc -o boot "$progs/runtime/boot.c" -Wl,--no-as-needed ./libboot.so
is "a block grown meanwhile by reallocarray keeps what it holds" \
	"$(WM_DIR=boot.run ./boot.wm)" 1
# An x86 load acquires by itself; elsewhere it has to be asked for.
like "whether the real functions are there is read with an acquire" \
	"$(echo 'WM_REAL_READY()' | gcc -E -P -U__x86_64__ -DWM_DYNAMIC \
		-I"$SRC" -I"$SRC/include" -include wrappers/shim.h - | tail -1)" \
	'^__atomic_load_n\(&wm_real.ready, 2\)$'
done_testing
