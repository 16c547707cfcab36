# SPDX-License-Identifier: Apache-2.0
# run: quick
# The objects that a changed header makes old, whichever way BUILD is given, the
# programs that make check T=PATTERN builds, and compile_commands.json.
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

# A test is built for with the programs that it needs.
needed() { # PATTERN
	make -pn needed "T=$1" 2>/dev/null | sed -n 's/^needed: //p' |
		tr ' ' '\n' | sed 's|.*/||' | sort | tr '\n' ' '
}
echo 'dump=$tools/access-dump; "$SRC/tests/tools/first" x' \
	>tests/analyze/t5998-made.sh
echo 'tests/tools/second.py 1' >tests/tools/first
echo '"wmt-job"' >tests/tools/second.py
is "a unit test needs itself" "$(needed unit/test_live)" "test_live "
is "a shell test: the product, and programs that it or its scripts name" \
	"$(needed t5998)" "access-dump all wmt-job "
is "two tests: those of both" "$(needed 't5998 test_json')" \
	"access-dump all test_json wmt-job "
is "all tests: everything" "$(needed "")" "all unit-tests "

if command -v python3 >/dev/null; then
	ok "compile_commands.json is made" make -s compile_commands.json
	is "and has a command for each source of the product" "$(python3 -c '
import glob, json, os, sys
made = json.load(open("compile_commands.json"))
for m in made:
    assert os.path.samefile(m["directory"], ".")
    assert m["command"].split()[-1] == m["file"], m
named = {m["file"] for m in made}
print([f for top in sys.argv[1:] for f in glob.glob(top + "/**/*.c", recursive=True)
       if f not in named], len(named) > 300)' analyze runtime wmcc wrappers 2>&1)" \
		"[] True"
else
	skip "compile_commands.json" "no python3"
fi
done_testing
