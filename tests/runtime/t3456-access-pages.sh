# SPDX-License-Identifier: Apache-2.0
# WM_ACCESS=pages:MS: which pages each thread touched, epoch by epoch, with an
# exact sample of each, held against all accesses of the same run.
. "$(dirname "$0")/../lib.sh" access-lib python3 jq

ok "the second opinion compiles" gcc -O2 -fomit-frame-pointer -c -o raw.o \
	"$SRC/tests/tools/access_raw.c"
wraps=$(nm raw.o | sed -n 's/.* T __wrap_/-Wl,--wrap=/p')

pages() { # of the last run
	"$SRC/tests/tools/wmt-dump" --pages run/*/rank-000000.wmt.xz
}

# NAME KIND COMPILER SOURCE FLAGS...
build() {
	local name=$1 kind=$2 cc=$3 source=$4
	shift 4
	ok "$name compiles" "$cc" -g -fsanitize=thread "$@" -c -o "$name.o" \
		"$progs/$source"
	ok "$name links" access_link "$kind" "$cc" "$name" "$name.o" raw.o \
		$wraps "$@" -Wl,-u,pthread_mutex_destroy
}

# NAME MS THREADS EPOCHS ARGUMENTS...: what it touched, all of it
same() {
	local name=$1 ms=$2 threads=$3 least=$4 epochs count
	shift 4
	rm -rf run raw
	mkdir raw
	RAW_DIR=raw WM_ACCESS=pages:$ms WM_DIR=run timeout $stuck "./$name" "$@" \
		>out 2>err
	is "$name $ms ends well, silently" "$? $(cat err)" "0 "
	pages >dump.json
	"$SRC/tests/tools/page-touches" raw dump.json >held
	like "$name $ms: $threads threads, and each page of each is right" \
		"$(cat held)" \
		"^threads=$threads epochs=.* wrong=0 .* strange=0 late=0$"
	epochs=$(sed 's/.* epochs=\([0-9]*\) .*/\1/' held)
	count=$(sed 's/.* pages=\([0-9]*\) .*/\1/' held)
	ok "$name $ms: $epochs epochs, $count pages" \
		[ "$epochs" -ge "$least" -a "$count" -ge 4 ]
}

build crowd static gcc access/pages.c -O2 -pthread
same crowd 3600000 57 1 crowd
same crowd 5 57 2 crowd
build turns dynamic gcc access/turns.c -O0 -pthread
same turns 3600000 17 1
build fields static gfortran fields.f90 -O2
same fields 3600000 1 1
build team static gcc access/team.c -O2 -fopenmp
same team 3600000 8 1
same team 5 8 2 40
if command -v clang >/dev/null; then
	build clang static clang access/pages.c -O2 -pthread
	same clang 5 57 2 crowd
	same clang 3600000 57 1 crowd
else
	skip "clang" "clang is missing"
fi

# ---- what is told of them ----
same crowd 5 57 2 crowd
python3 - dump.json >want <<'E'
import json, sys
for e in json.load(open(sys.argv[1]))["epochs"]:
    for t in e["touches"]:
        did = mask = 0
        for _, cpu, what in t["who"]:
            did |= what
            mask |= 1 << cpu
        print("%#x,0,%d,%d,%#x" % (t["page"] * 4096, did & 1, did >> 1, mask))
E
ok "Moca's CSV: reads, writes and processors" diff want \
	<(wm-analyze -q --export moca run/* | sed 1d | cut -d, -f1-5)

python3 - dump.json <<'E' >want
import json, sys
pages, wrote, all_of, one, samples = {}, {}, {}, 0, 0
for e in json.load(open(sys.argv[1]))["epochs"]:
    for t in e["touches"]:
        samples += 1
        one += len(t["who"]) == 1
        for thread, _, what in t["who"]:
            pages[thread] = pages.get(thread, 0) + 1
            wrote[thread] = wrote.get(thread, 0) + what // 2
print([[t, pages[t], wrote[t]] for t in sorted(pages)], one, samples - one)
print(samples)
E
wm-analyze --pages --json run/* 2>/dev/null >said
wm-analyze --accesses --json run/* 2>/dev/null >variables
python3 - said variables <<'E' >got
import json, sys
t = json.load(open(sys.argv[1]))["pages"]["touched_by"]
print([[x["thread"], x["page_epochs"], x["written_page_epochs"]]
       for x in t["threads"]], t["one_thread_page_epochs"],
      t["several_threads_page_epochs"])
print(json.load(open(sys.argv[2]))["accesses"]["accesses"])
E
ok "--pages: pages of each thread; --accesses: as many as samples" diff want got
like "--accesses: their variables, and that they are samples" \
	"$(wm-analyze --accesses run/* 2>/dev/null)" \
	'samples: only the first access to each page in each epoch'
is "--accesses: the variable of each thread's own pages" "$(jq -c \
	'.accesses | .samples, ([.variables[] | select(.variable == "block")
	| .stores > 1000])' variables | tr -d '\n')" 'true[true]'
is "--pages: the variable, too" "$(jq -c '[.pages.sites[] |
	select(.name == "block") | .touched_bytes > 2900000]' said)" '[true]'
ok "--export lackey: these are not all" \
	[ "$(wm-analyze -q --export lackey run/* 2>/dev/null | wc -l)" = 0 ]

# ---- the pages of all that the full recording has ----
union() { # of the full recording's accesses: PAGE WHAT
	"$BUILD/test/tools/access-dump" run/*/rank-000000.wmt.xz |
		awk '{ print substr($3, 1, 1), $4, $5 }' | python3 -c '
import sys
did = {}
for line in sys.stdin:
    kind, addr, size = line.split()
    for page in range(int(addr, 16) // 4096,
                      (int(addr, 16) + int(size) - 1) // 4096 + 1):
        did[page] = did.get(page, 0) | {"r": 1, "w": 2, "m": 3}[kind]
for page in sorted(did):
    print(page, did[page])'
}
if setarch -R true 2>/dev/null; then
	for on in pages:5 on; do
		rm -rf run full_raw && mkdir full_raw
		ok "blocks of $on" env RAW_DIR=full_raw WM_ACCESS=$on WM_DIR=run \
			setarch -R ./crowd crowd
		# the executable's own memory is at the same place in both
		[ $on = on ] && union | awk '$1 < 1048576' >full
		[ $on = on ] || pages | jq -r '[.epochs[].touches[]
			| .page as $p | .who[] | {p: $p, did: .[2]}]
			| group_by(.p)[]
			| [.[0].p, ([.[].did] | if contains([3]) or
				(contains([1]) and contains([2]))
				then 3 else max end)] | select(.[0] < 1048576)
			| @text "\(.[0]) \(.[1])"' >filtered
	done
	ok "the same pages as in the full recording ($(wc -l <full))" \
		diff full filtered
	ok "they are many" [ "$(wc -l <full)" -gt 700 ]
else
	skip "the full recording" "addresses cannot be fixed"
fi

# ---- harm ----
rm -rf run
ok "links without the second opinion" access_link static gcc plain crowd.o
WM_ACCESS=pages:20 WM_DIR=run ./plain forever >out 2>err &
pid=$!
soon eval '[ "$(wc -l <out)" -ge 30 ]'
kill -9 $pid
wait $pid 2>/dev/null
pages >dump.json
ok "killed: epochs are there ($(jq '.epochs | length' dump.json))" \
	jq -e '.epochs | length > 3' dump.json
is "killed: each but the first has the block" \
	"$(jq '[.epochs[1:][] | .written | length >= 64] | all' dump.json)" true

rm -rf run
WM_CHILDREN=1 WM_ACCESS=pages:3600000 WM_DIR=run ./plain fork >out 2>err
is "fork: ends well, silently" "$? $(cat err)" "0 "
page=$((16#$(cat out)))
is "fork: the pages of the parent, and not the child's" "$(pages | jq -c \
	"[.epochs[].written[] | . - $page | select(. >= 0 and . < 3)]")" '[0,2]'

many=$(long_or 3000000 200000)
rm -rf run
WM_ACCESS=pages:3600000 WM_DIR=run ./plain many "$many" >out 2>err
is "$many pages in an epoch" "$? $(cat err)" "0 "
page=$((16#$(cat out)))
pages | jq -c "[.epochs[0] | (.accessed, .written) |
	map(select(. >= $page and . < $page + $many)) | length]" >got
is "$many pages: all of them" "$(cat got)" "[$many,$(((many + 15) / 16))]"

rm -rf run
WM_ACCESS=pages:10 WM_DIR=run ./plain handlers >out 2>err
is "handlers: ends well" $? 0
is "handlers: their pages, or a line that says what is lost" \
	"$(pages | jq '[.epochs[].written[]] | unique | length >= 21000'), $(grep -cv 'loads and stores' err)" \
	"true, 0"

# ---- what it goes with ----
app_arguments=crowd
told() { # LINE ENVIRONMENT...
	rm -rf run
	WM_DIR=run timeout $stuck env "${@:2}" ./plain $app_arguments >out 2>err
	is "${*:2}: ends well, one line" "$? $(wc -l <err)" "0 1"
	like "${*:2}: said" "$(cat err)" "$1"
}
told 'WM_PAGES does not go with' WM_ACCESS=pages:5 WM_PAGES=auto
told 'no loads and stores are recorded' WM_ACCESS=pages:5 WM_MEMORY=64M
told 'WM_ACCESS_BURST and WM_ACCESS_LOCALS do not go with' \
	WM_ACCESS=pages:5 WM_ACCESS_BURST=1ms/5ms
told "^wmtrace: WM_ACCESS='pages:4' is not on, off or pages: and 5 to" \
	WM_ACCESS=pages:4
app_arguments="many 100000"
told 'loads and stores or more were not recorded' \
	WM_ACCESS=pages:5 WM_ACCESS_MAX_BYTES=64K

rm -rf run
WM_ACCESS=pages:3600000 WM_ACCESS_ONLY=forks WM_DIR=run ./plain fork >out
page=$((16#$(cat out)))
is "WM_ACCESS_ONLY: pages of that function" "$(pages | jq -c \
	'.epochs[].touches | map(.pc) | length')" \
	"$(pages | jq -c '.epochs[].accessed | length')"
rm -rf run
WM_ACCESS=pages:3600000 WM_ACCESS_ONLY=nobody WM_DIR=run ./plain fork >out 2>err
is "WM_ACCESS_ONLY: no function, no page" \
	"$(pages | jq -c '[.epochs[].accessed[]]')" '[]'
done_testing
