# SPDX-License-Identifier: Apache-2.0
# docs/tutorial.md: its commands work, in order, and find what it says.
. "$(dirname "$0")/../lib.sh" analyze-lib
mpich=$(ls -d "$WM_CACHE"/mpich-*/bin 2>/dev/null | head -1)
[ "$mpich" ] || skip_all "no static MPICH (scripts/setup)"
command -v python3 >/dev/null || skip_all "no python3"
export PATH=$mpich:$PATH

cp "$SRC/docs/tutorial/heat.c" .
# the commands: what follows "$ " in the blocks of the page
awk '/^```/ { code = !code } code && sub(/^\$ /, "")' \
	"$SRC/docs/tutorial.md" >commands
# kernels with large pages have what was never touched in RAM, too, and terms of
# a whole rank are also those of the connections that MPI happens to make
varies='/  all$/s/\(iB\)  .*  all$/\1  all/
	/^  parts /s/[;,] \(code and other \|at least \)*[0-9.]* [KM]iB\( of it never written, or given back before the rest came\)*$//
	/ if all that they requested is in RAM at once$/d'
sed "$varies" "$SRC/docs/tutorial.md" >tutorial.md
ok "there are commands" test "$(wc -l <commands)" -ge 12
while IFS= read -r command; do
	ok "$command" timeout 100 bash -c "($command) >out 2>&1" </dev/null
	sed -i "$varies" out
	is "the page shows the words of that" "$("$SRC/tests/tools/doc-words" \
		tutorial.md "$command" out 2>&1)" ""
done <commands

is "the peak is of the whole plate, in read_input" "$(json \
	'[f["blocks"] for f in j["functions"] if f["bytes"] == 32000032]' \
	--fold rules heat.p4.wm)" "[3]"
is "the leak is of checkpoint, in all four ranks" "$(json '[(s["name"], s["blocks"])
	for s in j["never_freed"]["sites"] if not s["runtime"]]' --leaks \
	--fold rules heat.p4.wm)" "[('checkpoint', 80)]"
is "rank 0 is the worst, for read_input" "$(json \
	'(j["imbalance"]["worst"]["rank"],
	j["imbalance"]["worst"]["sites"][0]["name"])' --imbalance \
	--fold rules heat.p4.wm)" "(0, 'read_input')"
is "the inboxes grow with the ranks: 16 KiB each" "$(json \
	'"16384 * N" in [s["formula"] for s in j["formulas"]]' \
	--model heat.p1.wm heat.p2.wm heat.p4.wm --problem-size 4000000)" True
is "the prediction of 8 ranks is within 5 %" "$(json \
	'[abs(x["error_percent"]) < 5 for x in j["jobs"] if x["kind"] == "check"]' --model heat.p1.wm \
	heat.p2.wm heat.p4.wm --problem-size 4000000 --check heat.p8.wm)" "[True]"
done_testing
