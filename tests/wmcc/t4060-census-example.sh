# SPDX-License-Identifier: Apache-2.0
# docs/census-format.md: its example is what the writer writes, its tables are
# those of include/wm/census_format.h.
. "$(dirname "$0")/../lib.sh"
[ -x "$BUILD/test/test_census" ] || skip_all "make unit-tests builds it"
doc=$SRC/docs/census-format.md
header=$SRC/include/wm/census_format.h

is "the example" "$(sed -n '/^57 4d 43 42 01 00 00 00 /,/^```/p' "$doc" |
	sed '/^```/d; s/  .*//' | tr -d ' \n')" \
	"$("$BUILD/test/test_census" --example | tr -d ' \n')"

# X(NAME, number, ...) of one list
list() {
	sed -n "/define $1/,/^\$/p" "$header" |
		sed -n 's/.*X(\([A-Z_]*\), \([0-9]*\)[,)].*/\2 \1/p'
}
# - number NAME ... of one numbered paragraph
entries() {
	sed -n "/^$1 /,/^[0-9]\.[0-9] /{/^$1 /d;p}" "$doc" |
		sed -n 's/^- \([0-9]*\) \([A-Za-z_]*\).*/\1 \2/p'
}
is "the fields" "$(entries 2.4)" "$(list WMC_FIELD_LIST)"
is "the encodings" "$(sed -n '/^2.5 /,/^A \*string/p' "$doc" |
	sed -n 's/^- \([0-9]*\) \([A-Z]*\):.*/\1 \2/p')" \
	"$(list WMC_ENCODING_LIST)"
is "the columns" "$(sed -n '/^2.6 /,/^## 3/p' "$doc" |
	sed -n 's/^- \([0-9]*\) \([A-Z_]*\) .*/\1 \2/p')" \
	"$(list WMC_COLUMN_LIST)"
is "the columns' encodings" "$(sed -n '/^2.6 /,/^## 3/p' "$doc" |
	sed -n 's/^- [0-9]* \([A-Z_]*\) (\([A-Z]*\)).*/\1 \2/p')" \
	"$(sed -n 's/.*X(\([A-Z_]*\), [0-9]*, [A-Z]*, \([A-Z]*\)).*/\1 \2/p' \
		"$header")"
is "the classes" "$(sed -n '/^3.2 /,/^Without/p' "$doc" |
	sed -n 's/^- \([0-9]*\) \([a-z]*\):.*/\1 \2/p' | sort -u |
	tr a-z A-Z)" "$(list WMC_CLASS_LIST)"
done_testing
