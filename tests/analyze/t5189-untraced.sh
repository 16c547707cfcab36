#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Processes that a rank started and that have no trace: the need is a lower bound
# unless the kernel shows that they had little.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/analyze-lib.sh"
dump=$SRC/tests/tools/wmt-dump
command -v python3 >/dev/null || skip_all "python3 is missing"
unset SLURM_STEP_ID SLURM_CPUS_PER_TASK SLURM_MEM_PER_CPU SLURM_MEM_PER_NODE

# 64 MiB.  Letters of the argument: c starts a child that writes 40 MiB of these
# anew and stays for a while, o one that writes 40 MiB of its own, e one that ends at
# once, t one with an event, v sleep, s has a shell do nothing, i and n ignore the ends
# of children, x is a filter that kills at waitid, w waits for all, z sleeps
cat >app.c <<'X'
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static int filter(void)
{
	struct sock_filter rule[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_waitid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog all = { 4, rule };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all);
}
int main(int argc, char **argv)
{
	struct sigaction none = { .sa_flags = SA_NOCLDWAIT };
	char *p = memset(malloc(64 << 20), 1, 64 << 20);

	for (const char *s = argc > 1 ? argv[1] : ""; *s; s++) {
		if (*s == 'e' && !fork())
			_exit(0);
		if (*s == 'c' && !fork()) {
			free(malloc(1)); /* without an event it has no trace */
			memset(p, 2, 40 << 20);
			usleep(200000);
			_exit(0);
		}
		if (*s == 'o' && !fork()) {
			char *q = malloc(40 << 20);

			memset(q, 2, 40 << 20);
			usleep(200000);
			_exit(q[1] != 2);
		}
		if (*s == 't' && !fork()) {
			free(malloc(1));
			_exit(0);
		}
		if (*s == 'v' && !vfork()) {
			execlp("sleep", "sleep", ".1", (char *)NULL);
			_exit(1);
		}
		if (*s == 'x' && filter())
			return 77;
		if (*s == 'n')
			sigaction(SIGCHLD, &none, NULL);
		if (*s == 's' && system("true"))
			return 1;
		if (*s == 'i')
			signal(SIGCHLD, SIG_IGN);
		if (*s == 'z')
			usleep(400000);
		while (*s == 'w' && wait(NULL) > 0)
			;
	}
	return p[1] != 1;
}
X
export SLURM_JOB_ID=17
# run ID ARGUMENT...: 1 where other processes of the node have huge pages each time,
# by which the bound of what children had is far higher
run() {
	for _ in $(seq 20); do
		rm -rf "app.$1.wm"
		WM_RUN_ID=$1 $start ./app.wm "${@:2}"
		[ "$("$dump" --summary "app.$1.wm"/rank-000000.wmt.xz |
			jq .info.huge_faults)" != null ] || return 0
		sleep 0.3
	done
	return 1
}
q() { # ID FILTER: of run.ask
	wm-analyze -q --json "app.$1.wm" | jq -rc ".run.ask | 1048576 as \$M | $2"
}
fits() {
	wm-analyze -q --imbalance --node-memory 64G --json "app.$1.wm" |
		jq -c '.imbalance.nodes[0].fits'
}
# known ID ARGUMENT: the need is what it is without them
known() {
	if ! run "$1" "$2"; then
		skip "$link $2: known" "others have huge pages"
		return
	fi
	is "$link $2: known" "$(q "$1" '[.lower_bound, .line != null,
		.untraced_bytes < 2 * $M]') $(fits "$1")" '[false,true,true] true'
}
not_known() { # ID ARGUMENT REASON
	run "$1" "$2" || set -- "$1" "$2" "${3/"$many"/"$more"}"
	like "$link $2: at least, and why" "$(q "$1" .sentence)" \
		"^Ask for at least [67][0-9] MiB a rank: it $3\$"
	is "$link $2: nothing to paste, and whether it fits is not known" \
		"$(q "$1" '[.lower_bound, .line]') $(fits "$1")" \
		'[true,null] null'
}

start=
many='started processes with up to 1[2-9][0-9]\.[0-9] MiB of their own in all, and how many ran at a time is not known'
more='started processes with up to [0-9.]+ [MG]iB of their own in all, and how many ran at a time is not known'
left='started processes that it did not wait for, and what they had is not known'
ignored='ignores the ends of processes that it starts, and what they had is not known'
lists=$([ -e "/proc/$$/task/$$/children" ] && echo 1)
for link in -static -rdynamic; do
	ok "$link: build" wmcc -O0 -g -fno-builtin $link -o app app.c
	known 1 s
	like "$link: what children left running is not known" \
		"$(wm-analyze -q app.1.wm)" \
		'children +not counted: .*; processes that they left running are not known$'
	known 2 ew
	known 3 ''
	is "$link: none, and nothing of them in the trace" \
		"$("$dump" --summary app.3.wm/rank-*.xz | jq -c '.info |
		[.child_peak, .child_faults, .forked, .children_left]')" \
		'[null,null,null,null]'
	not_known 4 cccw "$many"
	is "$link: a bound of all" "$(q 4 '[.untraced_bytes >= 120 * $M,
		.child_bytes >= 64 * $M]')" '[true,true]'
	not_known 5 c "$left"
	not_known 6 ez "$left"
	not_known 7 icccz "($left|$ignored)"
	not_known 14 ivzz "$ignored"
	not_known 15 ewnezz "$ignored"
	[ ! "$lists" ] || not_known 16 xv "$left"
	WM_CHILDREN=1 not_known 17 twv "$left"
	run 18 ow
	is "$link: pages that a child may share count once" "$(q 18 '[.lower_bound,
		.need_bytes >= 104 * $M, .need_bytes < 116 * $M]')" \
		'[true,true,true]'
	WM_CHILDREN=1 run 8 cccw
	is "$link: with traces of their own they count" "$(q 8 '[.lower_bound,
		.need_bytes >= 184 * $M, .untraced_bytes]')" \
		'[false,true,0]'
	GLIBC_TUNABLES=glibc.malloc.hugetlb=1 WM_RUN_ID=9 ./app.wm cw
	like "$link: one page fault may be of many pages" "$(q 9 .sentence)" \
		'^Ask for at least [67][0-9] MiB a rank(: it started processes of up to [67][0-9]\.[0-9] MiB, and how much of that was their own|: rank 0 started a process of up to .*, and how many ran at a time) is not known$'
done

# a program takes the place of a script, which had children
cat >script <<'X'
#!/bin/bash
python3 -c 'print(len(bytearray(80 << 20)))' >/dev/null
exec "$@"
X
chmod +x script
start=./script run 10
is "what a script did before is not the program's" "$(q 10 '[.lower_bound,
	.child_bytes]')" '[false,0]'
if start='./script ./script' run 11 cw; then
	is "nor where it has some itself" "$(q 11 '[.lower_bound,
		.untraced_bytes < 60 * $M]')" '[true,true]'
else
	skip "nor where it has some itself" "others have huge pages"
fi
cat >script <<'X'
#!/bin/bash
sleep 3 >/dev/null 2>&1 &
exec "$@"
X
start=./script run 12
is "nor what a script left" "$(q 12 .lower_bound)" false
[ ! "$lists" ] || not_known 19 v "$left"
for i in 0 1; do
	PMI_RANK=$i PMI_SIZE=2 WM_RUN_ID=13 ./app.wm "$([ $i = 0 ] || echo c)"
done
like "of several ranks, which" "$(q 13 .sentence)" ': rank 1 started processes '
done_testing
