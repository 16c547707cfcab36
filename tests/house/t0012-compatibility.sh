# SPDX-License-Identifier: Apache-2.0
# docs/compatibility.md and NEWS, held against the source: versions of formats,
# symbols of the markers, keys of JSON, columns of CSV.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib python3
page=$SRC/docs/compatibility.md
formats=$SRC/include/wm

# define NAME FILE: the number that a header gives it
define() { sed -n "s/^#define $1 \([0-9]*\).*/\1/p" "$formats/$2"; }

# ---- versions: source, page, NEWS ----
source_has() { # one line for each version that the source knows
	local n
	for ((n = 0; n <= $(define WMT_MINOR trace_format.h); n++)); do
		echo "trace $(define WMT_MAJOR trace_format.h).$n"
	done
	for ((n = 0; n <= $(define WMC_MINOR census_format.h); n++)); do
		echo "bundle $(define WMC_MAJOR census_format.h).$n"
	done
	for ((n = 1; n <= $(define WMW_VERSION window_format.h); n++)); do
		echo "window $n"
	done
	grep -rhoE '"wmtools\.[a-z-]+/[0-9]+"' "$SRC/analyze" --include='*.[ch]' |
		sed 's/"//g; s/^/JSON /'
}
source_has | sort -u >versions
ok "there are some" test "$(wc -l <versions)" -ge 6
sed -n 's/^| \(\(trace\|bundle\|window\|JSON\) [^ ]*\) |.*/\1/p' "$page" |
	sort >told
ok "the page has each version, and no other" diff told versions
is "NEWS has each of them" "$(while read -r version; do
	tr -s ' \n' ' ' <"$SRC/NEWS" | grep -qF "$version" || echo "$version"
done <versions)" ""
is "trace-format.md is of the newest" \
	"$(sed -n '1s/.* //p' "$SRC/docs/trace-format.md")" \
	"$(define WMT_MAJOR trace_format.h).$(define WMT_MINOR trace_format.h)"
is "census-format.md, too" \
	"$(sed -n '1s/.* //p' "$SRC/docs/census-format.md")" \
	"$(define WMC_MAJOR census_format.h).$(define WMC_MINOR census_format.h)"

# ---- NEWS: releases, newest first ----
version=$(sed -n 's/.*WM_VERSION "\(.*\)"/\1/p' "$formats/version.h")
day='20[0-9][0-9]-[01][0-9]-[0-3][0-9]'
like "NEWS begins with our version, and a date or unreleased" \
	"$(head -1 "$SRC/NEWS")" \
	"^wmtools ${version//./\\.} \((unreleased; begun $day|$day)\)$"
is "so does each version in it" "$(grep '^[^ ]' "$SRC/NEWS" |
	grep -vcE "^wmtools [0-9.]+ \((unreleased; begun $day|$day)\)$")" 0
is "versions descend" "$(sed -n 's/^wmtools \([0-9.]*\).*/\1/p' "$SRC/NEWS")" \
	"$(sed -n 's/^wmtools \([0-9.]*\).*/\1/p' "$SRC/NEWS" | sort -rV)"

# ---- symbols of the markers ----
cat >all.c <<'E2'
#include <wm/wmtrace.h>
/* As released: another declaration of the same name is an error. */
extern void wm_api_phase(const char *name);
extern void wm_api_name(const void *block, const char *name);
extern void wm_api_pause(void);
extern void wm_api_resume(void);
extern void wm_api_snapshot(const char *name);
extern void wm_api_accesses(int on, int all);
extern void wm_api_say(int what, const void *address, size_t bytes,
		       size_t element, const char *text, size_t most);
int main(void)
{
	static char area[64];
	wm_phase("p"), wm_name(area, "n"), wm_unname(area);
	wm_name_next("n"), wm_region("r", area, 64, 8), wm_region_end(area);
	wm_mark("m"), wm_pause(), wm_resume(), wm_snapshot("s");
	wm_access_start(), wm_access_stop();
	wm_access_start_all(), wm_access_stop_all();
	return 0;
}
E2
ok "the header and the symbols as released go together" \
	gcc -Wall -Werror -I"$SRC/include" -O0 -c all.c
nm -u all.o | awk '$1 == "w" || $1 == "U" {print $2}' | grep -v GLOBAL |
	sort >wanted
sed -n 's/^| `\(wm_api_[a-z]*\)` |.*/\1/p' "$page" | sort >told
ok "the page has each symbol that the header wants" diff told wanted
for object in wm-static.o wm-dynamic.o; do
	nm --defined-only "$BUILD/lib/wmtools/$object" | awk '{print $3}' |
		sort >gives
	is "$object has them all" "$(comm -23 wanted gives)" ""
done
is "the page has each function of the header" "$(sed -n \
	's/^WM_API_INLINE_ void \(wm_[a-z_]*\)(.*/\1/p' "$formats/wmtrace.h" |
	while read -r f; do
		grep -q "\`${f%_all}()\`" "$page" || echo "$f"
	done)" ""
# Annotations of an older object arrive: calls with the numbers as released.
cat >older.c <<'E2'
#include <stdlib.h>
extern void wm_api_phase(const char *) __attribute__((weak));
extern void wm_api_name(const void *, const char *) __attribute__((weak));
extern void wm_api_snapshot(const char *) __attribute__((weak));
extern void wm_api_say(int, const void *, size_t, size_t, const char *,
		       size_t) __attribute__((weak));
int main(void)
{
	static char area[640];
	void *volatile p = malloc(1000);
	void *volatile q;

	if (!wm_api_say)
		return 1;
	wm_api_phase("old phase");
	wm_api_name(p, "old name");
	wm_api_say(1, 0, 0, 0, "old next", (size_t)-1);
	q = malloc(2000);
	wm_api_say(2, 0, 0, 0, "old mark", (size_t)-1);
	wm_api_say(3, area, 640, 8, "old region", (size_t)-1);
	wm_api_snapshot("old snapshot");
	wm_api_say(4, area, 0, 0, 0, 0);
	free(p);
	free(q);
	return 0;
}
E2
ok "an object of before is linked" wmcc -O0 -fno-builtin -static -o older older.c
ok "it runs" env WM_RUN_ID=1 ./older.wm
is "what it says arrives" "$(json '[j["phases"][-1]["name"], sorted(n["name"]
	for n in j["names"]), [m["text"] for m in j["marks"]],
	[r["name"] for r in j["regions"]], [s["name"] for s in
	j["snapshots"]]]' older.1.wm)" "['old phase', ['old name', 'old next'], \
['old mark'], ['old region'], ['old snapshot']]"

# ---- JSON and CSV of a run that has something of each ----
run app.1.wm <<'E2'
elf app
rank 0 of 2
t 1000100 malloc 0x10000010 40000 main<fill
t 1000200 name 0x10000010 field
t 1000300 region 0x10000010 64 8 part
t 1000400 mark said
t 1000410 snapshot here
t 1000500 realloc 0x10000010 0x10030000 60000 main<grow
t 1000600 phase solve
t 1000700 malloc 0x10050000 50 main<grow<deep
t 1000800 malloc 0x10060000 50 main<grow<deep
t 1000900 free 0x10060000
covered 0x10000-0x1ffff 1
not-covered 1 8192
epoch 10000 9000 0x10000-0x10004,0x10010 0x10000-0x10002 20 65536
pages
accesses 4 0 0 03 01 a0 c0 80 04 01 08 12 01 20 00 00 20 06 01 10 43 02 01
end
rank 1 of 2
t 1000100 malloc 0x10000010 50000 main<fill
end
E2
cp -r app.1.wm app.2.wm
cat >keys.py <<'E2'
# Objects of JSON, each with its keys: `functions[]: blocks bytes ...`
import json, re, sys
found = {}
def walk(value, path):
    if isinstance(value, dict):
        found.setdefault(path or "(top)", set()).update(value)
        for key, v in value.items():
            walk(v, (path + "." if path else "") + key)
    elif isinstance(value, list):
        for v in value:
            walk(v, re.sub(r"(\.children\[\])+$", ".children[]", path + "[]"))
for file in sys.argv[2:]:
    walk(json.load(open(file)), "")
if sys.argv[1] == "print":
    for path, keys in sorted(found.items()):
        print(path + ":", *sorted(keys))
else:
    for line in open(sys.argv[1]):
        path, _, keys = line.partition(": ")
        for key in keys.split() if line[0] != "#" else []:
            if key not in found.get(path, ()):
                print("gone:", path, key)
E2
n=0
for report in --summary --functions --tree --libraries --files --timeline --leaks \
	--temporaries --sizes --pages --accesses "--cache L1=32K/8" --reuse \
	--false-sharing --snapshots --imbalance "--functions --by threads" \
	"--timeline --by sites" "--compare app.2.wm" \
	"--model --problem-size 1,2 app.2.wm" "--static-report older.wm"; do
	n=$((n + 1))
	run=app.1.wm
	[ "${report#--static}" = "$report" ] || run=
	wm-analyze -q --json $report $run >"$n.json" 2>err
	case $? in 0 | 4) ;; *) echo "# $report: $(cat err)" ;; esac
done
mkdir runs && mv app.1.wm app.2.wm runs/
wm-analyze -q --json --history runs >history.json
if ok "there is JSON of each report" python3 keys.py print ./*.json; then
	frozen=$SRC/tests/house/keys-of-report-1.txt
	ok "keys are held" test "$(grep -vc '^#' "$frozen")" -gt 90
	is "no key of wmtools.report/1 has gone" \
		"$(python3 keys.py "$frozen" ./*.json)" ""
fi

# The columns of CSV, by name.
checked=0
while IFS=: read -r option columns; do
	case $option in
	"#"*) continue ;;
	--model) more="--problem-size 1,2 runs/app.2.wm" ;;
	--compare) more=runs/app.2.wm ;;
	*) more= ;;
	esac
	header=,$(wm-analyze -q --csv $option $more runs/app.1.wm | head -1),
	missing=
	for column in $columns; do
		case $header in *",$column,"*) ;; *) missing="$missing $column" ;; esac
	done
	is "--csv $option $more: no column has gone" "$missing" ""
	checked=$((checked + 1))
done <"$SRC/tests/house/columns-of-csv.txt"
ok "of most reports" test "$checked" -ge 10
done_testing
