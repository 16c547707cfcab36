/* SPDX-License-Identifier: Apache-2.0 */
/* Has large blocks, then a filter that ends the process at a system call that
 * reads memory of processes, and more large blocks; releases all. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static char *block[40];

static int confine(void)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { 4, rules };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

int main(void)
{
	for (int i = 0; i < 20; i++)
		block[i] = malloc(100000);
	if (confine())
		return 2;
	for (int i = 20; i < 40; i++)
		block[i] = malloc(100000);
	for (int i = 0; i < 40; i++)
		free(block[i]);
	puts("alive");
	return 0;
}
