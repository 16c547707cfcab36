# SPDX-License-Identifier: Apache-2.0
# run: rest dist=
# The Debian package: built from a release without network or caches, clean
# under lintian; in a fresh Debian 12 it is installed, a static program is
# traced, and after purging nothing is left.
. "$(dirname "$0")/../lib.sh"
for p in dpkg-buildpackage:dpkg-dev dh:debhelper lintian:lintian \
	debootstrap:debootstrap unshare:util-linux; do
	command -v "${p%:*}" >/dev/null ||
		skip_all "package ${p#*:} is not installed: scripts/setup"
done
git -C "$SRC" rev-parse HEAD >/dev/null 2>&1 ||
	skip_all "a release is made of a clone of git"
ok "make dist" product_make dist
release=$(echo "$BUILD"/dist/wmtools-*.tar.xz)
version=$(basename "$release" .tar.xz)
version=${version#wmtools-}
ok "builds" timeout 1700 "$SRC/scripts/package" deb "$W/deb" "$release"
deb=deb/wmtools_${version}_amd64.deb
ok "the package is there" test -s "$deb"
is_silent "lintian: nothing, of warnings and errors" lintian --allow-root \
	--fail-on error,warning deb/wmtools_*.changes
dpkg-deb -c "$deb" >list
is "files belong to root" "$(awk '$2 != "root/root"' list)" ""
is "no folder of the build is in it" "$(dpkg-deb -x "$deb" x &&
	grep -rl "wmtools-package\|$W" x)" ""

[ "$(id -u)" = 0 ] || { skip "in a chroot" "this is not root"; done_testing; exit; }
# Kept for the next run: as debootstrap made it
base=$WM_CACHE/debian-12
if [ ! -f "$base.made" ]; then
	rm -rf "$base"
	timeout 600 debootstrap --variant=minbase bookworm "$base" \
		>debootstrap.log 2>&1 && touch "$base.made"
fi
[ -f "$base.made" ] || {
	skip "in a chroot" "debootstrap: $(tail -1 debootstrap.log)"
	done_testing
	exit
}
cp -a "$base" root
cp "$deb" "$SRC/scripts/packaging/debian/tests/static-program" root/root/
rm -f root/etc/resolv.conf
cp /etc/resolv.conf root/etc/
for f in /etc/apt/sources.list /etc/apt/apt.conf.d; do
	[ ! -e $f ] || cp -R $f root/etc/apt/
done
# in COMMAND...: inside, with its own /proc and mounts
in_root() {
	timeout 500 unshare -m -p --fork --kill-child bash -c '
		mount -t proc proc root/proc && mount -t tmpfs tmpfs root/tmp &&
		exec chroot root env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
			DEBIAN_FRONTEND=noninteractive HOME=/root "$@"' in "$@"
}
files() { (cd root && find . -xdev ! -path './var/*' ! -path './tmp*' \
	! -path './root*' ! -path './proc*' | sort); }
if ! in_root apt-get -q update >apt.log 2>&1; then
	skip "in a chroot" "apt-get update: $(tail -1 apt.log)"
	done_testing
	exit
fi
# all of them, so that what is left by purging is wmtools' own
needs=$(dpkg-deb -f "$deb" Depends | sed 's/([^)]*)//g; s/|[^,]*//g; s/,/ /g')
ok "its dependencies are to be had" in_root apt-get -q -y \
	--no-install-recommends install gcc libc6-dev $needs
files >before
ok "installs" in_root apt-get -q -y --no-install-recommends install \
	"/root/${deb##*/}"
ok "a static program is linked, traced and analyzed" in_root \
	sh /root/static-program
like "the name of its version" "$(in_root wm-analyze --version)" \
	"^wm-analyze $version\$"
ok "purges" in_root apt-get -q -y purge wmtools
files >after
is "nothing is left" "$(diff before after)" ""
done_testing
