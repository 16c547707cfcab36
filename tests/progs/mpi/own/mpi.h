/* SPDX-License-Identifier: Apache-2.0 */
/* An unknown MPI: its handles are floating-point numbers, which can
 * be compared, as they must.
 * Used by t6021. */
#define MPI_VERSION 2
typedef double MPI_Comm, MPI_Errhandler, MPI_Info, MPI_Win;
typedef double MPI_Datatype;
#define MPI_COMM_WORLD 4.5
#define MPI_BYTE 5.5
#define MPI_ERRORS_RETURN 6.5
#define BOTH(name, args) int MPI_##name args; int P##MPI_##name args;
BOTH(Init, (int *, char ***))
BOTH(Finalize, (void))
BOTH(Abort, (MPI_Comm, int))
BOTH(Initialized, (int *))
BOTH(Finalized, (int *))
BOTH(Comm_rank, (MPI_Comm, int *))
BOTH(Comm_size, (MPI_Comm, int *))
BOTH(Comm_get_errhandler, (MPI_Comm, MPI_Errhandler *))
BOTH(Comm_set_errhandler, (MPI_Comm, MPI_Errhandler))
BOTH(Bcast, (void *, int, MPI_Datatype, int, MPI_Comm))
BOTH(Gather, (void *, int, MPI_Datatype, void *, int, MPI_Datatype, int,
	      MPI_Comm))
