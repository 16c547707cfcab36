# SPDX-License-Identifier: Apache-2.0
# Modes of what a run leaves: WM_MODE, whatever the umask is.
. "$(dirname "$0")/../lib.sh"

wmcc -O1 -fno-builtin -static -o busy "$progs/busy.c" || exit 1

# Root may do what the umask forbids, so another user runs it.
as=()
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 "$W"
	mkdir home && cd home && chown 54321:54321 . || exit 1
	as=(setpriv --reuid=54321 --regid=54321 --clear-groups)
	ln -s ../busy.wm .
fi

# modes [VARIABLE=VALUE...]: of a run's directories and files, as they are while
# it runs (with its window); stderr is in err
modes() {
	rm -rf run
	"${as[@]}" env WM_DIR=run WM_RUN_ID=j WM_NAME=a PMI_RANK=0 PMI_SIZE=2000 "$@" \
		./busy.wm 300000 1 >/dev/null 2>err &
	soon [ -s run/a.j.wm/ranks-000000/rank-000000.wmt.xz -a \
		-e run/a.j.wm/program.wmc.xz ]
	(cd run && find ./* | sort | xargs stat -c '%a %n' |
		sed -e 's,[^ ]*/,,' | tr '\n' ' ')
	kill -9 $!
	wait $! 2>/dev/null
}
all() { # DIRECTORIES FILES: what modes() has to print
	echo "$1 a.j.wm $2 program.wmc.xz $1 ranks-000000 $2 \
rank-000000.wmt.xz $2 rank-000000.wmw "
}
is "by default the user's alone" "$(modes 2>&1)" "$(all 700 600)"
is "WM_MODE=640" "$(modes WM_MODE=640)" "$(all 750 640)"
is "WM_MODE=0664" "$(modes WM_MODE=0664)" "$(all 775 664)"
for mask in 0 077 0777; do
	is "umask $mask: WM_MODE=644 all the same" \
		"$(umask $mask; modes WM_MODE=644 2>/dev/null)" "$(all 755 644)"
done
for bad in 0666 400 1600 rw 8 06400; do
	WM_DIR=run2 WM_MODE=$bad ./busy.wm 1 1 >out 2>err
	is "WM_MODE=$bad: the program ends as ever" "$? $(cat out)" "7 done"
	like "WM_MODE=$bad: one line" "$(cat err)" \
		"^wmtrace: WM_MODE='$bad' is not an octal mode from 600 to 664"
done
is "a bad value: the default" "$(find run2 -type f -printf '%m\n' | sort -u)" 600
done_testing
