# SPDX-License-Identifier: Apache-2.0
# run: rest dist=
# make dist: the same bytes each time; what is in it builds without network
# and without anything in HOME, and traces a program.
. "$(dirname "$0")/../lib.sh"
git -C "$SRC" rev-parse --show-prefix >/dev/null 2>&1 ||
	skip_all "no clone of git: a release is made of a commit"

git clone -q --no-hardlinks "$SRC" clone || exit 1
dist() { # TO
	ls clone/scripts/dist >/dev/null && (umask "$2" &&
		clone/scripts/dist "$W/$1")
}
ok "make dist makes a release" product_make dist
ok "so does a clone of the same commit" dist one 022
ok "and another, whatever the umask" dist two 077
name=$(cd one && ls ./*.tar.xz)
ok "both are the same bytes" cmp "one/$name" "two/$name"
ok "a sum lies beside it" sh -c "cd one && sha256sum -c --quiet ./*.sha256"
is "all belongs to root and is readable for all" "$(tar --numeric-owner \
	-tvf "one/$name" | grep -v ' 0/0 ' ; tar -tvf "one/$name" |
	grep -v '^[-dl]rw[-x]r-[-x]r-[-x] ' | grep -v ^l)" ""

tar -xf "one/$name" && cd wmtools-* || exit 1
tree=$PWD
is "and the sources of libunwind and liblzma, as listed" "$(cd third_party &&
	for f in *.orig.tar.*; do sha256sum "$f"; done)" \
	"$(sed '/^#/d' scripts/third-party.sha256)"

# No network where namespaces are allowed; no cache and no proxy in any case.
alone="env -i HOME=$W/home PATH=/usr/bin:/bin http_proxy=http://127.0.0.1:9"
alone="$alone TMPDIR=$W"
mkdir "$W/home"
unshare -n true 2>/dev/null && alone="$alone unshare -n"
$alone make -j2 CFLAGS=-O0 MPICC= build/bin/wmcc build/bin/wm-analyze \
	build/libexec/wmtools/wm-ld build/lib/wmtools/wm-static.o \
	build/lib/wmtools/wmtrace.list build/libexec/wmtools/ld \
	>"$W/make.log" 2>&1
is "it builds alone" "$? $(grep -h 'rror: ' "$W/make.log" | head -n 5)" "0 "
for l in libunwind liblzma; do
	like "$l is of the sources inside" "$(cat build/pic/$l/from)" \
		"^a release: $tree/build/"
done
is "nothing was written into HOME" "$(find "$W/home" -mindepth 1)" ""

# Without MPI, as packages are made
$alone make -j2 CFLAGS=-O0 MPICC= install PREFIX=/usr DESTDIR="$W/to" \
	>"$W/make.log" 2>&1
is "it installs" "$? $(grep -h 'rror: ' "$W/make.log" | head -n 5)" "0 "
is "without wm-analyze-mpi, its page and its completions" \
	"$(find "$W/to" -name '*wm-analyze-mpi*')" ""
is "and with those of each program" "$(cd "$W/to/usr" && for p in bin/*; do
	n=${p#bin/}
	ls "share/man/man1/$n.1" "share/bash-completion/completions/$n" \
		"share/zsh/site-functions/_$n" \
		"share/fish/vendor_completions.d/$n.fish" 2>&1 >"$W/there"
done)" ""
ok "which are there" test -s "$W/there"

cd "$W" || exit 1
cat >a.c <<'X'
#include <stdlib.h>
static void *volatile p;
int main(void) { p = malloc(12345); return 0; }
X
new=$tree/build/bin
ok "its wmcc links a static program" $alone "$new/wmcc" -g -static -o a a.c
ok "which runs" $alone ./a.wm
is "its wm-analyze finds what that allocates" "$($alone "$new/wm-analyze" \
	--json | jq '[.functions[] | select(.name == "main") | .bytes] | add')" \
	12345

# Sources that were tampered with
cd "$tree" || exit 1
echo x >>third_party/libunwind_1.6.2.orig.tar.gz
rm -rf build/pic
like "sources that are not those listed are refused" "$($alone \
	scripts/libunwind-pic 2>&1)" 'is not in scripts/third-party.sha256'
done_testing
