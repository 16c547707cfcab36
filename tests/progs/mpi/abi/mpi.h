/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the standard ABI's mpi.h that prog.c needs, with the same values.
 * Used by t6023. */
#include <stdint.h>
typedef struct abi_comm *MPI_Comm;
typedef struct abi_info *MPI_Info;
typedef struct abi_win *MPI_Win;
typedef intptr_t MPI_Aint;
#define MPI_COMM_WORLD ((MPI_Comm)0x101)
#define MPI_INFO_NULL ((MPI_Info)0x130)
int MPI_Init(int *, char ***);
int MPI_Finalize(void);
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Alloc_mem(MPI_Aint, MPI_Info, void *);
int MPI_Free_mem(void *);
int MPI_Win_allocate(MPI_Aint, int, MPI_Info, MPI_Comm, void *, MPI_Win *);
int MPI_Win_free(MPI_Win *);
