# SPDX-License-Identifier: Apache-2.0
# --export moca-structures: blocks and variables by address.
# t5442-pages-of-programs.sh compares it with the pages of a program.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib

structures() { # RUN
	wm-analyze -q --export moca-structures "$1"
}

# loop comes twice at one place and once at another; grow grows in its place;
# less than a page does not count; late comes behind the last epoch.
run app.1.wm <<'E'
elf app
clock mono
rank 0 of 1
t 1000100 malloc 0x20000010 40000 main<loop
t 1000200 free 0x20000010
t 1000300 malloc 0x20000010 40000 main<loop
t 1000400 malloc 0x10000010 40000 main<loop
t 1000500 malloc 0x30000000 4096 main<page
t 1000600 malloc 0x30002000 4095 main<less
t 1000700 shm 0x50000000 8192 main<shared
t 1000800 malloc 0x60000000 8192 main<first
t 1000900 realloc 0x60000000 0x60000000 12288 main<grow
epoch 10000000 9000000 0x10000-0x10004 0x10000 20 65536
pages
t 32000000 malloc 0x9000 8192 main<late
end
E
is "blocks of a page or more, of all times, each once, by address" \
	"$(structures app.1.wm)" "Name,Virt,Size
late,0x9000,8192
loop,0x10000010,40000
loop,0x20000010,40000
page,0x30000000,4096
shared,0x50000000,8192
grow,0x60000000,12288
first,0x60000000,8192"

run none.1.wm <<'E'
rank 0 of 1
t 1000100 malloc 0x10000 40000 main
end
E
is "nobody watched pages" "$(structures none.1.wm)" "Name,Virt,Size"
is "one rank" "$(status wm-analyze --export moca-structures --rank all app.1.wm)" 2
is "all times" "$(status wm-analyze --export moca-structures --at 1s app.1.wm)" 2
like "it is listed" "$(wm-analyze --export help)" " moca-structures  +Moca"

# There is room for 262,144.
{
	printf 'elf app\nclock mono\nrank 0 of 1\n'
	seq 1 262147 | awk '{ printf "t %d malloc 0x%x 4096 main\n", 1000000 + $1, $1 * 8192 }'
	printf 'epoch 10000000 9000000 0x10000 - 1 1\npages\nend\n'
} | run many.1.wm
is "so many that there is no room: status" \
	"$(status wm-analyze --export moca-structures --output out many.1.wm)" 4
is "so many that there is no room: rows" "$(wc -l <out)" 262145
like "so many that there is no room: a note" \
	"$(wm-analyze --export moca-structures many.1.wm 2>&1 >/dev/null)" \
	"3 allocations are left out: the list has room for 262144 blocks"

# Variables lie as much higher as the executable does.
cat >vars.c <<'E'
static double field[20000] = { 1 };
char big[40 * 4096] __attribute__((aligned(4096)));
int main(void) { return (int)field[0] + big[0]; }
E
gcc -g -O0 -no-pie -Wl,--build-id -o app vars.c || skip_all "no compiler"
higher() { # VARIABLE
	printf '0x%x' $((0x$(nm app | awk -v n="$1" '$3 == n { print $1 }') + bias))
}
id=$(readelf -n app | awk '/Build ID/ { print $3 }')
bias=$((0x10000000))
run vars.1.wm <<E
exe $PWD/app
build-id $id
host n1
clock mono
module $bias $bias $((bias + 0x10000000)) - $id
rank 0 of 1
t 1000100 malloc 0x50000000 5000 main
covered 0x10404-0x10480 3
covered 0x50000-0x50001 1
epoch 10000000 9000000 0x50000 - 9 100
pages
end
E
is "variables" \
	"$(structures vars.1.wm | grep -E '^(field|big)' | sed 's/  [^,]*//' | sort)" \
	"big,$(higher big),163840
field,$(higher field),160000"
like "and blocks" "$(structures vars.1.wm)" ",0x50000000,5000"
mv app away
is "without the executable: its static memory" \
	"$(structures vars.1.wm | sed -n 2p)" "(static memory),0x10404000,512000"
done_testing
