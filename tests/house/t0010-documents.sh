# SPDX-License-Identifier: Apache-2.0
# Documents and lists agree.
# run: quick
. "$(dirname "$0")/../lib.sh"
cd "$SRC" || exit 1

vars=$(printf '#include "wm/env_list.h"\n#define X(n, t, d, h) n\nWM_ENV_LIST(X)\n' |
	gcc -Iinclude -E -P - | tr ' ' '\n' | grep . | sort)
documented=$(grep -oE 'WM(CC)?_[A-Z_]*' docs/man/wm-environment.7 | sort -u)
is "wm-environment(7) has every variable of env_list.h" "$documented" "$vars"
for v in $(grep -rhoE '"WM(CC_ACCESS|_[A-Z_]+)"' runtime wmcc | tr -d '"' | sort -u); do
	case " $(echo $vars) " in
	*" $v "*) ;;
	*) echo "# $v is read but not in env_list.h"; unlisted=1 ;;
	esac
done
is "no variable is read that is not in the list" "${unlisted:-0}" 0

formats=$(printf '#include "wm/trace_format.h"\n#define X(n, i, ...) i:n\nWMT_FIELD_LIST(X)\n' |
	gcc -Iinclude -E -P - | tr ' ' '\n' | grep '[0-9]:' | sort)
table=$(awk -F'|' '/^3.5/,/^A triple/' docs/trace-format.md |
	awk -F'|' '$2 ~ /[0-9]/ {gsub(/ /, ""); print $2 ":" $3}' | sort)
is "trace-format.md has every field" "$table" "$formats"
events=$(printf '#include "wm/trace_format.h"\n#define X(n, i, ...) i:n\nWMT_EVENT_LIST(X)\n' |
	gcc -Iinclude -E -P - | tr ' ' '\n' | grep '[0-9]:' | sort)
table=$(awk '/^## 5/,/^5.1/' docs/trace-format.md |
	awk -F'|' '$2 ~ /[0-9]/ {gsub(/ /, ""); print $2 ":" $3}' | sort)
is "trace-format.md has every event" "$table" "$events"
is "links lead to every document, and documents name what is there" \
	"$(tests/tools/doc-links)" ""
if python3 -c 'import yaml' 2>/dev/null; then
	is "CITATION.cff has what it has to, and our version" "$(python3 -c '
import yaml
c = yaml.safe_load(open("CITATION.cff"))
print(*[k for k in ("cff-version", "message", "title", "authors") if not c.get(k)],
      c["version"], c["cff-version"])' 2>&1)" \
		"$(sed -n 's/.*WM_VERSION "\(.*\)"/\1/p' include/wm/version.h) 1.2.0"
else
	skip "CITATION.cff has what it has to" "python3-yaml is missing: scripts/setup"
fi
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
