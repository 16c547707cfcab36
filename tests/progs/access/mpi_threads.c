/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads that make, start and free requests at once, so that MPI gives one
 * thread the handle that the other one has just freed.  Each start reads 40 bytes
 * of the thread's own buffer, sent to itself.  Used by t6040.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

#define TIMES 20000

static int buffers[2][32];
static int from_there[2][32];

static void *make_and_free(void *buffer)
{
	int n = buffer == buffers[1];

	for (int i = 0; i < TIMES; i++) {
		MPI_Request q;

		MPI_Send_init(buffer, 10, MPI_INT, 0, n, MPI_COMM_WORLD, &q);
		MPI_Start(&q);
		MPI_Recv(from_there[n], 10, MPI_INT, 0, n, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		MPI_Wait(&q, MPI_STATUS_IGNORE);
		MPI_Request_free(&q);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int level;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	if (level == MPI_THREAD_MULTIPLE) {
		pthread_create(&thread, NULL, make_and_free, buffers[1]);
		make_and_free(buffers[0]);
		pthread_join(thread, NULL);
		printf("%lx %lx\n", (long)buffers[0], (long)buffers[1]);
	}
	MPI_Finalize();
	return 0;
}
