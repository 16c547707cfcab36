# SPDX-License-Identifier: Apache-2.0
# docs/troubleshooting.md: what it says that people see is what they see.
. "$(dirname "$0")/../lib.sh"
doc=$(tr -s '\n ' '  ' <"$SRC/docs/troubleshooting.md")

# said LABEL TEXT: the document has these words
said() {
	ok "the document: $1" grep -qF -- "${2:-nobody has said it}" <<<"$doc"
}
cat >app.c <<'X'
#include <stdlib.h>
__attribute__((noinline)) void *leaf(int n) { return malloc(n); }
int main(void) { void *volatile p = leaf(1000); return p == 0; }
X
ok "a program" wmcc -O1 -g -static app.c -o app
said "a program is no run" "$(wm-analyze app 2>&1 |
	sed -n "s/.*\('app' is a program, not a run\).*/*\1*/p")"
said "it cannot write" "$(WM_DIR=/proc/x ./app.wm 2>&1 | tail -n 1 |
	sed "s/[0-9]* events/2 events/; s/app\.[^']*\.wm/a.1.wm/; s/.*/*&*/")"
said "no twin" "$(wmcc -fsanitize=address app.c -o bad 2>&1 |
	sed 's/bad\.wm/app.wm/' | tail -n 1)"
WM_DIR=dead ./app.wm
: >"$(echo dead/*/rank-000000.wmt.xz)"
said "empty" "$(wm-analyze dead/*.wm 2>&1 | sed -n \
	's/.*\(empty: the process ended before it could write its first block\).*/\1/p' |
	head -n 1)"
wmcc -O1 -g -static -fno-asynchronous-unwind-tables -fno-unwind-tables app.c \
	-o short
WM_DIR=short.d ./short.wm
is "without unwind tables the path begins in the middle, with all its bytes" \
	"$(wm-analyze -q --tree --csv short.d/*.wm | grep ',leaf,leaf,\|,leaf,' |
	awk -F, '{print $2, $5}')" "leaf 1000"
said "what --wm-help names" "wmcc --wm-help"
like "are variables" "$(wmcc --wm-help)" 'WM_CC'
done_testing
