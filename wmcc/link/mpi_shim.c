/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/link/mpi_shim.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "wmcc/base/home.h"
#include "wmcc/base/subprocess.h"
#include "wmcc/base/complaint.h"
#include "wmcc/base/strv.h"

const char *wm_mpi_compiler(void)
{
	const char *v = getenv("WM_MPICC");

	return v && *v ? v : NULL;
}

static const char *compile_shim(const struct wm_strv *cmd)
{
	/* MPICH's mpicc may have called us, and takes that for an error */
	char check[] = "MPICH_RECURSION_CHECK=";
	char *set[] = { check, NULL };
	struct wm_command run = { .argv = cmd->v,
				  .set = set,
				  .no_stdin = true };
	int status;
	char *said;

	run.out = run.err = wm_capture_open();
	if (run.err < 0)
		return "WM_MPICC: memfd_create failed";
	status = wm_child_run(&run);
	if (wm_signal_pending())
		wm_leave_by_signal(wm_signal_pending());
	said = wm_complaint_read(run.err);
	if (status == 0) {
		free(said);
		return NULL;
	}
	return wm_strf("WM_MPICC=%s cannot compile the MPI shim: %.300s",
		       wm_mpi_compiler(), said);
}

const char *wm_mpi_compile(bool dynamic, const char **object)
{
	char *source = wm_strf("%s/src/wrappers/mpi_all.c", wm_home()->lib);
	struct wm_strv cmd;
	const char *why;

	if (access(source, R_OK))
		return "the sources of the MPI shim are not installed";
	*object = wm_temp_scratch();
	if (!*object)
		return "WM_MPICC: no room in TMPDIR";
	wm_strv_init(&cmd);
	wm_strv_split(&cmd, wm_mpi_compiler());
	/* as runtime/module.mk has it, in words that every compiler knows */
	wm_strv_addf(&cmd, "-I%s/src", wm_home()->lib);
	wm_strv_addf(&cmd, "-I%s/src/include", wm_home()->lib);
	wm_strv_add(&cmd, "-DWM_MPI_HEADER");
	wm_strv_add(&cmd, "-D_GNU_SOURCE");
	if (dynamic)
		wm_strv_add(&cmd, "-DWM_DYNAMIC");
	wm_strv_add(&cmd, "-O2");
	wm_strv_add(&cmd, "-fPIC");
	wm_strv_add(&cmd, "-fvisibility=hidden");
	wm_strv_add(&cmd, "-w");
	wm_strv_add(&cmd, "-c");
	wm_strv_add(&cmd, source);
	wm_strv_add(&cmd, "-o");
	wm_strv_add(&cmd, *object);
	why = compile_shim(&cmd);
	wm_strv_release(&cmd);
	free(source);
	return why;
}
