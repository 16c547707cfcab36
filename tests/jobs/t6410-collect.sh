# SPDX-License-Identifier: Apache-2.0
# wm-collect: run directories of several nodes into one; killed at any moment
# and called again it ends with what the nodes had, byte for byte.
. "$(dirname "$0")/../lib.sh" analyze-lib
collect() { timeout 60 wm-collect --quiet "$@" 2>err; }

wmcc -g -static -fno-builtin -o count "$progs/count.c" || exit 1
wmcc -g -static -fno-builtin -pthread -o killed "$progs/killed.c" || exit 1

# rank R N NODE [HOW]: rank R of N on node NODE; killed ones leave a window
rank() {
	{ WM_DIR=$W/$3 WM_RUN_ID=j PMI_RANK=$1 PMI_SIZE=$2 ./count.wm 3000 \
		${4:-} >/dev/null 2>&1; } 2>/dev/null
}
for r in 0 1 2; do rank $r 8 n1; done
rank 3 8 n1 kill
for r in 4 6; do rank $r 8 n2; done
rank 5 8 n2 kill
rank 7 8 n2 kill
cp -a n1 keep1
cp -a n2 keep2
mkdir all
cp -a n1/. n2/. all
no_node() { # nothing is left of node directory $1
	[ -z "$(find "$1" -mindepth 1)" ]
}

# ---- once ----
ok "collect, keep" collect --from n1 --from n2 --to t
ok "what is there is what was here" diff -r all t
ok "and it still is here" diff -r keep1 n1
is "wm-analyze has all ranks, and the windows" "$(wm-analyze --quiet --json \
	t/*.wm 2>/dev/null | jq -c '.run | [.ranks, .missing_ranks,
	.lost_end_ranks, .window_events > 0]')" '[8,[],[],true]'
ok "again: nothing to do" collect --from n1 --from n2 --to t
ok "collect, remove" collect --from n1 --from n2 --to t --remove
ok "nothing is left here" no_node n1
ok "all is there" diff -r all t
ok "a node that has nothing" collect --from n1 --to t
ok "a node that has no directory" collect --from nowhere --to t
collect --to t
is "without --from and WM_DIR: usage" $? 2
collect --from n1
is "without --to: usage" $? 2
is "an option that is none: one line" "$(wm-collect --nonsense 2>&1)" \
	"wm-collect: unknown option --nonsense; see wm-collect --help"
is "letters that are none" "$(wm-collect -xy --to t 2>&1)" \
	"wm-collect: unknown option -x; see wm-collect --help"
is "a value that is not wanted" "$(wm-collect --ended=1 --to t 2>&1)" \
	"wm-collect: --ended=1 takes no value; see wm-collect --help"
is "an option without its value: one line" "$(wm-collect --to 2>&1)" \
	"wm-collect: --to needs a value; see wm-collect --help"
cp -a keep1/. n1
ok "WM_DIR is where it comes from" env WM_DIR="$W/n1" wm-collect --quiet \
	--to deep/er/t2
ok "parents of --to are made" diff -r keep1 deep/er/t2
ok "a name that does not fit" collect --from n1 --to t3 'other.*' 'x.j.wm'
is "is not collected" "$(ls t3 2>&1 | grep -c wm)" 0
ok "a name that fits" collect --from n1 --to t3 'count.*.wm'
ok "is" diff -r keep1 t3
touch no-folder
collect --from n1 --to no-folder/t
wanted=$?
env --ignore-signal=CHLD wm-collect --quiet --from n1 --to no-folder/t 2>err
is "a target that cannot be made, SIGCHLD is ignored: the same status" \
	"$? $((wanted > 0))" "$wanted 1"
env --ignore-signal=CHLD wm-collect --quiet --from n1 --to t4 2>err
is "SIGCHLD is ignored: status" "$?" 0
# a list of files that ends too early, after as many entries as LISTED says
gcc -D_GNU_SOURCE -shared -fPIC -o short.so "$progs/jobs/short_list.c" -ldl
for n in 0 3 6; do
	LISTED=$n LD_PRELOAD=$W/short.so wm-collect --from n1 \
		--to t5.$n 2>err
	is "a list that cannot be read, after $n: status" "$?" 3
	like "a list that cannot be read, after $n: said" "$(cat err)" \
		"^wm-collect: .*Input/output error"
done
collect --from n1 --to n1
is "into itself" $? 2

# ---- names that are taken ----
rm -rf t n1
cp -a keep1 n1
mkdir -p t/count.j.wm
echo another >t/count.j.wm/rank-000001.wmt.xz
echo another >t/count.j.wm/rank-000003.wmw
ok "names are taken: others" collect --from n1 --to t --remove
is "what had them stays" "$(cat t/count.j.wm/rank-000001.wmt.xz \
	t/count.j.wm/rank-000003.wmw)" "another
another"
ok "the trace is the second of its name" cmp t/count.j.wm/rank-000001.2.wmt.xz \
	keep1/count.j.wm/rank-000001.wmt.xz
ok "trace and window have the same number" sh -c 'cd t/count.j.wm &&
	cmp rank-000003.2.wmt.xz ../../keep1/count.j.wm/rank-000003.wmt.xz &&
	cmp rank-000003.2.wmw ../../keep1/count.j.wm/rank-000003.wmw'
rm -rf t n1
cp -a keep1 n1
mkdir -p t/count.j.wm
echo another >t/count.j.wm/program.wmc.xz
collect --from n1 --to t --remove
is "the bundle of another program: status" $? 1
is "the bundle of another program: both stay" \
	"$(cat t/*.wm/program.wmc.xz) $(ls n1/*.wm)" "another program.wmc.xz"

# ---- what is not to be touched ----
rm -rf t n1
cp -a keep1 n1
echo secret >secret
ln -s "$W/secret" n1/count.j.wm/rank-000009.wmt.xz
ln -s "$W/secret" n1/count.j.wm/rank-000000.wmw
echo mine >n1/count.j.wm/notes.txt
mkdir elsewhere
ln -s "$W/elsewhere" n1/link.j.wm
mkfifo n1/count.j.wm/rank-000008.wmt.xz
collect --from n1 --to t --remove
is "links and pipes: told" $? 1
is "and left alone" "$(cd n1/count.j.wm && ls | tr '\n' ' ')" \
	"notes.txt program.wmc.xz rank-000000.wmw rank-000008.wmt.xz rank-000009.wmt.xz "
is "nothing of them is there" "$(cd t/count.j.wm && ls | tr '\n' ' ')" \
	"program.wmc.xz rank-000000.wmt.xz rank-000001.wmt.xz rank-000002.wmt.xz rank-000003.wmt.xz rank-000003.wmw "
is "the file behind the link is as it was" "$(cat secret)" secret

# ---- processes that still run ----
rm -rf t n1
WM_DIR=$W/n1 WM_RUN_ID=j PMI_RANK=0 PMI_SIZE=2 ./killed.wm progress 1 0 &
pid=$!
soon [ -s n1/killed.j.wm/rank-000000.wmt.xz ]
collect --from n1 --to t --remove
is "a process that runs: status" $? 1
is "it keeps its files" "$(ls n1/killed.j.wm t/killed.j.wm | tr '\n' ' ')" \
	"n1/killed.j.wm: program.wmc.xz rank-000000.wmt.xz rank-000000.wmw  t/killed.j.wm: program.wmc.xz "
WM_DIR=$W/n1 WM_WINDOW=0 WM_RUN_ID=k ./killed.wm progress2 1 0 &
pid2=$!
soon [ -s n1/killed.k.wm/rank-000000.wmt.xz ]
collect --from n1 --to t --remove 'killed.k.wm'
is "a process that runs without a window: status" $? 1
kill -9 $pid $pid2
wait $pid $pid2 2>/dev/null
cp -a n1 keep3
ok "when they are dead" collect --from n1 --to t --remove
ok "all is there, windows and all" diff -r keep3 t

# A trace that does not say which boot it is of (/proc was closed to it).
rm -rf t n1
sleep 100 &
pid=$!
mkdir n1
run n1/app.1.wm <<E
program app
id 1
boot -
mono $(awk '{ printf "%.0f", $1 * 1e9 }' /proc/uptime)
rank $((pid - 100)) of $pid
t 1000 malloc 0x1000 10 main
E
collect --from n1 --to t --remove
is "no boot is told, and the process runs: it stays" \
	"$? $(ls n1/app.1.wm t/app.1.wm | grep -c rank)" "1 1"
kill $pid
wait $pid 2>/dev/null
ok "no boot is told, and it is dead" collect --from n1 --to t --remove
is "it is there" "$(ls n1 t/app.1.wm | grep -c rank)" 1

# A window that lies elsewhere goes beside its trace.
rm -rf t n1
{ WM_WINDOW_DIR=$W/wins WM_DIR=$W/n1 WM_RUN_ID=j ./count.wm 3000 kill; } \
	2>/dev/null
cp -a wins keepwins
ok "WM_WINDOW_DIR" collect --from n1 --to t --remove
ok "its window is beside the trace" cmp keepwins/*.wmw t/*.wm/rank-000000.wmw
is "and its window does not stay" "$(ls wins)" ""
rm -rf wins
is "and is read" "$(wm-analyze --quiet --json t/*.wm 2>/dev/null |
	jq -c '.run | [.lost_end_ranks, .window_events > 0]')" '[[],true]'

# A window that cannot be copied keeps its trace: one without the other is
# lost.
rm -rf t n1
for r in 0 1; do
	{ WM_WINDOW_DIR="$W/wins" WM_DIR=$W/n1 WM_RUN_ID=j PMI_RANK=$r \
		PMI_SIZE=2 ./count.wm 3000 kill; } 2>/dev/null
done
cp -a n1 keep5
cp -a wins keepwins5
# Directories have the names under which the windows would be written.
read -r boot </proc/sys/kernel/random/boot_id
run=$(ls n1)
mark=${HOSTNAME:0:48}-${boot:0:8}-$(stat -c %D-%i "n1/$run").part
mkdir -p "t/$run/.rank-000000.wmw.$mark" "t/$run/.rank-000001.wmw.$mark"
collect --from n1 --to t --remove
is "windows that cannot be written: status" $? 3
is "traces, and windows, that stay" \
	"$(ls n1/*.wm wins | grep -c '^rank.*wmt\|wmw$')" 4
rmdir t/*/.rank*
ok "they can be written again" collect --from n1 --to t
rm -r wins
ok "windows that are gone, and are there" collect --from n1 --to t --remove
is "nothing has two names" "$(ls t/*.wm | grep -c '\.2\.')" 0
is "nor does a trace stay" "$(find n1 -type f)" ""

for dir in "w i" "w
l"; do
	rm -rf t n1
	mkdir "$dir"
	{ WM_WINDOW_DIR=$W/$dir WM_DIR=$W/n1 WM_RUN_ID=j ./count.wm 3000 \
		kill; } 2>/dev/null
	collect --from n1 --to t --remove
	echo "$? $(find n1 "$dir" -name '*.wm[wt]*' -printf x)"
done >out
is "windows in directories with a blank, and with a newline, which stay" \
	"$(paste -sd, out)" "0 ,3 xx"

# Where wm-alive has no answer, nothing is known of any process.
mkdir -p odd/bin odd/libexec/wmtools
cp "$BUILD/bin/wm-collect" odd/bin
ln -s "$(type -P false)" odd/libexec/wmtools/wm-alive
rm -rf t n1
cp -a keep5 n1
odd/bin/wm-collect --from n1 --to t --remove 2>err
is "no answer from wm-alive: status" $? 3
like "no answer: reported" "$(cat err)" "all stays: .*wm-alive' ended with"
ok "no answer: all stays" diff -r keep5 n1

# Only the working directory decides what a name means.
mkdir -p odd/n1 -- -
cp -a keep5/. ./-
rm -rf t
ok "CDPATH" env CDPATH="$W/odd" wm-collect --quiet --from n1 --to t
ok "CDPATH: it does not matter" [ -s t/count.j.wm/rank-000000.wmt.xz ]
rm -rf t
OLDPWD=$W/odd wm-collect --quiet --from - --to t
ok "a directory called -" [ -s t/count.j.wm/rank-000000.wmt.xz ]
is "--from without a name is wrong usage" \
	"$(wm-collect --from "" --to t 2>&1) $?" \
	"wm-collect: --from DIR is missing; see wm-collect --help 2"

# ---- sub-directories ----
rm -rf t n1
rank 0 1025 n1
rank 1024 1025 n1
cp -a n1 keep4
ok "sub-directories" collect --from n1 --to t --remove
ok "sub-directories: all is there" diff -r keep4 t
ok "sub-directories: nothing is left here" no_node n1

# ---- killed at random moments ----
# whole DIR: every file under its name is one of the nodes', no trace without
# its window, and what is not there is still here
whole() {
	local f n
	for f in $(cd all && find . -type f); do
		n=0
		for d in t n1 n2; do
			[ -e "$d/$f" ] || continue
			cmp -s "$d/$f" "all/$f" || { echo "$d/$f differs"; return 1; }
			n=$((n + 1))
			case $f in
			*.wmt.xz)
				[ -e "all/${f%.wmt.xz}.wmw" ] &&
					[ ! -e "$d/${f%.wmt.xz}.wmw" ] &&
					{ echo "$d/$f has no window"; return 1; }
				;;
			esac
		done
		[ $n -ge 1 ] || { echo "$f is lost"; return 1; }
	done
	[ -z "$(cd t && find . -type f ! -name '.*' | while read -r f; do
		[ -e "../all/$f" ] || echo "$f"; done)" ]
}
rm -rf t
mkdir t
rounds=0 finished=0 early=0 wrong=
rm -rf n1 n2
cp -a keep1 n1
cp -a keep2 n2
start=${EPOCHREALTIME/./}
collect --from n1 --from n2 --to t --remove
took=$((${EPOCHREALTIME/./} - start)) # microseconds
while [ $early -lt 30 ] && [ $rounds -lt 200 ] && [ -z "$wrong" ]; do
	if [ -z "$(find n1 n2 -type f 2>/dev/null)" ]; then
		rm -rf t n1 n2
		mkdir t
		cp -a keep1 n1
		cp -a keep2 n2
	fi
	rounds=$((rounds + 1))
	# a group of its own: it forks
	setsid wm-collect --quiet --from n1 --from n2 --to t --remove &
	pid=$!
	wait=$((took * (RANDOM % 100) / 100))
	sleep $((wait / 1000000)).$(printf %06d $((wait % 1000000)))
	kill -9 -- -$pid
	wait $pid
	if [ $? = 137 ]; then
		early=$((early + 1))
	else
		finished=$((finished + 1))
	fi
	wrong=$(whole) || wrong=${wrong:-unknown files}
done 2>/dev/null
echo "# $rounds rounds, killed $early times, too late $finished times"
is "killed at random moments: nothing is lost, half or without its window" \
	"$wrong" ""
is "it was killed so often" $early 30
ok "killed, then once more" collect --from n1 --from n2 --to t --remove
ok "the result is what the nodes had" diff -r all t
ok "nothing is left on the nodes" no_node n1
ok "nor temporary files there" sh -c '! find t -name ".*part" | grep .'

# ---- at the same time ----
rm -rf t n1 n2
cp -a keep1 n1
cp -a keep2 n2
for i in 1 2 3; do
	for n in n1 n2; do
		wm-collect --quiet --from $n --to t --remove &
	done
done
wait
ok "two nodes, three times each: all is there" diff -r all t
ok "two nodes, three times each: nothing is left" no_node n2

# ---- a full disk ----
mkdir small
if mount -t tmpfs -o size=900k tmpfs small 2>/dev/null; then
	rm -rf n1
	cp -a keep1 n1
	head -c 700000 /dev/urandom >small/full
	wm-collect --from n1 --to small/t --remove 2>err
	is "a full disk: status" $? 3
	is "a full disk: told once" \
		"$(grep -c "stays: No space left on device$" err)" 1
	ok "a full disk: what is not there is here" sh -c 'cd all &&
		for f in $(cd ../keep1 && find . -type f); do
			cmp -s $f ../n1/$f || cmp -s $f ../small/t/$f ||
				exit 1
		done'
	ok "a full disk: nothing half" sh -c 'cd small/t &&
		! find . -name ".*part" | grep . &&
		for f in $(find . -type f); do cmp $f ../../all/$f ||
		exit 1; done'
	rm small/full
	ok "room again" collect --from n1 --to small/t --remove
	ok "room again: all is there" diff -r keep1 small/t
	umount small
else
	skip "a full disk" "mount needs root"
fi

# ---- root works as the owner ----
if [ "$(id -u)" = 0 ] && [ -d "$W" ]; then
	rm -rf n1 t
	cp -a keep1 n1
	mkdir t
	chmod 755 "$W"
	chown -R 12345:12345 n1/count.j.wm
	chown 12345 n1
	collect --from n1 --to t
	is "root, and the directory there is not the owner's: fails" $? 3
	chown 12345 t
	ok "root, and it is" collect --from n1 --to t --remove
	is "the files are the owner's" "$(find t/*.wm -printf '%u\n' | sort -u)" \
		12345
else
	skip "root becomes the owner" "needs root"
fi
# ---- two at a time, from directories that only the device tells apart ----
# Those of two file systems in memory have one inode number, as on two nodes.
cat >two.sh <<'X'
set -e
mkdir -p a b made
mount -t tmpfs none a
mount -t tmpfs none b
mount -t tmpfs none made
mkdir a/x.j.wm b/x.j.wm
for r in 0 1 2 3; do
	for n in a b; do
		head -c 2000000 /dev/urandom >$n/x.j.wm/rank-00000$r.wmt.xz
		cksum <$n/x.j.wm/rank-00000$r.wmt.xz
	done
done | sort >had
[ "$(stat -c %i a/x.j.wm)" = "$(stat -c %i b/x.j.wm)" ] || exit 77
wm-collect --quiet --ended --remove --from a --to made/t & pid=$!
wm-collect --quiet --ended --remove --from b --to made/t && wait $pid
cat made/t/x.j.wm/.[!.]* 2>/dev/null && exit 1
for f in made/t/x.j.wm/*; do cksum <$f; done | sort >has
cmp had has
X
if unshare -m true 2>/dev/null; then
	for k in 1 2 3; do
		timeout 60 unshare -m sh two.sh >out 2>&1
		s=$?
		[ $s = 0 ] || break
	done
	if [ $s = 77 ]; then
		skip "two at a time" "file systems in memory number apart"
	else
		is "two at a time: all is there" "$s $(cat out)" "0 "
	fi
else
	skip "two at a time" "no right to mount"
fi
done_testing
