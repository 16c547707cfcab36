# SPDX-License-Identifier: Apache-2.0
# run: rest
# Ways in for builds that dislike wrapper compilers: wm-config, its files for
# pkg-config, and mpicc -profile=wm.
. "$(dirname "$0")/../lib.sh" wmcc-lib mpi-lib pkg-config
sources
mpi_sources
# as installed, and moved since
home=$W/moved
product_make install PREFIX=/wm DESTDIR="$W/stage" \
	>install.log 2>&1
ok "installs" mv stage/wm "$home"
export PATH=$home/bin:$PATH PKG_CONFIG_PATH=$home/lib/pkgconfig
unset MPICH_CC MPICH_CXX MPICH_FC MPICC_PROFILE

is "wm-config --pkg-config-path" "$(wm-config --pkg-config-path)" \
	"$PKG_CONFIG_PATH"

# ---- one list: what pkg-config says is what wm-config says ----
words() { # one flag a line, in order
	tr ' ,' '\n\n' | sed "s|$home/lib/pkgconfig/../wmtools|$home/lib/wmtools|" |
		grep -v -e '^-Wl$' -e '^$'
}
for f in "$home"/lib/pkgconfig/*.pc; do
	name=$(basename "$f" .pc)
	case $name in
	*mpi*) options=--mpi ;;
	*) options= ;;
	esac
	case $name in *fortran*) options="$options --fortran" ;; esac
	case $name in *ftn*) options="$options --ftn" ;; esac
	case $name in *static*) options="$options --static" ;; esac
	is "$name.pc has the flags of wm-config" \
		"$(pkg-config --libs "$name" | words)" \
		"$(wm-config $options --pre-ld-flags --post-ld-flags | words)"
	is "$name.pc names itself" "$(sed -n 's/^Name: //p' "$f")" "$name"
	is "$name.pc has the version" "$(pkg-config --modversion "$name")" \
		"$(wm-config --version)"
	is "$name.pc holds no path" "$(grep -c "$BUILD\|$W" "$f")" 0
done
is "there is one for each kind" "$(ls "$home/lib/pkgconfig" | tr '\n' ' ')" \
	"wmtools-ftn-static.pc wmtools-mpi-fortran-static.pc wmtools-mpi-static.pc wmtools-mpi.pc \
wmtools-static.pc wmtools.pc "
is "wm-config prints such a file" "$(wm-config --mpi --static \
	--pkg-config)" "$(cat "$home/lib/pkgconfig/wmtools-mpi-static.pc")"
like "and others" "$(wm-config --static --new --pkg-config)" \
	'^Name: wmtools-new-static$'
ok "pkg-config finds what it prints" sh -c "mkdir -p lib/pkgconfig &&
	wm-config --static --new --pkg-config >lib/pkgconfig/wmtools-new-static.pc &&
	PKG_CONFIG_PATH=$W/lib/pkgconfig pkg-config --validate wmtools-new-static"

# ---- links: in any place of the line, with each linker ----
flags=$(pkg-config --libs wmtools-static)
for ld in bfd gold lld mold; do
	have "ld.$ld" "$ld" "pkg-config with $ld" || continue
	for place in before after; do
		rm -f app
		case $place in
		before) gcc -fuse-ld=$ld -static $flags hello.c -o app ;;
		after) gcc -fuse-ld=$ld hello.c -static $flags -o app ;;
		esac
		ok "static, $ld, flags $place the source" traced ./app
	done
	g++ -fuse-ld=$ld -static hello.cc $flags -o app
	ok "static C++, $ld" traced ./app
	gfortran -fuse-ld=$ld -static hello.f90 $flags -o app
	ok "static Fortran, $ld" traced ./app
	gcc -fuse-ld=$ld hello.c $(pkg-config --libs wmtools) -o app
	ok "dynamic, $ld" traced ./app
	g++ -fuse-ld=$ld hello.cc $(pkg-config --libs wmtools) -o app
	ok "dynamic C++, $ld" traced ./app
done
ok "pkg-config --static says the same for a static program" test "$flags" = \
	"$(pkg-config --static --libs wmtools-static)"
printf '#include <wm/wmtrace.h>\nint main(void) { wm_phase("a"); return 0; }\n' \
	>said.c
ok "its cflags find <wm/wmtrace.h>" gcc $(pkg-config --cflags wmtools) \
	-o said said.c

# The flags behind the program's allocator: it must stay the allocator.
if [ -f "$(gcc -print-file-name=libjemalloc.a)" ]; then
	for ld in bfd gold lld mold; do
		command -v ld.$ld >/dev/null || continue
		gcc -fuse-ld=$ld -static hello.c -ljemalloc -lm $flags -o app \
			2>/dev/null
		ok "behind static jemalloc, $ld" traced ./app
		is "behind static jemalloc, $ld: jemalloc allocates" \
			"$(nm app | grep -c ' [Tt] mallctl$')" 1
		is "behind static jemalloc, $ld: libc's malloc is not there" \
			"$(nm app | grep -c ' t _int_malloc$')" 0
	done
	g++ -static hello.cc -ljemalloc -lm $(wm-config --static --new \
		--pre-ld-flags --post-ld-flags) -o app 2>/dev/null
	rm -rf run && WM_DIR=run ./app >/dev/null
	is "wm-config --new: operator new of jemalloc is seen" "$(wm-analyze \
		--json run/*.wm | jq '.events.new > 90')" true
else
	skip "behind static jemalloc" "package libjemalloc-dev is not installed"
fi

# ---- MPI: static MPICH ----
mpich=$(mpich_prefix)
if [ -n "$mpich" ]; then
	root=$(dirname "$mpich")
	mpi_dirs="-I$root/include -L$root/lib"
	export PKG_CONFIG_PATH=$home/lib/pkgconfig:$root/lib/pkgconfig
	for ld in bfd gold lld mold; do
		command -v ld.$ld >/dev/null || continue
		rm -f app
		gcc -fuse-ld=$ld -static mpi.c $(pkg-config --static --cflags \
			--libs wmtools-mpi-static mpich) -o app 2>err
		ok "pkg-config wmtools-mpi-static mpich, $ld" \
			ranks "$mpich/mpiexec" 2 ./app
		rm -f app
		gcc -fuse-ld=$ld -static mpi.c $(pkg-config --static --cflags \
			--libs mpich wmtools-mpi-static) -o app 2>err
		ok "the other order, $ld" ranks "$mpich/mpiexec" 2 ./app
	done
	gfortran -static -fallow-argument-mismatch $mpi_dirs mpi.f90 \
		$(pkg-config --libs wmtools-mpi-fortran-static) \
		-lmpifort -lmpi -lpthread -lm -o app 2>err
	ok "pkg-config wmtools-mpi-fortran-static" \
		ranks "$mpich/mpiexec" 2 ./app
	"$mpich/mpicc" -static -DMEMORY $(wm-config --static --mpi \
		--pre-ld-flags) mpi.c $(wm-config --static --post-ld-flags) \
		-o app 2>err
	rm -rf run && WM_DIR=run timeout 60 "$mpich/mpiexec" -n 2 ./app
	is "wm-config --mpi sees the memory of MPI" "$(wm-analyze --json \
		run/*.wm | jq '.events.mpi + .events.mpi_free')" 8
else
	skip "static MPICH through pkg-config" "scripts/setup has not built it"
fi

# ---- mpicc -profile=wm ----
# WHAT MPIEXEC WRAPPER ARGUMENT...: all in one call, and compiling apart
profile() {
	local what=$1 mpiexec=$2 a objects= rest=
	shift 2
	rm -f app ./*.o
	"$@" -o app >out 2>&1
	is "$what: nothing is said of a profile" \
		"$(grep -ci 'profil\|wm-config' out)" 0
	ok "$what: a trace a rank" ranks "$mpiexec" 2 ./app
	rm -f app
	for a; do
		case $a in
		mpi.*) objects=$a ;;
		*) rest="$rest $a" ;;
		esac
	done
	$rest -c "$objects" -o mpi.o >>out 2>&1
	$rest mpi.o -o app >>out 2>&1
	ok "$what, in two steps: a trace a rank" ranks "$mpiexec" 2 ./app
}

by_path=$(wm-config --libdir)/wm
if [ -n "$mpich" ]; then
	# our MPICH as a site would have it: with a folder of configurations
	mkdir -p site/etc
	for p in mpicc mpicxx mpifort; do
		sed "s|^sysconfdir=.*|sysconfdir=$W/site/etc|" "$mpich/$p" \
			>"site/$p"
		chmod +x "site/$p"
	done
	like "without wm.conf MPICH says so" "$(site/mpicc -profile=wm -static \
		mpi.c -o app 2>&1)" 'wm.conf not found'
	wm-config --profile >site/etc/wm.conf
	profile "static C" "$mpich/mpiexec" site/mpicc -profile=wm -static mpi.c
	profile "static C++" "$mpich/mpiexec" site/mpicxx -profile=wm -static mpi.cc
	profile "static Fortran" "$mpich/mpiexec" site/mpifort -profile=wm -static \
		mpi.f90
	profile "static C, by path" "$mpich/mpiexec" "$mpich/mpicc" \
		"-profile=$by_path" -static mpi.c
	wm-config --profile >wm.conf
	profile "static C, in the working directory" "$mpich/mpiexec" \
		"$mpich/mpicc" -profile=wm -static mpi.c
	rm -f wm.conf
	export MPICC_PROFILE=$by_path
	profile "static C, MPICC_PROFILE" "$mpich/mpiexec" "$mpich/mpicc" -static \
		mpi.c
	unset MPICC_PROFILE
	like "wm.conf finds <wm/wmtrace.h>" "$(site/mpicc -show -profile=wm -c \
		said.c)" "-I$home/lib/wmtools/include"
else
	skip "static mpicc -profile=wm" "scripts/setup has not built MPICH"
fi
if command -v mpicc.mpich >/dev/null; then
	profile "Debian's MPICH, C" mpiexec.mpich mpicc.mpich \
		"-profile=$by_path" mpi.c
	profile "Debian's MPICH, C++" mpiexec.mpich mpicxx.mpich \
		"-profile=$by_path" mpi.cc
	profile "Debian's MPICH, Fortran" mpiexec.mpich mpifort.mpich \
		"-profile=$by_path" mpi.f90
else
	skip "Debian's mpicc -profile=wm" "package libmpich-dev is not installed"
fi
done_testing
