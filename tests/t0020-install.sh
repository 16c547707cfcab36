# SPDX-License-Identifier: Apache-2.0
# make install: everything is found from where it was put, also when moved.
. "$(dirname "$0")/lib.sh"
ok "make install" make -s -C "$SRC" BUILD="$BUILD" install PREFIX=/opt/wm \
	DESTDIR="$W/stage"
mv stage/opt/wm elsewhere
PATH=$(printf %s "$PATH" | tr ':' '\n' | grep -vx "$BUILD/bin" | paste -sd:)
export PATH=$W/elsewhere/bin:$PATH
for p in wmcc wmcxx wmc++ wmf90 wmfc wm-gfortran wm-analyze wm-config; do
	is "$p is installed" "$(command -v $p)" "$W/elsewhere/bin/$p"
done
cat >a.c <<'X'
#include <stdlib.h>
static void *volatile p;
int main(void) { p = malloc(12345); return 0; }
X
ok "an installed wmcc links" wmcc -g -static -o a a.c
ok "the program runs" ./a.wm
is "an installed wm-analyze reads it" "$(wm-analyze --json |
	jq '[.functions[] | select(.name == "main") | .bytes] | add')" 12345
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
for m in wmtrace.3 wmcc.1 wm-analyze.1 wm-analyze-mpi.1 wm-config.1 wm-environment.7; do
	ok "manual page $m" test -s "elsewhere/share/man/man${m##*.}/$m"
done
ok "no path of the build remains in the scripts" sh -c \
	"! grep -rIl '$BUILD' elsewhere"
ok "make uninstall" make -s -C "$SRC" BUILD="$BUILD" uninstall PREFIX=/x \
	DESTDIR="$W"
done_testing
