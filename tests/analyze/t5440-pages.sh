# SPDX-License-Identifier: Apache-2.0
# --pages: who uses which pages, and when; damaged blocks PAGES.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib

# fill has pages 0x10000 to 0x10009, all but 16 bytes of the first one; its
# block grows in its place after epoch 3.  small and other share a page.
run app.1.wm <<'E'
elf app
host n1
clock mono
rank 0 of 1
t 1000100 malloc 0x10000010 40000 main<fill
t 1000200 malloc 0x10010000 100 main<small
t 1000300 malloc 0x10010100 200 main<other
t 1000400 shm 0x50000000 8192 main<shared
covered 0x400-0x4ff 3
covered 0x10000-0x1ffff 1
not-covered 1 135168
not-covered 3 8192
epoch 10000000 9000000 0x10000-0x10004,0x10010 0x10000,0x10010 20 65536
epoch 20000000 18000000 0x10000-0x10004 0x10002-0x10003 20 65536
t 22000000 free 0x10010000
epoch 30000000 27000000 0x401,0x10010,0x10020 0x401 21 65536
pages
t 32000000 realloc 0x10000010 0x10000010 60000 main<grow
epoch 40000000 36000000 0x1000e 0x1000e 22 65536
epoch 50000000 45000000 0x1000e 0x1000e 22 65536
pages the program forked
end
E

site() { # NAME KEY...: values of a site
	local name=$1
	shift
	json "[[s[k] for k in '$*'.split()] for s in j['pages']['sites'] if s['name'] == '$name']" \
		--pages app.1.wm
}
is "epochs" "$(json '[list(e.values()) for e in j["pages"]["epochs"]]' --pages app.1.wm)" \
	"[[0.01, 0.009, 6, 2, 20, 65536, 48492], [0.02, 0.018, 5, 2, 20, 65536, 48492], \
[0.03, 0.027, 3, 1, 21, 65536, 48392], [0.04, 0.036, 1, 1, 22, 65536, 68392], \
[0.05, 0.045, 1, 1, 22, 65536, 68392]]"
is "a block of ten pages, five of them touched" \
	"$(site fill kind bytes touched_bytes written_bytes page_epochs first_s last_s last_write_s end_bytes)" \
	"[['heap', 40000, 20464, 12272, 10, 0.01, 0.02, 0.02, 0]]"
is "realloc in its place: what was touched stays so" \
	"$(site grow bytes touched_bytes cold_bytes cold_since_s end_untouched_bytes median_epoch_bytes last_epoch_bytes)" \
	"[[60000, 23136, 20464, 0.02, 36864, 0, 2672]]"
is "a page of two blocks counts for both, also in the epoch in which one goes" \
	"$(site small touched_bytes page_epochs shared_page_epochs last_s)$(site other touched_bytes page_epochs read_only_bytes read_only_since_s)" \
	"[[100, 2, 2, 0.03]][[200, 2, 200, 0.01]]"
is "pages of nobody" "$(site "(the allocator\\'s own)" kind page_epochs)$(site '(static memory)' kind page_epochs)" \
	"[['heap', 1]][['static', 1]]"
is "what is not covered is not untouched" "$(site shared bytes)" "[]"
is "all of it" "$(json '[j["pages"][k] for k in "rank epoch_ms page_bytes end touched_bytes written_bytes untouched_bytes covered_bytes not_watched_bytes shared_page_epochs other_page_epochs page_epochs".split()]' --pages app.1.wm)" \
	"[0, 50.0, 4096, 'the program forked', 36864, 24576, 56400, 268435456, 8192, 2, 2, 16]"
is "what is not watched" "$(json '[list(x.values()) for x in j["pages"]["not_covered"]]' --pages app.1.wm)" \
	"[[135168, \"the main thread's stack\"], [8192, 'shared mappings']]"
wm-analyze --pages app.1.wm >text
like "text: who" "$(grep grow text)" "58.6 KiB +22.6 KiB .* grow"
like "text: resident is what is seen when epochs end" "$(cat text)" \
	"resident .* the most in RAM when an epoch ended, of watched memory"
like "text: since when it is cold" "$(cat text)" \
	"20.0 KiB +58.6 KiB +20.000 ms +grow"
is "CSV" "$(wm-analyze --pages --csv app.1.wm | sed -n '3p' | cut -d, -f1,4-6)" \
	"fill,heap,40000,20464"
is "another rank than one" "$(status wm-analyze --pages --rank all app.1.wm)" 2

is "checkpoints: each page that was written between two counts once" \
	"$(json '[[c["from_s"], c["to_s"], c["epochs"], c["written_bytes"]] for c in j["pages"]["checkpoints"]]' --pages --checkpoint 20ms app.1.wm)" \
	"[[0.0, 0.02, 2, 16384], [0.02, 0.04, 2, 8192], [0.04, 0.05, 1, 4096]]"
is "a fast memory" "$(json '[j["pages"]["tier"][k] for k in ("size_bytes", "used_bytes", "share")] + [[s["name"], s["bytes"], s["of_bytes"]] for s in j["pages"]["tier"]["sites"]]' --pages --tier 20K app.1.wm)" \
	"[20480, 20480, 62.5, ['fill', 20464, 20464], ['other', 16, 200]]"
like "a fast memory, in words" "$(wm-analyze --pages --tier 20K app.1.wm)" \
	"In a fast memory of 20.0 KiB: 20.0 KiB, 62.5 % of all accesses"
is "no size" "$(status wm-analyze --pages --tier much app.1.wm)" 2
is "no time" "$(status wm-analyze --pages --checkpoint often app.1.wm)" 2
is "of another report" "$(status wm-analyze --sizes --checkpoint 60 app.1.wm)" 2

is "Moca's CSV" "$(wm-analyze -q --export moca app.1.wm | sed -n '1,3p;$p')" \
	"@Virt,@Phy,Nreads,Nwrites,CPUMask,Start,End,TaskId
0x10000000,0,0,1,0,0,10000000,100
0x10001000,0,1,0,0,0,10000000,100
0x1000e000,0,0,1,0,40000000,50000000,100"
is "Moca's CSV: a row for each page and epoch" \
	"$(wm-analyze -q --export moca app.1.wm | wc -l)" 17

run none.1.wm <<'E'
rank 0 of 1
t 1000100 malloc 0x1000 40000 main
end
E
is "no pages" "$(json 'j["pages"]' --pages none.1.wm)" None
like "no pages, in words" "$(wm-analyze --pages none.1.wm)" "WM_PAGES=auto"

run phases.1.wm <<'E'
elf app
clock mono
rank 0 of 1
t 1000100 malloc 0x10000000 40000 main
epoch 10000000 9000000 0x10000-0x10003 0x10000 1 1
t 11500000 phase one
epoch 20000000 18000000 0x10000-0x10001 - 1 1
epoch 30000000 27000000 0x10000-0x10003 0x10000-0x10001 1 1
t 31500000 phase two
epoch 40000000 36000000 0x10000 0x10000 1 1
pages
t 51500000 phase one
end
E
is "phases" "$(json '[list(p.values()) for p in j["pages"]["phases"]]' --pages phases.1.wm)" \
	"[[None, 1, 16384, 16384, 4096], ['one', 2, 16384, 12288, 4096], ['two', 1, 4096, 4096, 4096]]"
like "phases, in words" "$(wm-analyze --pages phases.1.wm)" "two +1 +4.0 KiB"

# Pages 4 to 8 are touched in the second epoch alone, in phase one.
run coldphase.1.wm <<'E'
elf app
clock mono
rank 0 of 1
t 1000100 malloc 0x10000000 40000 main
epoch 10000000 9000000 0x10000-0x10003 0x10000 1 1
t 11500000 phase one
epoch 20000000 18000000 0x10004-0x10008 - 1 1
t 21500000 phase two
epoch 30000000 27000000 0x10000-0x10003 0x10000-0x10001 1 1
epoch 40000000 36000000 0x10000 0x10000 1 1
pages
t 51500000 phase one
end
E
is "cold since a phase" "$(json '[[s["cold_since_s"], s["cold_since_phase"]] for s in j["pages"]["sites"] if s["cold_bytes"]]' --pages coldphase.1.wm)" \
	"[[0.02, 'one']]"
like "cold since a phase, in words" "$(wm-analyze --pages coldphase.1.wm)" \
	"20.000 ms +one +main"

# Rank 1 has the highest working set that is known; 2 accesses more, but its
# reads are not known; 0 and 3 have the highest peaks, and 3 was not watched.
rank() { # RANK BYTES STATEMENT...
	printf 'rank %d of 4\nt 1000100 malloc 0x10000000 %d main\n' "$1" "$2"
	printf '%s\n' "${@:3}"
	echo end
}
set_of() { # PAGES WRITTEN
	printf 'epoch 10000000 9000000 0x10000-0x1000%d %s 9 9\npages\n' "$1" "$2"
}
four() { # STATEMENT of ranks 0 and 1
	printf 'elf app\nhost n1\nclock mono\n'
	rank 0 80000 "$1" "$(set_of 1 0x10000)"
	rank 1 40000 "$1" "$(set_of 4 0x10000)"
	rank 2 50000 writes-alone "$(set_of 8 0x10000-0x10008)"
	rank 3 90000
}
four "" | grep . | run ranks.1.wm
is "the rank with the highest working set" \
	"$(json 'j["pages"]["rank"]' --pages ranks.1.wm)" 1
is "that with the highest peak" \
	"$(json '[j["pages"], 0]' --pages --rank max ranks.1.wm)" "[None, 0]"
is "Moca's CSV: the same rank" "$(wm-analyze -q --export moca ranks.1.wm | wc -l)" 6
is "other reports: the highest peak" \
	"$(wm-analyze -q --export csv ranks.1.wm | sed -n '2s/,.*//p')" 90000
four writes-alone | run alone.1.wm
is "writes alone: the highest peak of those with epochs" \
	"$(json 'j["pages"]["rank"]' --pages alone.1.wm)" 0

# A repacked trace has the same pages.
wm-analyze --repack --output packed app.1.wm >/dev/null 2>&1
is "repacked" "$(json 'j["pages"]' --pages packed/app.1.wm)" \
	"$(json 'j["pages"]' --pages app.1.wm)"

# An independent reader finds the same epochs.
is "wmt-dump" "$("$SRC/tests/tools/wmt-dump" --pages app.1.wm/rank-000000.wmt.xz | python3 -c '
import json, sys
for e in json.load(sys.stdin)["epochs"]:
	print(e["end"], e["cpu"], len(e["accessed"]), len(e["written"]))')" \
	"10000000 9000000 6 2
20000000 18000000 5 2
30000000 27000000 3 1
40000000 36000000 1 1
50000000 45000000 1 1"

# The kernel moves pages of a large block: they are not touched.  The written
# page lies on two pages after the first move, and these are two pages after
# the second.
run moved.1.wm <<'E'
elf app
clock mono
rank 0 of 1
t 1000100 malloc 0x10000000 40960 main<first
epoch 10000000 9000000 0x10000-0x10004 0x10001 20 20
t 12000000 realloc 0x10000000 0x20000800 81920 main<second
t 12000100 realloc 0x20000800 0x30000800 16384 main<third
epoch 20000000 18000000 0x90000 - 20 20
pages
end
E
is "realloc elsewhere: what was touched stays so" \
	"$(json '[[s["name"], s["touched_bytes"], s["written_bytes"], s["end_untouched_bytes"]] for s in j["pages"]["sites"][:2]]' --pages moved.1.wm)" \
	"[['first', 20480, 4096, 0], ['third', 16384, 8192, 0]]"

# Random runs against a count by block and page.
cat >compare.py <<'E'
import json, subprocess, sys
true = json.loads(subprocess.run([sys.executable, sys.argv[1], sys.argv[2], "o.txt"],
                                 stdout=subprocess.PIPE, check=True).stdout)
subprocess.run([sys.argv[3], "o.1.wm", "o.txt"], check=True)
got = json.loads(subprocess.run(["wm-analyze", "--quiet", "--json", "--pages", "o.1.wm"],
                                stdout=subprocess.PIPE, check=True).stdout)
got = {s["name"]: s for s in got["pages"]["sites"]
       if s["page_epochs"] and s["name"][0] != "("}
assert set(got) == set(true), (sys.argv[2], set(got), set(true))
for name, values in true.items():
    for key, value in values.items():
        assert got[name][key] == value, (sys.argv[2], name, key, value, got[name][key])
E
good=0
for seed in $(seq 1 20); do
	python3 compare.py "$SRC/tests/tools/oracle_pages.py" "$seed" "$MAKE_RUN" &&
		good=$((good + 1))
done
is "random runs" "$good" 20

# A program that frees all before it ends, epoch by epoch of 10 ms: of spare
# nothing is ever touched, of early only in the first two, keep is read in all;
# buffer, of which half is used, comes and goes in each; gone goes too early to
# lie cold, window in a mapping that is on no list, and twice has two lives.
{
	printf 'elf app\nclock mono\nrank 0 of 1\n'
	printf 't 1000100 malloc 0x10000000 409600 main<spare\n'
	printf 't 1000200 malloc 0x10064000 81920 main<early\n'
	printf 't 1000300 malloc 0x10078000 40960 main<keep\n'
	printf 't 1000400 malloc 0x20000000 40960 main<far\n'
	printf 't 1000500 map 0x30000000 40960 main<window\n'
	printf 't 1000600 malloc 0x100a0000 40960 main<gone\n'
	printf 't 1000700 malloc 0x100b0000 40960 main<twice\n'
	printf 'covered 0x10000-0x100ff 1\n'
	for ((i = 1; i <= 20; i++)); do
		end=$((i * 10000000))
		printf 't %d malloc 0x10090000 16384 main<buffer\n' $((end - 7000000))
		printf 't %d free 0x10090000\n' $((end - 4000000 + (i % 2) * 5000000))
		[ "$i" != 4 ] || printf 't %d free 0x100b0000\nt %d malloc 0x100b0000 40960 main<twice\n' \
			$((end + 2000100)) $((end + 2000200))
		[ "$i" != 12 ] || printf 't %d free 0x100a0000\n' $((end + 2000300))
		if [ "$i" = 19 ]; then
			for a in 10000000 10064000 10078000 20000000 100b0000; do
				printf 't %d free 0x%s\n' $((end + 2500000)) "$a"
			done
			printf 't %d unmap 0x30000000 40960\n' $((end + 2500001))
		fi
		pages=0x10078-0x10081,0x10090-0x10091
		[ "$i" -gt 2 ] || pages=0x10064-0x1006d,$pages,0x100a0-0x100a9
		[ "$i" -lt 6 ] || pages=$pages,0x100b0-0x100b9
		printf 'epoch %d %d %s %s 200 256\n' "$end" "$end" "$pages" \
			"$([ "$i" -gt 2 ] && echo 0x10090-0x10091 || echo 0x10064-0x1006d,0x10078-0x10081)"
	done
	printf 'pages\nend\n'
} | run tidy.1.wm
of() { # KEY
	json "{s['name']: s['$1'] for s in j['pages']['sites'] if s['$1'] and s['kind'] == 'heap'}" \
		--pages tidy.1.wm
}
is "what was freed and never touched in its life" "$(of untouched_bytes)" \
	"{'spare': 409600, 'early': 40960, 'twice': 40960, 'far': 40960, 'buffer': 8192}"
is "what lay cold to the last quarter of the time" "$(of cold_bytes)" "{'early': 40960}"
is "and what was only read there" "$(of read_only_bytes)" \
	"{'keep': 40960, 'twice': 40960}"

# Epochs of unlike length: 22 of 10 ms, in which `start` is accessed, and a last
# one of 780 ms, in which `work` is.  All that is said in the mean is by time.
{
	printf 'elf app\nclock mono\nrank 0 of 1\nt 1000100 malloc 0x10000000 8192 main<start\n'
	printf 't 1000200 malloc 0x10010000 409600 main<work\n'
	for ((i = 0; i < 60; i++)); do
		printf 't %d malloc 0x%x 48 main<small%d\n' $((1000300 + i)) \
			$((0x10100000 + 64 * i)) "$i"
	done
	printf 'covered 0x10000-0x1ffff 1\n'
	for ((i = 1; i < 23; i++)); do
		printf 'epoch %d %d 0x10000-0x10001%s 0x10000 200 200\n' \
			"${i}0000000" "${i}0000000" "$([ "$i" != 1 ] || echo ,0x10100)"
	done
	printf 'epoch 1000000000 1000000000 0x10010-0x10073 0x10010-0x10041 200 200\nwatch-cost 50000000 90000 200000000\npages\nend\n'
} | run unlike.1.wm
is "the mean is weighted by time" \
	"$(json '[j["pages"]["ranks"][0][k] // 4096 for k in ("accessed_mean_bytes", "written_mean_bytes")]' --pages unlike.1.wm)" \
	"[78, 39]"
is "so is the median, and the half of the run in which memory is cold" \
	"$(json '[[s["median_epoch_bytes"], s["cold_bytes"]] for s in j["pages"]["sites"][:2]]' --pages unlike.1.wm)" \
	"[[409600, 0], [0, 8192]]"
is "the longest epoch" "$(json '[j["pages"][k] for k in ("longest_epoch_ms", "longest_epoch_percent")]' --pages unlike.1.wm)" \
	"[780.0, 78.0]"
wm-analyze --pages --tier 8K unlike.1.wm >text
like "which accesses are not seen is said" "$(tail -4 text | tr '\n' ' ')" \
	"by an instruction of its +own, not by libc: these are not seen"
like "what watching cost, as the trace says" "$(sed -n 2p text)" \
	"; watching took 14 to 41 % of the CPU time, [0-9.]* us a page"
is "the same as data" \
	"$(json '[j["pages"][k] for k in ("cost_percent", "cost")]' --pages unlike.1.wm)" \
	"[23.8, {'thread_s': 0.05, 'faults_s': 0.2, 'faults': 90000}]"
like "the share of the run that it has" "$(sed -n 3p text)" \
	"^  The last epoch covers 78 % of the run's CPU time: answers about that time are bounds$"
like "a fast memory holds what is accessed for most of the time" \
	"$(grep -A2 "^In a fast memory" text)" "8.0 KiB .*  work"
like "rows below 1 % are one line" "$(sed -n '/^Cold/,/^$/p' text | tr '\n' '|')" \
	"start[^|]*\\|  60 more below 1 %: 2.8 KiB \\(--top all\\)"
wm-analyze --pages --top all unlike.1.wm >text
is "--top all has them" "$(sed -n '/^Cold/,/^$/p' text | grep -c " small")" 60

# An impossible value ends the readable part of the file; earlier blocks count.
damaged() { # WHAT STATEMENT...
	{
		printf 'elf app\nclock mono\nrank 0 of 1\nt 1000100 malloc 0x10000000 40000 main\n'
		printf 'epoch 10000000 9000000 0x10000 - 1 1\npages\n'
		printf '%s\n' "${@:2}"
		printf 'pages\nt 60000000 free 0x10000000\nend\n'
	} | run "bad.1.wm"
	is "$1" "$(status wm-analyze --pages bad.1.wm) $(json 'len(j["pages"]["epochs"])' --pages bad.1.wm)" \
		"4 1"
}
damaged "pages do not ascend" "epoch 20000000 18000000 0x10005,0x10001 - 2 2"
damaged "written pages that were not accessed" "epoch 20000000 18000000 0x10005 0x10006 2 2"
damaged "ranges that do not ascend" "covered 0x10-0x1f 1" "covered 0x1-0x2 1" \
	"epoch 20000000 18000000 0x10005 - 2 2"
damaged "more pages than any machine has" "epoch 20000000 18000000 0x1-0xfffffffffff0 - 2 2"
damaged "a time that goes back" "epoch 2 18000000 0x10005 - 2 2"

{
	printf 'elf app\nclock mono\nrank 0 of 1\nt 1000100 malloc 0x10000000 40000 main\n'
	printf 'epoch 10000000 9000000 0x10000 - 1 1\npages\nlose-epochs 3\n'
	printf 'epoch 30000000 29000000 0x10001 - 1 1\npages\nend\n'
} | run lost.1.wm
is "lost epochs" "$(json '[j["pages"]["missing_epochs"], len(j["pages"]["epochs"]), j["pages"]["touched_bytes"]]' --pages lost.1.wm)" \
	"[3, 2, 8192]"

# Data that a killed process has not written yet lie in its crash buffer.
killed() { # STATEMENT...: after the first block
	{
		printf 'elf app\nclock mono\nwindow\nrank 0 of 1\nt 1000100 malloc 0x10000000 40000 main\nblock\n'
		printf 'covered 0x10000-0x1ffff 1\n'
		printf 'epoch 10000000 9000000 0x10000 - 1 1\npages\n'
		printf '%s\n' "$@"
		printf 't 60000000 free 0x10000000\n'
	} | run killed.1.wm
	json '[[e["time_s"], e["cpu_s"], e["accessed"], e["written"]] for e in j["pages"]["epochs"]]' --pages killed.1.wm
}
is "a killed process" "$(killed "epoch 20000000 18000000 0x10001-0x10002 0x10002 1 1" \
	"epoch 30000000 27000000 0x10001-0x10002 0x10001 1 1")" \
	"[[0.01, 0.009, 1, 0], [0.02, 0.018, 2, 1], [0.03, 0.027, 2, 1]]"
is "its crash buffer has what a block has, too" "$(killed "lose-epochs -1" \
	"epoch 10000000 9000000 0x10000 - 1 1" \
	"epoch 30000000 27000000 0x10000 - 1 1")" \
	"[[0.01, 0.009, 1, 0], [0.03, 0.027, 1, 0]]"
is "its crash buffer has nonsense" "$(killed "epoch 20000000 18000000 0x10005 0x10006 2 2")" \
	"[[0.01, 0.009, 1, 0]]"

# Bytes at random: never a crash, an answer or damage.
cases=0
for seed in $(seq 1 60); do
	{
		printf 'mutate %d\nelf app\nclock mono\nrank 0 of 1\n' "$seed"
		printf 't 1000100 malloc 0x10000000 40000 main\n'
		printf 'covered 0x10000-0x1ffff 1\nnot-covered 1 4096\n'
		printf 'epoch 10000000 9000000 0x10000-0x10004,0x10007 0x10001 1 1\n'
		printf 'epoch 20000000 18000000 0x10000-0x10004,0x10007 0x10001 1 1\npages\n'
		printf 'epoch 30000000 27000000 0x10000,0x10002,0x10007 0x10007 1 1\npages\nend\n'
	} | run mutated.1.wm
	case $(status wm-analyze --pages mutated.1.wm) in
	0 | 3 | 4) cases=$((cases + 1)) ;;
	esac
done
is "bytes at random" "$cases" 60
done_testing
