# SPDX-License-Identifier: Apache-2.0
# What a rank costs a shared file system: which operations on files and
# directories it makes, how often, and that it does not grow with the job.
# docs/scale.md has the numbers for 4,096 ranks: WAVES=4096 prints them.
. "$(dirname "$0")/../lib.sh" strace
waves=$BUILD/test/tools/waves

wmcc -g -static -fno-builtin -o count "$progs/count.c" || exit 1
wmcc -g -fno-builtin -o dcount "$progs/count.c" || exit 1
export WM_DIR=$W/run WM_RUN_ID=j

# operations RANK RANKS COMMAND...: those that name a file in the run
# directory, in order.  stat (AT_STATX_DONT_SYNC) and O_PATH are answered by the
# client alone: both are no more than finding the way to a file.
operations() {
	local rank=$1 ranks=$2
	shift 2
	PMI_RANK=$rank PMI_SIZE=$ranks strace -f -qq -y -e \
		trace=%file,%%statfs,fstatfs "$@" 2>&1 >/dev/null |
		grep -F "$W/run" |
		grep -v DONT_SYNC | sed -E 's/^(\[pid +[0-9]+\] )?//' | sed -E \
		-e 's/^openat\(.*O_PATH.* = -1 ENOENT.*/lost/' \
		-e '/^openat\(.*O_PATH/d' -e 's/^fstatfs/statfs/' \
		-e 's/^openat\(.*\.wmw".*O_CREAT.*/create-window/' \
		-e 's/^openat\(.*\.wmt\.xz".*O_CREAT.*/create-trace/' \
		-e 's/^openat\(.*O_CREAT.*/create/' \
		-e 's/^openat\(.*/open/' -e 's/^unlinkat\(.*/unlink/' \
		-e 's/^mkdirat\(.* = -1 EEXIST.*/mkdir-vain/' \
		-e 's/^([a-z]+)at\(.*/\1/' -e 's/^([a-z]+)\(.*/\1/' |
		tr '\n' ' '
}

fresh() {
	rm -rf run
	mkdir run
}

for p in count dcount; do
	fresh
	is "$p: the first rank makes the directory and the bundle" \
		"$(operations 1 4 ./$p.wm)" \
		"lost mkdir create-trace statfs create-window create link unlink open unlink "
	is "$p: another one two files, and one goes" \
		"$(operations 2 4 ./$p.wm)" \
		"create-trace statfs create-window open unlink "
	is "$p: rank 0 sees that there is a bundle" \
		"$(operations 0 4 ./$p.wm)" \
		"create-trace statfs create-window open unlink faccess "
	is "$p: without a window" \
		"$(operations 3 4 env WM_WINDOW=0 ./$p.wm)" \
		"create-trace open "
	is "$p: what remains" "$(find run/*/ -type f | sed 's,.*/,,' | sort |
		tr '\n' ' ')" "program.wmc.xz $(seq -f 'rank-%06.0f.wmt.xz' -s ' ' 0 3) "
done
fresh
is "sub-directories: the first of its job" "$(operations 5 1025 ./count.wm)" \
	"lost mkdir lost mkdir create-trace statfs create-window create link unlink open unlink "
is "sub-directories: the first of its thousand" \
	"$(operations 1024 1025 ./count.wm)" \
	"lost mkdir create-trace statfs create-window open unlink "
is "sub-directories: another one" "$(operations 6 1025 ./count.wm)" \
	"create-trace statfs create-window open unlink "
is "sub-directories: where they lie" "$(cd run && find . -type f | sort |
	tr '\n' ' ')" "./count.j.wm/program.wmc.xz ./count.j.wm/ranks-000000/rank-000005.wmt.xz ./count.j.wm/ranks-000000/rank-000006.wmt.xz ./count.j.wm/ranks-001024/rank-001024.wmt.xz "
fresh
is "1,024 ranks have none" "$(operations 1023 1024 ./count.wm | tr ' ' '\n' |
	grep -c mkdir) $(cd run/*.wm && ls)" "1 program.wmc.xz
rank-001023.wmt.xz"

# A window that lies there without its trace is another's: it stays.
rm run/*.wm/rank*
echo other >run/count.j.wm/rank-000007.wmw
PMI_RANK=7 PMI_SIZE=8 ./count.wm >/dev/null
is "the window of another trace stays" "$(cat run/*.wm/rank-000007.wmw
	ls run/*.wm | grep wmt)" "other
rank-000007.2.wmt.xz"

# ---- the bundle ----
same() { # the bundle is whole
	cmp -s "$1" bundle
}
cp run/count.j.wm/program.wmc.xz bundle
rm -rf run
mkdir -p run/count.j.wm
for r in 2 1; do PMI_RANK=$r PMI_SIZE=3 ./count.wm >/dev/null; done
is "somebody else made the directory: nobody of these writes it" \
	"$(ls run/*.wm | grep -c wmc)" 0
PMI_RANK=0 PMI_SIZE=3 ./count.wm >/dev/null
ok "but rank 0 at its end" same run/count.j.wm/program.wmc.xz
rm -rf run
for r in 2 3; do
	WM_RANKS=2-3 PMI_RANK=$r PMI_SIZE=4 ./count.wm >/dev/null
done
ok "rank 0 is not traced: it is there" same run/count.j.wm/program.wmc.xz
rm -rf run
{ PMI_RANK=1 PMI_SIZE=2 strace -f -qq -e trace=linkat -e \
	inject=linkat:signal=KILL:when=1 ./count.wm >/dev/null; } 2>/dev/null
is "killed with half a bundle: none, under its name" \
	"$(ls -A run/*.wm | grep wmc | sed 's/\.[0-9]*$//')" ".program.wmc.xz.1"
PMI_RANK=0 PMI_SIZE=2 ./count.wm >/dev/null
ok "killed with half a bundle: rank 0 writes it" \
	same run/count.j.wm/program.wmc.xz
rm -rf run
PMI_RANK=0 PMI_SIZE=2 strace -f -qq -e trace=linkat -e \
	inject=linkat:error=EPERM ./count.wm >/dev/null 2>&1
ok "a file system without links" same run/count.j.wm/program.wmc.xz
is "and nothing else remains" "$(ls -A run/*.wm | wc -l)" 2

# Two builds of one name in one directory.
mkdir other
sed 's/mine/others/' "$progs/stacks.c" >other/two.c
cp "$progs/stacks.c" two.c
for d in . other; do
	(cd $d && wmcc -g -static -fno-builtin -DBUILD_OF=$d -o two two.c 2>/dev/null)
done
if [ -x other/two.wm ] && ! cmp -s two.wm other/two.wm; then
	rm -rf run
	PMI_RANK=0 PMI_SIZE=2 ./two.wm >/dev/null
	PMI_RANK=1 PMI_SIZE=2 other/two.wm >/dev/null
	like "two builds in one directory: told" \
		"$(wm-analyze run/*.wm 2>&1)" 'different builds: rank 1 is not'
	mv two.wm gone
	is "and the second has no names of the first" \
		"$(wm-analyze --quiet --json --rank 1 run/*.wm 2>/dev/null |
		jq -c '.static')" null
	mv gone two.wm
fi

# ---- a job in waves ----
n=${WAVES:-1100}
rm -rf run
ok "$n ranks run" env WM_QUIET=1 "$waves" "$n" 16 ./count.wm
is "$n ranks: as many traces" "$(find run -name 'rank-*.wmt.xz' | wc -l)" "$n"
is "$n ranks: no window is left" "$(find run -name '*.wmw' | wc -l)" 0
is "$n ranks: one bundle" "$(find run -name '*wmc*' | wc -l)" 1
is "$n ranks: sub-directories" "$(find run/*.wm/ -mindepth 1 -type d |
	wc -l)" $(((n + 1023) / 1024))
is "$n ranks: none is missing" "$(wm-analyze --quiet --json run/*.wm |
	jq -c '.run | [.ranks, .complete]')" "[$n,true]"
if [ -n "${WAVES:-}" ]; then
	measure() { # NAME PROGRAM [VARIABLE...]
		local name=$1 program=$2
		shift 2
		rm -rf run
		sync
		echo "# $name: $(env "$@" "$waves" "$n" 2 "$program" 2000)"
	}
	measure "untraced" ./count
	measure "WM_DISABLE=1" ./count.wm WM_DISABLE=1
	measure "WM_RANKS=0" ./count.wm WM_RANKS=0
	measure "traced, WM_WINDOW=0" ./count.wm WM_WINDOW=0
	measure "traced" ./count.wm
	echo "# $(du -s --apparent-size -B1 run | cut -f1) bytes," \
		"$(du -s -B1 run | cut -f1) on disk, in" \
		"$(find run -type f | wc -l) files," \
		"$(find run -mindepth 1 -type d | wc -l) directories"
	for r in --summary --imbalance; do
		echo "# wm-analyze $r: $(/usr/bin/time -f \
			'%e s elapsed, %U s user, %S s system, %M KB' \
			wm-analyze -j2 --quiet $r run/*.wm 2>&1 >/dev/null |
			tail -1)"
	done
fi
done_testing
