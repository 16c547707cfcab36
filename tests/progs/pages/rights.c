/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rights NAME: a process that gives up rights, in the way of that name, and
 * whether any thread of it has kept some.  Without a name: the names.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "say.h"

/* Lines of a thread's status that say what it may do. */
static void rights_of(const char *tid, char *text, size_t room)
{
	static const char *const keys[] = { "Uid:",    "Gid:",	  "Groups:",
					    "CapPrm:", "CapEff:", "CapBnd:",
					    "CapAmb:", "NoNewPrivs:",
					    "Seccomp:" };
	char path[600], line[4096];
	size_t n = 0;
	FILE *f;

	text[0] = 0;
	snprintf(path, sizeof(path), "/proc/self/task/%s/status", tid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
			if (!strncmp(line, keys[i], strlen(keys[i])) &&
			    n + strlen(line) < room)
				n += (size_t)sprintf(text + n, "%s", line);
	if (f)
		fclose(f);
}

/* Threads whose rights are not those of the caller. */
static long others(void)
{
	char own[8192], text[8192], self[20];
	DIR *d = opendir("/proc/self/task");
	struct dirent *e;
	long n = 0;

	snprintf(self, sizeof(self), "%ld", syscall(SYS_gettid));
	rights_of(self, own, sizeof(own));
	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.') {
			rights_of(e->d_name, text, sizeof(text));
			n += text[0] && strcmp(text, own);
		}
	if (d)
		closedir(d);
	return own[0] ? n : -1;
}

static char *block;

static long block_is_whole(void)
{
	long bad = 0;

	for (int i = 0; i < 4 << 20; i += 512)
		bad += block[i] != (char)(i >> 9);
	return !bad;
}

/* The steps of all once their rights are less. */
static void look(void)
{
	say("threads with other rights", others());
	say("memory", block_is_whole());
	free(memset(malloc(1 << 20), 3, 1 << 20));
}

static void user(void)
{
	say("setuid", setuid(65534));
	look();
	say("back", setuid(0));
}

static void with_threads(void)
{
	pthread_t t;

	pthread_create(&t, NULL, stay, NULL);
	say("setgid", setgid(65534));
	look();
	say("setuid", setuid(65534));
	look();
}

static void for_a_while(void)
{
	gid_t groups[] = { 7, 8 };

	say("setgroups", setgroups(2, groups));
	look();
	say("seteuid", seteuid(65534));
	look();
	say("back", seteuid(0));
	look();
	say("setresgid", setresgid(1, 2, 3));
	look();
}

static void same_user(void)
{
	say("setuid", setuid(getuid()));
	say("setgid", setgid(getgid()));
	look();
}

static void capabilities(void)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3,
						 0 };
	struct __user_cap_data_struct none[2] = { { 0, 0, 0 }, { 0, 0, 0 } };

	say("capset", syscall(SYS_capset, &head, none));
	look();
}

static void bounds(void)
{
	say("a name", prctl(PR_SET_NAME, "name", 0, 0, 0));
	look();
	say("PR_CAPBSET_DROP", prctl(PR_CAPBSET_DROP, CAP_SYS_BOOT, 0, 0, 0));
	look();
	say("PR_SET_NO_NEW_PRIVS", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	look();
}

static void name_space(void)
{
	int fd = open("/proc/self/ns/user", O_RDONLY);

	/* the one that it is in: EINVAL, and not because of its threads */
	say("setns", setns(fd, CLONE_NEWUSER));
	close(fd);
	say("unshare", unshare(CLONE_NEWUSER));
	look();
}

/* A call that only a thread of ours would make (process_madvise) kills. */
static void confine(long by_call, unsigned flags)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 440, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog prog = { sizeof(code) / sizeof(*code), code };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	say("filter", by_call ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
					flags, &prog) :
				prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER,
				      &prog, 0, 0));
	look();
	usleep(400000);
	look();
}

static void filter(void)
{
	confine(0, 0);
}

static void filter_all(void)
{
	confine(1, SECCOMP_FILTER_FLAG_TSYNC);
}

/* Only by the instruction, which no wrapper sees: a thread that is left ends by
 * itself. */
static void unseen(void)
{
#ifdef __x86_64__
	long r;

	__asm__ volatile("syscall"
			 : "=a"(r)
			 : "a"(SYS_setuid), "D"(65534L)
			 : "rcx", "r11", "memory");
	say("setuid", r);
	for (int i = 0; i < 50 && others() > 0; i++)
		usleep(50000);
	look();
#endif
}

static const struct {
	const char *name;
	void (*f)(void);
} all[] = {
	{ "user", user },	    { "with_threads", with_threads },
	{ "for_a_while", for_a_while }, { "same_user", same_user },
	{ "capabilities", capabilities }, { "bounds", bounds },
	{ "name_space", name_space }, { "filter", filter },
	{ "filter_all", filter_all }, { "unseen", unseen },
};

int main(int argc, char **argv)
{
	block = malloc(4 << 20);
	for (int i = 0; i < 4 << 20; i++)
		block[i] = (char)(i >> 9);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (argc < 2)
			puts(all[i].name);
		else if (!strcmp(argv[1], all[i].name))
			all[i].f();
	return 0;
}
