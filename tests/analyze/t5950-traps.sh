# SPDX-License-Identifier: Apache-2.0
# Readers never wait for what a trace names or a run directory holds (pipes
# without a writer), and report what they read outside of the run.
. "$(dirname "$0")/../lib.sh"

cat >lib.c <<'X'
#include <stdlib.h>
void *volatile kept;
void library(void) { kept = malloc(12345); }
X
bring report/own_and_library.c
ok "builds" sh -c 'gcc -g -O1 -fno-builtin -fPIC -shared -o lib.so lib.c &&
	wmcc -g -O1 -fno-builtin -o app own_and_library.c -L. -l:lib.so -Wl,-rpath,$PWD &&
	cp app.wm keep.wm && cp lib.so keep.so'
WM_DIR=run WM_RUN_ID=1 ./app.wm
cp -r run kept
fresh() {
	rm -rf run app.wm lib.so
	cp -r kept run
	cp keep.wm app.wm
	cp keep.so lib.so
}

# answers WHAT STATUSES COMMAND...: ends with one of these within 20 s
answers() {
	local what=$1 wanted=$2 status
	shift 2
	timeout -k 5 100 "$@" >out 2>err
	status=$?
	case " $wanted " in
	*" $status "*) status=0 ;;
	esac
	is "$what" $status 0
}
run=run/app.1.wm

fresh
answers "as it is" 0 wm-analyze --functions --top all $run
like "the library's names" "$(cat out)" '  library  lib[.]c:3'
like "what was read outside is said" "$(cat err)" \
	"^wm-analyze: for information: also read '/.*' ?.*, which the traces name\$"
is "once" "$(grep -c "also read" err)" 1
answers "--quiet" 0 wm-analyze --quiet --functions $run
is "--quiet: not a word" "$(cat err)" ""

# ---- pipes ----
fresh
rm lib.so
mkfifo lib.so
answers "a library is a pipe" "0 4" wm-analyze --functions --top all $run
fresh
rm app.wm $run/program.wmc.xz
mkfifo app.wm
answers "the program is a pipe" "0 4" wm-analyze --functions --top all $run
fresh
rm $run/program.wmc.xz
mkfifo $run/program.wmc.xz
answers "the bundle is a pipe" "0 4" wm-analyze --functions --top all $run
for report in --static-report --html=page.html --leaks --json; do
	answers "the bundle is a pipe: $report" "0 3 4" \
		wm-analyze $report $run
done
fresh
mkfifo $run/rank-000001.wmt.xz $run/rank-000000.wmw $run/.summary.part \
	$run/rank-000002.wmw
answers "pipes among the traces" 4 wm-analyze $run
like "they are named" "$(cat err)" "rank-000001.wmt.xz': not a regular file"
answers "--repack" "3 4" wm-analyze --repack $run
answers "--repack --output" "0 3 4" wm-analyze --repack --output copy $run
answers "wm-census of a pipe" 127 wm-census $run/rank-000001.wmt.xz
answers "wm-census of a device" 127 wm-census /dev/zero
answers "wm-run of a pipe" "126 127" wm-run $run/rank-000001.wmt.xz
fresh
rm $run/program.wmc.xz
ln -s /dev/zero $run/program.wmc.xz
rm app.wm
ln -s /dev/zero app.wm
answers "devices" "0 4" wm-analyze --functions $run

# ---- a library whose DWARF has its names in another file, which is a pipe ----
fresh
rm lib.so
gcc -shared -o lib.so "$progs/report/common_dwarf.s"
gcc -o uses "$progs/report/common_dwarf.s" own_and_library.c
rm -rf run
WM_DIR=run WM_RUN_ID=1 ./app.wm
for what in "is not there" "is a pipe"; do
	[ "$what" = "is not there" ] || mkfifo common
	answers "a library's common DWARF $what" 0 \
		wm-analyze --functions --top all $run
	like "its symbols name it all the same" "$(cat out)" \
		' library  \[lib[.]so\]$'
	answers "wm-census of such a program: $what" 0 wm-census uses
	answers "wmcc of such an object: $what" 0 wmcc -o uses "$progs/report/common_dwarf.s" own_and_library.c
done

# ---- a window elsewhere ----
rm -rf run kept wins
fresh 2>/dev/null
case $(stat -f -c %T .) in
ext2/ext3 | tmpfs | xfs)
	mkdir wins
	{ WM_WINDOW_DIR=$W/wins WM_DIR=run WM_RUN_ID=1 ./app.wm kill; } \
		2>/dev/null
	answers "a window elsewhere" 4 wm-analyze $run
	like "it is said" "$(cat err)" "also read .*wins/|and [0-9]+ mo"
	rm wins/*
	mkfifo wins/app.1.rank-000000.wmw
	answers "a window elsewhere is a pipe" 4 wm-analyze $run
	answers "wm-collect does not wait for it" "0 1" \
		wm-collect --from run --to t
	;;
*) skip "a window elsewhere" "no file system for a window here" ;;
esac
done_testing
