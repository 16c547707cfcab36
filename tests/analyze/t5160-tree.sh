# SPDX-License-Identifier: Apache-2.0
# The call tree: inclusive and own bytes, recursion, both ways up, cuts.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib

# Ten paths; what each function holds is easy to add up.
run app.1.wm <<'E'
elf app
build-id 0011
rank 0 of 2
t 1000010 malloc 0x1000 1000 main<solve<grow
t 1000020 malloc 0x2000 2000 main<solve
t 1000030 malloc 0x3000 4000 main<f<g<f<g<f<h
t 1000040 malloc 0x4000 8 main<setup<_Znwm
t 1000050 malloc 0x5000 16 -
t 1000060 malloc 0x6000 500 main<MPI_Init<MPIR_x
t 1000070 malloc 0x7000 300 main<rec<rec<rec<rec
t 1000080 malloc 0x8000 100 main<solve+32<grow+20
t 1000090 malloc 0x9000 70 main<start_thread<_Znwm
t 1000100 malloc 0xa000 6 main<f<g<grow
t 1000110 free 0xa000
end
rank 1 of 2
t 1000010 malloc 0x1000 10 main<solve
end
E
# tree ARGUMENTS...: path=bytes/blocks/own bytes/own blocks*recursion of nodes
tree() {
	wm-analyze --tree --csv "$@" app.1.wm >tree.csv || echo "status $?"
	tail -n +2 tree.csv |
		awk -F, '{ printf "%s=%d/%d/%d/%d%s\n", $2, $5, $6, $7, $8,
			($9 > 1 ? "*" $9 : "") }'
}
is "top-down" "$(tree)" "main=7984/9/70/1
main;f=4006/2/0/0*3
main;f;h=4000/1/4000/1
main;f;g=6/1/0/0
main;f;g;grow=6/1/6/1
main;solve=3100/3/2000/1
main;solve;grow=1100/2/1100/2
main;MPI_Init=500/1/500/1
main;rec=300/1/300/1*4
main;setup=8/1/8/1
?? (no call path)=16/1/16/1"
is "bottom-up" "$(tree --bottom-up)" "h=4000/1/0/0
h;f=4000/1/0/0*3
h;f;main=4000/1/4000/1
solve=2000/1/0/0
solve;main=2000/1/2000/1
grow=1106/3/0/0
grow;solve=1100/2/0/0
grow;solve;main=1100/2/1100/2
grow;g=6/1/0/0
grow;g;f=6/1/0/0
grow;g;f;main=6/1/6/1
MPI_Init=500/1/0/0
MPI_Init;main=500/1/500/1
rec=300/1/0/0*4
rec;main=300/1/300/1
main=70/1/70/1
?? (no call path)=16/1/16/1
setup=8/1/0/0
setup;main=8/1/8/1"
is "at another moment" "$(tree --at 25ns)" "main=3000/2/0/0
main;solve=3000/2/2000/1
main;solve;grow=1000/1/1000/1"
is "all ranks" "$(tree --rank all | head -1)" "main=7994/10/70/1"
has_no "raw" _Znwm wm-analyze --tree --csv --fold none app.1.wm
is "raw: operator new is a node" \
	"$(tree --fold none | grep -c 'operator new')" 2
is "JSON is the same" "$(wm-analyze --tree --json app.1.wm | python3 -c '
import json, sys
def walk(n, above):
    for c in n["children"]:
        p = above + [c["name"]]
        print("%s=%d/%d/%d/%d%s" % (";".join(p), c["bytes"], c["blocks"],
            c["self_bytes"], c["self_blocks"], "*%d" % c["recursion"]
            if c["recursion"] > 1 else ""))
        walk(c, p)
walk(json.load(sys.stdin)["tree"], [])')" "$(tree)"

text=$(wm-analyze --tree app.1.wm)
like "text: shares" "$text" ' 38\.8 % +3\.0 KiB +2\.0 KiB +3    solve$'
like "text: recursion" "$text" 'rec  \(recursion: up to 4 times\)$'
like "text: what is too small is summed up" "$text" \
	' 0\.1 % +8 bytes +1    \.\.\. 1 more$'
like "text: it is said" "$text" 'less than 1 % are in "more" \(--top all'
is "text: everything" "$(wm-analyze --tree --top all app.1.wm |
	grep -c -e '?? (no call path)' -e '    setup$')" 2
has_no "text: two below each" 'MPI_Init| rec ' \
	wm-analyze --tree --top 2 app.1.wm
like "text: the rest" "$(wm-analyze --tree --top 2 app.1.wm)" \
	' 808 bytes +3    \.\.\. 3 more$'
is "--bottom-up is for the tree" \
	"$(status wm-analyze --functions --bottom-up app.1.wm)" 2

# Nothing held, deep recursion, deep paths.
run none.1.wm <<'E'
elf none
build-id 0012
rank 0 of 1
end
E
like "nothing" "$(wm-analyze --tree none.1.wm)" '^  nothing$'
deep=$(printf 'main%s' "$(printf '<ping<pong%.0s' $(seq 3000))")
wide=$(printf 'main%s' "$(printf '<level%d' $(seq 200))")
run deep.1.wm <<E
elf deep
build-id 0013
rank 0 of 1
t 1000010 malloc 0x1000 10 $deep<leaf
t 1000020 malloc 0x2000 10 $wide
end
E
like "mutual recursion" "$(wm-analyze --tree --csv deep.1.wm)" \
	'4,main;ping;pong;leaf,leaf,,10,1,10,1,1'
like "and how deep it is" "$(wm-analyze --tree --csv deep.1.wm)" \
	'3,main;ping;pong,pong,,10,1,0,0,3000'
has_no "deep paths stay on the screen" '.{131}' \
	env COLUMNS=80 wm-analyze --tree deep.1.wm
like "with their level" "$(COLUMNS=80 wm-analyze --tree deep.1.wm)" \
	'\(level 201\) level200'

# A real program: inlined functions are nodes, files are known.
for flags in "-O2 -static" "-O0 -static" "-O2"; do
	rm -rf run
	ok "builds ($flags)" wmc++ -g -pthread $flags -o real \
		"$progs/report/tree.cc"
	WM_DIR=run ./real.wm
	tree=$(wm-analyze --tree --csv run/*.wm | grep '^[0-9],main')
	# gcc tells no parameters of what is inlined, and no numbers of lambdas
	like "inlined functions and templates ($flags)" "$tree" \
		'^4,main;recurse\(int\);fill(\(int\))?;\(anonymous namespace\)::pool<double>::take(\(int\))?,[^,]*,[^,]*tree.cc,8000,1,8000,1'
	like "recursion ($flags)" "$tree" \
		'^2,main;recurse\(int\),recurse\(int\),[^,]*tree.cc,8000,1,0,0,6'
	like "a lambda ($flags)" "$tree" \
		'^2,main;main::\{(lambda\(int\)#1|unnamed)\}::operator[^,]*,[^,]*,[^,]*tree.cc,3000,1,3000,1'
	like "a thread's lambda ($flags)" "$tree" \
		'^1,main::\{(lambda\(\)#[12]|unnamed)\}::operator[^,]*,[^,]*,[^,]*tree.cc,500,1,500,1'
done
done_testing
