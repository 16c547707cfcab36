# SPDX-License-Identifier: Apache-2.0
# Messages of the second link begin with the command that was typed; twins of
# programs that are linked in a place that does not last.
. "$(dirname "$0")/../lib.sh" wmcc-lib
sources
gcc -c "$progs/link/clash.c"
for name in wmcc wmcxx wmc++ wmf90 wmfc wm-gfortran; do
	case $name in
	*f*) have gfortran gfortran "$name" || continue ;;
	*c++ | *xx) have g++ g++ "$name" || continue ;;
	esac
	case $name in
	*f*) export WM_FC="gcc" ;;
	*) unset WM_FC ;;
	esac
	"$name" -static clash.o -o app 2>err
	is "$name: builds" $? 0
	is "$name: one line" "$(wc -l <err)" 1
	like "$name: begins with it" "$(cat err)" \
		"^${name//+/\\+}: warning: 'app.wm' not made: "
done

# as Go and cargo link: elsewhere, under another name, in a folder that goes
unset WM_FC
mkdir twins
mkdir -p work && cp hello.c work/
(cd work && WM_TWIN_DIR=$W/twins wmcc -static hello.c -o exe-1a2b) 2>err
is "a link in a folder that is removed: silent" "$(cat err)" ""
mv work/exe-1a2b app2 && rm -rf work
is "WM_TWIN_DIR: the twin stays" "$(ls twins)" exe-1a2b.wm
ok "WM_TWIN_DIR: it runs" traced twins/exe-1a2b.wm
done_testing
