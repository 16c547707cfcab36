# SPDX-License-Identifier: Apache-2.0
# Nothing is missed and nothing counted twice: traces against a counting
# allocator under the same process.
. "$(dirname "$0")/../lib.sh" python3 gfortran

"$SRC/tests/tools/completeness" >table 2>err
while IFS='|' read -r _ program link calls left verdict _; do
	is "$program$link$calls calls" "$verdict" " agree "
done < <(tail -n +3 table)
is "ten programs, two kinds of links" "$(tail -n +3 table | wc -l)" 20

# It sees a difference: an allocator that counts a call too many.
mkdir -p wrong/tests
cp -r "$SRC/tests/tools" "$SRC/tests/progs" wrong/tests
sed -i 's/counters()->calloc++;/counters()->calloc += 2;/' \
	wrong/tests/tools/count.c
not_ok "a wrong count is seen" wrong/tests/tools/completeness families.c
done_testing
