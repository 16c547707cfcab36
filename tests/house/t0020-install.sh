# SPDX-License-Identifier: Apache-2.0
# make install: everything is found from where it was put, also when moved.
. "$(dirname "$0")/../lib.sh"
ok "make install" product_make install PREFIX=/opt/wm \
	DESTDIR="$W/stage"
mv stage/opt/wm elsewhere
PATH=$(printf %s "$PATH" | tr ':' '\n' | grep -vx "$BUILD/bin" | paste -sd:)
export PATH=$W/elsewhere/bin:$PATH
for p in wmcc wmcxx wmc++ wmf90 wmfc wm-gfortran wm-mpicc wm-mpif77 wm-analyze wm-collect wm-config \
	wm-run wm-census; do
	is "$p is installed" "$(command -v $p)" "$W/elsewhere/bin/$p"
done
ok "the linker shim is no program of users" test ! -e elsewhere/bin/wm-ld -a \
	-x elsewhere/libexec/wmtools/wm-ld
ok "wm-collect finds wm-alive, which answers for it" \
	elsewhere/bin/wm-collect --from nowhere --to nowhere
is "each program has a page" "$(for p in elsewhere/bin/*; do
	[ -s "elsewhere/share/man/man1/${p##*/}.1" ] || echo "${p##*/}"; done)" ""
is "and what completes its command line" "$(for p in elsewhere/bin/*; do
	n=${p##*/}
	for f in "bash-completion/completions/$n" "zsh/site-functions/_$n" \
		"fish/vendor_completions.d/$n.fish"; do
		[ -s "elsewhere/share/$f" ] || echo "$f"
	done
done)" ""
is "and each call of <wm/wmtrace.h>" "$(sed -n \
	's/^WM_API_INLINE_ .*[ *]\(wm_[a-z_]*\)(.*/\1/p' "$SRC/include/wm/wmtrace.h" |
	while read -r f; do
		[ -s "elsewhere/share/man/man3/$f.3" ] || echo "$f"; done)" ""
ok "the documents are there, too" test -s \
	elsewhere/share/doc/wmtools/docs/troubleshooting.md
like "which man finds" "$(MANPATH=$W/elsewhere/share/man MANPAGER=cat \
	man 3 wm_phase 2>&1)" '^WMTRACE\(3\)'
cat >a.c <<'X'
#include <stdlib.h>
static void *volatile p;
int main(void) { p = malloc(12345); return 0; }
X
ok "an installed wmcc links" wmcc -g -static -o a a.c
ok "the program runs" ./a.wm
is "an installed wm-analyze reads it" "$(wm-analyze --json |
	jq '[.functions[] | select(.name == "main") | .bytes] | add')" 12345
gcc -g -o plain a.c
ok "an installed wm-run finds its library" env WM_DIR=other wm-run ./plain
ok "the program is traced" test -f "$(echo other/plain.*/rank-000000.wmt.xz)"
cat >said.c <<'X'
#include <wm/wmtrace.h>
int main(void) { wm_phase("some phase"); return 0; }
X
ok "an installed wmcc finds <wm/wmtrace.h>" wmcc -static -o said said.c
ok "a program that includes it runs" ./said.wm
ok "plain compilers find it where it is installed" gcc -Ielsewhere/include \
	-o plain said.c
ok "and where wm-config says" gcc $(wm-config --cflags) -o plain said.c
is "the Fortran module is installed" "$(grep -c '^module wmtrace' \
	elsewhere/include/wm/wmtrace.f90 "$(wm-config --fortran-module)" |
	grep -c ':1$')" 2
for m in wmtrace.3 wmcc.1 wm-analyze.1 wm-analyze-mpi.1 wm-collect.1 wm-config.1 \
	wm-run.1 wm-census.1 wm-environment.7; do
	ok "manual page $m" test -s "elsewhere/share/man/man${m##*.}/$m"
done
ok "no path of the build remains in the scripts" sh -c \
	"! grep -rIl '$BUILD' elsewhere"
ok "pkg-config finds it" env PKG_CONFIG_PATH="$(wm-config --pkg-config-path)" \
	pkg-config --exists wmtools wmtools-mpi-static
is "wm.conf of MPICH's mpicc is installed" "$(wm-config --profile |
	sed -n 's/^wm_config=//p')" "'$W/elsewhere/bin/wm-config'"

# A shared installation: readable for all, whatever the umask of who made it.
(umask 077 && product_make install PREFIX=/1.0 \
	DESTDIR="$W/soft")
is "umask 077: others can read all of it" "$(find soft/1.0 ! -type l \
	! -perm -o+r -o -type d ! -perm -o+x)" ""
is "umask 077: others can run the programs" "$(find soft/1.0/bin \
	soft/1.0/libexec/wmtools/ld -follow -type f ! -perm -o+x)" ""

# Nothing is written there when programs are linked, run and analysed.  root
# may write anywhere: compare what is there before and after.
state() { find "$1" -printf '%P %T@ %s\n' | sort; }
chmod -R a-w soft/1.0
state soft/1.0 >before
(
	PATH=$W/soft/1.0/bin:$PATH
	wmcc -g -static -o ro a.c && ./ro.wm && wmcc -g -o rod a.c &&
		./rod.wm && wm-analyze -q --json >/dev/null && rm -rf ro*.wm
) >ro.out 2>&1
is "a read-only installation links, runs and analyses" "$? $(cat ro.out)" "0 "
is "and nothing was written into it" "$(state soft/1.0)" "$(answer cat before)"
chmod -R u+w soft/1.0

# Another version beside it: each takes its own objects.
cp -R soft/1.0 soft/2.0
for v in 1.0 2.0; do
	PATH=$W/soft/$v/bin:$PATH wmcc -static -o v a.c
	like "version $v beside the other links its own objects" \
		"$(PATH=$W/soft/$v/bin:$PATH wmcc -show -static -o v a.c)" \
		"$W/soft/$v/lib/wmtools/wm-static.o"
	PATH=$W/soft/$v/bin:$PATH ok "version $v: its program runs" ./v.wm
done
ok "by its full path, with nothing in PATH" "$W/soft/2.0/bin/wmcc" -static \
	-o full a.c
ok "that program traces" test -x full.wm

# An installation over one in use: what runs keeps its file.
ln soft/1.0/bin/wmcc running
ok "make install again" product_make install PREFIX=/1.0 \
	DESTDIR="$W/soft"
ok "it replaces files instead of writing into them" \
	test ! running -ef soft/1.0/bin/wmcc
ok "make uninstall" product_make uninstall PREFIX=/1.0 \
	DESTDIR="$W/soft"
is "uninstall leaves nothing" "$(find soft/1.0 2>/dev/null)" ""
mkdir -p soft/2.0/share/doc/other && touch soft/2.0/share/doc/other/file
mkdir soft/2.0/empty
ok "make uninstall, beside other things" product_make uninstall PREFIX=/2.0 \
	DESTDIR="$W/soft"
is "it leaves those" "$(find soft/2.0 ! -type d; ls -d soft/2.0/empty)" \
	"soft/2.0/share/doc/other/file
soft/2.0/empty"
is "but no folder of its name" "$(find soft/2.0 -name 'wm*')" ""
done_testing
