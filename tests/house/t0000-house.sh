# SPDX-License-Identifier: Apache-2.0
# The rules of the house that a program can check.
. "$(dirname "$0")/../lib.sh"
cd "$SRC" || exit 1

ok "includes and objects follow the order of the folders" \
	scripts/check-layers "$BUILD"
ok "every header compiles alone" product_make check-headers
ok "the runtime objects give and want what they should" \
	scripts/check-symbols "$BUILD/lib/wmtools"
ok "the same with a compiler of two words, as ccache gcc" \
	env CC="env gcc" scripts/check-symbols "$BUILD/lib/wmtools"

ok "no function is there for nobody" scripts/check-dead "$BUILD/obj"

ok "comments name what is there" scripts/check-comments
ok "sentences begin with their noun" scripts/check-english
ok "C sources have the format of .clang-format" scripts/check-format

# These checks can fail: each is shown a fault.
mkdir -p "$W/obj/wmcc"
# wm_elements_why() is for tests alone, whose objects need not be built
echo 'int wm_used(void) { return 1; } int wm_dead(void) { return wm_used(); }
int wm_elements_why(void) { return 1; }' |
	gcc -O0 -fPIC -xc -c -o "$W/obj/wmcc/wmcc.o" -
is "check-dead sees the one that nobody calls" \
	"$(scripts/check-dead "$W/obj")" "no object refers to: wm_dead"
cp -r include wrappers runtime wmcc analyze scripts "$W/"
echo '/* see runtime/base/gone.c, wm_main() and WM_GONE_* */' >"$W/wmcc/fault.c"
is "check-comments sees what is gone" \
	"$("$W/scripts/check-comments" "$W" | grep wmcc/fault.c | tr '\n' ' ')" \
	"wmcc/fault.c:1: names WM_GONE_, which is not there wmcc/fault.c:1: names \
runtime/base/gone.c, which is not there wmcc/fault.c:1: names wm_main(), \
which is not there "
printf '/*\n * Good.  Who\n * can not? */ char *s = "Of it";\n' >"$W/wmcc/fault.c"
printf '# What is it?\n\nIt is `x. What`. Of it\nnobody.\n' >"$W/fault.md"
is "check-english sees sentences without their noun" \
	"$(scripts/check-english "$W/wmcc/fault.c" "$W/fault.md" |
		sed 's/.*\(:[0-9]*: [A-Za-z ]*\):.*/\1/' | tr '\n' ' ')" \
	":2: Who :3: can not :3: Of :4: nobody "
rm "$W/wmcc/fault.c" "$W/fault.md"
echo '#include "runtime/base/state.h"' >>"$W/analyze/main.c"
like "check-layers sees the analyzer include the runtime" \
	"$("$W/scripts/check-layers" "$BUILD")" "analyze/main.c:.*runtime/base/state.h"
# Three objects that need each other in turn, and one that needs what is above it.
mkdir -p "$W/made/obj/wmcc" "$W/made/obj/rt-static/wrappers" \
	"$W/made/obj/rt-static/runtime/base"
object() {
	gcc -O0 -fPIC -xc -c -o "$W/made/obj/$1.o" -
	touch "$W/${1#rt-static/}.c"
}
echo 'int wm_b(void); int wm_a(void) { return wm_b(); }' | object wmcc/a
echo 'int wm_c(void); int wm_b(void) { return wm_c(); }' | object wmcc/b
echo 'int wm_a(void); int wm_c(void) { return wm_a(); }' | object wmcc/c
echo 'int wm_shim(void) { return 0; }' | object rt-static/wrappers/shim
echo 'int wm_shim(void); int wm_up(void) { return wm_shim(); }' |
	object rt-static/runtime/base/up
flow=$("$W/scripts/check-layers" "$W/made")
like "check-layers sees a circle" "$flow" "3 objects:.* wmcc/b"
like "check-layers sees a need against the order" "$flow" \
	"runtime/base/up needs wm_shim of wrappers/shim"
cp .clang-format "$W/"
printf 'int\tlate  (void)\n{ return 1; }\n' >"$W/analyze/late.c"
like "check-format sees a file of another format" \
	"$("$W/scripts/check-format" analyze/late.c 2>&1)" \
	'^analyze/late.c:1: not formatted: make format'
cp -r "$BUILD/lib/wmtools" "$W/lib"
objcopy --globalize-symbol=wm_start "$W/lib/wm-static.o"
objcopy --redefine-sym __wrap_valloc=__wrap_walloc "$W/lib/wm-static.o"
not_ok "check-symbols sees a wrapper missing" \
	"$W/scripts/check-symbols" "$W/lib"

big=$(find include wrappers runtime wmcc analyze scripts -name '*.[ch]' -exec wc -l {} + |
	awk '$2 != "total" && $1 > 800 {print $2}')
is "no file has more than 800 lines" "$big" ""
missing=$(grep -L 'SPDX-License-Identifier: Apache-2.0' \
	$(find include wrappers runtime wmcc analyze scripts tests docs \
		-name '*.[ch]' -o -name '*.sh' -o -name '*.mk' -o \
		-path 'scripts/*' -type f ! -name '*.md') GNUmakefile)
is "every source names its licence" "$missing" ""

if git -C "$SRC" rev-parse HEAD >/dev/null 2>&1; then
	is "nothing lies in the top folder that does not belong there" \
		"$(git -C "$SRC" ls-files | grep -v / | grep -vx -e GNUmakefile \
			-e README.md -e CITATION.cff -e CONTRIBUTING.md \
			-e SECURITY.md -e LICENSE -e NEWS \
			-e '\.git[a-z]*' -e '\.clang-[a-z]*' \
			-e .clangd -e .editorconfig -e .gitlab-ci.yml)" ""
	is "no folder is new at the top" "$(git -C "$SRC" ls-files |
		sed -n 's|/.*||p' | sort -u | tr '\n' ' ')" \
		".ci .github .gitlab analyze docs include runtime scripts tests wmcc wrappers "
	# a clone with the hook, and little in place of t0010: commits are
	# refused, and one is made
	if ok "there is a clone" git clone -q --shared . "$W/clone" &&
		cd "$W/clone"; then
		cp "$SRC/scripts/hooks/pre-commit" scripts/hooks/
		git config core.hooksPath scripts/hooks
		git config user.name me && git config user.email me@example.org
		echo "test ! -e alone" >tests/house/t0010-documents.sh
		printf 'int\tlate  (void)\n{ return 1; }\n' >analyze/late.c
		git add analyze/late.c
		like "pre-commit names the file that is not formatted" \
			"$(git commit -qm late 2>&1)" \
			'analyze/late.c:1: not formatted: make format'
		is "there is no commit" \
			"$(git log -1 --format=%s | grep -cx late)" 0
		rm analyze/late.c
		touch alone
		like "it runs t0010" "$(git commit -qam more 2>&1)" \
			'^pre-commit: bash tests/house/t0010-documents.sh failed$'
		rm alone
		ok "a commit without a fault is made" git commit -qam more
		cd "$SRC" || exit 1
	fi
else
	skip "nothing lies in the top folder" "no git, or no checkout"
fi
done_testing
