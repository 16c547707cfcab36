# SPDX-License-Identifier: Apache-2.0
# --pages: static memory by variable, by the symbol table of the executable.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib

# field lies within 40 pages, big has these 40 pages and no other.
cat >vars.c <<'E'
static double field[20000] = { 1 };
char big[40 * 4096] __attribute__((aligned(4096)));
int main(void) { return (int)field[0] + big[0]; }
E
gcc -g -O0 -no-pie -Wl,--build-id -o app vars.c || skip_all "no compiler"
address() { nm app | awk -v n="$1" '$3 == n { print "0x" $1 }'; }
id=$(readelf -n app | awk '/Build ID/ { print $3 }')
big=$(($(address big) / 4096))
field=$(($(address field) / 4096 + 1)) # its first whole page
bias=$((0x10000000))

# The executable lies higher than it was linked.
description() { # ID
	cat <<E
exe $PWD/app
build-id $id
host n1
clock mono
module $bias $bias $((bias + 0x10000000)) - $1
rank 0 of 1
t 1000100 malloc 0x50000000 100 main
covered $((field - 1 + bias / 4096))-$((big + 50 + bias / 4096)) 3
covered 0x50000-0x50001 1
epoch 10000000 9000000 $((field + bias / 4096))-$((field + 2 + bias / 4096)),$((big + bias / 4096)),0x50000 $((big + bias / 4096)) 9 100
epoch 20000000 18000000 $((big + bias / 4096))-$((big + 3 + bias / 4096)) $((big + 1 + bias / 4096)) 9 100
pages
end
E
}
description "$id" | run app.1.wm
site() { # NAME KEY...: values of a site
	local name=$1
	shift
	json "[[s[k] for k in '$*'.split()] for s in j['pages']['sites'] if s['name'] == '$name']" \
		--pages app.1.wm
}
is "a variable" "$(site big kind bytes touched_bytes written_bytes untouched_bytes page_epochs first_s last_s last_epoch_bytes)" \
	"[['static', 163840, 16384, 8192, 147456, 5, 0.01, 0.02, 16384]]"
is "another one, cold at the end" "$(site field bytes touched_bytes cold_bytes cold_since_s)" \
	"[[160000, 12288, 12288, 0.01]]"
is "no other static memory" "$(site '(static memory)' name)" "[]"
is "the heap stays" "$(json '[s["touched_bytes"] for s in j["pages"]["sites"] if s["kind"] == "heap"]' --pages app.1.wm)" "[100]"
wm-analyze --pages app.1.wm >text
like "text" "$(cat text)" "160.0 KiB +16.0 KiB .* big"

# Where the file is of another build, static memory has no names.
echo 'int more;' >>vars.c
gcc -g -O0 -no-pie -Wl,--build-id -o app vars.c
is "another build" "$(site big bytes)$(site '(static memory)' page_epochs kind)" \
	"[][[8, 'static']]"
done_testing
