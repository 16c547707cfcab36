# SPDX-License-Identifier: Apache-2.0
# Page accesses (WM_PAGES) of a program that locks memory (mlock): it stays
# locked, all is as without, and what cannot be seen is said.
# run: rest
. "$(dirname "$0")/../lib.sh" python3
if [ "$(ulimit -l)" != unlimited ] && [ "$(id -u)" != 0 ]; then
	skip_all "no right to lock memory"
fi

ok "locks builds" wmcc -O1 -g -static -pthread -fno-builtin -o locks \
	"$progs/pages/locks.c"
WM_DIR=once WM_PAGES=50 ./locks.wm >out 2>err
grep -q 'WM_PAGES: ' err && skip_all "the kernel cannot tell: $(cat err)"

both() { # NAME INTERVAL
	rm -rf run
	WM_DIR=run WM_PAGES=$2 timeout -s KILL $stuck ./locks.wm "$1" 2>&1 |
		grep -v '^wmtrace:' >with
	echo "status ${PIPESTATUS[0]}" >>with
	diff without with
}

for name in $(./locks); do
	timeout -s KILL $stuck ./locks "$name" >without 2>&1
	echo "status $?" >>without
	ok "$name" both "$name" 3600000
	ok "$name, short epochs" both "$name" 10
done

# ---- what is locked is not covered, and not accessed by us ----
"$SRC/tests/tools/wmt-dump" --pages run/*/rank-000000.wmt.xz >dump.json
said() { # EXPRESSION
	python3 -c 'import json, sys
d = json.load(open("dump.json"))
print(eval(sys.argv[1]))' "$1"
}
is "the trace says how much is locked" \
	"$(said '[n for what, n in d["not_covered"] if what == 5]')" '[4194304]'
is "the rest of it is covered" \
	"$(said '2048 > sum(e - s for s, e, _ in d["covered"]) > 1024')" True
is "the last epoch has none of its pages" \
	"$(said 'len(d["epochs"]) > 1 and len(d["epochs"][-1]["accessed"]) < 1200')" \
	True
done_testing
