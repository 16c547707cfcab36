# SPDX-License-Identifier: Apache-2.0
# Links as Go and cargo run them: into a folder that goes, or under a name that
# is not the program's; and the probes of Go.
. "$(dirname "$0")/../lib.sh" wmcc-lib
export WM_CC=gcc
sources
gcc -O1 -c hello.c
go=$W/go-build2923013225/b001/exe
cargo=target/debug/deps/hello-f89569e0ac7d9259
mkdir -p "$go" target/debug/deps go-link-1895668178

wmcc hello.o -o "$go/a.out" 2>err
is "Go: status, one line" "$? $(wc -l <err)" "0 1"
like "Go: says what keeps the twin" "$(cat err)" \
	"^wmcc: warning: '$go/a.out.wm': go removes .*: WM_TWIN_DIR=DIR "
ok "Go: the twin is there, while it is" traced "$go/a.out.wm"
wmcc hello.o -o $cargo 2>err
is "cargo: status, one line" "$? $(wc -l <err)" "0 1"
like "cargo: says it" "$(cat err)" "'$cargo.wm': cargo .*: WM_TWIN_DIR=DIR "
for other in target/debug/deps/hello target/debug/hello-f89569e0ac7d9259 \
	target/debug/deps/hello-f89569e0ac7d925 go-builder; do
	is_silent "silent: $other" wmcc hello.o -o "$other"
done
WM_LINK=only wmcc hello.o -o "$go/a.out" >err 2>&1
is "WM_LINK=only: silent" "$? $(cat err)" "0 "
mkdir -p go-build1 && TMPDIR=$W/go-build1 wmcc hello.o \
	-o "$W/go-build1/quiet" >err 2>&1
is "a temporary file: silent" "$? $(cat err)" "0 "

# the order of a build: cgo's own program, three probes, the program
rm -f "$go"/*
export WM_TWIN_DIR=$W/twins
echo 'int main(void) { return 0; }' >go-link-1895668178/trivial.c
wmcc hello.o -o "$go/../_cgo_.o" >err 2>&1
(cd go-link-1895668178 && wmcc -no-pie trivial.c) >>err 2>&1
wmcc hello.o -o "$go/a.out" >>err 2>&1
is "a build: silent" "$(cat err)" ""
is "a build: one twin" "$(find twins -type f)" twins/a.out.wm
rm -rf "${go%%/b001*}" go-link-1895668178
ok "a build: it runs when the folders are gone" traced twins/a.out.wm
done_testing
