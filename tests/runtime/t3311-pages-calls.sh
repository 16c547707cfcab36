# SPDX-License-Identifier: Apache-2.0
# System calls under WM_PAGES: the table of them knows every call of the kernel,
# and a program sees of those that pages do not follow what it sees without.
. "$(dirname "$0")/../lib.sh" analyze-lib

table=$SRC/wrappers/system_calls.h
{
	sed '/^#/,$d' "$table" | grep '^ \*   [a-z]' | tr -s ' *' '\n'
	grep -o '^	X([a-z0-9_]*' "$table" | sed 's/.*(//'
} | grep . | sort >known
is "each call is there once" "$(uniq -d known)" ""
header=$(echo '#include <asm/unistd_64.h>' | gcc -E -M - 2>/dev/null |
	tr ' ' '\n' | grep unistd_64.h)
if [ "$header" ]; then
	is "each call of the kernel's header is in the table" \
		"$(sed -n 's/^#define __NR_\([a-z0-9_]*\) .*/\1/p' "$header" |
			sort -u | comm -23 - known)" ""
else
	skip "each call of the kernel's header is in the table" "no unistd_64.h"
fi
# Names that its functions have for what programs call otherwise, and of calls
# that other processors have.
other='adjtimex_time32|chown16|clock_(adj|get|set)time32|clock_.*_time32|.*16|.*time32|.*_time32|ia32_.*|old.*'
other+='|fadvise64_64|f?statfs64|gethostname|ipc|llseek|mmap_pgoff|new(f|l)?stat|newuname|ni_syscall|nice|pciconfig_.*'
other+='|recv|send|rtas|s390_.*|sendfile64|sgetmask|ssetmask|signal|sigpending|sigprocmask|sigsuspend|socketcall|spu_.*'
other+='|stime|stime32|subpage_prot|sync_file_range2|umount|vm86|vm86old|waitpid'
sed -n 's/.* __x64_sys_\([a-z0-9_]*\)$/\1/p' /proc/kallsyms 2>/dev/null |
	sort -u >running
if [ -s running ]; then
	is "each call of the kernel that runs is in the table" \
		"$(comm -23 running known | grep -vxE "$other")" ""
else
	skip "each call of the kernel that runs is in the table" "no kallsyms"
fi

ok "it links" wmcc -O1 -static -pthread -o calls "$progs/pages/calls.c"
for call in process_madvise mseal userfaultfd shmat mmap brk break \
	remap_file_pages; do
	rm -rf run
	./calls "$call" >plain 2>&1
	WM_DIR=run WM_PAGES=5 timeout $stuck ./calls.wm "$call" >pages 2>&1
	grep -q "not followed\|only writes" pages &&
		skip_all "the kernel cannot tell: $(cat pages)"
	is "$call is as without pages" "$(cat pages)" "$(cat plain)"
	case $call in
	userfaultfd | remap_file_pages) why="(userfaultfd, remap_file_pages)" ;;
	shmat) why="maps shared memory over its own" ;;
	break) why="moves its break by a system call of its own" ;;
	*) why= ;;
	esac
	if [ "$why" ]; then
		like "it ends pages, with its reason" \
			"$(json 'j["pages"]["end"]' --pages run/*)" "$why"
	else
		is "it ends no pages" "$(json 'j["pages"]["end"]' --pages run/*)" None
	fi
done
done_testing
