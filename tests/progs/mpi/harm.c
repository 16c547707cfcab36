/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates nothing itself.  One way to use MPI, odd or wrong, by the first
 * argument, with what MPI answers: errors, handlers, ends, a spawn of ./prog.
 * Used by t6024. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int errors;
static void on_error(MPI_Comm *c, int *code, ...)
{
	(void)c;
	(void)code;
	errors++;
}
static void finalize(void)
{
	int up, down;

	MPI_Finalize();
	MPI_Initialized(&up);
	MPI_Finalized(&down);
	printf("at exit: %d %d\n", up, down);
	fflush(stdout);
}
static void on_signal(int s)
{
	MPI_Abort(MPI_COMM_WORLD, s);
}
static void own_handler(void)
{
	MPI_Errhandler mine, now;
	int r, n;

	MPI_Comm_create_errhandler(on_error, &mine);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine);
	r = MPI_Comm_size(MPI_COMM_NULL, &n) != MPI_SUCCESS;
	MPI_Comm_get_errhandler(MPI_COMM_WORLD, &now);
	printf("failed %d, %d errors, %s handler\n", r, errors,
	       now == mine ? "own" : "another");
	MPI_Errhandler_free(&now);
	MPI_Errhandler_free(&mine);
}
static void free_nothing(void)
{
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	printf("failed: %d %d %d %d %d\n", MPI_Info_free(NULL) != MPI_SUCCESS,
	       MPI_Request_free(NULL) != MPI_SUCCESS,
	       MPI_Op_free(NULL) != MPI_SUCCESS,
	       MPI_Errhandler_free(NULL) != MPI_SUCCESS,
	       MPI_Comm_free_keyval(NULL) != MPI_SUCCESS);
}
static void spawn(void)
{
	MPI_Comm parent, all;
	char command[] = "./prog", *args[] = { "spawn", NULL };
	int n, r = -1;

	MPI_Comm_get_parent(&parent);
	if (parent == MPI_COMM_NULL)
		MPI_Comm_spawn(command, args, 1, MPI_INFO_NULL, 0,
			       MPI_COMM_WORLD, &all, MPI_ERRCODES_IGNORE);
	else
		all = parent;
	MPI_Comm_remote_size(all, &n);
	MPI_Comm_rank(MPI_COMM_WORLD, &r);
	printf("%s %d: %d others\n", parent == MPI_COMM_NULL ? "parent" :
	       "child", r, n);
	MPI_Comm_disconnect(&all);
}
int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int r;

	if (!strcmp(how, "uninitialized")) {
		MPI_Initialized(&r);
		printf("up: %d\n", r);
		return 3;
	}
	if (!strcmp(how, "abort-first"))
		MPI_Abort(MPI_COMM_WORLD, 4);
	r = MPI_Init(&argc, &argv);
	/* what a killed job has printed may be lost */
	if (strcmp(how, "signal") && strcmp(how, "no-finalize") &&
	    strcmp(how, "fatal"))
		printf("init: %d\n", r);
	if (!strcmp(how, "twice")) {
		MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
		printf("again: %d\n", MPI_Init(&argc, &argv) != MPI_SUCCESS);
	}
	if (!strcmp(how, "fatal"))
		printf("init: error %d\n", MPI_Comm_size(MPI_COMM_NULL, &r));
	if (!strcmp(how, "handler"))
		own_handler();
	if (!strcmp(how, "nothing"))
		free_nothing();
	if (!strcmp(how, "spawn"))
		spawn();
	if (!strcmp(how, "no-finalize"))
		return 5;
	fflush(stdout);
	if (!strcmp(how, "signal")) {
		signal(SIGALRM, on_signal);
		MPI_Comm_rank(MPI_COMM_WORLD, &r);
		if (r == 0)
			raise(SIGALRM);
		for (;;)
			pause();
	}
	if (!strcmp(how, "atexit")) {
		atexit(finalize);
		return 6;
	}
	MPI_Finalize();
	if (!strcmp(how, "finalize-twice"))
		MPI_Finalize();
	return 0;
}
