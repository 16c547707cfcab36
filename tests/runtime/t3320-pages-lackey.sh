# SPDX-License-Identifier: Apache-2.0
# The union of all epochs of WM_PAGES is what valgrind's lackey sees.
. "$(dirname "$0")/../lib.sh" python3 valgrind

ok "builds" wmcc -O1 -g -static -o areas "$progs/pages/areas.c"
WM_DIR=run WM_PAGES=20 ./areas.wm 50 here 2>err
if grep -q 'WM_PAGES: pages are not followed' err; then
	skip_all "the kernel cannot tell: $(cat err)"
fi
"$SRC/tests/tools/wmt-dump" --pages run/*/rank-000000.wmt.xz >dump.json
ok "several epochs" grep -q '"number": 2' dump.json
# Addresses differ between runs, and pages begin elsewhere in a block.
ok "lackey runs it" valgrind --tool=lackey --trace-mem=yes \
	--log-file=lackey ./areas 0 there
read -r _ pages _ accessed _ written _ missed _ more _ shared _ new < <(
	"$SRC/tests/tools/page-lackey" here dump.json there <lackey)
diag="$accessed of $pages pages accessed, $written written"
ok "enough pages ($diag)" [ "$written" -gt 300 -a "$accessed" -gt "$written" ]
is "none is missed" "$missed" 0
is "none too many, but where pages are shared ($shared)" "$more" 0

# .bss and blocks, not .data
ok "read alone, and new: written once, as the format says ($new)" \
	[ "$new" -le 250 ]

# Each of 32 blocks in a row has two pages with its neighbours; heads lie
# there, and what malloc writes when it cuts the next block off.
ok "few of those" [ "$shared" -le 140 ]
done_testing
