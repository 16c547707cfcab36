# SPDX-License-Identifier: Apache-2.0
# The section: nothing else in the program moves, it survives strip, and what
# is damaged is refused or survived.
# run: quick
. "$(dirname "$0")/../lib.sh" census-lib
need_tools

gcc -g -O1 -static "$progs/census/small.c" -o app -Wl,-Map=app.map
ok "embed" embed app app.map
section() { # FILE: the section's bytes, by sha256
	objcopy -O binary --only-section=.wm_census --set-section-flags \
		.wm_census=alloc "$1" section.bin 2>/dev/null
	sha256sum <section.bin
}
first=$(section app.wm)
is "the section is not loaded" "$(readelf -SW app.wm |
	sed -n 's/.*\.wm_census *\(PROGBITS\) *\([0-9a-f]*\) [0-9a-f]* [0-9a-f]* [0-9a-f]* *\([0-9]*\) .*/\1 \2 \3/p')" \
	"PROGBITS 0000000000000000 0"
cp section.bin section.bin.xz
ok "it is one .xz file" xz -t --format=xz section.bin.xz
like "one stream, checked by CRC32" "$(xz --robot --list section.bin.xz |
	grep ^file)" '^file.1.[0-9]+.*.CRC32.'
cp section.bin.xz program.wmc.xz
ok "the reader takes the bare bundle" census-dump program.wmc.xz sections
is "and finds the same" "$(census-dump program.wmc.xz rows | sha256sum)" \
	"$(census-dump app.wm rows | sha256sum)"
ok "the program runs" ./app.wm
is "program headers are as before" "$(readelf -lW app.wm)" "$(readelf -lW app)"
is "all sections but one are as before" \
	"$(readelf -SW app.wm | grep '^  \[' | grep -v '\.shstrtab\|\.wm_census')" \
	"$(readelf -SW app | grep '^  \[' | grep -v '\.shstrtab')"
ok "readelf is content" eval '[ -z "$(readelf -aW app.wm 2>&1 >/dev/null)" ]'
is "the file's old bytes are as before, but for the header" \
	"$(head -c "$(stat -c %s app)" app.wm | tail -c +65 | sha256sum)" \
	"$(tail -c +65 app | sha256sum)"
cp app.wm twice.wm
ok "a second time replaces it" census-embed app twice.wm app.map
is "there is one section" "$(readelf -SW twice.wm | grep -c wm_census)" 1
is "it is the same: no clock, no random number in it" \
	"$(section twice.wm)" "$first"

# tools that users run on programs
for tool in strip "strip -g" "strip --strip-unneeded" "objcopy --strip-all" \
	objcopy; do
	cp app.wm tool.wm
	ok "$tool" $tool tool.wm
	is "$tool: the section is there" "$(section tool.wm)" "$first"
	ok "$tool: it is read" census-dump tool.wm sections
	ok "$tool: the program runs" ./tool.wm
done
gcc -g -O1 -pie -fPIE "$progs/census/small.c" -o pie
embed pie
for tool in "llvm-strip -g" "llvm-strip --strip-unneeded" llvm-objcopy \
	"llvm-objcopy --strip-all-gnu"; do
	command -v ${tool%% *} >/dev/null || {
		skip "$tool" "not installed"
		continue
	}
	cp pie.wm tool.wm
	ok "$tool" $tool tool.wm
	ok "$tool: it is read" census-dump tool.wm sections
	ok "$tool: the program runs" ./tool.wm
done
# llvm-strip without options refuses static programs of GNU ld, as they are,
# and takes all that is not loaded out of others
if command -v llvm-strip >/dev/null; then
	cp app.wm tool.wm
	llvm-strip tool.wm 2>/dev/null
	ok "llvm-strip, static: it is read" census-dump tool.wm sections
	cp pie.wm tool.wm
	llvm-strip tool.wm
	ok "llvm-strip, dynamic: the program runs" ./tool.wm
	like "llvm-strip, dynamic: it is there or said to be missing" \
		"$(census-dump tool.wm sections 2>&1)" \
		'^\.data|no section \.wm_census'
else
	skip "llvm-strip" "not installed"
fi
for ld in gold lld mold; do
	rm -f app2
	gcc -g -O1 -static -fuse-ld=$ld \
		"$progs/census/small.c" -o app2 2>/dev/null || {
		skip "$ld" "does not link"
		continue
	}
	embed app2
	strip app2.wm
	ok "$ld, strip: it is read" census-dump app2.wm sections
	ok "$ld, strip: it runs" ./app2.wm
done
gcc -g -O1 -pie -fPIE "$progs/census/small.c" -o app2
ok "dynamic PIE: embed" embed app2
ok "dynamic PIE: it runs" ./app2.wm
strip app2.wm
ok "dynamic PIE, strip: it is read" census-dump app2.wm sections

# many sections: more than fit the ELF header's field
{
	for i in $(seq 1 30); do
		printf '.macro s%d n\n.section .s%d.\\n,"a"\n.byte 1\n.endm\n' $i $i
	done
	echo '.altmacro'
	echo '.set n, 0'
	for i in $(seq 1 30); do
		printf '.set n, 0\n.rept 2300\ns%d %%n\n.set n, n + 1\n.endr\n' $i
	done
	printf '.text\n.globl _start\n_start: mov $60, %%eax\n'
	printf 'xor %%edi, %%edi\nsyscall\n'
} >many.s
if gcc -c many.s -o many.o 2>many.err &&
   gcc -nostdlib -static -Wl,--unique many.o -o many 2>>many.err; then
	ok "69000 sections: embed" embed many
	ok "69000 sections: it runs" ./many.wm
	is "69000 sections: all are there" \
		"$(census-dump many.wm sections | grep -c '^\.s')" 69000
	ok "69000 sections: rows add up" rows_add_up many
else
	skip "69000 sections" "$(head -1 many.err)"
fi

# failures leave the twin alone
echo text >twin
not_ok "a twin that is no program" census-embed app twin
is "it is as it was" "$(cat twin)" text
not_ok "no twin" census-embed app nothing
not_ok "no plain program" census-embed nothing app.wm
head -c 100000 app >cut
chmod +x cut
before=$(sha256sum <cut)
not_ok "a twin that is cut off" census-embed app cut
is "it is as it was" "$(sha256sum <cut)" "$before"
like "the reason names the file" "$(census-embed app twin 2>&1)" "'twin'"

# what the reader says
like "not relinked" "$(census-dump app sections 2>&1)" \
	"'app': no section \.wm_census: not relinked by wmcc"
is "no bundle: exit status" "$(census-dump app sections 2>/dev/null; echo $?)" 3
like "foreign file" "$(census-dump "$progs/census/small.c" sections 2>&1)" \
	"'.*small.c': neither a relinked program nor a bundle"
like "no file" "$(census-dump nothing sections 2>&1)" \
	"'nothing': No such file"
like "a directory" "$(census-dump . sections 2>&1)" "'\.': not a file"
offset=$(readelf -SW app.wm |
	sed -n 's/.*\.wm_census *PROGBITS *[0-9a-f]* \([0-9a-f]*\).*/\1/p')
cp app.wm bad.wm
printf 'XXXX' | dd of=bad.wm bs=1 seek=$((16#$offset + 5000)) conv=notrunc \
	2>/dev/null
like "damage within" "$(census-dump bad.wm sections 2>&1)" \
	"'bad.wm': damaged bundle: "
done_testing
