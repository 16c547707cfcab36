/* SPDX-License-Identifier: Apache-2.0 */
/* filtered NUMBER: installs a filter of system calls that ends the process at
 * this call, and goes on until its end. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>

int main(int argc, char **argv)
{
	unsigned ends = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
	struct sock_filter rule[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ends, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { sizeof(rule) / sizeof(*rule), rule };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
		return 77; /* no filters here */
	for (int i = 0; i < 1000; i++)
		free(malloc((size_t)i));
	return 0;
}
