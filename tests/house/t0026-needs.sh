# SPDX-License-Identifier: Apache-2.0
# run: quick
# What make needs: headers are missed by name, and the bundled libraries come
# from where they may.
. "$(dirname "$0")/../lib.sh"

# A compiler that has neither libdw nor liblzma
cat >cc <<'X'
#!/bin/bash
for a; do
	case $a in
	*.c) ! grep -q 'elfutils\|lzma\.h' "$a" || exit 1 ;;
	-llzma) exit 1 ;;
	esac
done
exec gcc "$@"
X
chmod +x cc
CC=gcc ok "nothing is missing here" "$SRC/scripts/check-needs" -ldw -lelf \
	-llzma -lz
said=$(CC=$W/cc "$SRC/scripts/check-needs" -ldw -lelf -llzma -lz 2>&1)
is "what is missing is an error" $? 1
like "headers and libraries by name" "$said" \
	'missing: <elfutils/libdw.h>.* <lzma.h> -llzma$'
like "their packages on Debian, each once" "$said" \
	'Debian.* apt-get install libdw-dev liblzma-dev$'
like "on RHEL" "$said" 'RHEL.* dnf install elfutils-devel xz-devel$'
like "on SLES" "$said" 'SLES.* zypper install libdw-devel xz-devel$'
said=$(CC=no-such-cc "$SRC/scripts/check-needs" 2>&1)
like "no compiler at all" "$said" '^make: missing: no-such-cc$'

# The libraries that the runtime bundles
pic() { # LIBRARY [VARIABLE=VALUE...]
	local library=$1
	shift
	rm -rf pic
	env "$@" "$SRC/scripts/pic-library" "$library" "$W/pic" 2>&1
}
mkdir -p given/lib64 empty
cp -R "$BUILD/pic/liblzma/include" given/
cp "$BUILD/pic/liblzma/lib/liblzma.a" given/lib64/
ok "liblzma from a given prefix" pic liblzma WM_LIBLZMA="$W/given"
ok "is that one" cmp pic/lib/liblzma.a given/lib64/liblzma.a
rm given/lib64/liblzma.a
printf '__thread int t; int *f(void) { return &t; }\n' >t.c
gcc -fPIC -c t.c && ar rc given/lib64/liblzma.a t.o
like "a given one with thread-local variables is refused" \
	"$(pic liblzma WM_LIBLZMA="$W/given")" \
	'error: WM_LIBLZMA: .*has thread-local symbols'
printf 'int y[9]; int f(long i) { return y[i]; }\n' >t.c
rm given/lib64/liblzma.a
gcc -fno-pic -fno-pie -c t.c && ar rc given/lib64/liblzma.a t.o
like "and one that is not position independent" \
	"$(pic liblzma WM_LIBLZMA="$W/given")" 'is not position independent'
printf '__attribute__((constructor)) static void f(void) { }\n' >t.c
rm given/lib64/liblzma.a
gcc -fPIC -c t.c && ar rc given/lib64/liblzma.a t.o
like "and one with constructors" \
	"$(pic liblzma WM_LIBLZMA="$W/given")" 'has constructors'
like "a prefix without the library" \
	"$(pic liblzma WM_LIBLZMA="$W/empty")" \
	"WM_LIBLZMA: no lib/liblzma.a or lib64/liblzma.a below '$W/empty'"

# A cache as scripts/setup makes it, of this user and of another
cache=$W/cache/liblzma-1-pic
mkdir -p "$cache/lib"
cp -R "$BUILD/pic/liblzma/include" "$cache/"
cp "$BUILD/pic/liblzma/lib/liblzma.a" "$cache/lib/"
: >"$cache/.recipe"
is "the user's own cache" \
	"$(WM_CACHE=$W/cache "$SRC/scripts/setup" --print-prefix liblzma)" \
	"$cache"
if [ "$(id -u)" = 0 ]; then
	for each in "$W/cache" "$cache" "$cache/lib/liblzma.a"; do
		chown 12345 "$each"
		like "not where ${each#"$W/"} is another user's" \
			"$(WM_CACHE=$W/cache "$SRC/scripts/setup" \
				--print-prefix liblzma 2>&1)" \
			'not used, as it belongs to another user'
		chown 0 "$each"
	done
	chown 12345 cache
	like "nothing is built into it either" "$(WM_CACHE=$W/cache \
		"$SRC/scripts/liblzma-pic" 2>&1)" 'set WM_CACHE to a directory of'
else
	skip "caches of other users" "needs root to make one"
fi
done_testing
