# SPDX-License-Identifier: Apache-2.0
# --junit, --format markdown, and the examples of docs/ci.md.
. "$(dirname "$0")/../lib.sh" analyze-lib python3

run app.1.wm <<'E'
program app
elf app
id 1
rank 0 of 2
t 1000010 malloc 0x1000 1000 main<solve
t 1000020 malloc 0x2000 500 main<mesh|a`b
end
rank 1 of 2
t 1000010 malloc 0x1000 3000 main<halo
end
E
run killed.3.wm <<'E'
program app
id 3
rank 0 of 1
t 1000010 malloc 0x1000 1000 main<solve
E
run quoted.4.wm <<'E'
program q
elf q
id 4
rank 0 of 1
t 1000 malloc 0x1000 100 main<a"b&c]]>d
end
E
"$SRC/tests/tools/hostile" strange

# ---- JUnit ----
cat >junit.py <<'E'
import sys
import xml.etree.ElementTree as E
r = E.parse(sys.argv[1]).getroot()
assert r.tag == "testsuites" and len(r) == 1
s = r[0]
cases = s.findall("testcase")
for key, tag in (("failures", "failure"), ("errors", "error")):
    assert int(s.get(key)) == sum(c.find(tag) is not None for c in cases)
assert int(s.get("tests")) == len(cases)
for c in cases + [e for e in s.findall("system-err")]:
    if c.tag == "testcase":
        print(c.get("name"), c[0].tag, c[0].get("message"), c[0].text,
              sep=" | ")
    else:
        print(c.text)
E
junit() { # NAME WANTED-STATUS LIMIT ARGUMENT...: the cases in out
	local name=$1 wanted=$2 limit=$3
	shift 3
	rm -f j.xml
	is "$name: status" "$(status wm-analyze -q --fail-on "$limit" \
		--junit j.xml "$@")" "$wanted"
	python3 junit.py j.xml >out 2>&1
}
junit "two limits" 1 leaks=8K,peak=2K app.1.wm
is "a case for each, with message and numbers" "$(cat out)" \
	"leaks=8K | system-out | None | bytes: 4500, limit: 8192 bytes, most of\
 it in halo: 3000 bytes
peak=2K | failure | 2.9 KiB at the peak of rank 1, 952 bytes above the limit;\
 most of it in halo: 2.9 KiB | bytes: 3000, limit: 2048 bytes, rank: 1, most of\
 it in halo: 3000 bytes"
junit "a part of the input" 4 peak=1G killed.3.wm
like "that is said, and it is no pass" "$(cat out)" \
	'^peak=1G \| error \| these answers come from a part of the input'
junit "a limit that a part exceeds" 1 peak=1,held=1G killed.3.wm
is "is a failure, and the other an error" \
	"$(awk -F' [|] ' '/=/ { print $1, $2 }' out)" "peak=1 failure
held=1G error"
junit "nothing to read" 3 peak=1,leaks nowhere.wm
is "an error for each" "$(grep -c '^[a-z=1]* | error | .*nowhere' out)" 2
junit "--compare" 1 growth=10,leaks --compare killed.3.wm app.1.wm
is "both" "$(grep -c ' | failure | ' out)" 2
junit "hostile names" 1 leaks strange.1.wm
is "they are text" "$(grep -c '^leaks | failure | 1' out)" 1
junit "a quote and an end of CDATA" 1 leaks quoted.4.wm
is "they are text, too" "$(grep -cF 'a"b&c]]>d: 100 bytes | ' out)" 1
wm-analyze -q --fail-on peak=1G --junit - --output f.txt app.1.wm >j.xml
is "- is stdout" "$(python3 junit.py j.xml | grep -c system-out)" 1
is "- and the report" "$(status wm-analyze --fail-on leaks --junit - \
	app.1.wm)" 2
is "--junit without a limit" "$(wm-analyze --junit f app.1.wm 2>&1; echo $?)" \
	"wm-analyze: --junit f needs a limit: add --fail-on LIMIT
2"
echo mine >mine
ok "a foreign file: it fails" test "$(status wm-analyze -q --fail-on peak=1G \
	--junit mine app.1.wm)" -ge 2
is "a foreign file: it stays" "$(cat mine)" mine

# ---- Markdown: tables are whole, nothing of a name is markup ----
cat >markdown.py <<'E'
import re, sys
bad, columns, before = [], 0, ""
text = sys.stdin.read()
for line in text.split("\n"):
    bare = re.sub(r"`[^`]*`", "", line)
    if line.startswith("|"):
        if not before.startswith("|"):
            columns = bare.count("|")
            if before:
                bad.append(line)
        if bare.count("|") != columns or not bare.endswith("|"):
            bad.append(line)
    elif before.startswith("|") and line:
        bad.append(line)
    bare = re.sub(r"</?(code|span)>|<!-- -->|&emsp;|&#\d+;", "", bare)
    if re.search(r"[<>&]|(?<!\\)[*`\[\]_]", bare):
        bad.append(line)
    if re.search(r"@\w", re.sub(r"`[^`]*`", "", line)):
        bad.append(line)
    before = line
print(bad, "|---" in text)
E
wm-analyze -q --format markdown --leaks app.1.wm >leaks.md
like "a heading" "$(head -1 leaks.md)" "^## app  run"
is "numbers stand to the right" "$(grep -m1 -A1 '^| bytes' leaks.md |
	tail -1 | cut -c1-11)" "|---:|---:|"
is "a name with a pipe and a backtick" \
	"$(grep -om1 '<code>.*</code>' leaks.md)" \
	'<code>mesh&#124;a&#96;b</code>'
is "a list that is cut says so" "$(wm-analyze -q --format markdown --leaks \
	strange.1.wm | grep -c '^\.\.\. [0-9]* more (`--top all`)$')" 1
for report in --summary --functions --leaks --tree --imbalance --timeline \
	--libraries --temporaries --sizes "--compare app.1.wm"; do
	is "$report" "$(wm-analyze -q --top 9 --format markdown $report \
		strange.1.wm 2>/dev/null | python3 markdown.py 2>&1)" "[] True"
done
is "no such form" "$(wm-analyze --format rtf app.1.wm 2>&1; echo $?)" \
	"wm-analyze: --format rtf: not text, markdown, json or csv
2"
is "--format json is --json" "$(wm-analyze -q --format json app.1.wm | cksum)" \
	"$(wm-analyze -q --json app.1.wm | cksum)"
is "two forms" "$(status wm-analyze --json --format markdown app.1.wm)" 2
is "not of a file for programs" "$(status wm-analyze --export folded --format \
	markdown app.1.wm)" 2

# ---- the examples: their commands, as a runner has them ----
mkdir work work/stub
cd work || exit 1
cat >Makefile <<'E'
app: app.c
	$(CC) -g -o $@ $<
E
cat >app.c <<'E'
#include <stdlib.h>
static char *volatile kept;
int main(void)
{
	kept = malloc(300000);
	return 0;
}
E
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >>posted\n' >stub/gh
cp stub/gh stub/curl
chmod +x stub/gh stub/curl
commands() { # HEADING: those of the YAML below it
	awk -v h="## $1" '
	/^## / { here = $0 == h }
	!here { next }
	/^ *run: \|$/ { match($0, / */); in_run = RLENGTH; next }
	/^ *(after_)?script:$/ { script = 1; next }
	script && /^    - / { sub(/^    - /, ""); print; next }
	{ script = 0; match($0, / */) }
	in_run && RLENGTH > in_run { sub(/^ */, ""); print; next }
	{ in_run = 0 }' "$SRC/docs/ci.md"
}
for site in "GitHub Actions" "GitLab CI"; do
	rm -rf app app.wm app.[0-9]*.wm memory.xml memory.md posted
	commands "$site" >steps.sh
	ok "$site: there are commands" test "$(wc -l <steps.sh)" -ge 4
	env GITHUB_STEP_SUMMARY="$W/step" NUMBER=7 WM_TOKEN=t \
		CI_API_V4_URL=api CI_PROJECT_ID=1 CI_MERGE_REQUEST_IID=2 \
		PATH="$W/work/stub:$PATH" sh -e steps.sh >log 2>&1 </dev/null
	is "$site: they run" "$?" 0
	is "$site: the limits are judged" \
		"$(python3 ../junit.py memory.xml | grep -c ' | system-out | ')" 2
	like "$site: the report" "$(head -1 memory.md)" '^## app '
	like "$site: it is posted" "$(cat posted)" 'memory\.md'
done
done_testing
