# SPDX-License-Identifier: Apache-2.0
# A handler that interrupts a hook forks: the child returns into the hook, whose
# stream or filter is wiped there, and lives on.
. "$(dirname "$0")/../lib.sh" access-lib
bring access/forks.c
ok "compiles" gcc -O1 -g -fsanitize=thread -c forks.c -o forks.o
for kind in static dynamic; do
	ok "$kind: links" access_link $kind gcc forks.$kind forks.o
	for way in WM_CHILDREN=0 WM_CHILDREN=1 WM_ACCESS=pages:5 \
		WM_ACCESS=off; do
		rm -rf run
		is "$kind, $way: all children live" "$(env $way WM_DIR=run \
			timeout $stuck ./forks.$kind 2>/dev/null)" \
			"40 children, 0 died"
	done
	ok "$kind: the trace is read" \
		wm-analyze -q run/*.wm
done
done_testing
