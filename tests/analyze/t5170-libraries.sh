# SPDX-License-Identifier: Apache-2.0
# What each archive and shared library costs, and each source file and line.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib

bring report/libraries/field.c report/libraries/mesh.c report/libraries/main.c
gcc -g -c -fPIC field.c mesh.c
ar rcs libfield.a field.o
mkdir sub
ar rcs sub/libmesh.a mesh.o

# rows ARGUMENTS...: name=allocated/static/through, of those named
rows() {
	wm-analyze --libraries --csv "$@" run/*.wm | awk -F, -v OFS=/ '
		$9 == "app" || $9 ~ /^lib(field|mesh)/ {
			print $9 "=" $2, $4, $5 }' | sort | tr '\n' ' '
}
sums() { # ARGUMENTS...: do the columns add up
	wm-analyze --libraries --json "$@" run/*.wm | python3 -c '
import json, sys
j = json.load(sys.stdin)
l = j["libraries"]
print(sum(e["bytes"] for e in l) == sum(f["bytes"] for f in j["functions"]),
    sum(e["blocks"] for e in l) == sum(f["blocks"] for f in j["functions"]),
    sum(e["static_bytes"] or 0 for e in l) - (j["static"] or {"bytes": 0})["bytes"],
    all(e["total_bytes"] == e["bytes"] + (e["static_bytes"] or 0) for e in l),
    [e["total_bytes"] for e in l] == sorted((e["total_bytes"] for e in l),
        reverse=True))'
}
# what the compiler hands to the linker at once has no name in the link map
wmcc -O1 -flto -static -o app main.c mesh.c field.c
WM_DIR=once ./app.wm
is "objects without a name are the program's, as layers, too" \
	"$(wm-analyze --json --timeline --by libraries once/*.wm | jq -c \
	'[.timeline[0].layers[].name] | index("app") != null and index("") == null')" \
	true
rm -rf once
# of_start FLAGS...: what a program that does nothing allocates itself: with
# gcc 13 and -static a tree of frames, 512 bytes
echo 'int main(void) { return 0; }' >empty.c
of_start() {
	rm -rf empty.d
	wmcc "$@" -o empty empty.c
	WM_DIR=empty.d ./empty.wm
	wm-analyze --libraries --csv empty.d/*.wm |
		awk -F, '$9 == "empty" {n = $2} END {print n + 0}'
}
for how in "-static" "-static-pie -fPIE" "-static -Wl,--gc-sections" ""; do
	rm -rf run
	own=$(of_start $how)
	ok "archives ($how)" wmcc -g -O0 $how -o app main.c sub/libmesh.a -L. -lfield
	WM_DIR=run ./app.wm
	is "by archive ($how)" "$(rows | sed 's,\(app=[0-9]*/\)9[0-9]*/,\19..../,
		s,\(mesh.a=[0-9]*/\)70[0-9]*/,\1700./,')" \
		"app=$((4660 + own))/9..../$((24670 + own)) libfield.a=20000/50300/20000 libmesh.a=10/700./24010 "
	is "columns add up ($how)" "$(sums)" "True True 0 True True"
	is "by file ($how)" "$(wm-analyze --files --csv run/*.wm |
		grep -e '/main.c' -e field -e mesh | sed 's/.*wmtest[^/]*.//')" \
		"field.c,10,field_make,20000,1
main.c,12,back,4000,1
main.c,18,main,600,1
main.c,17,main,60,1
mesh.c,13,mesh_field,10,1"
	if [ "$how" = -static ]; then
		text=$(COLUMNS=200 wm-analyze --libraries run/*.wm)
		like "text" "$text" \
			' 68\.7 KiB +19\.5 KiB +1 +49\.1 KiB +19\.5 KiB +archive +libfield.a$'
		like "libc has its group" "$text" 'archive  libc +libc.a$'
		like "files: text" "$(wm-analyze --files run/*.wm)" \
			' 600 bytes +1 +18  main$'
	fi
	strip app.wm
	rm -rf run
	WM_DIR=run ./app.wm
	is "stripped ($how)" "$(rows | sed 's,/[0-9]*/,/./,g')" \
		"app=$((4660 + own))/./$((24670 + own)) libfield.a=20000/./20000 libmesh.a=10/./24010 "
done

# A shared library; its static memory is not known.
gcc -g -shared -fPIC -o libmesh.so mesh.c
rm -rf run
ok "builds with a shared library" wmcc -g -O0 -o app main.c -L. -lmesh \
	-lfield -Wl,-rpath,"$PWD" -Wl,--export-dynamic -Wl,-u,field_make
WM_DIR=run ./app.wm
is "by shared library" "$(rows | sed 's,\(app=[0-9]*/\)9[0-9]*/,\19..../,')" \
	"app=$((4660 + own))/9..../$((24670 + own)) libfield.a=20000/50300/20000 libmesh.so=10//24010 "
is "columns add up" "$(sums)" "True True 0 True True"

# C++ and Fortran: what the runtimes pass on.
bring report/libraries/hold.cc report/libraries/hold.f90
rm -rf run
ok "builds C++" wmc++ -g -static -o hold hold.cc
WM_DIR=run ./hold.wm
is "C++: the site is the program's" "$(wm-analyze --files --csv run/*.wm |
	grep hold.cc | sed 's/.*hold.cc/hold.cc/')" "hold.cc,8,main,8024,2"
is "C++: through libstdc++" "$(json '[e["through_bytes"] >= 8024 and
	e["group"] for e in j["libraries"] if e["name"] == "libstdc++.a"]' \
	--libraries run/*.wm)" "['c++']"
is "columns add up (C++)" "$(sums)" "True True 0 True True"
rm -rf run
ok "builds Fortran" wmf90 -g -static -o hold hold.f90
WM_DIR=run ./hold.wm
is "Fortran: modules and contained procedures" \
	"$(wm-analyze --files --csv run/*.wm | grep hold.f90 |
	sed 's/.*hold.f90/hold.f90/')" "hold.f90,16,inner,24000,1
hold.f90,25,inner,4000,1"
is "Fortran: namesakes are two functions" "$(json '[f["bytes"] for f in
	j["functions"] if f["name"] == "inner"]' run/*.wm)" "[24000, 4000]"
like "Fortran: the tree" "$(wm-analyze --tree --csv run/*.wm)" \
	',main;MAIN__;store::fill;inner,inner,[^,]*hold.f90,24000,1,24000,1'
is "columns add up (Fortran)" "$(sums)" "True True 0 True True"

# Two ranks: sums, and static memory of each process.
own=$(of_start -static)
ok "builds a program of two ranks" wmcc -static \
	-o pair "$progs/report/libraries/pair.c"
rm -rf run
for r in 0 1; do
	WM_DIR=run WM_RUN_ID=7 PMI_RANK=$r PMI_SIZE=2 ./pair.wm
done
pair() {
	json '[(l["bytes"], l["static_bytes"] // 1000) for l in j["libraries"]
		if l["kind"] == "program"]' --libraries "$@" run/*.wm
}
is "static memory of one" "$(pair)" "[($((100 + own)), 90)]"
is "static memory of both" "$(pair --rank all)" "[($((200 + 2 * own)), 180)]"
run two.1.wm <<'E'
elf two
build-id 0011
rank 0 of 2
t 1000010 malloc 0x1000 1000 main<solve
t 1000020 malloc 0x1000 7 0x99999999
end
rank 1 of 2
t 1000010 malloc 0x1000 50 main<solve<strdup
t 1000020 malloc 0x2000 4 main<other
end
E
is "all ranks" "$(wm-analyze --libraries --csv --rank all two.1.wm |
	cut -d, -f2,3,4,7,9)" "bytes,blocks,static_bytes,kind,name
1054,3,,program,app"
is "a rank" "$(wm-analyze --libraries --csv --rank 1 two.1.wm |
	tail -1 | cut -d, -f1-3)" "54,54,2"
is "at a time" "$(wm-analyze --libraries --csv --rank 0 --at 20ns two.1.wm |
	cut -d, -f2,3,7)" "bytes,blocks,kind
7,1,unknown"
is "no files: one row" "$(wm-analyze --files --csv --rank all two.1.wm)" \
	"file,line,name,bytes,blocks
,0,solve,1050,2
,0,other,4,1"
done_testing
