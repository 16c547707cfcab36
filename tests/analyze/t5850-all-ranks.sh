# SPDX-License-Identifier: Apache-2.0
# --leaks and --temporaries are about all ranks, and say which ones.
# run: long
. "$(dirname "$0")/../lib.sh" analyze-lib python3

# Rank 0 has the highest peak and frees all; 2 forgets 10 MiB, 1 and 3 some.
run app.1.wm <<'E'
program app
elf app
id 1
rank 0 of 4
t 1000 malloc 0x1000 50000000 main<solve
t 2000 free 0x1000
t 3000 malloc 0x2000 8 main<churn
t 4000 free 0x2000
t 5000 malloc 0x2000 8 main<churn
t 6000 free 0x2000
end
rank 1 of 4
t 1000 malloc 0x1000 100 main<a<grab
t 2000 name 0x1000 halo
end
rank 2 of 4
t 1000 malloc 0x1000 10485760 main<forget
t 2000 malloc 0x11000000 60 main<a<grab
t 3000 malloc 0x12000000 70 main<b<grab
end
rank 3 of 4
t 1000 malloc 0x1000 130 main<b<grab
t 2000 malloc 0x5000 8 main<churn
t 3000 free 0x5000
t 4000 malloc 0x5000 8 main<churn
t 5000 free 0x5000
t 6000 malloc 0x5000 8 main<churn
t 7000 free 0x5000
end
E

sites() { # ARGUMENT...: who, how much, in how many ranks, most of it where
	json '[(s["name"], s["bytes"], s["ranks"], s["max_rank"],
		s["max_rank_bytes"]) for s in j["never_freed"]["sites"]]' \
		--leaks --fold -wrapper "$@" app.1.wm
}
is "leaks: all ranks, where most of it is, two paths of one function" \
	"$(sites)" "[('forget', 10485760, 1, 2, 10485760), \
('grab', 360, 3, 2, 130)]"
is "leaks: that is what --fail-on leaks is about" "$(json '(
	j["never_freed"]["program"]["bytes"], j["never_freed"]["rank"],
	j["gates"][0]["bytes"])' --leaks --fail-on leaks app.1.wm)" \
	"(10486120, 'all', 10486120)"
is "leaks: --rank all is the same" "$(sites --rank all)" "$(sites)"
is "leaks: one rank" "$(sites --rank 2)" "[('forget', 10485760, 1, 2, \
10485760), ('grab', 130, 1, 2, 130)]"
is "leaks: the rank with the highest peak, when asked" \
	"$(sites --rank max)" "[]"
is "JSON: other keys are about the rank they were about" "$(json '(j["rank"],
	j["functions"][0]["name"], j["leaks"])' --leaks app.1.wm)" \
	"(0, 'solve', [])"
text=$(wm-analyze --leaks --fold -wrapper app.1.wm)
like "leaks: heading" "$text" '10\.0 MiB in 5 blocks never freed by all ranks$'
like "leaks: how many ranks, and which most" "$text" \
	'^The program.s: 10\.0 MiB in 5 blocks, in 3 ranks, most in rank 2 \(10\.'
like "leaks: of each site" "$text" \
	'^ +10\.0 MiB +1 +[0-9.]+ [mu]?s +[0-9.]+ [mu]?s +1 +2 +once +forget$'
like "leaks: names that a block has in any rank" "$text" 'halo'
wm-analyze --leaks --rank 2 app.1.wm >one
ok "leaks: of one rank" grep -q "forget$" one
has_no "leaks: has no such columns" 'most in' cat one
is "leaks: CSV" "$(wm-analyze --leaks --csv app.1.wm | sed -n 2p |
	cut -d, -f1,2,5-8,10)" "10485760,1,1,2,10485760,0,forget"

churn() {
	json '[(s["name"], s["reusable"], s["ranks"], s["max_rank"],
		s["max_rank_reusable"]) for s in j["temporaries"]["sites"]][0]' \
		--temporaries "$@" app.1.wm
}
is "temporaries: all ranks" "$(churn)" "('churn', 3, 2, 3, 2)"
is "temporaries: one rank" "$(churn --rank 0)" "('churn', 1, 1, 0, 1)"
text=$(wm-analyze --temporaries app.1.wm)
like "temporaries: text" "$text" \
	'^  3 of them could reuse an older block, in 4 ranks, most in rank 3 \(2\)'
like "temporaries: of each site" "$text" '^ +3 +5 .* 2 +3 +churn$'
is "temporaries: CSV" "$(wm-analyze --temporaries --csv app.1.wm | sed -n 2p |
	cut -d, -f1,7-10)" "3,2,3,2,churn"

# Ranks that are read side by side, node by node, in another order.
for n in 1 3; do
	is "the same with -j$n" "$(answer wm-analyze --leaks --json -j$n app.1.wm)" \
		"$(answer wm-analyze --leaks --json app.1.wm)"
done

# Thousands of ranks: keep() forgets r % 3 blocks of 1000 + r % 17 bytes.
job=$BUILD/test/tools/wmt-job
ranks=1024
[ "${WM_LONG:-}" ] && ranks=4096
"$job" few.1.wm --ranks 64 --events 0 --live 20 --paths 7 >few.json
"$job" job.1.wm --ranks $ranks --events 0 --live 20 --paths 7 >job.json
wanted=$(python3 -c "
n = $ranks
b = [r % 3 * (1000 + r % 17) for r in range(n)]
print(sum(b), sum(r % 3 for r in range(n)), sum(x > 0 for x in b),
      b.index(max(b)), max(b))")
few=$(heap_of wm-analyze -q -j1 --leaks --json few.1.wm)
ok "64 ranks are read" test -s out
many=$(heap_of wm-analyze -q -j1 --leaks --json job.1.wm)
ok "$ranks ranks are read" test -s out
is "$ranks ranks: all of them are looked at" "$(python3 -c '
import json
s = json.load(open("out"))["never_freed"]["sites"]
print(*[s[0][k] for k in ("bytes", "blocks", "ranks", "max_rank",
	"max_rank_bytes")], len(s))')" "$wanted 1"
echo "# 64 ranks: $few bytes, $ranks ranks: $many"
small "$ranks ranks: less than 8 KiB more for each" \
	test "$((${many:-0} - ${few:-0}))" -gt 0 -a \
	"$((${many:-0} - ${few:-0}))" -lt $(((ranks - 64) * 8192))
done_testing
