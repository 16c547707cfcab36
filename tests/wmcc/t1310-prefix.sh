# SPDX-License-Identifier: Apache-2.0
# make install and make uninstall with odd names of PREFIX and DESTDIR: one
# folder each, and nothing beside it is touched.
. "$(dirname "$0")/../lib.sh"
# of a copy, as it is: flags need not be those of this build
mkdir built
cp -a "$BUILD/bin" "$BUILD/lib" "$BUILD/libexec" "$BUILD/share" built/
mk() { make -s -C "$SRC" BUILD="$W/built" -o all "$@"; }

# everything FOLDER: what is in it
everything() { find "$1" -printf '%P\n' | sort; }

# what two words would hit
mkdir -p my/bin my/lib/wmtools my/libexec/wmtools
echo mine | tee my/bin/wmcc my/lib/wmtools/mine my/libexec/wmtools/mine >my/mine
everything my >before
ok "PREFIX with a space: install" mk install PREFIX="$W/my tools"
is "nothing beside it" "$(ls; everything my | diff before -)" "before
built
my
my tools"
cat >a.c <<'X'
#include <wm/wmtrace.h>
#include <stdlib.h>
static void *volatile p;
int main(void) { wm_phase("one"); p = malloc(12345); return 0; }
X
for how in -static -pie; do
	ok "its wmcc links, $how" "my tools/bin/wmcc" $how -o a a.c
	ok "the twin runs, $how" env WM_DIR="$W/runs$how" ./a.wm
	like "its wm-analyze reads the run, $how" \
		"$("my tools/bin/wm-analyze" --functions runs$how/a.*.wm)" \
		' 12\.1 KiB +1  main'
done
ok "PREFIX with a space: uninstall" mk uninstall PREFIX="$W/my tools"
ok "it leaves nothing" test ! -e "my tools"
is "and nothing beside it is touched" "$(everything my)" "$(answer cat before)"
ok "DESTDIR with a space: install" mk install DESTDIR="$W/my stage" PREFIX=/opt/wm
ok "DESTDIR with a space: it is there" test -x "my stage/opt/wm/bin/wmcc"
ok "DESTDIR with a space: uninstall" mk uninstall DESTDIR="$W/my stage" \
	PREFIX=/opt/wm
is "DESTDIR with a space: only what is above the prefix is left" \
	"$(everything "my stage")" "
opt"
odd="$W/it's \"q\";touch x \`touch x\` *"
ok "quotes and commands: install" mk install PREFIX="$odd"
ok "quotes and commands: it is there" test -x "$odd/bin/wmcc"
ok "quotes and commands: uninstall" mk uninstall PREFIX="$odd"
ok "quotes and commands: nothing is left" test ! -e "$odd"
is "nothing beside them is touched" "$(everything my | diff before -; ls)" \
	"a
a.c
a.wm
before
built
my
my stage
runs-pie
runs-static"
done_testing
