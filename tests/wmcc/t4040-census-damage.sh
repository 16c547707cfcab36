# SPDX-License-Identifier: Apache-2.0
# run: rest
# Broken debug information, symbol tables, headers and maps: there is less to
# say then, but the sizes stay right and nothing hangs or crashes.
. "$(dirname "$0")/../lib.sh" census-lib
need_tools

cat >damage.py <<'END'
"""damage.py IN OUT SEED COUNT PATTERN: change COUNT bytes of the sections
whose names match, or of the section headers (PATTERN "headers")."""
import random
import re
import struct
import sys

data = bytearray(open(sys.argv[1], "rb").read())
rand = random.Random(int(sys.argv[3]))
shoff, = struct.unpack_from("<Q", data, 40)
shnum, shstr = struct.unpack_from("<HH", data, 60)
heads = [struct.unpack_from("<IIQQQQ", data, shoff + 64 * i)
         for i in range(shnum)]
places = []
for name, kind, _, _, offset, size in heads:
    at = heads[shstr][4] + name
    text = data[at:data.index(0, at)].decode()
    if kind != 8 and size and re.match(sys.argv[5], text):
        places.append((offset, size))
if sys.argv[5] == "headers":
    places = [(shoff, 64 * shnum)]
for _ in range(int(sys.argv[4])):
    offset, size = rand.choice(places)
    data[offset + rand.randrange(size)] = rand.randrange(256)
open(sys.argv[2], "wb").write(data)
END

# DESCRIPTION SEEDS COUNT PATTERN FLAGS...: damage both programs
check_damage() {
	local what=$1 seeds=$2 count=$3 pattern=$4 bad="" seed
	g++ -static "${@:5}" \
		"$progs/census/small.cc" -o good 2>/dev/null -Wl,-Map=good.map || {
		skip "$what" "does not link"
		return
	}
	chmod +x good
	for seed in $(seq 1 "$seeds"); do
		python3 damage.py good app "$seed" "$count" "$pattern"
		timeout 60 bash -c 'cp app app.wm &&
			census-embed app app.wm good.map' >out 2>&1 ||
			bad="$bad $seed:$?:$(head -1 out)"
		grep -qE 'Sanitizer:|runtime error:' out && bad="$bad $seed:$(head -2 out)"
		rows_add_up app >/dev/null || bad="$bad $seed:sums"
	done
	is "$what: $seeds programs" "$bad" ""
}

check_damage "debug sections, few bytes" 16 4 '\.debug_' -g -O1
check_damage "debug sections, many bytes" 10 4000 '\.debug_' -g -O1
check_damage ".debug_info" 16 40 '\.debug_info' -g -O1
check_damage ".debug_abbrev" 16 8 '\.debug_abbrev' -g -O1
check_damage ".debug_line" 16 40 '\.debug_line$' -g -O1
check_damage "DWARF 4" 10 40 '\.debug_' -gdwarf-4 -O1
check_damage "inlined calls" 16 40 '\.debug_(info|rnglists|abbrev)' -g -O3
check_damage "inlined calls, DWARF 4" 8 40 '\.debug_(info|ranges)' \
	-gdwarf-4 -O3
check_damage "compressed" 10 4 '\.debug_' -g -gz -O1
check_damage "split units" 8 4 '\.debug_' -g -gsplit-dwarf -O1
if command -v clang++ >/dev/null; then
	g++() { command clang++ "$@"; }
	check_damage "clang" 10 40 '\.debug_' -g -O1
	unset -f g++
fi

# Symbols and headers may become anything: an error is allowed, or a census
# that adds up to what the headers say.
command g++ -static -g "$progs/census/small.cc" -o good -Wl,-Map=good.map
bad=
for seed in $(seq 1 40); do
	pattern='\.(symtab|strtab|note.*)$'
	[ $((seed % 2)) = 0 ] && pattern=headers
	python3 damage.py good app "$seed" 20 "$pattern"
	cp app app.wm
	timeout 60 census-embed app app.wm good.map >out 2>&1
	case $? in
	0) timeout 60 census-dump app.wm sections >out 2>&1
		[ $? -le 3 ] || bad="$bad $seed:$?" ;;
	1) cmp -s app app.wm || bad="$bad $seed:changed" ;;
	*) bad="$bad $seed:$?:$(head -1 out)" ;;
	esac
	grep -qE 'Sanitizer:|runtime error:' out && bad="$bad $seed:$(head -2 out)"
done
is "symbols and headers: 40 programs" "$bad" ""

# maps
embed good good.map
size=$(stat -c %s good.map)
bad=
for i in $(seq 1 10); do
	head -c $((size * i / 11)) good.map >cut.map
	cp good app
	embed app cut.map || bad="$bad $i"
	rows_add_up app >/dev/null || bad="$bad $i:sums"
done
is "maps cut off: 10" "$bad" ""
head -c 3000000 /dev/urandom >random.map
ok "a map of random bytes" embed app random.map
ok "it adds up" rows_add_up app
done_testing
