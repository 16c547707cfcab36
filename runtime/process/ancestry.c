/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/process/ancestry.h"

#include <stdbool.h>
#include <string.h>

#include "runtime/base/file_text.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"

#define MAX_UP 32

static char buf[4096];

/* Reads the beginning of /proc/@pid/@name into buf.  Returns its length, or
 * 0. */
static long read_proc(int pid, const char *name)
{
	char path[64];
	struct wm_text t = wm_text_on(path, sizeof(path));

	wm_text_add(&t, "/proc/");
	wm_text_uint(&t, (uint64_t)pid, 1);
	wm_text_add(&t, name);
	return (long)wm_file_text(path, buf, sizeof(buf));
}

static int parent_of(int pid)
{
	long n = read_proc(pid, "/stat");
	const char *p = n ? strrchr(buf, ')') : NULL;
	uint64_t ppid;

	/* pid (comm) state ppid; comm may have any bytes */
	if (!p || n - (p - buf) < 5 || !wm_str_uint(p + 4, &ppid))
		return 0;
	return (int)ppid;
}

/* Whether the @n bytes in buf are the command line of hydra's proxy:
 * hydra_pmi_proxy --control-port HOST:PORT ... --pgid N. */
static bool is_hydra(struct wm_ancestry *a, long n)
{
	struct wm_text port = wm_text_on(a->port, sizeof(a->port));
	const char *arg = buf;

	for (; arg < buf + n; arg += strlen(arg) + 1) {
		const char *value = arg + strlen(arg) + 1;

		if (value >= buf + n)
			break;
		if (wm_str_equal(arg, "--control-port"))
			wm_text_add(&port, value);
		else if (port.len && wm_str_equal(arg, "--pgid"))
			wm_str_uint(value, &a->group);
	}
	return port.len != 0;
}

static bool is_open_mpi(void)
{
	static const char *const names[] = {
		"orted",  "orterun", "prted",	       "prterun",
		"mpirun", "mpiexec", "mpirun.openmpi", "mpiexec.openmpi",
	};
	const char *base = strrchr(buf, '/');

	base = base ? base + 1 : buf;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (wm_str_equal(base, names[i]))
			return true;
	return false;
}

/* The command line of Slurm's daemon is "slurmstepd: [JOB.STEP]". */
static enum wm_starter slurm_kind(void)
{
	if (strncmp(buf, "slurmstepd: [", 13) != 0)
		return WM_STARTER_NONE;
	return strstr(buf, ".batch]") || strstr(buf, ".extern]") ||
			       strstr(buf, ".interactive]") ?
		       WM_STARTER_NO_STEP :
		       WM_STARTER_STEP;
}

void wm_ancestry_find(struct wm_ancestry *a, unsigned wanted)
{
	int pid = parent_of(wm_sys_getpid());

	a->starter = WM_STARTER_NONE;
	a->parent = pid;
	a->group = 0;
	a->port[0] = 0;
	for (int up = 0; up < MAX_UP && pid > 1; up++) {
		enum wm_starter s = WM_STARTER_NONE;
		long n = read_proc(pid, "/cmdline");

		if (n && wanted & WM_STARTER_HYDRA && is_hydra(a, n))
			s = WM_STARTER_HYDRA;
		else if (n && wanted & WM_STARTER_OPEN_MPI && is_open_mpi())
			s = WM_STARTER_OPEN_MPI;
		else if (n && slurm_kind() & wanted)
			s = slurm_kind();
		if (s) {
			a->starter = s;
			return;
		}
		pid = parent_of(pid);
	}
}
