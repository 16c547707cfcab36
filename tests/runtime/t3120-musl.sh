# SPDX-License-Identifier: Apache-2.0
# Dynamic programs with musl: a normal exit is the end of a whole trace.
. "$(dirname "$0")/../lib.sh" musl-gcc jq

ok "it builds" env WM_CC=musl-gcc wmcc -O1 -g -fno-builtin \
	-o end "$progs/runtime/last_events.c"

ends() { # STATUS ARGUMENTS...
	local wanted=$1
	shift
	rm -rf run
	WM_DIR=run ./end.wm "$@"
	[ $? -eq "$wanted" ] || return
	wm-analyze --json run/* >json
}
ok "return from main: a report with status 0" ends 0
is "with the handler's release and the destructor's block" \
	"$(jq -c '[.run.complete, .ranks[0].unfreed_bytes]' json)" \
	"[true,9]"
ok "exit(3): the same" ends 3 x
done_testing
