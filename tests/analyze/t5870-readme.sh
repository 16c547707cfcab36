# SPDX-License-Identifier: Apache-2.0
# The sample in README.md has the words of the tool as it is.
. "$(dirname "$0")/../lib.sh"
mpich=$(ls -d "$WM_CACHE"/mpich-*/bin 2>/dev/null | head -1)
[ "$mpich" ] || skip_all "no static MPICH (scripts/setup)"
command -v python3 >/dev/null || skip_all "no python3"
export PATH=$mpich:$PATH WM_CC=mpicc

cp "$SRC/tests/progs/stencil.c" .
# as scripts/demo writes it
printf 'stencil: stencil.c\n\t$(CC) -g -O2 -static -o $@ $<\n' >Makefile
sed -n '/^\$ make CC=wmcc/,/^```/s/^\$ //p' "$SRC/README.md" >commands
is "the sample is there" "$(wc -l <commands)" 3
while IFS= read -r command; do
	ok "$command" timeout 100 bash -c "$command >out 2>err" </dev/null
	is "the README shows the words of that" \
		"$("$SRC/tests/tools/doc-words" "$SRC/README.md" \
			"$command" out 2>&1)" ""
done <commands

# it sees what it is there for
sed 's/the most in RAM at a time/touched of 20 MiB, the highest/
	/^  lowest /d' out >other
is "another word, and a line that is gone, are seen" \
	"$("$SRC/tests/tools/doc-words" "$SRC/README.md" wm-analyze other |
		cut -d: -f1 | sort | uniq -c | tr -s ' ' | tr '\n' ';')" \
	" 2 only in the document; 1 only in the output;"
sed 's/^  never freed .*/  another line/' out >other
is "so is one behind what the sample leaves out" \
	"$("$SRC/tests/tools/doc-words" "$SRC/README.md" wm-analyze other |
		cut -d: -f1 | sort | uniq -c | tr -s ' ' | tr '\n' ';')" \
	" 1 only in the document;"
done_testing
