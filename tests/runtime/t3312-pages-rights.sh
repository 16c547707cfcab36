# SPDX-License-Identifier: Apache-2.0
# Page accesses (WM_PAGES) of a process that gives up rights, or confines
# itself: no thread keeps what it had, and all is as without.
# run: rest
. "$(dirname "$0")/../lib.sh" jq
[ "$(id -u)" = 0 ] || skip_all "not root: there are no rights to give up"

ok "rights builds" wmcc -O1 -g -static -pthread -o rights \
	"$progs/pages/rights.c"
ok "dynamic builds" wmcc -O1 -g -pthread -o shared "$progs/pages/rights.c"
WM_DIR=once WM_PAGES=50 ./rights.wm >out 2>err
grep -q 'WM_PAGES: pages are not followed' err &&
	skip_all "the kernel cannot tell: $(cat err)"

both() { # PROGRAM NAME INTERVAL
	rm -rf run
	mkdir -m 777 run
	WM_DIR=run WM_PAGES=$3 timeout -s KILL $stuck "./$1.wm" "$2" 2>&1 |
		grep -v '^wmtrace:' >with
	echo "status ${PIPESTATUS[0]}" >>with
	diff without with
}

chmod 755 .
for name in $(./rights); do
	timeout -s KILL $stuck ./rights "$name" >without 2>&1
	echo "status $?" >>without
	for interval in 3600000 10; do
		ok "$name, $interval ms" both rights "$name" $interval
	done
	"$SRC/tests/tools/wmt-dump" --pages run/*/rank-000000.wmt.xz >dump.json
	case $name in
	same_user) is "$name: pages go on" "$(jq -r .end dump.json)" null ;;
	*) like "$name: the trace says why they end" \
		"$(jq -r .end dump.json)" 'changed its rights' ;;
	esac
done

# A dynamic program has no such wrappers: the thread looks, five times a second.
timeout $stuck ./shared unseen >without 2>&1
echo "status $?" >>without
ok "dynamic: a thread that is left ends by itself" both shared unseen 50
done_testing
