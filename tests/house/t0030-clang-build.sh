# SPDX-License-Identifier: Apache-2.0
# All of it builds with clang, warnings as errors.
# run: rest
. "$(dirname "$0")/../lib.sh" clang

made_by_clang all unit-tests >log 2>&1
is "make CC=clang DEVELOPER=1" "$? $(grep -E 'error:|\*\*\*' log)" "0 "
like "the program runs" "$("$BUILD/test/clang/bin/wm-analyze" --version)" '^wm-analyze '
done_testing
