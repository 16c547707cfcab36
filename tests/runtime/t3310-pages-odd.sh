# SPDX-License-Identifier: Apache-2.0
# Page accesses (WM_PAGES): what hardly any program does, and what the kernel
# refuses, is as without.
# run: rest
. "$(dirname "$0")/../lib.sh"

ok "odd builds" wmcc -O1 -g -static -pthread -o odd \
	"$progs/pages/odd.c" "$progs/pages/odd_limits.c"
ok "look builds" wmcc -static -o look "$progs/pages/look.c"
if WM_DIR=once WM_PAGES=50 ./look.wm 2>&1 | grep -q 'are not followed'; then
	skip_all "the kernel cannot tell"
fi

# The first has the longest epoch, so that all is as at the start.
both() { # NAME INTERVAL
	WM_DIR=run WM_PAGES=$2 timeout -s KILL $stuck "./odd.wm" "$1" 2>&1 |
		grep -v '^wmtrace:' >with
	echo "status ${PIPESTATUS[0]}" >>with
	rm -rf run
	diff without with
}

for name in $(./odd); do
	timeout -s KILL $stuck ./odd "$name" >without 2>&1
	echo "status $?" >>without
	ok "$name" both "$name" 3600000
	[ "$name" = many_maps ] || ok "$name, short epochs" both "$name" 10
done

# ---- a limit on files is not one on memory ----
WM_DIR=run WM_PAGES=10 ./odd.wm small_files >out 2>&1
"$SRC/tests/tools/wmt-dump" --pages run/*/rank-000000.wmt.xz |
	python3 -c 'import json, sys
print(4 in [kind for _, _, kind in json.load(sys.stdin)["covered"]])' >out
is "after a fork storage of the thread is followed again" "$(cat out)" True
rm -rf run

# ---- refused: nothing stays ----
refuse() { # SYSCALL-NUMBER COMMAND...: it is EPERM
	python3 - "$@" <<'END'
import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
number = int(sys.argv[1])
code = [(0x20, 0, 0, 0), (0x15, 0, 1, number),
        (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7fff0000)]
text = b"".join(struct.pack("HBBI", *i) for i in code)
held = ctypes.create_string_buffer(text)
prog = struct.pack("HxxxxxxQ", len(code), ctypes.addressof(held))
libc.prctl(38, 1, 0, 0, 0)
if libc.prctl(22, 2, ctypes.create_string_buffer(prog), 0, 0):
    sys.exit(99)
os.execv(sys.argv[2], sys.argv[2:])
END
}
if [ "$(uname -m)" = x86_64 ] && command -v python3 >/dev/null; then
	for call in "323 userfaultfd" "319 memfd_create"; do
		WM_DIR=run WM_PAGES=50 refuse "${call% *}" ./look.wm \
			>out 2>err
		is "${call#* } is refused: one line" "$(grep -c WM_PAGES: \
			err)" 1
		has_no "${call#* } is refused: nothing is mapped" mapped cat out
		[ "${call#* }" = memfd_create ] ||
			is "no thread stays" "$(cat out)" "Threads:	1"
	done
fi

# ---- pipes end ----
{
	sleep 0.2
	echo end
} | WM_DIR=run WM_PAGES=50 timeout $stuck ./odd.wm eof >out 2>&1
is "the end of a pipe reaches its reader" "$(cat out)" "end: 0"

# ---- a core is not larger than what was touched ----
cat >core.c <<'END'
#include <stdlib.h>
#include <sys/mman.h>
int main(void)
{
	size_t n = (size_t)1 << 30;
	char *p = mmap(0, n, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(p + 4096, 1 << 20, PROT_READ | PROT_WRITE);
	for (int i = 0; i < 1 << 20; i++)
		p[4096 + i] = 77;
	abort();
}
END
if [ "$(cat /proc/sys/kernel/core_pattern)" = core ]; then
	ok "core builds" wmcc -static -o dumps core.c
	(ulimit -c unlimited && WM_DIR=run WM_PAGES=50 ./dumps.wm) 2>/dev/null
	core=$(ls core core.[0-9]* 2>/dev/null | head -1)
	n=$(stat -c %s "${core:-/dev/null}")
	ok "a reservation is not in the core ($n bytes)" \
		[ "$n" -gt 1000000 -a "$n" -lt 30000000 ]
	ok "but what was opened of it and written" python3 -c '
import sys
sys.exit(bytes([77]) * 1048576 not in open(sys.argv[1], "rb").read())' "$core"
else
	skip "cores" "they are not written here, but handed to a program"
fi
done_testing
