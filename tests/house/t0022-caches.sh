# SPDX-License-Identifier: Apache-2.0
# What is kept for the user is kept below XDG_CACHE_HOME, by the commands and by
# scripts/setup; nothing is written into HOME.  (t1400: which variable comes
# first; t5047: debug files of servers.)
. "$(dirname "$0")/../lib.sh"
mkdir home xdg
unset WM_CACHE
export HOME=$W/home XDG_CACHE_HOME=$W/xdg
cat >a.c <<'X'
#include <stdlib.h>
static void *volatile p;
int main(void) { p = malloc(12345); free(p); return 0; }
X
ok "wmcc" wmcc -g -static -o a a.c
ok "its twin runs" ./a.wm
ok "wm-analyze" wm-analyze
for r in --functions --tree "--html page.html" --accesses; do
	wm-analyze $r >out 2>&1
done
ok "a page is made" test -s page.html
ok "wm-analyze --repack" wm-analyze --repack -o small a.*.wm
gcc -g -o dynamic a.c
ok "wm-run" wm-run ./dynamic
wm-census dynamic >census
ok "wm-census" test -s census
ok "wm-analyze takes a census" wm-analyze --static-report dynamic.*.wm
ok "wm-collect" wm-collect --from . --to collected
ok "wm-config" wm-config --static --libs
is "none of them has a cache" "$(ls -A home xdg)" "$(printf 'home:\n\nxdg:')"
ok "wmcc with WMCC_ACCESS=1" env WMCC_ACCESS=1 wmcc -g -static -o b a.c
ok "what that makes runs" ./b.wma
is "keeps objects below XDG_CACHE_HOME" \
	"$(find xdg -mindepth 1 -maxdepth 2) $(find xdg -name '*.o' | wc -l)" \
	"xdg/wmtools
xdg/wmtools/access 1"
like "scripts/setup looks there" \
	"$("$SRC/scripts/setup" --print-prefix libunwind 2>&1)" \
	"^setup: no libunwind in '$W/xdg/wmtools': "
# A chroot may have no /proc, and no /dev/fd then.
mkdir -p xdg/wmtools/libunwind-1-pic/lib
touch xdg/wmtools/libunwind-1-pic/{lib/libunwind.a,.recipe}
if unshare -rm true 2>/dev/null; then
	is "scripts/setup needs no /proc" "$(unshare -rm bash -c \
		'mount -t tmpfs none /proc && "$0" --print-prefix libunwind' \
		"$SRC/scripts/setup" 2>&1)" "$W/xdg/wmtools/libunwind-1-pic"
else
	skip "scripts/setup needs no /proc" "no namespaces for users"
fi
is "and so do all others: one place knows it" "$(cd "$SRC/scripts" &&
	grep -rlE 'XDG_CACHE|/\.cache' . --exclude='*.md' | sort)" "$(
	printf './setup\n./setup-lib.sh')"
is "nothing was written into HOME" "$(find home -mindepth 1)" ""
done_testing
