# SPDX-License-Identifier: Apache-2.0
# run: rest dist=
# The RPM package: built from a release without caches, nothing for rpmlint to
# say but what is meant so, the files that make install puts; installed by rpm
# into a root of its own, run from there, and after erasing nothing is left.
. "$(dirname "$0")/../lib.sh"
for p in rpmbuild:rpm rpm:rpm rpmlint:rpmlint jq:jq; do
	command -v "${p%:*}" >/dev/null ||
		skip_all "package ${p#*:} is not installed: scripts/setup"
done
git -C "$SRC" rev-parse HEAD >/dev/null 2>&1 ||
	skip_all "a release is made of a clone of git"
# of the release, not of what is not committed
ok "make dist" product_make dist
release=$(echo "$BUILD"/dist/wmtools-*.tar.xz)
version=$(basename "$release" .tar.xz)
version=${version#wmtools-}
# it is the recipe that is tested, and not the compiler
mkdir home
echo '%wmopt -O0' >home/.rpmmacros
ok "builds" env HOME="$W/home" timeout 1700 "$SRC/scripts/package" rpm "$W/rpm" "$release"
rpm=$(echo "$W"/rpm/wmtools-"$version"-1*.x86_64.rpm)
ok "the package is there" test -s "$rpm"
# query FORMAT: of the package; on Debian rpm says beside that it should not be
# used
query() { rpm -qp --qf "$1" "$rpm" 2>/dev/null; }

tar -xf "$release" "wmtools-$version/scripts/packaging/rpm"
mv "wmtools-$version/scripts/packaging/rpm" recipe
sed -i "s/@MAINTAINER@/x@example.org/; s/@VERSION@/$version/
	s/@DATE@/Wed Nov 25 2026/" recipe/wmtools.spec
rpmlint -r recipe/wmtools.rpmlintrc recipe/wmtools.spec "$rpm" >lint 2>&1
is "rpmlint: nothing, of warnings and errors" \
	"$(grep -E ' [EW]: |^Traceback|rror:' lint)" ""
like "it has read both" "$(cat lint)" \
	'1 packages and 1 specfiles checked; 0 errors, 0 warnings'
is "who packaged it" "$(query '%{PACKAGER}')" \
	"The wmtools authors <wmtools@example.org>"
is "its libraries are not for others" \
	"$(rpm -qp --provides "$rpm" 2>/dev/null | grep -v '^wmtools[ (]\|^bundled(')" ""
is "it depends on no MPI" "$(rpm -qp --requires "$rpm" 2>/dev/null |
	grep -i mpi)" ""

# The files of make install, with pages compressed; without those that need an
# MPI, and without modulefiles
ok "make install" product_make install PREFIX=/usr DESTDIR="$W/to"
(cd to && find . ! -type d ! -name '*wm-analyze-mpi*' \
	! -path '*/modulefiles/*' ! -path '*/doc/wmtools/LICENSE' \
	-printf '/%P\n' && echo /usr/share/licenses/wmtools/LICENSE) |
	sed '/\/share\/man\//s/$/.gz/' | sort >wanted
query '[%{FILEMODES:perms} %{FILEUSERNAME}:%{FILEGROUPNAME} %{FILENAMES}\n]' |
	tee list | sed -n 's/^[^d][^ ]* [^ ]* //p' |
	sed 's#/licenses/wmtools-[^/]*/#/licenses/wmtools/#' | sort >files
is "the files of make install" "$(diff wanted files)" ""
ok "which are some ($(wc -l <files))" test "$(wc -l <files)" -gt 100
is "they belong to root, and nobody else may write" \
	"$(grep -v '^[-d]rw[-x]r-[-x]r-[-x] root:root \|^lrwxrwxrwx root:root ' \
		list)" ""

[ "$(id -u)" = 0 ] || { skip "installed" "this is not root"; done_testing; exit; }
# in_root OPTION...: rpm with a root and a data base of its own
in_root() { timeout 100 rpm --root "$W/root" --nodeps "$@"; }
mkdir root
ok "installs" in_root -i "$rpm"
is "is verified" "$(in_root -V wmtools 2>err)" ""
is "no folder of the build is in it" \
	"$(grep -rl "wmtools-package\|BUILDROOT\|$BUILD" root/usr)" ""
PATH=$(printf %s "$PATH" | tr ':' '\n' | grep -vx "$BUILD/bin" | paste -sd:)
export PATH=$W/root/usr/bin:$PATH
is "knows its place" "$(wm-config --prefix)" "$W/root/usr"
is "wm-analyze runs" "$(wm-analyze --version | head -n 1)" \
	"wm-analyze $version"
cat >a.c <<'C'
#include <stdlib.h>
static void *volatile p;
int main(void) { p = malloc(12345); return 0; }
C
ok "a static program as ever" gcc -g -static -o plain a.c
ok "is linked" wmcc -g -static -o a a.c
ok "as it is without" cmp plain a
ok "its twin is traced" timeout 60 ./a.wm
is "and analyzed" "$(wm-analyze --json |
	jq '[.functions[] | select(.name == "main") | .bytes] | add')" 12345
gcc -g -o dynamic a.c
ok "wm-run finds its library" env WM_DIR=other wm-run ./dynamic
is "which traces, too" "$(wm-analyze --json other/dynamic.*.wm |
	jq '[.functions[] | select(.name == "main") | .bytes] | add')" 12345
like "man finds a page by another name" "$(MANPATH=$W/root/usr/share/man \
	MANPAGER=cat man 1 wmf90 2>&1)" '^WMCC\(1\)'
echo changed >>root/usr/bin/wm-run
like "a change is seen" "$(in_root -V wmtools 2>err)" '^S.5.*/usr/bin/wm-run$'
ok "erases" in_root -e wmtools
# Folders of the system stay where no package has them
is "nothing is left" "$(find root/usr ! -type d -o -name '*wm*')" ""
done_testing
