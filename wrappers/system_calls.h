/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every system call of the kernel, and how it is handled while page accesses
 * are followed (WM_PAGES): followed memory is a shared mapping of a file, and
 * has to behave like the private mapping that it replaces.
 *
 * WM_SYSTEM_CALLS has the calls that change mappings, their contents, or the
 * number or rights of the processes that have them.  t3311 compares this header
 * with the kernel's own list, and fails if a call is in neither part.  In
 * X(call, what), what is:
 *
 *   MAP UNMAP REMAP PROTECT ADVISE   the runtime makes the call
 *   LOCK LOCK_ALL UNLOCK UNLOCK_ALL  the runtime takes part in the call
 *   ADVISE_LIST  the memory is made private first, unless advice is harmless
 *   SEAL         the memory is made private first, as it cannot be later
 *   BREAK        a question is harmless; else following ends
 *   ATTACH       with SHM_REMAP following ends
 *   CLONE        like COPY if the new process has its own memory
 *   COPY END     following ends: all memory is private when the call is made
 *   LIMIT LIMIT_OF CONFINE PRCTL RIGHTS  following ends if that is necessary
 *
 * The next calls are harmless, although they concern memory: they change memory
 * that is not followed (shmdt, map_shadow_stack); they have their usual effect
 * (mbind; pkey_mprotect, whose accesses may be missed); they use page tables
 * (process_vm_writev, ptrace); they share memory until the child becomes
 * another program (vfork); or they end the process.  One difference remains:
 * after vmsplice and a fork a write can be seen in the pipe, as it could not
 * without us:
 *   vfork mincore msync mbind set_mempolicy get_mempolicy migrate_pages
 *   move_pages set_mempolicy_home_node pkey_mprotect pkey_alloc pkey_free
 *   process_vm_readv process_vm_writev process_mrelease map_shadow_stack
 *   memfd_create memfd_secret shmdt shmget shmctl vmsplice ptrace execve
 *   execveat exit exit_group io_setup io_destroy io_uring_setup
 *   io_uring_register io_uring_enter perf_event_open modify_ldt arch_prctl
 *   personality uselib swapon swapoff membarrier rseq
 *
 * The next calls are harmless, because they do not concern mappings, or only
 * read and write memory that is mapped:
 *   read write open close stat fstat lstat poll lseek rt_sigaction
 *   rt_sigprocmask rt_sigreturn ioctl pread64 pwrite64 readv writev access
 *   pipe select sched_yield dup dup2 pause nanosleep getitimer alarm setitimer
 *   getpid sendfile socket connect accept sendto recvfrom sendmsg recvmsg
 *   shutdown bind listen getsockname getpeername socketpair setsockopt
 *   getsockopt wait4 kill uname semget semop semctl msgget msgsnd msgrcv
 *   msgctl fcntl flock fsync fdatasync truncate ftruncate getdents getcwd
 *   chdir fchdir rename mkdir rmdir creat link unlink symlink readlink chmod
 *   fchmod chown fchown lchown umask gettimeofday getrlimit getrusage sysinfo
 *   times getuid syslog getgid geteuid getegid setpgid getppid getpgrp setsid
 *   getgroups getresuid getresgid getpgid setfsuid setfsgid getsid capget
 *   rt_sigpending rt_sigtimedwait rt_sigqueueinfo rt_sigsuspend sigaltstack
 *   utime mknod ustat statfs fstatfs sysfs getpriority setpriority
 *   sched_setparam sched_getparam sched_setscheduler sched_getscheduler
 *   sched_get_priority_max sched_get_priority_min sched_rr_get_interval
 *   vhangup pivot_root _sysctl adjtimex chroot sync acct settimeofday mount
 *   umount2 reboot sethostname setdomainname iopl ioperm create_module
 *   init_module delete_module get_kernel_syms query_module quotactl nfsservctl
 *   getpmsg putpmsg afs_syscall tuxcall security gettid readahead setxattr
 *   lsetxattr fsetxattr getxattr lgetxattr fgetxattr listxattr llistxattr
 *   flistxattr removexattr lremovexattr fremovexattr tkill time futex
 *   sched_setaffinity sched_getaffinity set_thread_area io_getevents io_submit
 *   io_cancel get_thread_area lookup_dcookie epoll_create epoll_ctl_old
 *   epoll_wait_old getdents64 set_tid_address restart_syscall semtimedop
 *   fadvise64 timer_create timer_settime timer_gettime timer_getoverrun
 *   timer_delete clock_settime clock_gettime clock_getres clock_nanosleep
 *   epoll_wait epoll_ctl tgkill utimes vserver mq_open mq_unlink mq_timedsend
 *   mq_timedreceive mq_notify mq_getsetattr kexec_load waitid add_key
 *   request_key keyctl ioprio_set ioprio_get inotify_init inotify_add_watch
 *   inotify_rm_watch openat mkdirat mknodat fchownat futimesat newfstatat
 *   unlinkat renameat linkat symlinkat readlinkat fchmodat faccessat pselect6
 *   ppoll set_robust_list get_robust_list splice tee sync_file_range utimensat
 *   epoll_pwait signalfd timerfd_create eventfd fallocate timerfd_settime
 *   timerfd_gettime accept4 signalfd4 eventfd2 epoll_create1 dup3 pipe2
 *   inotify_init1 preadv pwritev rt_tgsigqueueinfo recvmmsg fanotify_init
 *   fanotify_mark name_to_handle_at open_by_handle_at clock_adjtime syncfs
 *   sendmmsg getcpu kcmp finit_module sched_setattr sched_getattr renameat2
 *   getrandom kexec_file_load bpf copy_file_range preadv2 pwritev2 statx
 *   io_pgetevents pidfd_send_signal open_tree move_mount fsopen fsconfig
 *   fsmount fspick pidfd_open close_range openat2 pidfd_getfd faccessat2
 *   epoll_pwait2 mount_setattr quotactl_fd landlock_create_ruleset
 *   landlock_add_rule landlock_restrict_self futex_waitv uprobe uretprobe
 *   cachestat
 *   fchmodat2 futex_wake futex_wait futex_requeue statmount listmount
 *   lsm_get_self_attr lsm_set_self_attr lsm_list_modules setxattrat getxattrat
 *   listxattrat removexattrat open_tree_attr file_getattr file_setattr
 */
#pragma once

#include <sys/syscall.h>

/* Headers of older systems lack these numbers, and not every processor has all
 * of these calls: such a call gets a number that no call has. */
#ifndef SYS_mseal
#define SYS_mseal 462
#endif
#ifndef SYS_fork
#define SYS_fork (-2)
#endif

/* clang-format off */
#define WM_SYSTEM_CALLS(X) \
	X(mmap, MAP) \
	X(munmap, UNMAP) \
	X(mremap, REMAP) \
	X(mprotect, PROTECT) \
	X(madvise, ADVISE) \
	X(process_madvise, ADVISE_LIST) \
	X(brk, BREAK) \
	X(mlock, LOCK) \
	X(mlock2, LOCK) \
	X(munlock, UNLOCK) \
	X(mlockall, LOCK_ALL) \
	X(munlockall, UNLOCK_ALL) \
	X(mseal, SEAL) \
	X(shmat, ATTACH) \
	X(remap_file_pages, END) \
	X(userfaultfd, END) \
	X(fork, COPY) \
	X(clone3, COPY) \
	X(clone, CLONE) \
	X(setrlimit, LIMIT) \
	X(prlimit64, LIMIT_OF) \
	X(unshare, CONFINE) \
	X(setns, CONFINE) \
	X(seccomp, CONFINE) \
	X(prctl, PRCTL) \
	X(setuid, RIGHTS) \
	X(setgid, RIGHTS) \
	X(setreuid, RIGHTS) \
	X(setregid, RIGHTS) \
	X(setresuid, RIGHTS) \
	X(setresgid, RIGHTS) \
	X(setgroups, RIGHTS) \
	X(capset, RIGHTS)
/* clang-format on */
