# SPDX-License-Identifier: Apache-2.0
# Page accesses (WM_PAGES) of memory that is pinned: what the kernel writes
# there the program sees.
# run: rest
. "$(dirname "$0")/../lib.sh"

wmcc -O1 -g -static -pthread -fno-builtin -o pinned "$progs/pages/pinned.c" \
	>build.log 2>&1 || skip_all "no io_uring: $(grep -m1 error build.log)"
./pinned >without 2>&1
[ $? != 77 ] || skip_all "no io_uring here"
for interval in 10 3600000; do
	WM_DIR=run WM_PAGES=$interval timeout -s KILL $stuck ./pinned.wm >with 2>err
	is "$interval ms: as without" "$? $(cat with)" "0 $(cat without)"
done
done_testing
