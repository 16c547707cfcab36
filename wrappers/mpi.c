/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers MPI_Init, MPI_Init_thread and MPI_Abort in C.
 *
 * MPI_Finalize is in the list for the sake of later summaries; a trace goes
 * on to the end of the process.  Leaves out MPI_Session_init, which has no
 * world, and MPI_Comm_spawn, whose children name themselves.
 *
 * The MPI_ entry points are wrapped, not the PMPI_ ones: other profiling
 * libraries keep their place behind us.
 */
#include "wrappers/mpi.h"

#ifdef WM_DYNAMIC
#include <dlfcn.h>
#endif

const char wm_mpi_present wm_export = 1;

int WM_SHIM(MPI_Init)(int *argc, char ***argv) wm_export;
int WM_SHIM(MPI_Init_thread)(int *argc, char ***argv, int required,
			     int *provided) wm_export;
int WM_SHIM(MPI_Finalize)(void) wm_export;
int WM_SHIM(MPI_Abort)(wm_mpi_handle comm, int code) wm_export;

#ifdef WM_DYNAMIC
void *wm_mpi_next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}
#define NEXT(name) ((__typeof__(&name))wm_mpi_next(#name))
#else
extern int __real_MPI_Init(int *argc, char ***argv) __attribute__((weak));
extern int __real_MPI_Init_thread(int *argc, char ***argv, int required,
				  int *provided) __attribute__((weak));
extern int __real_MPI_Finalize(void) __attribute__((weak));
extern int __real_MPI_Abort(wm_mpi_handle comm, int code)
	__attribute__((weak));
#define NEXT(name) __real_##name
#endif

void wm_mpi_begin(void)
{
	static int begun;
	char name[WM_NAME_MAX];
	int rank, ranks, ask;

	if (begun)
		return;
	begun = 1;
	if (PMPI_Comm_rank(WM_MPI_COMM_WORLD, &rank) ||
	    PMPI_Comm_size(WM_MPI_COMM_WORLD, &ranks))
		return;
	ask = wm_mpi_wants_name(ranks);
	if (ask) {
		wm_mpi_name(name);
		if (PMPI_Bcast(name, WM_NAME_MAX, WM_MPI_BYTE, 0,
			       WM_MPI_COMM_WORLD))
			ask = 0;
	}
	wm_mpi_up(rank, ranks, ask ? name : NULL);
}

int WM_SHIM(MPI_Init)(int *argc, char ***argv)
{
	int r = NEXT(MPI_Init)(argc, argv);

	if (r == 0)
		wm_mpi_begin();
	return r;
}

int WM_SHIM(MPI_Init_thread)(int *argc, char ***argv, int required,
			     int *provided)
{
	int r = NEXT(MPI_Init_thread)(argc, argv, required, provided);

	if (r == 0)
		wm_mpi_begin();
	return r;
}

int WM_SHIM(MPI_Finalize)(void)
{
	return NEXT(MPI_Finalize)();
}

int WM_SHIM(MPI_Abort)(wm_mpi_handle comm, int code)
{
	wm_process_end("MPI_Abort");
	return NEXT(MPI_Abort)(comm, code);
}
