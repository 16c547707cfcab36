# SPDX-License-Identifier: Apache-2.0
# run: quick
# wm-config says where an installation is, also one that was moved, and gives
# the flags for LDFLAGS and LIBS.
. "$(dirname "$0")/../lib.sh" wmcc-lib
sources
ok "installs" product_make install PREFIX=/opt/wm DESTDIR="$W/stage"
PATH=$(printf %s "$PATH" | tr ':' '\n' | grep -vx "$BUILD/bin" | paste -sd:)
for home in "$W/stage/opt/wm" "$W/moved"; do
	[ "$home" != "$W/moved" ] || mv stage/opt/wm "$home"
	config=$home/bin/wm-config
	is "--prefix says where it lies" "$("$config" --prefix)" "$home"
	is "by a link from elsewhere, too" \
		"$(ln -sfn "$config" wm-config && ./wm-config --prefix)" "$home"
	has_no "no flag names another place" "$(if [ "$home" = "$W/moved" ]; then
		echo "$W/stage"; else echo "$W/moved"; fi)" "$config" --libs
done
export PATH=$home/bin:$PATH
is "--libs is all that the link needs" "$(wm-config --libs)" \
	"$(answer wm-config --pre-ld-flags --post-ld-flags)"
is "--static --libs, too" "$(wm-config --static --libs)" \
	"$(answer wm-config --static --pre-ld-flags --post-ld-flags)"
for kind in "" --static; do
	gcc ${kind#-} hello.c $(wm-config $kind --libs) -o app
	ok "one place, ${kind:-dynamic}" traced ./app
	# as LDFLAGS and LIBS of automake
	gcc ${kind#-} $(wm-config $kind --ldflags) hello.c \
		$(wm-config $kind --libs) -o app
	ok "LDFLAGS and LIBS, ${kind:-dynamic}" traced ./app
	gcc ${kind#-} $(wm-config $kind --ldflags --libs) hello.c -o app
	ok "both in one, ${kind:-dynamic}" traced ./app
done
is "the version" "$(wm-config --version) $(wm-config -V)" "$(sed -n \
	's/^#define WM_VERSION "\(.*\)"/\1 \1/p' "$SRC/include/wm/version.h")"
for o in --prefix --libs --ldflags --pre-ld-flags --version; do
	like "--help names $o" "$(wm-config --help)" "^  (-., )?$o "
done
is "-h says the same" "$(wm-config -h)" "$(answer wm-config --help)"
wm-config --lib >out 2>err
is "an option that is none: status and output" "$? $(cat out)" "127 "
like "and it is named" "$(cat err)" "'--lib' is not an option"
# Every command says what it is by the same letters, and how it is used.
version=$(wm-config -V)
for c in wm-analyze wm-census wm-collect wm-run; do
	is "$c -V" "$($c -V | head -n 1)" "$c $version"
	is "$c --version" "$($c --version)" "$($c -V)"
	like "$c -h: with an example" "$($c -h)" "^  .*$c [^[]"
	is "$c --help" "$($c --help)" "$($c -h)"
done
like "wm-config -h: with an example" "$(wm-config -h)" '[$]\(wm-config --static'

done_testing
