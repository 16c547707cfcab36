/* SPDX-License-Identifier: Apache-2.0 */
/*
 * requests many|threads|places|steps|lists: nonblocking requests, which end but
 * for those of keep_*, with stub.c, where all have one handle.  For
 * tests/jobs/t6020-mpi-shim.sh.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

int MPI_Init(int *c, char ***v);
int MPI_Finalize(void);
int MPI_Ibarrier(int comm, int *request);
int MPI_Wait(int *request, void *status);
int MPI_Waitall(int n, int *request, void *status);

#define MANY 6000

static void keep_many(void)
{
	static int request[MANY];
	int i;

	for (i = 0; i < MANY; i++)
		MPI_Ibarrier(0, &request[i]);
	MPI_Waitall(MANY - 3, request, NULL);
}

static void end_one(void)
{
	int request;

	MPI_Ibarrier(0, &request);
	MPI_Wait(&request, NULL);
}

static void keep_one(void)
{
	int request;

	MPI_Ibarrier(0, &request);
}

static void keep_in_thread(void)
{
	int request;

	MPI_Ibarrier(0, &request);
}

static void *run_thread(void *unused)
{
	int i;

	for (i = 0; i < 20000; i++) {
		end_one();
		if (i % 4000 == 0)
			keep_in_thread();
	}
	return unused;
}

static void run_threads(void)
{
	pthread_t thread[4];
	int i;

	for (i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, run_thread, NULL);
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
}

static long page_faults(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_minflt;
}

/* Whether 1,000 calls that are given many requests have page faults. */
static void end_lists(void)
{
	static int request[100];
	long before = page_faults();
	int i;

	for (i = 0; i < 1000; i++)
		MPI_Waitall(100, request, NULL);
	printf("%s\n", page_faults() - before < 200 ? "few" : "many");
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	int i, steps = strcmp(mode, "steps") == 0;

	MPI_Init(&argc, &argv);
	if (strcmp(mode, "many") == 0)
		keep_many();
	if (strcmp(mode, "threads") == 0)
		run_threads();
	if (strcmp(mode, "lists") == 0)
		end_lists();
	for (i = 0; strcmp(mode, "places") == 0 && i < 50; i++) {
		keep_one();
		end_one();
	}
	for (i = 0; steps && i < 60; i++) {
		keep_one();
		end_one();
		usleep(10000);
	}
	return MPI_Finalize();
}
