# SPDX-License-Identifier: Apache-2.0
# The page of --html in a browser: every view, the moment that all of them show,
# search, zoom, keys, links, saving, widths, dark, print, names that bite.
. "$(dirname "$0")/../lib.sh" analyze-lib wmcc-lib page-lib
needs_browser

# Four ranks with phases and snapshots; rank 2 is the worst.  Rank R has at its
# peak (10 + R, and 20 more for rank 2) fields of 100,000 bytes.
python3 - >app.txt <<'X'
print("program app\nelf app\nstart 0")
for r in range(4):
    n = 10 + r + (20 if r == 2 else 0)
    print("rank %d of 4" % r)
    t = 1000
    print("t %d phase setup" % t)
    for i in range(n):
        t += 1000000
        if i == 5:
            print("t %d phase solve" % t)
        print("t %d malloc 0x%x 100000 main<solve<field_%d" %
              (t, 0x100000 * (i + 1), i % 3))
        if i % 3 == 0:
            print("t %d name 0x%x velocity" % (t, 0x100000 * (i + 1)))
    t += 1000000
    print("t %d malloc 0x10 4000 main<report<keep" % t)
    print("t %d snapshot full" % t)
    for i in range(n):
        t += 1000000
        print("t %d free 0x%x" % (t, 0x100000 * (i + 1)))
    print("t %d phase -" % (t + 1000000))
    print("end")
X
run app.1.wm <app.txt
ok "a page" wm-analyze -q --html app.html app.1.wm
look app views head stacks=phases stacks=names moments click versus link search=field_1 inverted zoom \
	drag hover heat keys table trends csv=ranks csv=sizes sizes pictures=curve,heat,flame,sizes command dark widths \
	print paper axe axe=dark axe=narrow ready elements plain
is "every view is there and drawn" "$(seen app views)" \
	"curve heat flame sites ranks nodes layers sizes why leaks reports, 0 blank"
like "the head says what ran" "$(seen app head)" \
	'^3 [0-9]+ tiles, Rank 2 requested most: 3\.1 MiB at .* more than the mean'
is "the flame's total is the moment's bytes" "$(seen app moments)" "all of them"
is "the curve by phase" "$(seen app stacks=phases)" \
	"Phases: solve, setup; solve 2.6 MiB, setup 488.3 KiB"
is "the curve by name" "$(seen app stacks=names)" \
	"Names: without a name, velocity; without a name 2.0 MiB, velocity 1.0 MiB"
is "a click on the curve moves the flame's moment" "$(seen app click)" \
	"equal equal equal equal"
is "two moments: the difference" "$(seen app versus)" difference
is "the address shows the same elsewhere" "$(seen app link)" "the same"
is "search says the share" "$(seen app search=field_1)" \
	"$(wm-analyze --json app.1.wm | python3 -c '
import json, sys
f = json.load(sys.stdin)["functions"]
print("%.1f %% in frames of “field_1”" % (100 * sum(
    x["bytes"] for x in f if x["name"] == "field_1") /
    sum(x["bytes"] for x in f)))')"
is "inverted, all bytes are there" "$(seen app inverted)" "same total"
is "a click zooms into a frame, Escape out" "$(seen app zoom)" "in out"
is "the curve zooms by dragging" "$(seen app drag)" "zoomed back"
is "the curve tells what is under the pointer" "$(seen app hover)" \
	"time and bytes"
is "a click in the heat map chooses rank and moment" "$(seen app heat)" \
	"rank 0 and a moment of it, near"
is "the keyboard reaches all" "$(seen app keys)" \
	"slider bracket slash frame 0 out of reach"
is "tables sort" "$(seen app table)" sorts
is "each site has its curve" "$(seen app trends)" \
	"4 rows, 4 curves, 0 differ"
like "tables become CSV" "$(seen app csv=ranks)" '^5 lines, Rank,Peak,At'
is "sizes of blocks are those of --sizes" "$(cat sizes.csv)" \
	"$(wm-analyze -q --sizes --csv app.1.wm | sed "s/$/$(printf '\r')/")"
is "the keyboard tells them, empty sizes, too" "$(seen app sizes)" \
	"from 64.0 KiB to below 128.0 KiB: 32 blocks with 3.1 MiB allocated, \
32 blocks with 3.1 MiB alive at the peak; \
from 32.0 KiB to below 64.0 KiB: 0 blocks with 0 bytes allocated, \
0 blocks with 0 bytes alive at the peak"
is "pictures become PNG and SVG" "$(seen app pictures=curve,heat,flame,sizes)" \
	"PNG svg PNG svg PNG svg PNG svg"
like "a view names its command" "$(seen app command)" \
	'^wm-analyze --tree .*app\.1\.wm$'
wm-analyze -q --rank 1 --html 1.html app.1.wm
look 1 commands
like "each view names its command, of another rank" "$(seen 1 commands)" '--tree --rank 1 app\.1\.wm'
ok "these print something" sh -ec "$(seen 1 commands) >commands.out"
(mkdir alone && cp -r app.1.wm alone && cd alone && wm-analyze -q --html >name &&
	mv "$(cat name)" ../alone.html)
look alone command commands
is "of the newest run its name" "$(seen alone command)" \
	"wm-analyze --tree app.1.wm"
like "each view names one" "$(seen alone commands)" \
	'--timeline app.*--by phases app.*--by names app.*--temporaries app'
ok "and all of these print something" sh -ec "$(seen alone commands) >commands.out"
is "light, dark, and dark on demand" "$(seen app dark)" "light dark dark"
is "no width scrolls sideways" "$(seen app widths)" "320 768 1280 2560"
like "it prints in light colours" "$(seen app print)" '^light, [1-9]'
like "and so do its pictures, from a dark screen" "$(seen app paper)" '^0 of [1-9]'
for way in axe axe=dark axe=narrow; do
	is "axe-core finds nothing: $way" "$(seen app $way)" none
done
like "without the script there are three pictures" "$(seen app plain)" \
	'^1 heading, [34] pictures$'
is "no message, no error, no request" "$(seen app messages)" none
ok "few elements ($(seen app elements))" test "$(seen app elements)" -lt 20000
ok "it is small: $(stat -c %s app.html) bytes" \
	test "$(stat -c %s app.html)" -lt 204800

# Ranks that do not start together, the first one last: one clock in all views
run late.1.wm <<'E'
program late
elf late
start 0
mono 5400000000
rank 0 of 2
t 100000000 malloc 0x1000 3000 main<grid
t 200000000 free 0x1000
end
mono 5000000000
rank 1 of 2
t 300000000 malloc 0x1000 1000 main<grid
t 600000000 free 0x1000
end
E
wm-analyze -q --html late.html late.1.wm
look late clock
is "all views have one clock" "$(seen late clock)" "500.0 ms, 500.0 ms, 500.0 ms"
is "and no message" "$(seen late messages)" none

# Resident memory, of a program that tells it
wmcc -O1 -fno-builtin -static -o touch "$progs/touch.c"
WM_RUN_ID=1 WM_BUFFER=4K ./touch.wm
wm-analyze -q --html touch.html touch.1.wm
look touch resident axe
is "resident memory is a line through its samples" "$(seen touch resident)" \
	"$("$SRC/tests/tools/page-data" touch.html | python3 -c '
import json, sys
l = json.load(sys.stdin)["timeline"][0]
bins = {min(int((t - l["start_s"]) / l["point_s"]), len(l["point_bytes"]) - 1)
        for t in l["rss_time_s"]}
print("%.1f MiB, %d points, gone" % (max(l["rss_bytes"]) / 2**20, len(bins)))')"
is "the samples are those of --timeline" \
	"$(wm-analyze -q --timeline --json touch.1.wm | python3 -c '
import json, sys
print(json.load(sys.stdin)["timeline"][0]["rss_bytes"])')" \
	"$("$SRC/tests/tools/page-data" touch.html | python3 -c '
import json, sys
print(json.load(sys.stdin)["timeline"][0]["rss_bytes"])')"
is "axe-core, resident memory" "$(seen touch axe)" none
WM_RUN_ID=2 WM_BUFFER=4K WM_WINDOW=0 ./touch.wm ends 2>/dev/null
wm-analyze -q --html killed.html touch.2.wm 2>/dev/null
look killed "text=.tile" "text=#view-layers .legend"
bound=$(seen killed "text=.tile")$(seen killed "text=#view-layers .legend")
like "of a process that was killed it is a lower bound" "$bound" \
	'Resident at least.*Main stack at least'
is "and no message" "$(seen touch messages)" none

# A leak of one rank that grows, below more that libc keeps; a request that failed
{
	printf 'program note\nelf note\n'
	for r in 0 1; do
		printf 'rank %s of 2\nt 1000 malloc 0x90 290000 %s\n' $r \
			'_start<__libc_start_main<_dl_new_object'
		for i in {1..16}; do
			echo "t ${i}000000 malloc 0x${i}000 4096 main<read_note"
			[ $r = 1 ] || echo "t ${i}500000 free 0x${i}000"
		done
		printf 't 17000000 failed 8000000000 main<grid\nend\n'
	done
} >note.txt
sed 's/^t [0-9]*/&0/' note.txt | run note.1.wm
wm-analyze -q --html note.html note.1.wm
look note leaks deaths
like "leaks of the program first, runtimes folded, what failed" \
	"$(seen note leaks)" "^Leaked by the program64\.0 KiBrank 1, grows \| read_note.*\
 \| Kept by runtimes, no leaks: 1 site, 566\.4 KiB \| A request for 7\.5 GiB failed in\
 grid < main, at 1[67].\.. ms of rank 0, when"

# Handles of MPI that the program lost, some of which it is not known whose they
# are; and a program in which they were not looked at
for i in handles unseen; do
	{
		printf 'program handles\nelf handles\n'
		printf 'module 0 0x400000 0x500000 -\n'
		echo 'module 0x900000 0x900000 0xa00000 /nowhere/libphysics.so'
		[ $i = handles ] || echo 'field 161 1'
		echo 'rank 0 of 1'
		[ $i = unseen ] || cat <<'X'
t 1000003 mpi 0x1000000000000503 63 main<one<0x900300
t 1000004 mpi 0x1000000000000504 63 main<direct
t 1000005 mpi 0x1000000000000505 63 main<direct
X
		printf 't 1000006 finalize\nend\n'
	} | run $i.1.wm
	wm-analyze -q --html $i.html $i.1.wm
	look $i handles
done
like "handles that were lost, and those of which it is not known" \
	"$(seen handles handles)" "^Leaked by the program0 bytesand 2 handles \| \
direct.*2 of MPI_Comm_dup.* \| Owner not known: 1 site, 0 bytes$"
like "handles that were not looked at" "$(seen unseen handles)" \
	"^Leaked by the program0 byteshandles of MPI not looked at \| .*The program \
freed all memory.* Handles of MPI \(.*\) were not looked at"

# Killed, when libc held a block, and the program none
run libc.1.wm <<'E'
program libc
elf libc
rank 0 of 1
t 1000 malloc 0x90 290000 _start<__libc_start_main<_dl_new_object
t 2000 malloc 0x1000 10 main
t 3000 free 0x1000
block
E
wm-analyze -q --html libc.html libc.1.wm 2>/dev/null
look libc "text=#view-leaks"
like "of a process that was killed the program has not freed everything" \
	"$(seen libc "text=#view-leaks")" 'The program held nothing then\.'

# Functions of C++: parameters where they tell two apart, a place behind a name.
run cxx.1.wm <<'E'
program app
elf app
start 0
rank 0 of 1
t 1000000 malloc 0x10000 3000 main<_Z5solvei
t 2000000 malloc 0x20000 2000 main<_Z4gridiSt6vectorIdSaIdEE
t 3000000 malloc 0x30000 1000 main<_Z5solved
t 4000000 free 0x10000
end
E
wm-analyze -q --html cxx.html cxx.1.wm
is "the data have both names" "$("$SRC/tests/tools/page-data" cxx.html |
	jq -c .bare)" \
	'{"grid(int, std::vector<double, std::allocator<double> >)":"grid"}'
look cxx "text=#view-sites tbody tr" "text=#view-leaks"
like "the page leaves out what texts do" "$(seen cxx "text=#view-sites tbody tr")" \
	"solve\(int\)[^|]*\|[^(|]*grid[^(|]*\|[^|]*solve\(double\)"
like "in each view" "$(seen cxx "text=#view-leaks")" "grid[^(]*solve\(double\)"

# A job that died: that is the first card
run dead.1.wm <<'E'
program dead
elf dead
start 0
rank 0 of 3
t 1000000 malloc 0x3000 9000 _start<__libc_start_main<_dl_new_object
t 100000000 malloc 0x1000 3000 main<grid
t 3000000000 malloc 0x2000 3000 main<grid
mpi-came 1
rank 1 of 3
t 2998000000 malloc 0x1000 1000 main<solve
end MPI_Abort
rank 2 of 3
t 3000000000 malloc 0x1000 1000 main<grid
E
wm-analyze -q --html dead.html dead.1.wm
look dead deaths axe widths "text=#view-leaks tbody tr" \
	"text=#view-leaks summary"
like "runtimes' memory is not among what ranks held" \
	"$(seen dead "text=#view-leaks tbody tr") $(seen dead \
	"text=#view-leaks summary")" '^grid[^_]*solve[^_]*Kept by runtimes.*8\.8 KiB'
is "how ranks ended stands first" "$(seen dead deaths)" "Gave up by itself: \
rank 1 on node1 (pid 101) called MPI_Abort, 2.998000 s after the start of the \
job. | 2 others died, too: a launcher ends a job that loses a rank. | Rank 1: called \
MPI_Abort, last event at 2.998 s, last allocation in solve < main | Ranks 0, 2: \
killed, crashed or running, last event at 3.000 s, last allocation in \
grid < main, first"
is "axe-core, a job that died" "$(seen dead axe)" none
is "its widths" "$(seen dead widths)" "320 768 1280 2560"
is "a job that did not die has no such card" "$(seen note deaths)" none

# Names that would end a script, an attribute or the layout
python3 - >bad.txt <<'X'
bad = "</script><img/src=x/onerror=alert(1)>\"'&"
print("program </script><b>\"'&\nelf app\nstart 0")
for r in range(2):
    print("rank %d of 2\nt 1000 phase <b>%s" % (r, "p" * 300))
    print("t 2000000 malloc 0x1000 3000 main<%s" % bad.replace("<", "%"))
    print("t 3000000 malloc 0x2000 1000 main<%s" % ("x" * 10000))
    print("t 4000000 free 0x1000\nend")
X
run bad.1.wm <bad.txt
wm-analyze -q --html bad.html bad.1.wm
look bad views hostile widths moments axe axe=narrow
like "hostile names: every view" "$(seen bad views)" '^curve heat flame.* 0 blank$'
is "hostile names are text" "$(seen bad hostile)" \
	"0 elements, $(wm-analyze --json bad.1.wm | python3 -c '
import json, sys; print(json.load(sys.stdin)["run"]["program"][:40])')"
is "and break no layout" "$(seen bad widths)" "320 768 1280 2560"
is "their totals" "$(seen bad moments)" "all of them"
is "axe-core" "$(seen bad axe) $(seen bad axe=narrow)" "none none"
is "no message, no request" "$(seen bad messages)" none
done_testing
