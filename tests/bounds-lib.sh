# SPDX-License-Identifier: Apache-2.0
# For tests of what small hostile files may cost: at most 512 MiB of memory and
# 10 s of the processor; with sanitizers in the product four times that.
command -v python3 >/dev/null || skip_all "no python3"

cat >cost.py <<'E2'
"""cost.py COMMAND...: prints status, MiB and seconds of CPU, if too much"""
import os, resource, subprocess, sys
p = subprocess.run(["bash", "-c", 'ulimit -t 60; exec "$@"', "-"] +
                   sys.argv[1:], stdout=open("cost.out", "wb"),
                   stderr=open("err", "w"))
u = resource.getrusage(resource.RUSAGE_CHILDREN)
mib, seconds = u.ru_maxrss / 1024, u.ru_utime + u.ru_stime
times = int(os.environ["WM_BOUNDS"])
print(p.returncode, "fine" if mib < 512 * times and seconds < 10 * times else
      "%.0f MiB, %.1f s" % (mib, seconds))
E2

WM_BOUNDS=1
has_sanitizers && WM_BOUNDS=4
export WM_BOUNDS

# small_run NAME [NUMBER...]: the run NAME.1.wm of tests/tools/hostile, in a file
# that is small
small_run() {
	"$SRC/tests/tools/hostile" "$@"
	[ "$(cat "$1".1.wm/* | wc -c)" -lt 400000 ]
	tap_result $? "$what: a small file"
}

# try DESCRIPTION STATUS PATTERN NAME [NUMBER...]: wm-analyze of such a run
try() {
	local what=$1
	small_run "${@:4}"
	bounded "$1" "$2" "$3" wm-analyze "$4".1.wm
}

# what it prints is in cost.out
bounded() { # DESCRIPTION STATUS PATTERN COMMAND...
	local what=$1 status=$2 pattern=$3
	shift 3
	is "$what: memory and time" "$(timeout 120 python3 cost.py "$@")" \
		"$status fine"
	[ -z "$pattern" ] || like "$what: what is said" "$(cat err)" "$pattern"
}
