#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run: rest
# All programs of wmtools that are C, built with clang's sanitizers of addresses
# and undefined behaviour (gcc's shared one does not write into log_path): wmcc (also as wm-config and by its other names), wm-ld,
# wm-census, wm-run, wm-alive, and each unit test, test_ops with the columns
# that the decoder reads past (WM_COLUMN_SLACK) among them.  Files of tests run
# on that build, and none of the processes may leave a report, whoever reads its
# stderr.  wm-analyze has t8100.  scripts/ are shell.
. "$(dirname "$0")/../lib.sh" analyze-lib clang
echo 'int main(void) { return 0; }' >main.c
clang -fsanitize=address,undefined -o one main.c 2>san.log ||
	skip_all "no sanitizers: $(tail -1 san.log)"
if ! make_sanitized clang all unit-tests >san.log 2>&1; then
	ok "the tools are built with sanitizers: $(tail -3 san.log)" false
	done_testing
	exit
fi
san=$BUILD/test/san-clang
# Tests preload libraries into our programs, too.
options=detect_leaks=0:exitcode=99:verify_asan_link_order=0
export ASAN_OPTIONS=$options:log_path=$W/report
export UBSAN_OPTIONS=print_stacktrace=1:log_path=$W/report
reports() { # files with one; that there was no memory is none
	grep -lE 'ERROR: |runtime error' "$W"/report.* 2>/dev/null
}
no_reports() { # DESCRIPTION
	local files
	files=$(reports)
	is "$1: no report" "$(wc -w <<<"$files")" 0
	[ -z "$files" ] || {
		head -12 $files | head -50 | sed 's/^/# /'
		rm -f "$W"/report.*
	}
}

# Reports arrive where this looks for them.
cat >fault.c <<'E2'
#include <stdlib.h>
int main(int argc, char **argv)
{
	volatile int most = 0x7fffffff;
	char *volatile p = malloc(8);

	(void)argv;
	return argc > 1 ? most + argc : p[8];
}
E2
clang -fsanitize=address,undefined -fno-sanitize-recover=all -g -o fault fault.c
./fault >out 2>&1
./fault more >out2 2>&1
is "a fault of each sanitizer is a report" \
	"$(reports | wc -l)" 2
rm -f "$W"/report.*

for t in "$san"/test/test_*; do
	case $t in *.lock) continue ;; esac
	timeout 300 "$t" >out 2>&1
	is "${t##*/}: status" $? 0
done
no_reports "unit tests"

# Files of tests, on that build.
file() { # FILE...
	local f
	for f; do
		BUILD=$san timeout 880 bash "$SRC/tests/$f" >out 2>err
		is "$f: what fails" "$(grep -A3 '^not ok' out | head -20)" ""
		ok "$f: it ran" grep -q '^1\.\.' out
		no_reports "$f"
	done
}
# Left out: wm-collect is shell, whose C is run below (t6410 and t8119 have it as
# users run it), and versions of formats are read by wm-analyze alone: they are
# seeds of t8210, with these sanitizers.
# Command lines, response files, linkers, failures, long and odd names.
file wmcc/t1010-driver.sh wmcc/t1020-linkers.sh wmcc/t1050-failures.sh \
	wmcc/t1241-read-once.sh wmcc/t1300-twin-place.sh \
	wmcc/t1330-names.sh wmcc/t1400-hooked-objects.sh
# The census, damaged programs and bundles, and unexpected sizes.
file wmcc/t4000-census.sh wmcc/t4030-census-section.sh \
	wmcc/t4040-census-damage.sh damage/t8118-census-bounds.sh \
	damage/t8117-bundle-bounds.sh

export PATH=$san/bin:$PATH WM_CC=gcc
# wm-config: each option, alone and with what describes a program.
wm-config --help | sed -n 's/^  \(-., \)\?\(--[a-z=-]*\) .*/\2/p' >options
ok "options of wm-config" test "$(wc -l <options)" -ge 18
for more in "" "--static --libs" "--mpi --fortran --libs" "--static --mpi --pkg-config" \
	"--static --mpi=abi --ftn --pre-ld-flags" "--new --aligned --threads --profile"; do
	while read -r option; do
		wm-config $more "$option" >out 2>err
		[ $? -lt 128 ] || echo "$more $option"
	done <options
done >killed
is "wm-config: no signal" "$(cat killed)" ""
wm-config --nonsense >out 2>err
no_reports "wm-config"

# wm-alive: processes that ended, were killed, with their crash buffers beside
# their traces or elsewhere, and no traces (t6410 has what wm-collect does then).
wmcc -static -fno-builtin -o count "$progs/count.c"
rank() { # R [NAME=VALUE...] [kill]
	{ env WM_DIR=node WM_RUN_ID=j PMI_SIZE=11 PMI_RANK="$1" "${@:2:1}" \
		./count.wm 3000 "${@:3}" >out 2>&1; } 2>/dev/null
}
rank 0 A=1
rank 1 A=1 kill
rank 2 WM_WINDOW_DIR="$W/wins" kill
rank 3 WM_WINDOW_DIR="$W/w
l" kill
rank 9 WM_WINDOW=0 kill
rank 10 WM_WINDOW_DIR="$W/gone" kill
rm -r gone
cd node/*.wm || exit 1
head -c 100 rank-000001.wmt.xz >rank-000004.wmt.xz
cp rank-000001.wmw rank-000004.wmw
echo none >rank-000005.wmt.xz
mkfifo rank-000006.wmt.xz
ln -s /dev/zero rank-000007.wmt.xz
mkdir rank-000008.wmt.xz
is "wm-alive: what is left of each" "$(printf '%s\n' rank-*.xz none.wmt.xz x |
	timeout 60 "$san/libexec/wmtools/wm-alive" | sed 's/rank-0*\([0-9]\+\)[^ ]*/\1/
		s| */.*wmw| wins|; s/ $//')" "ended 0
dead 1
dead 2 wins
failed 3 Invalid or incomplete multibyte or wide character
dead 4
runs 5
other 6
other 8
dead 9
dead 10"
cd "$W" || exit 1
no_reports "wm-alive"

# A response file of 4,000 words, and paths as long as the system takes them.
gcc -c main.c
{ for ((n = 0; n < 4000; n++)); do echo "-L/nowhere/$n"; done; } >words
ok "4,000 words" wmcc -static -o many main.o @words
ok "have their twin" ./many.wm
long=$(printf '%0240d' 0)
deep=$W
while [ $((${#deep} + 241)) -lt 4050 ]; do deep=$deep/$long; done
mkdir -p "$deep"
wmcc -static -o "$deep/app" main.o 2>err
is "a path of ${#deep} bytes: status" $? 0
name=$(printf '%0255d' 0)
wmcc -static -o "$name" main.o 2>err
is "a name that leaves no room for a twin: status" $? 0
wm-census "$deep/app" >bundle 2>err
gcc -o "$deep/dynamic" main.o
for words in "" --help -V --nonsense "$deep/app" "$deep/dynamic" "-f $deep/dynamic" \
	"./nothing" "$deep" "sh -c :"; do
	wm-run $words >out 2>err
	ok "wm-run ${words:0:20}: no signal" test $? -lt 128
done
wm-collect --from "$deep" --to "$deep/to" >out 2>err
no_reports "many words, long paths"

# Blocks above 1 MiB are refused: what needs one fails, in order.
export ASAN_OPTIONS=$ASAN_OPTIONS:allocator_may_return_null=1:max_allocation_size_mb=1
{
	for ((n = 0; n < 40000; n++)); do
		echo "int function_with_a_long_name_$n(void) { return $n; }"
	done
	echo 'int main(void) { return 0; }'
} >large.c
ok "a large program" gcc -O0 -o large large.c
wm-census large >bundle 2>err
like "no memory, wm-census: status, and words" "$? $(cat err)" '^127 .*memory'
gcc -O0 -c large.c
rm -f large
wmcc -static -o large large.o 2>err
like "no memory, wmcc: the program is linked" "$? $(./large; echo $?)" '^0 0$'
gcc -O0 -o large large.o
WM_RUN_ID=1 wm-run ./large >out 2>err
is "no memory, wm-run: the program runs" $? 0
no_reports "no memory"
done_testing
