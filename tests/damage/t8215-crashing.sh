# SPDX-License-Identifier: Apache-2.0
# run: quick
# The helpers of these tests fail when the command that they ask does: shown a
# wm-analyze that crashes, one that says nothing, and one that fails late.
. "$(dirname "$0")/../lib.sh" analyze-lib python3

printf 'rank 0 of 1\nt 1000100 malloc 0x1000 1000 main<a\nend\n' | run a.1.wm

# of HELPER ARGUMENT...: "ok" or "not ok", as it says with $fake first in PATH
of() {
	(
		PATH=$W/$fake:$PATH
		"$@" 2>/dev/null | sed -n 's/^\(ok\|not ok\) .*/\1/p'
	)
}
make_fake() { # NAME: the body on stdin
	mkdir "$1"
	{ echo '#!/bin/bash'; cat; } >"$1/wm-analyze"
	chmod +x "$1/wm-analyze"
}
make_fake crash <<<'kill -SEGV $$'
make_fake mute <<<'exit 0'
make_fake late <<E
"$BUILD/bin/wm-analyze" "\$@"
kill -SEGV \$\$
E
mkdir real
quietly() { sh -c 'wm-analyze -q a.1.wm >/dev/null'; }
same() { is same "$(json 'j["heap"]["peak"]' "$1")" "$(json 'j["heap"]["peak"]' "$1")"; }
alike() { is alike "$(answer wm-analyze a.1.wm)" "$(answer wm-analyze a.1.wm)"; }

fake=real
is "the real one: is_silent" "$(of is_silent x quietly)" ok
is "the real one: has_no" "$(of has_no x nonsense wm-analyze a.1.wm)" ok
is "has_no sees what is there" "$(of has_no x highest wm-analyze a.1.wm)" "not ok"
is "the real one: json" "$(of same a.1.wm)" ok
is "the real one: answer" "$(of alike)" ok
for fake in crash mute late; do
	is "$fake: has_no" "$(of has_no x nonsense wm-analyze a.1.wm)" "not ok"
	is "$fake: json" "$(of same a.1.wm)" "not ok"
	is "$fake: answer" "$(of alike)" "not ok"
done
for fake in crash late; do
	is "$fake: is_silent" "$(of is_silent x quietly)" "not ok"
done

# A file that ends early, and one whose checks did not all run.
mkdir -p tree/tests/house tree/build/test
cp "$SRC/tests/run" "$SRC/tests/lib.sh" tree/tests/
try() { # NAME: the file on stdin; the last line of tests/run
	{ echo '. "$(dirname "$0")/../lib.sh"'; cat; } >tree/tests/house/t0001-$1.sh
	env -u WM_CACHE BUILD="$W/tree/build" tree/tests/run 2>&1 | tail -1
	rm tree/tests/house/t0001-$1.sh
}
is "a file that is whole" "$(try whole <<<'ok a true
done_testing')" "1 passed, 0 failed"
is "one that ends before done_testing" "$(try early <<<'ok a true
exit 0
done_testing')" "1 passed, 1 failed"
is "one whose plan is another" "$(try plan <<<'echo 1..3; ok a true')" \
	"1 passed, 1 failed"

# A unit test is built anew where its source is newer, and not run without one.
mkdir -p tree/tests/unit/wmcc
unit() { # the number of checks of test_made: the last line of tests/run
	printf '#!/bin/sh\nfor i in %s; do echo ok $i; done; echo 1..$i\n' "$1" \
		>tree/tests/unit/wmcc/test_made.c
	env -u WM_CACHE BUILD="$W/tree/build" tree/tests/run unit/ 2>&1 |
		tail -1
}
printf '%s: %s\n\tinstall %s\n' 'needed: build/test/test_made
build/test/test_made' tests/unit/wmcc/test_made.c '$< $@' >tree/GNUmakefile
cp tree/GNUmakefile makes
like "what nobody built is not tested" "$(unit 1)" \
	"^tests/run: nothing is built in .*: run make check$"
touch tree/build/variables
is "a unit test is built" "$(unit 1)" "1 passed, 0 failed"
is "and built anew when its source is newer" "$(unit '1 2')" \
	"2 passed, 0 failed"
sed 's/install/false/' makes >tree/GNUmakefile
is "one that cannot be built is not run" "$(unit 1)" \
	"tests/run: what is tested cannot be built"
printf 'needed:\n' >tree/GNUmakefile
rm tree/tests/unit/wmcc/test_made.c
is "nor is one whose source is gone" "$(env -u WM_CACHE \
	BUILD="$W/tree/build" tree/tests/run unit/ 2>&1 | tail -1)" \
	"0 passed, 0 failed"
rm -r tree/GNUmakefile tree/tests/unit tree/build/test/test_made

# A long file runs once in the tier all, as the long one.
echo '# run: long
. "$(dirname "$0")/../lib.sh"
for i in $(long_or "1 2 3" 1); do ok $i true; done
done_testing' >tree/tests/house/t0001-long.sh
long() { # TIER
	env -u WM_CACHE BUILD="$W/tree/build" tree/tests/run --tier "$1" |
		tail -1
}
is "long: the tiers check, rest, all" "$(long check), $(long rest), $(long all)" \
	"1 passed, 0 failed, 3 passed, 0 failed, 3 passed, 0 failed"
like "the line before: what it took" "$(env -u WM_CACHE BUILD="$W/tree/build" \
	tree/tests/run -j 1 | tail -2 | head -1)" \
	'^1 files, 1 at a time: [0-9]+ s, [0-9]+ s CPU$'

# A file that is named and not run: the tier that has it is named, too.
sed 's/^# run: long/# run: rest/; s/ 3//' tree/tests/house/t0001-long.sh \
	>tree/tests/house/t0002-rest.sh
named() { # ARGUMENT...: its words on that, the last line, its status
	env -u WM_CACHE BUILD="$W/tree/build" tree/tests/run "$@" >named.out
	set -- $?
	grep '^tests/run:' named.out
	echo "$(tail -1 named.out), $1"
}
is "a file of the tier rest is named" "$(named t0001 t0002)" \
	"tests/run: tests/house/t0002-rest.sh is not in the tier check: add \
--tier all
1 passed, 0 failed, 1"
is "with its tier" "$(named --tier all t0001 t0002)" "5 passed, 0 failed, 0"
is "one that is nowhere" "$(named t0001 t0003)" \
	"tests/run: no file is named 't0003'
1 passed, 0 failed, 1"
rm tree/tests/house/t0001-long.sh tree/tests/house/t0002-rest.sh

# Failures are repeated where a reader of a log looks first: at its end.
last_lines() { # the file on stdin
	{ echo '. "$(dirname "$0")/../lib.sh"'; cat; } >tree/tests/house/t0001-red.sh
	echo '. "$(dirname "$0")/../lib.sh"; ok fine true; done_testing' \
		>tree/tests/house/t0002-green.sh
	env -u WM_CACHE BUILD="$W/tree/build" tree/tests/run -j 1 2>&1 |
		sed -n '/^Failed:$/,$p'
	rm tree/tests/house/t000[12]-*.sh
}
is "the failures are said again at the end" "$(last_lines <<<'ok fine true
ok "is red" false
done_testing' | grep -v ': # ')" "Failed:
tests/house/t0001-red.sh: not ok 2 - is red
2 passed, 1 failed"
is "no such words where all passed" "$(last_lines <<<'ok fine true
done_testing')" ""
done_testing
