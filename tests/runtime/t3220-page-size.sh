# SPDX-License-Identifier: Apache-2.0
# Pages are a value: the runtime with pages of 64 KiB, as other processors and
# kernels have them (make WM_PAGE=65536).  The kernel's pages are what they are,
# so WM_PAGES, which follows those, has to say no.
# run: rest
. "$(dirname "$0")/../lib.sh" python3 jq
size=65536
[ "$(getconf PAGESIZE)" -lt $size ] || skip_all "the kernel's pages are large"

mkdir large
ln -s "$BUILD/pic" large/pic
lib=$W/large/lib/wmtools
objects="$lib/wm-static.o $lib/wm-access-static.o"
build() {
	eval "make -s -C \"\$SRC\" $(cat "$BUILD/variables") \
		BUILD=\"\$W/large\" WM_PAGE=$size $objects" >make.log 2>&1
}
ok "the runtime builds with pages of $size bytes" build
is "without a warning" "$(grep -c warning: make.log)" 0
cp -a "$BUILD/bin" "$BUILD/lib" "$BUILD/libexec" .
cp $objects lib/wmtools/
cp "$BUILD/variables" .
export BUILD=$W PATH=$W/bin:$PATH

# ---- tests that hold for pages of any size ----
for file in tests/runtime/t3140-small-stacks.sh tests/runtime/t3030-killed.sh; do
	(cd "$SRC" && unset W && timeout $stuck bash "$file") >tap 2>&1
	grep '^not ok' -A 3 tap | sed 's/^/# /'
	is "${file##*/} holds" "$(grep -c '^not ok' tap) $(grep -c '^ok' tap |
		sed 's/[1-9][0-9]*/some/')" "0 some"
done

# ---- call paths, events ----
wmcc -O1 -g -fno-builtin -static -o count "$progs/count.c"
export WM_RUN_ID=1 WM_DIR=run
for unwind in table fp libunwind; do
	WM_UNWIND=$unwind ./count.wm 5000
	is "WM_UNWIND=$unwind: each event, on its path" "$(wm-analyze --json \
		--functions run/count.1.wm | jq -c '.events.malloc >= 5000,
		.events.dropped, (.functions[0].name == "main")' |
		tr '\n' ' ')" "true 0 true "
	rm -r run
done
WM_UNWIND=check ./count.wm 5000 2>err
is "WM_UNWIND=check: unwinders agree" "$? $(cat err)" "0 "
rm -r run

# ---- the crash buffer has heads of that size ----
./count.wm 5000 kill
is "a process is killed" $? 137
is "its crash buffer names the size of its heads" "$(od -An -t u8 -j 1240 -N 8 \
	run/count.1.wm/rank-000000.wmw | tr -d ' ')" $size
ok "a second opinion reads it" "$SRC/tests/tools/wmt-dump" \
	run/count.1.wm/rank-000000.wmt.xz
is "and the reader" "$(wm-analyze --json run/count.1.wm 2>/dev/null |
	jq '.events.malloc >= 5000 and .run.window_events > 0')" true
rm -r run

# ---- accesses by page ----
. "$SRC/tests/access-lib.sh"
gcc -O2 -fomit-frame-pointer -c -o raw.o "$SRC/tests/tools/access_raw.c"
gcc -g -fsanitize=thread -O2 -pthread -c -o crowd.o "$progs/access/pages.c"
ok "a program with hooks links" access_link static gcc crowd crowd.o raw.o \
	$(nm raw.o | sed -n 's/.* T __wrap_/-Wl,--wrap=/p') -pthread \
	-Wl,-u,pthread_mutex_destroy
mkdir raw
RAW_DIR=raw WM_ACCESS=pages:3600000 timeout $stuck ./crowd crowd >out 2>err
is "WM_ACCESS=pages: it ends well, silently" "$? $(cat err)" "0 "
"$SRC/tests/tools/wmt-dump" --pages run/*/rank-000000.wmt.xz >dump.json
is "pages are as large" "$(jq .page_bytes dump.json)" $size
like "each page of each thread is right" \
	"$("$SRC/tests/tools/page-touches" raw dump.json)" \
	'^threads=57 epochs=1 pages=[0-9]* wrong=0 .* strange=0 late=0$'
is "and the reader's" "$(wm-analyze --json --pages run/* 2>/dev/null |
	jq .pages.page_bytes)" $size
rm -r run

WM_PAGES=10 ./count.wm 10 2>err
like "WM_PAGES, which follows the kernel's pages, says why not" "$(cat err)" \
	"the kernel's pages are not those of the runtime"
done_testing
