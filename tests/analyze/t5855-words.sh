# SPDX-License-Identifier: Apache-2.0
# Words of reports that were misleading.
. "$(dirname "$0")/../lib.sh" analyze-lib wmcc-lib python3

# A caller, file and line behind a site are not cut away as a template would be.
long=a_function_with_a_name_that_fills_most_of_the_line
{
	cat <<'E'
program far
elf far
id 1
E
	for r in 0 1; do
		echo "rank $r of 2"
		echo "t 1000 malloc 0x1000 $((1000 + r * 5000)) main<setup_of_the_whole_mesh<$long"
		echo "end"
	done
} | run far.1.wm
like "--imbalance: who called a site with a long name" \
	"$(wm-analyze --imbalance far.1.wm)" "a_func[a-z_.]* < setup_of_the_whole_mesh$"

# 20 ranks whose peaks rise and fall.
{
	printf 'program many\nelf many\nid 1\n'
	for r in {0..19}; do
		echo "rank $r of 20"
		echo "t 1000 malloc 0x1000 $((1000 + r * 7 % 20 * 10)) main"
		echo "end"
	done
} | run many.1.wm
wm-analyze many.1.wm >out
is "the ranks with the highest peaks: highest first" \
	"$(sed -n '/^The 16 ranks/,/^$/p' out | awk 'NR > 2 && NF { print $1 }' |
		tr '\n' ' ')" "$(python3 -c '
r = sorted(range(20), key=lambda r: (-(r * 7 % 20), r))
print(*r[:16], end=" ")')"
is "all ranks: in their order" "$(wm-analyze --top all many.1.wm |
	sed -n '/^Ranks/,/^$/p' | awk 'NR > 2 && NF { print $1 }' |
	tr '\n' ' ')" "$(echo {0..19}) "

# Resident memory is no part of the heap, nor the other way round.
wmcc -static -g -o small "$progs/report/resident.c" || echo "# wmcc failed"
WM_RUN_ID=1 ./small.wm
wm-analyze small.1.wm >out
like "resident: with the tool's part" "$(cat out)" \
	'^  resident .* the most in RAM at a time, [0-9.]+ .iB of it the tool.s$'
ok "resident: not said to be of the heap" sh -c "! grep touched out"
is "resident: more than that heap" \
	"$(awk '/^  resident/ { gsub(",", ""); print ($4 > 20971520) }' out)" 1
ok "unknown is no 0" sh -c "! grep -i ' 0 bytes.*tool' out"
done_testing
