/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/process/identity.h"

#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>

#include "runtime/base/env.h"
#include "runtime/base/file_text.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/process/ancestry.h"

static const struct {
	const char *launcher, *rank, *ranks;
	unsigned starter; /* counts only under this launcher, if known */
} rank_vars[] = {
	{ "PALS", "PALS_RANKID", "PALS_NRANKS", 0 },
	{ "ALPS", "ALPS_APP_PE", NULL, 0 },
	{ "Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
	  WM_STARTER_OPEN_MPI },
	{ "MVAPICH", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", 0 },
	{ "PMI", "PMI_RANK", "PMI_SIZE", WM_STARTER_HYDRA },
	{ "PMIx", "PMIX_RANK", NULL, WM_STARTER_OPEN_MPI },
};

/* The number of ranks on this node. */
static const struct {
	const char *var;
	unsigned starter;
} local_vars[] = {
	{ "OMPI_COMM_WORLD_LOCAL_SIZE", WM_STARTER_OPEN_MPI },
	{ "MV2_COMM_WORLD_LOCAL_SIZE", 0 },
	{ "MPI_LOCALNRANKS", WM_STARTER_HYDRA },
};

/* Ids of jobs from launchers, in this order. */
static const struct {
	const char *launcher, *var;
} id_vars[] = {
	{ "PALS", "PALS_APID" },
	{ "ALPS", "ALPS_APP_ID" },
	{ NULL, "PMIX_NAMESPACE" },
};

/* Step ids from here on are no steps of srun: batch, interactive ... */
#define SLURM_SPECIAL_STEP 4294967280u

static struct wm_ancestry ancestry;
/* The launcher that started this process; 0: unknown, or the only one. */
static unsigned starter;

static bool env_int(const char *name, int *v)
{
	const char *s = name ? wm_env(name) : NULL;
	uint64_t n;

	if (!s)
		return false;
	s = wm_str_uint(s, &n);
	if (!s || *s || n > 1u << 30)
		return false;
	*v = (int)n;
	return true;
}

/* hydra gives each process its place on the node; srun does not. */
static bool has_hydra(void)
{
	return wm_env("MPI_LOCALRANKID") != NULL && wm_env("PMI_RANK") != NULL;
}

static bool has_step(void)
{
	const char *s = wm_env("SLURM_STEP_ID");
	uint64_t step;

	if (!s || !wm_env("SLURM_JOB_ID") || !wm_env("SLURM_PROCID"))
		return false;
	s = wm_str_uint(s, &step);
	return !s || step < SLURM_SPECIAL_STEP;
}

/* Variables are inherited.  A program that the script of a job starts has those
 * of a step only if they are exported. */
static void find_starter(void)
{
	unsigned hydra = has_hydra() ? WM_STARTER_HYDRA : 0;
	unsigned ompi = wm_env("OMPI_COMM_WORLD_RANK") ? WM_STARTER_OPEN_MPI :
							 0;
	unsigned step = has_step() ? WM_STARTER_STEP | WM_STARTER_NO_STEP : 0;

	starter = 0;
	if (step || (hydra && ompi)) {
		wm_ancestry_find(&ancestry, hydra | ompi | step);
		starter = ancestry.starter;
	}
}

static bool under_hydra(void)
{
	return has_hydra() && (!starter || starter == WM_STARTER_HYDRA);
}

/* Whether the process is a task of a step of Slurm itself. */
static bool in_slurm_step(void)
{
	if (!has_step() || starter == WM_STARTER_NO_STEP)
		return false;
	return starter == WM_STARTER_STEP ||
	       (!starter && !has_hydra() && !wm_env("OMPI_COMM_WORLD_RANK"));
}

/* Whether the variables of launcher @of count: not if another one started
 * us. */
static bool launcher_counts(unsigned of)
{
	return !of || !starter || of == starter;
}

static void read_rank(void)
{
	struct wm_identity *me = &wm_identity;

	me->rank = 0;
	me->ranks = 0;
	for (size_t i = 0; i < sizeof(rank_vars) / sizeof(*rank_vars); i++)
		if (launcher_counts(rank_vars[i].starter) &&
		    env_int(rank_vars[i].rank, &me->rank)) {
			me->launcher = rank_vars[i].launcher;
			env_int(rank_vars[i].ranks, &me->ranks);
			break;
		}
	if (in_slurm_step()) {
		/* Last, as all ranks of other launchers in an allocation have
		 * SLURM_PROCID 0. */
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
	me->launcher_rank = me->rank;
	me->launcher_ranks = me->ranks > me->rank ? me->ranks : 0;
	if (me->ranks <= me->rank)
		me->ranks = me->rank + 1;
}

static void read_spread(void)
{
	struct wm_identity *me = &wm_identity;
	int n = 0;

	me->spread = false;
	if (in_slurm_step()) {
		/* the step's, not the allocation's */
		if (!env_int("SLURM_STEP_NUM_NODES", &n))
			env_int("SLURM_NNODES", &n);
		me->spread = n > 1;
		return;
	}
	for (size_t i = 0; i < sizeof(local_vars) / sizeof(*local_vars); i++)
		if (launcher_counts(local_vars[i].starter) &&
		    env_int(local_vars[i].var, &n)) {
			me->spread = n > 0 && n < me->ranks;
			return;
		}
	/* PALS numbers nodes, so only the first node does not know. */
	me->spread = env_int("PALS_NODEID", &n) && n > 0;
}

/* Appends @s, with "-" for characters that are not safe in a file name. */
static void add_clean(struct wm_text *t, const char *s)
{
	for (; *s && t->len < 120; s++)
		wm_text_char(t, (*s >= '0' && *s <= '9') ||
						(*s >= 'a' && *s <= 'z') ||
						(*s >= 'A' && *s <= 'Z') ||
						*s == '-' || *s == '_' ||
						*s == '.' ?
					*s :
					'-');
}

/* MPI_Comm_spawn starts processes that are a world of their own, whose id is
 * the job's id, "-spawn" and a number from the launcher.  Open MPI numbers the
 * worlds of one mpirun from 1 on. */
static bool open_mpi_spawned(uint64_t *root, uint64_t *number)
{
	const char *parent = wm_env("OMPI_PARENT_PORT");
	const char *space = wm_env("PMIX_NAMESPACE");
	uint64_t world, from;

	if (!parent || !space || !launcher_counts(WM_STARTER_OPEN_MPI) ||
	    !(space = wm_str_uint(space, &world)) || *space ||
	    !(parent = wm_str_uint(parent, &from)) || *parent != '.' ||
	    world >> 16 != from >> 16)
		return false;
	*root = (world & ~UINT64_C(0xffff)) | 1;
	*number = (world & 0xffff) - 1;
	return true;
}

/* PMI_JOBID is JOB.STEP-N, or JOB.STEP-N-M if a spawned process has spawned
 * this one.  Returns its end from the first "-" on, or NULL. */
static const char *slurm_spawned(void)
{
	const char *id = wm_env("PMI_JOBID");

	return id && in_slurm_step() && wm_env("PMI_SPAWNED") ?
		       strchr(id, '-') :
		       NULL;
}

static void add_spawned(struct wm_text *t)
{
	const char *dash = slurm_spawned();
	uint64_t root, number = 0;

	if (!dash && !open_mpi_spawned(&root, &number) && under_hydra() &&
	    wm_env("PMI_SPAWNED"))
		number = ancestry.group;
	if (!dash && !number)
		return;
	wm_identity.spawned = true;
	wm_text_add(t, "-spawn");
	if (dash)
		add_clean(t, dash + 1);
	else
		wm_text_uint(t, number, 1);
}

static const char *given_id(void)
{
	for (size_t i = 0; i < sizeof(id_vars) / sizeof(*id_vars); i++) {
		const char *v = wm_env(id_vars[i].var);

		/* The id of Slurm's own PMIx begins with its name. */
		if (v && *v &&
		    (id_vars[i].launcher ||
		     launcher_counts(strncmp(v, "slurm.", 6) == 0 ?
					     WM_STARTER_STEP :
					     WM_STARTER_OPEN_MPI)))
			return v;
	}
	return NULL;
}

static void add_hydra(struct wm_text *t)
{
	if (ancestry.starter == WM_STARTER_HYDRA) {
		add_clean(t, ancestry.port);
		return;
	}
	/* The proxy is not visible: at least the ranks of a node get the same
	 * id. */
	add_clean(t, wm_identity.host);
	wm_text_char(t, '-');
	wm_text_uint(t, (uint64_t)ancestry.parent, 1);
}

static void add_step(struct wm_text *t)
{
	const char *dash = slurm_spawned();

	if (dash) {
		for (const char *p = wm_env("PMI_JOBID"); p < dash; p++)
			wm_text_char(t, *p);
		return;
	}
	add_clean(t, wm_env("SLURM_JOB_ID"));
	wm_text_char(t, '.');
	add_clean(t, wm_env("SLURM_STEP_ID"));
}

static void read_id(void)
{
	struct wm_identity *me = &wm_identity;
	struct wm_text t = wm_text_on(me->id, sizeof(me->id));
	const char *v = wm_env("WM_RUN_ID");
	uint64_t root, number;

	if (under_hydra() && ancestry.starter != WM_STARTER_HYDRA)
		wm_ancestry_find(&ancestry, WM_STARTER_HYDRA);
	if (v && *v) {
		add_clean(&t, v);
	} else if (open_mpi_spawned(&root, &number)) {
		wm_text_uint(&t, root, 1);
	} else if (given_id()) {
		add_clean(&t, given_id());
	} else if (under_hydra()) {
		add_hydra(&t);
	} else if (in_slurm_step()) {
		add_step(&t);
	} else {
		add_clean(&t, me->host);
		wm_text_char(&t, '-');
		wm_text_uint(&t, (uint64_t)wm_sys_getpid(), 1);
		return;
	}
	add_spawned(&t);
}

/* Batch systems, by the variable that names their job. */
static const struct {
	const char *name, *job, *sign; /* the sign must be set, too */
} batch_vars[] = {
	{ "Slurm", "SLURM_JOB_ID", NULL },
	{ "PBS", "PBS_JOBID", NULL },
	{ "LSF", "LSB_JOBID", NULL },
	{ "SGE", "JOB_ID", "SGE_ROOT" },
};

static void read_batch(void)
{
	struct wm_identity *me = &wm_identity;
	struct wm_text t = wm_text_on(me->batch_job, sizeof(me->batch_job));

	for (size_t i = 0; i < sizeof(batch_vars) / sizeof(*batch_vars); i++) {
		const char *job = wm_env(batch_vars[i].job);

		if (!job || !*job ||
		    (batch_vars[i].sign && !wm_env(batch_vars[i].sign)))
			continue;
		me->batch = batch_vars[i].name;
		wm_text_add(&t, job);
		break;
	}
	if (me->batch == batch_vars[0].name) {
		env_int("SLURM_CPUS_PER_TASK", &me->cpus);
		env_int("SLURM_MEM_PER_CPU", &me->mib_per_cpu);
		env_int("SLURM_MEM_PER_NODE", &me->mib_per_node);
	}
}

/* Without /proc, this is the path by which the executable was started. */
static void read_exe(void)
{
	struct wm_identity *me = &wm_identity;
	long n = wm_sys_readlink("/proc/self/exe", me->exe,
				 sizeof(me->exe) - 1);
	const char *started = (const char *)getauxval(AT_EXECFN);
	struct wm_text t;

	me->exe[n > 0 ? n : 0] = 0;
	if (n > 0 || !started)
		return;
	t = wm_text_on(me->exe, sizeof(me->exe));
	n = *started == '/' ? 0 :
			      WM_SYS2(SYS_getcwd, me->exe, sizeof(me->exe) - 1);
	t.len = n > 0 ? (size_t)n - 1 : 0;
	if (n > 0 && me->exe[t.len - 1] != '/')
		wm_text_char(&t, '/');
	if (n > 0 && strncmp(started, "./", 2) == 0)
		started += 2;
	wm_text_add(&t, started);
}

static void read_program(void)
{
	struct wm_identity *me = &wm_identity;
	struct wm_text t = wm_text_on(me->program, sizeof(me->program));
	const char *base;
	size_t len;

	read_exe();
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
	size_t n;

	if (WM_SYS1(SYS_uname, &u) == 0)
		wm_text_add(&t, u.nodename);
	else
		wm_text_add(&t, "localhost");
	n = wm_file_text("/proc/sys/kernel/random/boot_id", me->boot_id,
			 sizeof(me->boot_id));
	while (n && me->boot_id[n - 1] == '\n')
		me->boot_id[--n] = 0;
}

void wm_identity_begin(void)
{
	const char *v = wm_env("WM_RUN_ID");

	wm_identity.pid = wm_sys_getpid();
	find_starter();
	read_rank();
	read_spread();
	wm_identity.job_named = (v && *v) || given_id() || under_hydra() ||
				in_slurm_step();
}

void wm_identity_read(void)
{
	read_node();
	read_batch();
	read_program();
	read_id();
}

bool wm_identity_is_certain(void)
{
	return wm_identity.job_named &&
	       !wm_str_equal(wm_identity.launcher, "none");
}

void wm_identity_by_mpi(int rank, int ranks, const char *id,
			struct wm_renaming *now)
{
	const struct wm_identity *me = &wm_identity;

	*now = (struct wm_renaming){ rank, ranks, rank, ranks, id };
	/* Each process that the launcher started is a job of one rank for its
	 * own MPI, but keeps the launcher's rank. */
	if (ranks == 1 && me->launcher_ranks > 1) {
		now->rank = me->launcher_rank;
		now->ranks = me->launcher_ranks;
	}
}
