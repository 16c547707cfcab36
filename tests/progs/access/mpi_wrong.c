/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any number of ranks.  Calls of MPI with wrong arguments, on a communicator
 * with an error handler of its own; prints who handled what, and what each
 * call returned.  Used by t6040.
 */
#include <mpi.h>
#include <stdio.h>

static int data[10], more[10];
static MPI_Comm own;

static void handled(MPI_Comm *comm, int *code, ...)
{
	int class;

	MPI_Error_class(*code, &class);
	printf(" handler of %s: %d;", *comm == own ? "its own" : "the world",
	       class);
}

static void returned(const char *what, int code)
{
	int class;

	MPI_Error_class(code, &class);
	printf(" %s: %d\n", what, class);
}
#define TRY(call) returned(#call, call)

int main(int argc, char **argv)
{
	static const int two[1024] = { 2, 2 }, none[1024];
	MPI_Datatype bad = MPI_DATATYPE_NULL, type = MPI_INT;
	MPI_Comm no = MPI_COMM_NULL;
	MPI_Op sum = MPI_SUM;
	MPI_Errhandler handler;
	MPI_Request q;

	MPI_Init(&argc, &argv);
	MPI_Comm_dup(MPI_COMM_SELF, &own);
	MPI_Comm_create_errhandler(handled, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
	MPI_Comm_set_errhandler(own, handler);
	TRY(MPI_Send(data, 1, bad, 0, 0, own));
	TRY(MPI_Send(data, -1, type, 0, 0, own));
	TRY(MPI_Send(data, 1, type, 77, 0, own));
	TRY(MPI_Send(data, 1, type, 0, 0, no));
	TRY(MPI_Isend(data, 1, bad, 0, 0, own, &q));
	TRY(MPI_Recv(data, 1, bad, 0, 0, own, MPI_STATUS_IGNORE));
	TRY(MPI_Recv(data, 1, type, 77, 0, own, MPI_STATUS_IGNORE));
	TRY(MPI_Irecv(data, 1, bad, 0, 0, own, &q));
	TRY(MPI_Bcast(data, 1, type, 0, no));
	TRY(MPI_Bcast(data, 1, type, 77, own));
	TRY(MPI_Reduce(data, more, 1, bad, sum, 0, own));
	TRY(MPI_Allreduce(data, more, 1, type, MPI_OP_NULL, own));
	TRY(MPI_Allreduce(data, more, 1, bad, sum, own));
	TRY(MPI_Iallreduce(data, more, 1, type, sum, no, &q));
	TRY(MPI_Gather(data, 1, bad, more, 1, type, 0, own));
	TRY(MPI_Scatterv(data, two, none, bad, more, 2, type, 0, own));
	TRY(MPI_Allgatherv(data, 2, type, more, two, none, bad, own));
	TRY(MPI_Alltoall(data, 1, type, more, 1, type, no));
	TRY(MPI_Alltoallv(data, two, none, bad, more, two, none, type, own));
	TRY(MPI_Reduce_scatter(data, more, two, bad, sum, own));
	TRY(MPI_Send_init(data, 1, bad, 0, 0, own, &q));
	TRY(MPI_Recv_init(data, -1, type, 0, 0, own, &q));
	/* what came before is no reason for more */
	TRY(MPI_Sendrecv(data, 4, type, 0, 1, more, 4, type, 0, 1, own,
			 MPI_STATUS_IGNORE));
	MPI_Finalize();
	return 0;
}
