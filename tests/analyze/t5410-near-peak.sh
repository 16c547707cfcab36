# SPDX-License-Identifier: Apache-2.0
# For how long live bytes were near the high-water mark.
. "$(dirname "$0")/../lib.sh" analyze-lib python3

near() {
	json '[(r["peak_99_s"], r["peak_90_s"])
		for r in j["ranks"]]' "$@"
}

# Ticks of 1 ns; 1000000 is the start.  Exact below 4096 bytes.
run app.1.wm <<'E'
program app
elf app.wm
id 1
rank 0 of 3
t 2000000 malloc 0x1000 1000 main<make
t 3000000 malloc 0x2000 1 main<tip
t 3500000 free 0x2000
t 4000000 realloc 0x1000 0x1000 990 main<make
t 6000000 realloc 0x1000 0x1000 901 main<make
t 9000000 realloc 0x1000 0x1000 900 main<make
t 9500000 realloc 0x1000 0x1000 1001 main<make
t 9600000 free 0x1000
t 9700000 stack 0x200000 4096 main<thread
end
rank 1 of 3
t 1000000 malloc 0x1000 1000000 main<make
t 2000000 free 0x1000
t 5000000 malloc 0x1000 5000000 main<make
thread 1
t 7000000 malloc 0x2000 5000000 main<make
thread 0
t 8000000 free 0x1000
end
rank 2 of 3
end
E
# rank 0: 1001 bytes at the peak, 99 % are 991, 90 % 901 bytes: 2.0-4.0 and
# 9.5-9.6 ms; the same and 4.0-9.0.
# rank 1: 7.0-8.0 ms.
is "by hand" "$(near app.1.wm)" "[(0.0021, 0.0071), (0.001, 0.001), (0.0, 0.0)]"
is "it does not depend on the report" "$(near --leaks app.1.wm)" \
	"$(near app.1.wm)"
like "summary" "$(wm-analyze app.1.wm)" \
	'at 99 % of it or more for 1\.0 ms, at 90 % for 1\.0 ms$'
like "timeline" "$(wm-analyze --timeline --rank 0 app.1.wm)" \
	'peak 1001 bytes at 2\.000 ms; at 99 % of it or more for 2\.1 ms, at 90 %'

# A rank that was killed: up to the last thing that it wrote.
run dead.1.wm <<'E'
program dead
elf dead.wm
id 1
rank 0 of 1
t 2000000 malloc 0x1000 1000 main<make
t 5000000 malloc 0x2000 1 main<make
E
is "killed" "$(near dead.1.wm)" "[(0.003, 0.003)]"
cp -r app.1.wm packed.1.wm
wm-analyze --quiet --repack packed.1.wm >/dev/null
is "repacked" "$(near packed.1.wm)" "$(near app.1.wm)"
done_testing
