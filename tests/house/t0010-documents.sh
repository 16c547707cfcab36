# SPDX-License-Identifier: Apache-2.0
# Documents and lists agree.
# run: quick
. "$(dirname "$0")/../lib.sh"
cd "$SRC" || exit 1

vars=$(printf '#include "wm/env_list.h"\n#define X(n, t, d, h) t n\nWM_ENV_LIST(X)\n' |
	gcc -Iinclude -E -P - | tr -d '"' | sed 's/ WM/\nWM/g' | xargs -n 2 |
	sed 's/^both/link/' | sort)
documented=$(awk '/^\.SS/ { when = $NF; sub(/ning|ing/, "", when) }
	heading && sub(/^\.B/, "") {
		gsub(/\\f.|,|=1/, "")
		for (i = 1; i <= NF; i++)
			print when, $i
	}
	{ heading = /^\.T[PQ]/ }' docs/man/wm-environment.7 | grep ' WM' | sort)
is "wm-environment(7) has every variable of env_list.h, by its time" \
	"$documented" "$vars"
for v in $(sed -n 's/^run //p' <<<"$vars"); do
	grep -rqF "\"$v\"" runtime || { echo "# $v is not read"; unread=1; }
done
is "every variable of a run is read" "${unread:-0}" 0
for v in $(grep -rhoE '"WM(CC_ACCESS|_[A-Z_]+)"' runtime wmcc | tr -d '"' | sort -u); do
	case " ${vars//$'\n'/ } " in
	*" $v "*) ;;
	*) echo "# $v is read but not in env_list.h"; unlisted=1 ;;
	esac
done
is "no variable is read that is not in the list" "${unlisted:-0}" 0

formats=$(printf '#include "wm/trace_format.h"\n#define X(n, i, ...) i:n\nWMT_FIELD_LIST(X)\n' |
	gcc -Iinclude -E -P - | tr ' ' '\n' | grep '[0-9]:' | sort)
# - 7, 8 RANK, RANKS: an entry may have several
entries() { # FROM TO: the numbers and names of lists in trace-format.md
	sed -n "/^$1/,/^$2/s/^- \([0-9][0-9, ]*\) \([A-Z][A-Z_, ]*\).*/\1:\2/p" \
		docs/trace-format.md | tr -d ' ' | awk -F: '{
		n = split($1, numbers, ",")
		split($2, names, ",")
		for (i = 1; i <= n; i++)
			print numbers[i] ":" names[i]
	}' | sort
}
table=$(entries 3.5 "A triple")
is "trace-format.md has every field" "$table" "$formats"
events=$(printf '#include "wm/trace_format.h"\n#define X(n, i, ...) i:n\nWMT_EVENT_LIST(X)\n' |
	gcc -Iinclude -E -P - | tr ' ' '\n' | grep '[0-9]:' | sort)
table=$(entries "## 5" 5.1)
is "trace-format.md has every event" "$table" "$events"
is "porting.md has every header of a processor, and no other" \
	"$(sed -n 's/^- `\([a-z0-9_]*\.h\)` (.*/\1/p' docs/porting.md | sort)" \
	"$(ls runtime/arch/x86_64)"

is "links lead to every document, and documents name what is there" \
	"$(tests/tools/doc-links)" ""
if python3 -c 'import yaml' 2>/dev/null; then
	is "CITATION.cff has what it has to, and our version" "$(python3 -c '
import yaml
c = yaml.safe_load(open("CITATION.cff"))
print(*[k for k in ("cff-version", "message", "title", "authors") if not c.get(k)],
      c["version"], c["cff-version"])' 2>&1)" \
		"$(sed -n 's/.*WM_VERSION "\(.*\)"/\1/p' include/wm/version.h) 1.2.0"
	is "CI of GitHub and GitLab does the same, and calls .ci/run" "$(python3 -c '
import yaml
job = yaml.safe_load(open(".github/workflows/ci.yml"))["jobs"]["ci"]
runs = [s["run"] for s in job["steps"] if "run" in s]
lab = yaml.safe_load(open(".gitlab-ci.yml"))["ci"]
print(lab["before_script"] + lab["script"] == runs, runs[-1],
      job["container"]["image"] == lab["image"])' 2>&1)" \
		"True .ci/run True"
else
	skip "CITATION.cff has what it has to" "python3-yaml is missing: scripts/setup"
	skip "CI of GitHub and GitLab" "python3-yaml is missing: scripts/setup"
fi
ok "both ask for the same in an issue" \
	cmp .github/ISSUE_TEMPLATE.md .gitlab/issue_templates/Default.md
ok "and in a change" cmp .github/PULL_REQUEST_TEMPLATE.md \
	.gitlab/merge_request_templates/Default.md
# This check can fail: it is shown faults.
mkdir "$W/tree"
cp -r README.md NEWS CONTRIBUTING.md SECURITY.md CITATION.cff docs include runtime wrappers wmcc analyze \
	scripts tests "$W/tree"
echo 'See [nothing](nothing.md), `nothing.c`, `wm_nothing()`.' \
	>>"$W/tree/docs/design.md"
echo '# Alone' >"$W/tree/docs/alone.md"
is "doc-links sees a link to nothing, a document that is alone, and names" \
	"$(tests/tools/doc-links "$W/tree")" \
	"docs/design.md links to nothing.md, which is not there
no link leads to docs/alone.md
docs/design.md names nothing.c, which is not there
docs/design.md names wm_nothing(), which is not there"
for m in docs/man/*; do
	command -v man >/dev/null ||
		{ skip "$m: man accepts it" "package man-db is missing"; continue; }
	is "$m: man accepts it" "$(man --warnings -E UTF-8 -l "$m" 2>&1 \
		>/dev/null | head -3)" ""
done
done_testing
