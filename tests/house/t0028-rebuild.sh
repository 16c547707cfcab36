# SPDX-License-Identifier: Apache-2.0
# run: quick
# What a changed header makes old, whichever way BUILD is given.
. "$(dirname "$0")/../lib.sh"
unset MAKEFLAGS MAKELEVEL BUILD

mkdir tree
(cd "$SRC" && cp -R GNUmakefile analyze include runtime scripts tests wmcc \
	wrappers "$W/tree/") || exit 1
cd tree || exit 1
object=obj/rt-static/runtime/base/clock.o

for first in build ./build ././build .//build "$PWD/build"; do
	rm -rf build
	ok "BUILD=$first: an object is built" make -s "BUILD=$first" "$first/$object"
	for then in build ././build "$PWD/build"; do
		ok "BUILD=$first, then $then: it is up to date" \
			make -q "BUILD=$then" "$then/$object"
		sleep 0.01
		touch runtime/base/clock.h
		make -q "BUILD=$then" "$then/$object"
		is "BUILD=$first, then $then: it is not after a header" $? 1
		make -s "BUILD=$first" "$first/$object"
	done
done
done_testing
