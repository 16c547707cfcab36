# SPDX-License-Identifier: Apache-2.0
# Traces made from text are what a release writes: the same encodings, so that
# what is found with them is true of the decoder that users have.
. "$(dirname "$0")/../lib.sh" analyze-lib python3

# Column and encoding of each column that its blocks of events have.
cat >encodings.py <<'E'
import importlib.machinery, importlib.util, os, sys
path = os.environ["SRC"] + "/tests/tools/wmt-dump"
loader = importlib.machinery.SourceFileLoader("dump", path)
dump = importlib.util.module_from_spec(
    importlib.util.spec_from_loader("dump", loader))
loader.exec_module(dump)
found = {(k, b["encoding"][k]) for b in dump.stored(sys.argv[1])
         if b["type"] == 1 for k in b["columns"]}
print(" ".join("%d:%d" % f for f in sorted(found)))
E
encodings() { python3 -B encodings.py "$1/rank-000000.wmt.xz"; }
events() {
	python3 "$SRC/tests/tools/wmt-dump" "$1/rank-000000.wmt.xz" |
		grep -v '^{' | sha1sum
}

cat >made.txt <<'E'
rank 0 of 1
churn 20000 600 40 1
t 9000000 failed 99 main<far
end
E
ok "a program is traced" wmcc -O1 -fno-builtin -static \
	-o app "$progs/damage/random_blocks.c"
WM_DIR=run WM_RUN_ID=1 ./app.wm
run made.wm <made.txt
real=$(encodings run/app.1.wm)
like "the runtime writes OPS" "$real" '^1:9 2:2 3:.* 4:.* 5:4 6:4 .*11:10'
is "so is a trace that is made from text" "$(encodings made.wm)" \
	"1:9 2:2 3:11 4:11 5:4 6:4 7:24 11:10"
for e in $(encodings made.wm); do
	like "the runtime writes $e, too" " $real " " $e "
done
{ echo "values plain"; cat made.txt; } | run plain.wm
like "and values that hardly repeat as the runtime does" \
	"$(encodings plain.wm)" ' 3:3 4:3 '
is "which is the same trace" "$(events plain.wm)" "$(events made.wm)"

# Times where hardly two events share one.
{ echo "times gaps"; cat made.txt; } | run gaps.wm
like "times without runs" "$(encodings gaps.wm)" ' 2:25 '
is "are the same trace" "$(events gaps.wm)" "$(events made.wm)"
is "and the same answers" "$(wm-analyze --json gaps.wm | grep -v trace_bytes)" \
	"$(wm-analyze --json made.wm | grep -v trace_bytes)"
ok "several threads are traced" wmcc -O1 -static -pthread -o crowd \
	"$SRC/tests/bench/crowd.c"
WM_DIR=run WM_RUN_ID=1 ./crowd.wm 2 20000
like "the runtime writes them so" "$(encodings run/crowd.1.wm)" ' 2:25 '

# More blocks alive than there are handles.
many() { # BLOCK-EVENTS
	printf 'block-events %s\nrank 0 of 1\n' "$1"
	printf 'churn 180000 80000 30 7\nend\n'
}
many 65535 | run one.wm
many 9000 | run several.wm
answer='j["heap"]["peak"]["max"] > 5e6, j["heap"], j["events"]["total"]'
like "80,000 blocks alive, in the largest blocks of a trace: read" \
	"$(json "$answer" one.wm)" '^True .* 180000$'
is "and the same answers as from several blocks" \
	"$(json "$answer" one.wm)" "$(json "$answer" several.wm)"

done_testing
