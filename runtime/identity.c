/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/identity.h"

#include <fcntl.h>
#include <string.h>
#include <sys/utsname.h>

#include "runtime/sys.h"
#include "runtime/text.h"

struct wm_identity wm_identity;

/* Ranks per launcher, the most telling first.  SLURM_PROCID comes last: what
 * another launcher starts inside an allocation sees 0 in every rank. */
static const struct {
	const char *launcher, *rank, *ranks;
} rank_vars[] = {
	{ "PALS", "PALS_RANKID", "PALS_NRANKS" },
	{ "ALPS", "ALPS_APP_PE", NULL },
	{ "Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE" },
	{ "MVAPICH", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE" },
	{ "PMI", "PMI_RANK", "PMI_SIZE" },
	{ "PMIx", "PMIX_RANK", NULL },
};

/* Ids of jobs that some launchers give away, in this order. */
static const struct {
	const char *launcher, *var;
} id_vars[] = {
	{ "PALS", "PALS_APID" },
	{ "ALPS", "ALPS_APP_ID" },
	{ NULL, "PMIX_NAMESPACE" },
};

static int env_int(const char *name, int *v)
{
	const char *s = name ? wm_env(name) : NULL;
	uint64_t n;

	if (!s)
		return 0;
	s = wm_str_uint(s, &n);
	if (!s || *s || n > 1u << 30)
		return 0;
	*v = (int)n;
	return 1;
}

/* hydra tells each process its place on the node; srun does not. */
static int under_hydra(void)
{
	return wm_env("MPI_LOCALRANKID") != NULL && wm_env("PMI_RANK") != NULL;
}

/* A step of Slurm itself, with more than one task or none but this. */
static int in_slurm_step(void)
{
	return wm_env("SLURM_STEP_ID") && wm_env("SLURM_JOB_ID") &&
	       wm_env("SLURM_PROCID") && !under_hydra() &&
	       !wm_env("OMPI_COMM_WORLD_RANK");
}

static void read_rank(void)
{
	struct wm_identity *me = &wm_identity;

	me->rank = 0;
	me->ranks = 1;
	for (size_t i = 0; i < sizeof(rank_vars) / sizeof(*rank_vars); i++)
		if (env_int(rank_vars[i].rank, &me->rank)) {
			me->launcher = rank_vars[i].launcher;
			env_int(rank_vars[i].ranks, &me->ranks);
			break;
		}
	if (in_slurm_step()) {
		if (!me->launcher)
			env_int("SLURM_PROCID", &me->rank);
		/* the step's, not the allocation's */
		if (!env_int("SLURM_STEP_NUM_TASKS", &me->ranks))
			env_int("SLURM_NTASKS", &me->ranks);
		me->launcher = "Slurm";
	}
	if (under_hydra())
		me->launcher = "hydra";
	if (!me->launcher)
		me->launcher = "none";
	if (me->ranks <= me->rank)
		me->ranks = me->rank + 1;
}

/* Only what is safe in a file name. */
static void add_clean(struct wm_text *t, const char *s)
{
	for (; *s && t->len < 120; s++)
		wm_text_char(t, (*s >= '0' && *s <= '9') ||
				(*s >= 'a' && *s <= 'z') ||
				(*s >= 'A' && *s <= 'Z') || *s == '-' ||
				*s == '_' || *s == '.' ? *s : '-');
}

/* Parent of process @pid, 0 if that can not be read. */
static int parent_of(int pid, char *buf, size_t room)
{
	char path[64];
	struct wm_text t = wm_text_on(path, sizeof(path));
	const char *p;
	uint64_t ppid;
	long n;
	int fd;

	wm_text_add(&t, "/proc/");
	wm_text_uint(&t, (uint64_t)pid, 1);
	wm_text_add(&t, "/stat");
	fd = wm_sys_open(path, O_RDONLY | O_CLOEXEC, 0);
	n = fd < 0 ? -1 : wm_sys_read(fd, buf, room - 1);
	if (fd >= 0)
		wm_sys_close(fd);
	if (n <= 0)
		return 0;
	buf[n] = 0;
	/* pid (comm) state ppid; comm may hold anything */
	p = strrchr(buf, ')');
	if (!p || n - (p - buf) < 5 || !wm_str_uint(p + 4, &ppid))
		return 0;
	return (int)ppid;
}

/*
 * All of hydra's proxies are started with `--control-port HOST:PORT`, the
 * same on every node.  Look for it among our ancestors.
 */
static int hydra_port(struct wm_text *t)
{
	static char buf[4096];
	char path[64];
	int pid = wm_sys_getpid();

	for (int up = 0; up < 16; up++) {
		struct wm_text name = wm_text_on(path, sizeof(path));
		long n;
		int fd;

		pid = parent_of(pid, buf, sizeof(buf));
		if (pid <= 1)
			return 0;
		wm_text_add(&name, "/proc/");
		wm_text_uint(&name, (uint64_t)pid, 1);
		wm_text_add(&name, "/cmdline");
		fd = wm_sys_open(path, O_RDONLY | O_CLOEXEC, 0);
		n = fd < 0 ? -1 : wm_sys_read(fd, buf, sizeof(buf) - 1);
		if (fd >= 0)
			wm_sys_close(fd);
		if (n <= 0)
			continue;
		buf[n] = 0;
		for (long at = 0; at < n; at += (long)strlen(buf + at) + 1)
			if (wm_str_equal(buf + at, "--control-port")) {
				add_clean(t, buf + at + sizeof("--control-port"));
				return 1;
			}
	}
	return 0;
}

/* By the variables alone, before the name is looked for. */
static int job_is_named(void)
{
	const char *v = wm_env("WM_RUN_ID");

	for (size_t i = 0; !(v && *v) &&
	     i < sizeof(id_vars) / sizeof(*id_vars); i++)
		v = wm_env(id_vars[i].var);
	return (v && *v) || under_hydra() || in_slurm_step();
}

/* What job_is_named() says is the same as that this name is of the job. */
static void read_id(void)
{
	struct wm_identity *me = &wm_identity;
	struct wm_text t = wm_text_on(me->id, sizeof(me->id));
	const char *v = wm_env("WM_RUN_ID");

	if (v && *v) {
		add_clean(&t, v);
		return;
	}
	for (size_t i = 0; i < sizeof(id_vars) / sizeof(*id_vars); i++)
		if ((v = wm_env(id_vars[i].var)) && *v) {
			add_clean(&t, v);
			return;
		}
	if (under_hydra()) {
		if (hydra_port(&t))
			return;
		/* the proxy can not be seen: its node's ranks at least */
		add_clean(&t, me->host);
		wm_text_char(&t, '-');
		{
			static char buf[1024];

			wm_text_uint(&t, (uint64_t)parent_of(wm_sys_getpid(),
							     buf, sizeof(buf)),
				     1);
		}
		return;
	}
	if (in_slurm_step()) {
		add_clean(&t, wm_env("SLURM_JOB_ID"));
		wm_text_char(&t, '.');
		add_clean(&t, wm_env("SLURM_STEP_ID"));
		return;
	}
	add_clean(&t, me->host);
	wm_text_char(&t, '-');
	wm_text_uint(&t, (uint64_t)wm_sys_getpid(), 1);
}

static void read_program(void)
{
	struct wm_identity *me = &wm_identity;
	struct wm_text t = wm_text_on(me->program, sizeof(me->program));
	long n = wm_sys_readlink("/proc/self/exe", me->exe,
				 sizeof(me->exe) - 1);
	const char *base;
	size_t len;

	me->exe[n > 0 ? n : 0] = 0;
	if (wm_options.name[0]) {
		wm_text_add(&t, wm_options.name);
		return;
	}
	base = strrchr(me->exe, '/');
	base = base ? base + 1 : me->exe;
	len = strlen(base);
	if (len > 10 && wm_str_equal(base + len - 10, " (deleted)"))
		len -= 10;
	if (len > 3 && strncmp(base + len - 3, ".wm", 3) == 0)
		len -= 3;
	for (size_t i = 0; i < len && i < 200; i++)
		wm_text_char(&t, base[i]);
	if (!me->program[0])
		wm_text_add(&t, "program");
}

static void read_node(void)
{
	struct wm_identity *me = &wm_identity;
	struct wm_text t = wm_text_on(me->host, sizeof(me->host));
	struct utsname u;
	long n;
	int fd;

	if (WM_SYS1(SYS_uname, &u) == 0)
		wm_text_add(&t, u.nodename);
	else
		wm_text_add(&t, "localhost");
	fd = wm_sys_open("/proc/sys/kernel/random/boot_id",
			 O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return;
	n = wm_sys_read(fd, me->boot_id, sizeof(me->boot_id) - 1);
	wm_sys_close(fd);
	while (n > 0 && me->boot_id[n - 1] == '\n')
		n--;
	me->boot_id[n > 0 ? n : 0] = 0;
}

void wm_identity_begin(void)
{
	wm_identity.pid = wm_sys_getpid();
	read_rank();
	wm_identity.job_named = job_is_named();
}

void wm_identity_read(void)
{
	read_node();
	read_program();
	read_id();
}

int wm_identity_is_certain(void)
{
	return wm_identity.job_named &&
	       !wm_str_equal(wm_identity.launcher, "none");
}
