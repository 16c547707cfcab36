/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quota WRITE RESERVE COMMAND...: runs COMMAND so that the kernel answers
 * EDQUOT to a pwrite64() at an offset of WRITE or more and to a fallocate() at
 * one of RESERVE or more (both below 4 GiB).
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS,                         \
			     (uint32_t)offsetof(struct seccomp_data, field))
#define IS(value, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, no)
#define REACHES(value, no) BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, 0, no)
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)

int main(int argc, char **argv)
{
	uint32_t n = argc > 3 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
	uint32_t m = argc > 3 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
	struct sock_filter filter[] = {
		LOAD(nr),
		IS(SYS_pwrite64, 3),
		LOAD(args[3]),
		REACHES(n, 5),
		RETURN(SECCOMP_RET_ERRNO | EDQUOT),
		IS(SYS_fallocate, 3),
		LOAD(args[2]),
		REACHES(m, 1),
		RETURN(SECCOMP_RET_ERRNO | EDQUOT),
		RETURN(SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(filter) / sizeof(*filter), filter };

	if (argc < 4 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		return 125;
	execv(argv[3], argv + 3);
	return 126;
}
