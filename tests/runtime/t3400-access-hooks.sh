# SPDX-License-Identifier: Apache-2.0
# What compilers call with -fsanitize=thread is there, and atomics operate.
. "$(dirname "$0")/../lib.sh" access-lib

# COMPILER: the program's objects have hooks, and only we define them.
hooked() {
	local cc=$1 kind

	ok "$cc compiles" "$cc" -O1 -g -mcx16 -fsanitize=thread \
		-c -o "$cc.o" "$progs/access/atomics.c"
	for kind in static dynamic; do
		ok "$cc links, $kind" access_link $kind "$cc" "$cc-$kind" "$cc.o"
		is "$cc: atomics operate, $kind" \
			"$(WM_DISABLE=1 "./$cc-$kind")" "all operate"
	done
}
hooked gcc
if command -v clang >/dev/null; then
	hooked clang
else
	skip "clang's hooks" "clang is missing"
fi
nm -u ./*.o | awk '/__tsan_atomic/ {print $2}' | sort -u >called
ok "many of them are called" [ "$(wc -l <called)" -gt 40 ]

# Each name that the compilers themselves have.
strings -n 8 "$(gcc -print-prog-name=cc1)" | grep -x '__tsan_[a-z_0-9]*' |
	sort -u >names
ok "gcc has names" [ "$(wc -l <names)" -gt 60 ]
for kind in static dynamic; do
	nm -g --defined-only "$access_lib/wm-access-$kind.o" |
		awk '{print $3}' | sort >defined
	is "gcc's are all there, $kind" "$(comm -23 names defined)" ""
done
done_testing
