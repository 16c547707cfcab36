/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/link/mpi_shim.h"

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
	char *said = wm_compiler_run(cmd->v);

	if (wm_signal_pending())
		wm_leave_by_signal(wm_signal_pending());
	return said ? wm_strf("WM_MPICC=%s cannot compile the MPI shim: %.300s",
			      wm_mpi_compiler(), said) :
		      NULL;
}

const char *wm_mpi_compile(bool dynamic, enum wm_mpi_abi mpi,
			   const char **object)
{
	static const char *const known[] = {
		[WM_MPI_MPICH] = "-DWM_PROGRAM_MPICH",
		[WM_MPI_OMPI] = "-DWM_PROGRAM_OMPI",
		[WM_MPI_STANDARD] = "-DWM_PROGRAM_STANDARD",
		[WM_MPI_OTHER] = NULL,
	};
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
	/* as in runtime/module.mk, with options that every compiler knows */
	wm_strv_addf(&cmd, "-I%s/src", wm_home()->lib);
	wm_strv_addf(&cmd, "-I%s/src/include", wm_home()->lib);
	wm_strv_split(&cmd, "-DWM_MPI_HEADER -D_GNU_SOURCE");
	if (known[mpi])
		wm_strv_add(&cmd, known[mpi]);
	if (dynamic)
		wm_strv_add(&cmd, "-DWM_DYNAMIC");
	wm_strv_split(&cmd, "-O2 -fPIC -fvisibility=hidden -w -c");
	wm_strv_add(&cmd, source);
	wm_strv_add(&cmd, "-o");
	wm_strv_add(&cmd, *object);
	why = compile_shim(&cmd);
	wm_strv_release(&cmd);
	free(source);
	return why;
}
