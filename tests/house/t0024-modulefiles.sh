# SPDX-License-Identifier: Apache-2.0
# The modulefiles that make install writes, by the modules systems themselves:
# Environment Modules and Lmod load and unload them.
. "$(dirname "$0")/../lib.sh"
version=$(sed -n 's/.*WM_VERSION "\(.*\)"/\1/p' "$SRC/include/wm/version.h")
root='/opt/w m"[x'
ok "make install" product_make install PREFIX="$W$root" DESTDIR=
ok "make install, to be moved" product_make install PREFIX="$W/real" \
	DESTDIR="$W/stage"
has_no "no DESTDIR in them" "$W/stage" cat \
	"stage$W/real/share/modulefiles/wmtools/$version" \
	"stage$W/real/share/modulefiles/wmtools/$version.lua"
export PATH=/usr/local/bin:/usr/bin:/bin
unset MODULEPATH MANPATH PKG_CONFIG_PATH CMAKE_PREFIX_PATH ACLOCAL_PATH \
	LOADEDMODULES _LMFILES_ BASH_ENV

# state: what a module may change; without what the systems keep for themselves
cat >state <<'X'
env -0 | tr '\n' ' ' | tr '\0' '\n' | sort |
	grep -v -e '^_' -e LOADEDMODULES -e _LMFILES_ -e '^LMOD_' \
	-e MODULE -e '^BASH_FUNC' -e '^BASH_ENV' -e '^SHLVL' -e 'PWD='
X
# follow WHAT INIT: load, look, unload in one shell
follow() {
	local what=$1 init=$2
	cat >follow.sh <<X
set -e
. "$init" >/dev/null 2>&1
[ -z "\$given" ] || export MANPATH=\$given
module use "\$PREFIX/share/modulefiles"
. ./state >before
module load wmtools
command -v wmcc
cd /; wm-config --prefix; cd "$W"
echo "\$MANPATH|\$PKG_CONFIG_PATH|\$CMAKE_PREFIX_PATH|\$WMTOOLS_DIR"
man -w wmcc 2>&1; man -w ls >/dev/null && echo the manual of ls
pkg-config --modversion wmtools
module help wmtools 2>&1 | grep -c 'make CC=wmcc'
module whatis wmtools 2>&1 | grep -c 'memory tracing'
module unload wmtools
. ./state >after
X
	# Lmod adds the last two colons, and leaves them
	for at in "$W$root" "$W/real"; do
		given=/usr/share/man:: after=/usr/share/man::
		if [ "$at" != "$W$root" ]; then
			mv "stage$at" "$at"
			[ "$what" = Lmod ] || given='' after=
		fi
		given=$given PREFIX=$at timeout 60 bash --norc --noprofile follow.sh >out 2>err
		is "$what, ${at##*/}: status" "$? $(grep -vi locale err | head -5)" "0 "
		is "$what, ${at##*/}: wmcc and what it says of its place" \
			"$(sed -n 1,2p out)" "$(printf '%s\n' "$at/bin/wmcc" "$at")"
		is "$what, ${at##*/}: variables" "$(sed -n 3p out)" \
			"$at/share/man:$after|$at/lib/pkgconfig|$at|$at"
		is "$what, ${at##*/}: manuals, pkg-config, help, whatis" \
			"$(sed 1,3d out)" "$(printf '%s\n' \
			"$at/share/man/man1/wmcc.1" "the manual of ls" "$version" 1 1)"
		ok "$what, ${at##*/}: something was loaded" test -s before
		is "$what, ${at##*/}: unloading restores all" \
			"$(diff before after)" ""
	done
	mv "$W/real" "stage$W/real"
}
# both WHAT INIT: two versions are not loaded at one time
both() {
	cat >both.sh <<X
. "$2" >/dev/null 2>&1
module use "$W/stage$W/real/share/modulefiles"
module load wmtools/$version; module load wmtools/9.9
printf '%s\n' "\$LOADEDMODULES"
X
	cp "stage$W/real/share/modulefiles/wmtools/$version" \
		"stage$W/real/share/modulefiles/wmtools/9.9"
	is "$1: one version at a time" "$(timeout 60 bash --norc --noprofile \
		both.sh 2>/dev/null | tr ':' '\n' | grep -c '^wmtools/')" 1
	rm "stage$W/real/share/modulefiles/wmtools/9.9"
}

init=/usr/share/modules/init/bash
if [ -f $init ]; then
	follow "Environment Modules" $init
	both "Environment Modules" $init
else
	skip "Environment Modules" "package environment-modules is not installed"
fi
init=$WM_CACHE/lmod/init/bash
[ -f "$init" ] || init=/usr/share/lmod/lmod/init/bash
if [ -f "$init" ]; then
	follow Lmod "$init"
	both Lmod "$init"
else
	skip "Lmod" "scripts/setup has not unpacked it (scripts/lmod-unpacked)"
fi
ok "make uninstall" product_make uninstall PREFIX="$W/real" DESTDIR="$W/stage"
is "takes the modulefiles, too" "$(find stage -type f)" ""
done_testing
