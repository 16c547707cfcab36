# SPDX-License-Identifier: Apache-2.0
# Text fits the columns that the terminal, or COLUMNS, has: lines are wrapped,
# names in tables are shortened, numbers are not.
# run: quick
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/analyze-lib.sh"

long=a_function_whose_name_is_longer_than_most_that_a_program_has
run app.1.wm <<E
program app
elf app
id 1
rank 0 of 2
t 1000 malloc 0x1000 3000000 main<make<$long
t 2000 malloc 0x2000 1000 main<other
t 3000 free 0x1000
end
rank 1 of 2
t 1000 malloc 0x1000 70 main<other
end
E
# longest COMMAND...: columns of its longest line
longest() {
	"$@" 2>/dev/null | awk '{ n = length($0) > n ? length($0) : n } END { print n }'
}
for r in summary leaks functions files; do
	n=$(COLUMNS=80 longest wm-analyze --$r app.1.wm)
	ok "--$r: 80 columns are enough ($n)" test "$n" -gt 40 -a "$n" -le 80
done
is "a long line goes on below its last column" \
	"$(COLUMNS=72 wm-analyze app.1.wm 2>/dev/null |
	grep -A1 '^ *99 % of it' | cut -c1-66 | sed 's/ s,.*/ s/')" \
	"$(printf '%46s99 %% of it held for\n%46s0.000000 s' '' '')"
like "for a program lines are whole" "$(wm-analyze app.1.wm 2>/dev/null)" \
	'99 % of it held for [0-9.]+ s, 90 % for [0-9.]+ s'
COLUMNS=75 wm-analyze --imbalance app.1.wm >75 2>/dev/null
COLUMNS=200 wm-analyze --imbalance app.1.wm >200 2>/dev/null
like "a wide line has 60 columns of the name" "$(cat 200)" \
	'\+1\.4 MiB +2\.9 MiB +1\.4 MiB +a_function_whose_na[a-z_]*\.\.\.[a-z_]*_program_has < make$'
like "a narrow one has the numbers, and less of the name" "$(cat 75)" \
	'\+1\.4 MiB +2\.9 MiB +1\.4 MiB +a_func[a-z_]{,10}\.\.\.[a-z_]*_has < make$'
ok "it fits" test "$(longest cat 75)" -le 75
done_testing
