#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wm-collect on folders that no run has left: many names, deep folders,
# links and pipes in the place of files.
. "$(dirname "$0")/../lib.sh" bounds-lib

mkdir -p many/app.1.wm deep/app.1.wm links/app.1.wm to
python3 - <<'E2'
import os
for i in range(30000):
    open("many/app.1.wm/rank-%06d.wmt.xz" % i, "w").close()
here = os.getcwd()
os.chdir("deep/app.1.wm")
for i in range(2000):
    os.mkdir("ranks-000000")
    os.chdir("ranks-000000")
os.chdir(here + "/links/app.1.wm")
os.symlink("/dev/zero", "rank-000000.wmt.xz")
os.symlink(".", "ranks-000000")
os.symlink("/", "ranks-001024")
os.mkfifo("rank-000002.wmt.xz")
E2
bounded "30,000 traces of 0 bytes that may still be written" 1 \
	'rank-029999.wmt.xz. stays' wm-collect --from many --to to
bounded "2,000 folders in each other" 0 '' \
	wm-collect --ended --from deep --to to
mkdir links/app.1.wm/rank-000003.wmt.xz
bounded "links, a pipe and a folder" 1 'rank-000002.wmt.xz. stays: it is no file' \
	wm-collect --ended --from links --to to
like "the folder in the place of a trace" "$(cat err)" \
	"rank-000003.wmt.xz' stays: it is no file"
ln -s /dev/zero links/app.1.wm/program.wmc.xz
bounded "a link in the place of the bundle" 3 'program.wmc.xz.: Too many' \
	wm-collect --ended --from links --to to
is "nothing came of them" "$(find to ! -type d | wc -l)" 0

# A disk takes its time for each: what is empty has no bytes to wait for.
mkdir -p empty/app.1.wm
for i in 1 2 3; do : >"empty/app.1.wm/rank-00000$i.wmt.xz"; done
if command -v strace >/dev/null; then
	strace -f -e trace=fsync,fdatasync -o calls \
		wm-collect --ended --from empty --to other 2>/dev/null
	is "empty traces arrive" "$(find other -name 'rank-*' | wc -l)" 3
	is "none is waited for" "$(grep -c sync calls)" 0
else
	skip "how empty traces are written" "no strace"
fi
done_testing
