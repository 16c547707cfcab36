# SPDX-License-Identifier: Apache-2.0
# The example of docs/trace-format.md, 6.11 and 6.12: its bytes are its accesses.
. "$(dirname "$0")/../lib.sh"
tools=$BUILD/test/tools

sed -n '/^| bytes of LOADS |/,/^$/p' "$SRC/docs/trace-format.md" |
	grep '^| `' >rows
bytes=$(sed 's/^| `\([^`]*\)`.*/\1/' rows | tr '\n' ' ')
accesses=$(awk -F'|' '{print $4}' rows | tr -s ' \n' ' ')
ok "there is one" [ "$(wc -w <<<"$bytes")" -ge 20 ]
n=$(printf '%s\n' $accesses | wc -l)
cat >trace.txt <<END
rank 0 of 1
t 1000100 malloc 0x1000 4000 main
accesses $n 0 0 $bytes
thread 1
accesses 0 1 0 03 00
end
END
ok "it is made" "$tools/wmt-make" run.wm trace.txt
"$tools/access-dump" run.wm/rank-000000.wmt.xz >got
printf '%s\n' $accesses | sed 's/^0x//' |
	awk -v n="$n" '{print 0, NR == n ? 1 : 0, "w0", $1, 8, 400000}' >want
ok "its accesses are those" diff want got

# The same as lists.
lists=$(sed -n '/^| bytes of LOADS as LISTS/,/^$/p' \
	"$SRC/docs/trace-format.md" | sed -n 's/^| `\([^`]*\)`.*/\1/p' |
	tr '\n' ' ')
ok "there are lists" [ "$(wc -w <<<"$lists")" -ge 40 ]
sed "s/^accesses $n 0 0 .*/lists $n 0 0 $lists/" trace.txt >lists.txt
ok "they are made" "$tools/wmt-make" lists.wm lists.txt
"$tools/access-dump" lists.wm/rank-000000.wmt.xz >got
ok "their accesses are the same" diff want got

# The meaning of SEEN: 100 accesses of the other stream come before event 0.
sed -i "s/^accesses 0 1 0 03 00/accesses 102 1 0 03 01 80 80 80 04 01 08 \
0a 01 00 20 06 01 10 e3 5d 00/" trace.txt
rm -r run.wm
ok "with accesses of the other" "$tools/wmt-make" run.wm trace.txt
is "100 of them come before" "$("$tools/access-dump" \
	run.wm/rank-000000.wmt.xz --seen 0 |
	awk '$1 == 1 {n[$2]++} END {print n[0], length(n)}')" "100 2"
done_testing
