/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/launcher.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

/* The most specific is first, as srun sets its variables for others, too. */
static const struct {
	const char *name, *count, *me;
	const char *sign; /* must be set as well */
} launchers[] = {
	{ "Open MPI's mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK",
	  NULL },
	{ "MVAPICH's mpirun", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK",
	  NULL },
	{ "MPICH's mpiexec", "PMI_SIZE", "PMI_RANK", "MPI_LOCALNRANKS" },
	{ "PALS' mpiexec", "PALS_NRANKS", "PALS_RANKID", NULL },
	{ "srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_STEP_ID" },
	{ "a launcher with PMI", "PMI_SIZE", "PMI_RANK", NULL },
};

/* Returns a count or a rank, or -1 if there is none. */
static long number_in_environment(const char *variable)
{
	const char *text = getenv(variable);
	char *end;
	long n;

	if (!text || !*text)
		return -1;
	errno = 0;
	n = strtol(text, &end, 10);
	return errno || *end || n < 0 ? -1 : n;
}

bool wm_launcher_is_foreign(struct wm_launcher *l, int size)
{
	/* with several processes the launcher is the right one; the variables
	 * may come from the launcher of an outer job */
	if (size != 1)
		return false;
	l->count = 0;
	for (size_t i = 0; i < sizeof(launchers) / sizeof(*launchers); i++) {
		long n = number_in_environment(launchers[i].count);

		if (n < 1 || (launchers[i].sign && !getenv(launchers[i].sign)))
			continue;
		/* a launcher started only this process */
		if (n == 1)
			return false;
		if (l->count)
			continue;
		l->name = launchers[i].name;
		l->count = n;
		l->me = number_in_environment(launchers[i].me);
		if (l->me < 0)
			l->me = 0;
	}
	return l->count > 0;
}
