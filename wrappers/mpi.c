/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers MPI_Init, MPI_Init_thread, MPI_Session_init, MPI_Finalize and
 * MPI_Abort in C.
 *
 * Leaves out MPI_Session_finalize, because a trace continues to the end of the
 * process; and MPI_Comm_spawn and MPI_Comm_spawn_multiple: memory that they
 * allocate is recognised by their names, and processes that they start identify
 * themselves (runtime/process/identity.c).
 *
 * The MPI_ entry points are wrapped, not the PMPI_ ones, so that other
 * profiling libraries keep their place behind the wrappers.  The wrappers call
 * only PMPI functions, only while MPI is up, and let errors be returned to
 * them, not passed to the program's handler.
 */
#include "wrappers/mpi.h"

const char wm_mpi_present wm_export = 1;

/* wm_mpi_begin() has identified the process */
static bool in_world;

/* Makes calls on MPI_COMM_WORLD return their errors from now on; returns false
 * if this is impossible.  @theirs is not freed: an MPI may treat it as an error
 * to free the predefined handler. */
static bool errors_to_us(const struct wm_mpi *mpi, wm_mpi_errhandler *theirs)
{
	return mpi->Comm_get_errhandler(mpi->world, theirs) == 0 &&
	       mpi->Comm_set_errhandler(mpi->world, mpi->errors_return) == 0;
}

static bool name_of_job(const struct wm_mpi *mpi, char name[WM_NAME_MAX])
{
	wm_mpi_errhandler theirs = 0;
	int r;

	wm_mpi_name(name);
	if (!errors_to_us(mpi, &theirs))
		return false;
	r = mpi->Bcast(name, WM_NAME_MAX, mpi->byte, 0, mpi->world);
	mpi->Comm_set_errhandler(mpi->world, theirs);
	return r == 0;
}

void wm_mpi_begin(void)
{
	static bool begun;
	const struct wm_mpi *mpi = wm_mpi();
	char name[WM_NAME_MAX];
	int rank, ranks;
	bool ask;

	if (!mpi)
		wm_mpi_no_world(); /* the launcher may know */
	if (!wm_mpi_has_world() ||
	    __atomic_exchange_n(&begun, 1, __ATOMIC_RELAXED))
		return;
	if (mpi->Comm_rank(mpi->world, &rank) ||
	    mpi->Comm_size(mpi->world, &ranks))
		return;
	ask = wm_mpi_wants_name(ranks) && name_of_job(mpi, name);
	wm_mpi_up(rank, ranks, ask ? name : NULL);
	in_world = true;
}

void wm_mpi_finish(void)
{
	if (in_world)
		wm_mpi_down(0);
}

void wm_mpi_finished(void)
{
	wm_mpi_down(1);
}

WM_MPI_WRAPPED(int, MPI_Init, (int *argc, char ***argv));
int WM_SHIM(MPI_Init)(int *argc, char ***argv)
{
	int r = WM_MPI_NEXT(MPI_Init)(argc, argv);

	if (r == 0)
		wm_mpi_begin();
	return r;
}

WM_MPI_WRAPPED(int, MPI_Init_thread,
	       (int *argc, char ***argv, int required, int *provided));
int WM_SHIM(MPI_Init_thread)(int *argc, char ***argv, int required,
			     int *provided)
{
	int r = WM_MPI_NEXT(MPI_Init_thread)(argc, argv, required, provided);

	if (r == 0)
		wm_mpi_begin();
	return r;
}

WM_MPI_WRAPPED(int, MPI_Session_init,
	       (wm_mpi_info info, wm_mpi_errhandler handler,
		wm_mpi_session *session));
int WM_SHIM(MPI_Session_init)(wm_mpi_info info, wm_mpi_errhandler handler,
			      wm_mpi_session *session)
{
	int r = WM_MPI_NEXT(MPI_Session_init)(info, handler, session);

	if (r == 0)
		wm_mpi_no_world();
	return r;
}

WM_MPI_WRAPPED(int, MPI_Finalize, (void));
int WM_SHIM(MPI_Finalize)(void)
{
	int r;

	wm_mpi_finish();
	r = WM_MPI_NEXT(MPI_Finalize)();
	wm_mpi_finished();
	return r;
}

WM_MPI_WRAPPED(int, MPI_Abort, (wm_mpi_comm comm, int code));
int WM_SHIM(MPI_Abort)(wm_mpi_comm comm, int code)
{
	wm_process_end("MPI_Abort");
	return WM_MPI_NEXT(MPI_Abort)(comm, code);
}
