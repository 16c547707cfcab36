# SPDX-License-Identifier: Apache-2.0
# wm-collect and other users; modes are kept.
. "$(dirname "$0")/../lib.sh"

wmcc -O1 -fno-builtin -static -o busy "$progs/busy.c" || exit 1
run() { # DIR [VARIABLE=VALUE...]
	local dir=$1
	shift
	env WM_DIR="$dir" WM_RUN_ID=j WM_NAME=a PMI_RANK=0 PMI_SIZE=2000 "$@" \
		"$W/busy.wm" 1 1 >/dev/null
}
modes() { (cd "$1" && find ./* -printf '%m %P\n' | sort -k 2); }

for mode in 600 640 664; do
	for mask in 0 077; do
		rm -rf here there
		run "$PWD/here" WM_MODE=$mode
		modes here >wanted
		(umask $mask && wm-collect --quiet --from here --to there)
		is "WM_MODE=$mode, umask $mask: collected" $? 0
		is "WM_MODE=$mode, umask $mask: modes are kept" \
			"$(modes there)" "$(cat wanted)"
	done
done

if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
	skip "two users" "not root, or no setpriv"
	done_testing
	exit
fi
chmod 755 "$W"
# where the other users can run it: the tree may lie in a closed home directory
mkdir -p "$W/bin" "$W/libexec/wmtools"
cp "$BUILD/bin/wm-collect" "$W/bin/"
cp "$BUILD/libexec/wmtools/wm-alive" "$W/libexec/wmtools/"
export PATH=$W/bin:$PATH
owner() { setpriv --reuid=54321 --regid=54321 --clear-groups "$@"; }
other() { setpriv --reuid=54322 --regid=54322 --clear-groups "$@"; }
collect() { timeout 100 wm-collect "$@" >out 2>err; }
fresh() {
	rm -rf here there
	mkdir -m 1777 here there
	owner env WM_DIR="$W/here" WM_RUN_ID=j WM_NAME=a ./busy.wm 1 1 >/dev/null
}
fresh
other env WM_DIR="$W/here" WM_RUN_ID=k WM_NAME=b WM_MODE=644 ./busy.wm 1 1 \
	>/dev/null
owner env PATH="$PATH" timeout 100 wm-collect --from here --to there >out 2>err
is "in a place of all users" "$? $(ls there)" "0 a.j.wm"
owner env PATH="$PATH" timeout 100 wm-collect --from here --to there 'b.*' \
	>out 2>err
is "those of others when they are named" "$? $(ls there | tr '\n' ' ')" \
	"0 a.j.wm b.k.wm "
fresh
collect --from here --to there
is "root: what it copies is the owner's" "$? $(stat -c '%U %a' there/a.j.wm)" \
	"0 $(stat -c '%U %a' here/a.j.wm)"
fresh
other mkdir -m 777 there/a.j.wm
owner env PATH="$PATH" timeout 100 wm-collect --from here --to there >out 2>err
is "a directory there that another user made" "$? $(ls -A there/a.j.wm)" "3 "
like "it is said" "$(cat err)" "'there/a.j.wm': it belongs to another user"
fresh
other ln -s "$W/here" there/a.j.wm
owner env PATH="$PATH" timeout 100 wm-collect --from here --to there >out 2>err
is "a link there" $? 3
fresh
other mkfifo -m 666 there/a.j.wm
owner env PATH="$PATH" timeout 100 wm-collect --from here --to there >out 2>err
is "a pipe there" $? 3
# what is there and cannot be read is told, and nothing goes
closed() { # NAME FILE SAID
	chmod 000 "here/$2"
	owner env PATH="$PATH" timeout 100 wm-collect --remove --from here \
		--to there >out 2>err
	is "$1: status, and it stays" "$? $(ls -A here)" "3 a.j.wm"
	like "$1: said" "$(cat err)" "$3: Permission denied"
}
trace=a.j.wm/rank-000000
fresh
closed "a trace that cannot be read" $trace.wmt.xz \
	"'rank-000000.wmt.xz' stays"
fresh
owner touch here/$trace.wmw
closed "a window that cannot be read" $trace.wmw "'rank-000000.wmw' stays"
ok "its trace stays as well" [ -s here/$trace.wmt.xz ]
fresh
owner mkdir here/a.j.wm/ranks-000000
closed "a folder of ranks" a.j.wm/ranks-000000 "'ranks-000000' stays"
fresh
closed "a run directory" a.j.wm "a.j.wm: 'a.j.wm'"
fresh
owner mkdir here/closed
mv here/a.j.wm here/closed
chmod 000 here/closed
owner env PATH="$PATH" timeout 100 wm-collect --from here/closed/. \
	--to there >out 2>err
is "a directory above it: status" $? 3
like "a directory above it: said" "$(cat err)" "here/closed/.': Permission d"
chmod 700 here/closed
# a window elsewhere that cannot be read: its trace stays
wmcc -g -static -fno-builtin -o count "$progs/count.c" || exit 1
for mode in 000 311; do
	rm -rf here there wins
	mkdir -m 1777 here there
	owner mkdir "$W/here/wins"
	{ owner env WM_WINDOW_DIR="$W/here/wins" WM_DIR="$W/here" WM_NAME=a \
		WM_RUN_ID=j ./count.wm 3000 kill; } >/dev/null 2>&1
	chmod $mode here/wins
	owner env PATH="$PATH" timeout 100 wm-collect --remove --from here \
		--to there >out 2>err
	is "WM_WINDOW_DIR of mode $mode: status" $? 3
	is "WM_WINDOW_DIR of mode $mode: trace and window stay" \
		"$(find here -name '*.wm[tw]*' -type f | wc -l)" 2
done
# a working directory that cannot be read is not needed
fresh
owner mkdir -m 111 here/closed
owner env PATH="$PATH" sh -c 'cd here/closed && exec timeout 100 wm-collect \
	--from "$1/here" --to "$1/there"' sh "$W" >out 2>err
is "a working directory that cannot be read" "$? $(ls there)" "0 a.j.wm"
done_testing
