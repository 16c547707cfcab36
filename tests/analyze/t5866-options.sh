# SPDX-License-Identifier: Apache-2.0
# Options: names cut short or mistyped, old spellings, -o and -V.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib

for r in 1 2; do
	run app.$r.wm <<E
program app
elf app
id $r
rank 0 of $r
t 1000 malloc 0x1000 $((r * 1000)) main<solve
end
$([ $r = 1 ] || echo "rank 1 of 2
t 1000 malloc 0x1000 50 main<solve
end")
E
done
says() { # NAME WANTED ARGUMENT...: one line, status 2
	local name=$1 wanted=$2
	shift 2
	is "$name" "$(wm-analyze "$@" 2>&1; echo $?)" "wm-analyze: $wanted
2"
}
same() { # NAME "ARGUMENTS" "ARGUMENTS"
	local name=$1 a b
	a=$(wm-analyze -q $2 2>&1)
	b=$(wm-analyze -q $3 2>&1)
	like "$name: it is a report" "$a" "app"
	is "$name" "$a" "$b"
}

# ---- the name of a report as first word, and help ----
same "functions RUN" "functions app.2.wm" "--functions app.2.wm"
same "behind options" "--top 3 functions app.2.wm" "--functions --top 3 app.2.wm"
is "with a value" "$(wm-analyze -q export folded app.2.wm)" \
	"$(wm-analyze -q --export folded app.2.wm)"
same "that picks one of several" "compare app.1.wm app.2.wm" \
	"--compare app.1.wm app.2.wm"
wm-analyze -q compare app.1.wm app.2.wm --html=a.html
is "beside --html" "$(wc -c <a.html)" "$(wm-analyze -q --compare app.1.wm \
	app.2.wm --html=b.html && wc -c <b.html)"
says "two of them" "two reports: --functions and --leaks" leaks --functions \
	app.2.wm
says "without its value" "export needs a value: FORMAT" export
cp -r app.2.wm leaks
is "a file of that name is a RUN" "$(wm-analyze -q leaks)" \
	"$(wm-analyze -q --summary leaks)"
rm -r leaks
says "mistyped, too" "no run 'leakz': did you mean wm-analyze leaks" leakz
like "a word near no report" "$(wm-analyze folly 2>&1)" \
	"^wm-analyze: 'folly': No such file or directory$"
wm-analyze --help >help
ok "--help has at most 30 lines of 80 columns" \
	awk 'length > 80 { exit 1 } END { exit NR > 30 }' help
is "it has each report but rules and repack" "$(reports | sed 's/^--//
	s/ .*//' | while read -r r; do
	[ $r = summary ] || grep -qwe "$r" help || echo $r; done | paste -sd' ')" \
	"rules repack"
is "each of its commands is one" "$(sed -n 's/^  .*?  *wm-analyze //p' help |
	grep -oE '^[a-z|-]+|--[a-z-]+' | tr '|' '\n' | sed 's/^--//' | sort -u |
	while read -r r; do wm-analyze --help all | grep -qe "^  --$r\b" ||
	echo $r; done)" ""
like "--help REPORT: its options" "$(wm-analyze --help model)" \
	'^  --predict N\[:P\],\.\.\.  '
is "and no option of other reports" "$(wm-analyze --help model |
	grep -c -e '^  --tier')" 0
is "REPORT --help is the same" "$(wm-analyze --model --help)" \
	"$(wm-analyze --help model)"
is "--help all has all options" "$(wm-analyze --help all |
	grep -cE '^  (-., )?--')" "$(wm-analyze --help all | grep -c -- '^  -')"

# no two names differ in one letter, unless one is an old spelling
wm-analyze --help all | grep -oE -e '(^ +|, )--[a-z-]+' | grep -oE -e '--.*' |
	sort -u >names
cat >near.py <<'E'
import sys
names = open(sys.argv[1]).read().split()
assert len(names) > 40, names
def near(a, b):
    if len(a) == len(b):
        return sum(x != y for x, y in zip(a, b)) == 1
    return len(b) == len(a) + 1 and \
        any(b[:i] + b[i + 1:] == a for i in range(len(b)))
print([(a, b) for a in names for b in names if near(a, b)])
E
is "names that differ in one letter" "$(python3 near.py names)" "[]"

same "--imb" "--imb app.2.wm" "--imbalance app.2.wm"
same "--imb --no=1G" "--imb --no=1G app.2.wm" \
	"--imbalance --node-memory 1G app.2.wm"
same "--func --to" "--func --to 3 app.2.wm" "--functions --top 3 app.2.wm"
same "a whole name is not one of several" "--rank 1 app.2.wm" \
	"--rank=1 app.2.wm"
says "several" "'--ra' may be any of --rank, --ranks-per-node" --ra 1
says "mistyped" "unknown option '--imbalence': did you mean --imbalance; see \
wm-analyze --help" --imbalence
says "mistyped, with a value" "unknown option '--tempraries=1': did you mean \
--temporaries; see wm-analyze --help" --tempraries=1
says "near nothing" "unknown option '--raesh'; see wm-analyze --help" --raesh
says "short ones have no neighbours" "unknown option '-x'; see wm-analyze \
--help" -x
says "no value" "--json=1: it takes no value" --json=1
is "-V" "$(wm-analyze -V)" "$(wm-analyze --version)"

# -o
for form in "" --json --csv "--leaks" "--compare" "--model --problem 10" --rules; do
	runs=app.1.wm
	case $form in --compare | --model*) runs="app.1.wm app.2.wm" ;; esac
	[ "$form" = --rules ] && runs=
	rm -f f
	is "-o, $form: nothing on stdout" \
		"$(wm-analyze -q $form -o f $runs 2>&1)" ""
	is "-o, $form: all in the file" "$(cat f)" \
		"$(wm-analyze -q $form $runs)"
done
rm -f f
wm-analyze -q -of app.1.wm
is "-oFILE" "$(head -1 f)" "$(wm-analyze -q app.1.wm | head -1)"
is "-o -" "$(wm-analyze -q -o - app.1.wm)" "$(wm-analyze -q app.1.wm)"
echo mine >g
is "-o: a foreign file stays" "$(wm-analyze -q --compare app.1.wm app.2.wm \
	-o g >/dev/null 2>&1; echo $?; cat g)" "2
mine"
is "-o: what fails leaves no file" "$(wm-analyze -q --compare app.1.wm no.wm \
	-o h >/dev/null 2>&1; echo $?; ls h 2>&1 | grep -c cannot)" "3
1"
says "--html has its file" "--html a and --output b: one file is enough" \
	--html a -o b app.1.wm
done_testing
