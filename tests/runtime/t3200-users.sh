# SPDX-License-Identifier: Apache-2.0
# Other users of the machine: what they put in the place of the run directory
# or of a file in it, before or at any moment, neither stops a program nor
# makes it deaf to SIGTERM, and nothing of the user's is written to.
. "$(dirname "$0")/../lib.sh" mpi-lib setpriv
[ "$(id -u)" = 0 ] || skip_all "not root: there is no second user"

chmod 755 "$W"
wmcc -O1 -fno-builtin -static -o busy "$progs/busy.c" || exit 1
wmcc -O1 -fno-builtin -o dbusy "$progs/busy.c" || exit 1
owner() { setpriv --reuid=54321 --regid=54321 --clear-groups "$@"; }
other() { setpriv --reuid=54322 --regid=54322 --clear-groups "$@"; }

# The owner's file that links lead to.
mkdir -m 700 private
echo precious >private/file
mkdir private/a.j.wm
echo precious >private/a.j.wm/rank-000000.wmt.xz
echo precious >private/a.j.wm/rank-000000.wmw
chown -R 54321:54321 private
precious() {
	cat private/file private/a.j.wm/rank-000000.wmt.xz \
		private/a.j.wm/rank-000000.wmw; ls private/a.j.wm
}
wanted=$(precious)

# fresh MODE: directory `all`, of root, for everybody, with that mode
fresh() {
	rm -rf all
	mkdir -m "$1" all
}

# attack COMMAND...: the other user does it again and again, until stop
attack() {
	other bash -c 'cd all; for ((i = 0; i < 20000; i++)); do
		[ -e ../stop ] && break; '"$1"'; done' >/dev/null 2>&1 &
	attacker=$!
}

stop() {
	touch stop
	wait "$attacker"
	rm stop
}

# Victims are traced in small blocks, so that files are opened often.
victim() { # MS [VARIABLE=VALUE...]
	local ms=$1
	shift
	owner env -C / WM_DIR="$W/all" WM_RUN_ID=j WM_NAME=a WM_BUFFER=4K \
		"$@" timeout -s KILL 100 "$W/$prog" "$ms" 200
}

# ends WHAT MS [VARIABLE=VALUE...]: the program does what it does, and ends
ends() {
	local what=$1 ms=$2
	shift 2
	victim "$ms" "$@" >out 2>err
	is "$prog, $what: the program ends as ever" "$? $(cat out)" "7 done"
	ok "$prog, $what: one line at most" test "$(wc -l <err)" -le 1
	is "$prog, $what: other files are as they were" "$(precious)" "$wanted"
}

# dies WHAT [VARIABLE=VALUE...]: SIGTERM is its end at once
dies() {
	local what=$1 status
	shift
	owner env -C / WM_DIR="$W/all" WM_RUN_ID=j WM_NAME=a WM_BUFFER=4K \
		"$@" timeout -s TERM -k 60 1 "$W/$prog" 200000 200 >out 2>err
	status=$?
	is "$prog, $what: SIGTERM ends it" $status 124
}

pipes='for f in rank-000000.wmt.xz rank-000000.wmw rank-000000.2.wmt.xz \
	rank-000000.2.wmw program.wmc.xz .summary.part; do
	rm -f a.j.wm/$f; mkfifo -m 666 a.j.wm/$f; done'
links='for f in rank-000000.wmt.xz rank-000000.wmw rank-000000.2.wmt.xz \
	rank-000000.2.wmw program.wmc.xz .summary.part; do
	ln -sfT '$W'/private/file a.j.wm/$f; done'

for prog in busy.wm dbusy.wm; do
	# ---- the directory is the other user's ----
	fresh 1777
	other mkdir -m 777 all/a.j.wm
	ends "a directory that another user made" 200
	like "$prog, and it is said" "$(cat err)" "^wmtrace: .* were not \
recorded: cannot write '$W/all/a.j.wm': it belongs to another user \(name a"
	is "$prog, and nothing is left there" "$(ls -A all/a.j.wm)" ""
	other chmod 755 all/a.j.wm
	ends "a directory that another user keeps to himself" 200
	like "$prog, and it is said" "$(cat err)" 'belongs to another user'

	fresh 1777
	other mkdir -m 777 all/a.j.wm
	attack "$pipes"
	ends "pipes come and go" 500
	dies "pipes come and go"
	stop
	fresh 1777
	other mkdir -m 777 all/a.j.wm
	attack "$links"
	ends "links come and go" 500
	stop

	# ---- sub-directories of 1,024 ranks ----
	fresh 1777
	other mkdir -m 777 all/a.j.wm
	other mkdir -m 777 all/a.j.wm/ranks-000000
	attack "cd a.j.wm/ranks-000000 || exit; mkdir -p a.j.wm; cd ../.."
	ends "a directory of ranks that another user made" 200 \
		PMI_RANK=0 PMI_SIZE=2000
	stop
	fresh 777
	other sh -c "mkdir -m 777 all/a.j.wm &&
		ln -s $W/private all/a.j.wm/ranks-000000"
	ends "a link for the directory of ranks" 200 PMI_RANK=0 PMI_SIZE=2000
	is "$prog, nothing is made behind it" "$(ls private)" "a.j.wm
file"

	# ---- links in the place of the run directory ----
	fresh 1777
	other ln -s "$W/private" all/a.j.wm
	ends "a link to another directory" 200
	like "$prog, and it is said" "$(cat err)" 'a.j.wm.: not a directory$'
	fresh 1777
	other mkfifo -m 666 all/a.j.wm
	ends "a pipe for the directory" 200

	[ $prog = busy.wm ] || continue

	# ---- the owner's directory goes away and others come ----
	fresh 777
	other mkdir -m 777 all/theirs
	other sh -c "cd all/theirs && for f in trace.wmt.xz; do
		mkfifo -m 666 rank-000000.wmt.xz rank-000000.wmw; done"
	attack "mv -T a.j.wm away\$i && mv theirs a.j.wm; sleep 0.02
		mv -T a.j.wm theirs && mv away\$i a.j.wm; sleep 0.02"
	ends "directories are exchanged" 1000
	dies "directories are exchanged"
	stop
	fresh 777
	attack "mv -T a.j.wm away\$i && ln -s $W/private/a.j.wm a.j.wm
		sleep 0.02; rm -f a.j.wm; mv away\$i a.j.wm; sleep 0.02"
	ends "a link comes and goes" 1000
	stop

	# ---- a window elsewhere ----
	fresh 777
	mkdir -m 777 all/w
	attack "rm -f w/*.wmw; mkfifo -m 666 w/a.j.rank-000000.wmw
		ln -sf $W/private/file w/a.j.rank-000000.2.wmw"
	ends "a pipe for the window" 500 WM_WINDOW_DIR="$W/all/w"
	dies "a pipe for the window" WM_WINDOW_DIR="$W/all/w"
	stop
done
prog=busy.wm

# ---- names are exchanged while a file is made ----
# Between the creation of a file and the look at its name, another takes that.
# The runtime's statx() are slowed down, so that the thief comes in time.
cat >thief.py <<'E'
import os, sys, time
ours = set()
end = time.time() + 120
open("ready", "w").close()
while time.time() < end and not os.path.exists("stop"):
    for name in os.listdir("all/a.j.wm"):
        path = "all/a.j.wm/" + name
        if not name.startswith(sys.argv[1]) or name in ours:
            continue
        try:
            os.rename(path, "all/taken%d" % len(ours))
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o666))
        except OSError:
            continue
        ours.add(name)
    time.sleep(0.0005)
E
# stolen NAME PROGRAM VARIABLE=VALUE...: it runs, and files NAME* are taken
stolen() {
	local name=$1 program=$2
	shift 2
	fresh 777
	mkdir -m 755 all/a.j.wm
	chown 54321:54321 all/a.j.wm
	python3 thief.py "$name" &
	attacker=$!
	until [ -e ready ]; do sleep 0.01; done
	rm ready
	owner strace -f -qq -o /dev/null -e trace=statx \
		-e inject=statx:delay_enter=5000 env -C / WM_DIR="$W/all" \
		WM_RUN_ID=j WM_NAME=a "$@" \
		timeout -s KILL 100 "$W/$program" >out 2>err
	status=$?
	stop
}
if owner strace -o /dev/null true 2>/dev/null && command -v python3 >/dev/null
then
	wmcc -O1 -fno-builtin -static \
		-o fds "$progs/runtime/open_files.c" || exit 1
	plain=$(owner ./fds)
	stolen rank- fds.wm WM_WINDOW=0 WM_BUFFER=4K
	ok "a thief has taken several traces" test "$(find all -name 'taken*' |
		wc -l)" -ge 5
	is "and no descriptor stays open" "$status $(cat out)" "0 $plain"
	if mpich=$(mpich_prefix) && [ -x "$mpich/mpicc" ]; then
		WM_CC=$mpich/mpicc wmcc -DUSE_MPI -O1 -fno-builtin -static \
			-o mfds "$progs/runtime/open_files.c" 2>link.log || exit 1
		plain=$(owner ./mfds)
		stolen .summary mfds.wm WM_SUMMARY=1
		ok "a thief has taken the file of the table" test -e all/taken0
		is "and no descriptor stays open" "$status $(cat out)" \
			"0 $plain"
	else
		skip "the file of the table is taken" "no static MPICH"
	fi
else
	skip "names are exchanged while a file is made" "no strace or python3"
fi

# ---- what is right must stay right ----
whole() { # WHAT [DIR]: the trace of the last run is whole
	is "$1: the program ends as ever" "$? $(cat out err)" "7 done"
	is "$1: it is traced" "$(wm-analyze --quiet --json "${2:-all}"/*.wm |
		jq -c '[.run.complete, .events.malloc >= 2000]')" '[true,true]'
}
fresh 1777
victim 10 >out 2>err
whole "/tmp and its like"
# of two processes with one id one trace is not read, and the run not complete
find all -name 'rank-*' -delete
victim 10 >out 2>err
whole "the same user's directory, once more"
fresh 770
chown 54322:54321 all
victim 10 >out 2>err
whole "a directory of somebody else, and of the user's group"
fresh 777
ln -s all link
owner env -C / WM_DIR="$W/link" WM_RUN_ID=j WM_NAME=a "$W/busy.wm" 10 200 \
	>out 2>err
whole "WM_DIR is a link"
fresh 755
chown 54321 all
env WM_DIR="$W/all" WM_RUN_ID=j WM_NAME=a ./busy.wm 10 200 >out 2>err
whole "root in the directory of a user"
fresh 700
env WM_DIR="$W/all/new/er" WM_RUN_ID=j WM_NAME=a ./busy.wm 10 200 >out 2>err
whole "parents that are missing" all/new/er
if owner unshare --user --map-root-user true 2>unshare.err; then
	fresh 1777
	owner unshare --user --map-root-user env WM_DIR="$W/all" WM_RUN_ID=j \
		WM_NAME=a ./busy.wm 10 200 >out 2>err
	whole "root of a name space"
else
	skip "root of a name space" "$(tail -1 unshare.err)"
fi
fresh 1777
mkdir -m 777 all/a.j.wm
chown 54321 all/a.j.wm
ends "everybody may write into the run directory" 10
like "and it is said" "$(cat err)" "a.j.wm': everybody may write into it"
# A server that maps users, or knows no modes: all that is there is of another
# user, and 0777.
fresh 777
mkdir under
chmod 777 under
if command -v bindfs >/dev/null && bindfs --force-user=54322 \
	--force-group=54322 --perms=0777 --chmod-ignore under all 2>mount.err
then
	victim 10 >out 2>err
	whole "a file system that maps users"
	is "a file system that maps users: it is one" \
		"$(stat -c '%u %a' all/a.j.wm)" "54322 777"
	umount all
else
	skip "a file system that maps users" \
		"no bindfs, or no FUSE: $(tail -1 mount.err)"
fi
done_testing
