# SPDX-License-Identifier: Apache-2.0
# A twin whose census could not be made is a twin all the same: the next link
# takes its place.
. "$(dirname "$0")/../lib.sh"

echo 'int main(void) { return 0; }' >a.c
mkdir tools
# The program is written over by somebody else while its twin is linked.
cat >tools/ld <<'END'
#!/bin/sh
/usr/bin/ld "$@" || exit 1
case "$*" in
*"app.wm"*) [ ! -e spoil ] || echo spoilt >app ;;
esac
END
chmod +x tools/ld
touch spoil
ok "links" env PATH="$PWD/tools:$PATH" wmcc -B"$PWD/tools" -o app a.c
ok "there is a twin" [ -f app.wm ]
ok "without a census" sh -c '! readelf -SW app.wm | grep -q wm_census'
cp app.wm first
rm spoil
wmcc -o app a.c 2>err
is "the next link says nothing" "$(cat err)" ""
ok "and made a twin" sh -c 'readelf -SW app.wm | grep -q wm_census'

done_testing
