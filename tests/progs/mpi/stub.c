/* SPDX-License-Identifier: Apache-2.0 */
/* An MPI of one rank that does nothing: of MPICH's family, without what only
 * other families have.  Allocates nothing.
 * Used by t3126 and t6020. */
#define BOTH(name, args, ...)                                                  \
	int PMPI_##name args { __VA_ARGS__ return 0; }                         \
	int MPI_##name args __attribute__((weak, alias("PMPI_" #name)));
BOTH(Init, (int *c, char ***v), (void)c; (void)v;)
BOTH(Finalize, (void))
BOTH(Initialized, (int *flag), *flag = 1;)
BOTH(Finalized, (int *flag), *flag = 0;)
BOTH(Comm_rank, (int comm, int *rank), *rank = comm & 0;)
BOTH(Comm_size, (int comm, int *size), *size = 1 + (comm & 0);)
BOTH(Comm_get_errhandler, (int comm, int *handler), *handler = comm;)
BOTH(Comm_set_errhandler, (int comm, int handler), (void)comm; (void)handler;)
BOTH(Bcast, (void *p, int n, int type, int root, int comm), (void)p; (void)n;
     (void)type; (void)root; (void)comm;)
BOTH(Op_create, (void *f, int commute, int *op), (void)f; *op = commute;)
BOTH(Op_free, (int *op), *op = 0;)
/* all requests have one handle, until they are none */
BOTH(Ibarrier, (int comm, int *request), (void)comm; *request = 0x6c000001;)
BOTH(Wait, (int *request, void *status), (void)status; *request = 0x2c000000;)
BOTH(Waitall, (int n, int *request, void *status), (void)status;
     while (n--) request[n] = 0x2c000000;)
void MPIR_Dup_fn(void) { }
