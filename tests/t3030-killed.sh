# SPDX-License-Identifier: Apache-2.0
# Whatever ends the process: every event that it recorded is in the analysis,
# or the loss is counted and told, and the program's own fate is unchanged.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || skip_all "python3 is missing"
killer=$SRC/tests/tools/killer
dump=$SRC/tests/tools/wmt-dump

for kind in static dynamic; do
	flag=
	[ $kind = dynamic ] || flag=-static
	# shellcheck disable=SC2086
	wmcc -O1 -g -fno-builtin $flag -pthread -o killed-$kind \
		"$SRC/tests/progs/killed.c" 2>>build.log
done
# WM_KILLS=1000 for the full proof
kills=${WM_KILLS:-100}
ok "SIGKILL at $((kills * 2 / 5)) moments, one thread" timeout 3000 \
	"$killer" ./killed-static.wm 1 $((kills * 2 / 5))
ok "SIGKILL at $((kills * 2 / 5)) moments, four threads" timeout 3000 \
	"$killer" ./killed-static.wm 4 $((kills * 2 / 5))
ok "SIGKILL at $((kills / 5)) moments, four threads, dynamic" timeout 3000 \
	"$killer" ./killed-dynamic.wm 4 $((kills / 5))
not_ok "without a window the same test finds the loss" \
	env WM_WINDOW=0 timeout 300 "$killer" ./killed-static.wm 1 3
done_testing
