# SPDX-License-Identifier: Apache-2.0
# WM_ACCESS_ONLY: loads and stores of the functions that it names, and no other.
. "$(dirname "$0")/../lib.sh" access-lib analyze-lib

# record DIR [NAME=VALUE...] PROGRAM: thread, what, address, bytes and place of
# each access, into DIR.list; the stack begins elsewhere with other variables
record() {
	local dir=$1
	shift
	rm -rf "$dir"
	WM_DIR=$dir timeout $stuck setarch -R env "$@" >out 2>err || return
	"$dump" "$dir"/*/rank-000000.wmt.xz |
		awk '{sub(/^7ff.*/, "stack", $4); print $1, $3, $4, $5, $6}' \
			>"$dir.list"
}
# of PROGRAM FUNCTION...: those lines of all.list that are of the functions
of() {
	nm -S "$1" >symbols
	shift
	python3 - "$@" <<'P'
import sys
ranges, base = [], None
for line in open("symbols"):
    f = line.split()
    if len(f) == 4 and f[3] in sys.argv[1:]:
        ranges.append((int(f[0], 16), int(f[1], 16)))
pie = min(r[0] for r in ranges) < 0x400000
for line in open("all.list"):
    pc = int(line.split()[4], 16) - (0x555555554000 if pie else 0)
    if any(a < pc <= a + n for a, n in ranges):
        print(line, end="")
P
}

for kind in static dynamic; do
	for cc in gcc clang; do
		command -v $cc >/dev/null ||
			{ skip "$cc, $kind" "$cc is missing"; continue; }
		ok "$cc, $kind: compiles" $cc -O1 -g -fsanitize=thread \
			-c -o o.o "$progs/access/only.c"
		ok "$cc, $kind: links" access_link $kind $cc app o.o
		ok "$cc, $kind: all" record all ./app
		for list in solve 'spmv*' 'spmv_?ow,smooth' '*'; do
			case $list in
			solve) set -- solve ;;
			'spmv*') set -- spmv_row spmv_col ;;
			'*') set -- solve smooth spmv_row spmv_col work main ;;
			*) set -- spmv_row smooth ;;
			esac
			ok "$cc, $kind: $list" record some \
				WM_ACCESS_ONLY="$list" ./app
			of app "$@" >wanted
			ok "$cc, $kind: $list: these, and in order" \
				cmp wanted some.list
			ok "$cc, $kind: $list: there are some" test -s wanted
			is "$cc, $kind: silent" "$(cat err)" ""
		done
	done
done
ok "a child" record some WM_CHILDREN=1 WM_ACCESS_ONLY=smooth ./app
is "a child: in its own trace, too" "$("$dump" some/*/*child*.wmt.xz |
	awk '$5 == 8 && /w0/' | wc -l)" 200
is "where nothing is meant, all is said once" \
	"$(record some WM_ACCESS_ONLY='nobody,solve,no?e' ./app; grep -c . err
	grep -o "no function is called 'nobody' 'no?e'" err)" \
	"1
no function is called 'nobody' 'no?e'"
cp app stripped
strip stripped
ok "without symbols it runs" record some WM_ACCESS_ONLY=solve ./stripped
is "nothing is recorded then" "$(cat some.list)" ""
like "and that is said" "$(cat err)" "no loads and stores are recorded: .*\
has no symbols"
ok "too long a list" record some \
	WM_ACCESS_ONLY="$(printf '%02000d' 0)" ./app
like "is said" "$(cat err)" "WM_ACCESS_ONLY='00"
ok "... and is no list" cmp all.list some.list

# More places than a stream knows at a time, none of them wanted.
{
	echo 'volatile int v[8];'
	for f in 1 2 3; do
		echo "void many$f(void) {"
		for ((i = 0; i < 20000; i += 8)); do
			printf 'v[0]=1;v[1]=1;v[2]=1;v[3]=1;v[4]=1;v[5]=1;'
			echo 'v[6]=1;v[7]=1;'
		done
		echo "}"
	done
	echo 'void few(void) { for (int i = 0; i < 8; i++) v[i] = 2; }'
	echo 'int main(void) { for (int i = 0; i < 3; i++)'
	echo '{ few(); many1(); many2(); many3(); } return 0; }'
} >many.c
ok "60,000 places: compiles" gcc -O1 -fsanitize=thread -c -o many.o many.c
ok "links" access_link static gcc many many.o
ok "runs" record some WM_ACCESS_ONLY=few ./many
is "few alone" "$(grep -c w0 some.list)" 24

# The report says so.
ok "a run" record some WM_ACCESS_ONLY='solve,smo*' ./app
like "--accesses" "$(wm-analyze --accesses some/*)" \
	'only in these functions: solve,smo\*'
is "JSON" "$(json 'j["accesses"]["only"]' --accesses some/*)" "solve,smo*"
done_testing
