/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/port.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "analyze/lib/base/vec.h"

/* The bytes of an element of messages, as MPI counts elements in int. */
#define PIECE 64

struct sending {
	MPI_Request request;
	uint8_t *data;
};

static MPI_Datatype piece;
static char output[1 << 16];
static struct sending *sending;
static size_t sending_count, sending_cap;

/* The last piece may exceed @size. */
static int pieces_for(size_t size)
{
	return (int)((size + PIECE - 1) / PIECE);
}

/* A launcher that learns of the abort ends without reading the messages in the
 * pipe of this process.  So it gets up to a second to read them first. */
static void let_launcher_read(int fd)
{
	struct timespec pause = { .tv_nsec = 10 * 1000 * 1000 };

	for (int i = 0, unread; i < 100; i++) {
		if (ioctl(fd, FIONREAD, &unread) != 0 || unread <= 0)
			return;
		nanosleep(&pause, NULL);
	}
}

void wm_port_abort(const char *why)
{
	fprintf(stderr, "wm-analyze: %s\n", why);
	let_launcher_read(STDERR_FILENO);
	MPI_Abort(MPI_COMM_WORLD, 3);
	abort();
}

void *wm_port_memory(size_t n)
{
	void *p = calloc(1, n);

	if (!p)
		wm_port_abort("no memory");
	return p;
}

void wm_port_open(int *argc, char ***argv)
{
	int level;

	MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level);
	/* MPICH removes the buffer: each character would be a system call */
	setvbuf(stdout, output, _IOFBF, sizeof(output));
	/* there are several threads; only this one calls MPI */
	if (level < MPI_THREAD_FUNNELED)
		wm_port_abort("this MPI does not allow threads");
	MPI_Type_contiguous(PIECE, MPI_BYTE, &piece);
	MPI_Type_commit(&piece);
}

void wm_port_close(void)
{
	while (wm_port_progress())
		;
	free(sending);
	MPI_Type_free(&piece);
	MPI_Finalize();
}

void wm_port_name(char *name, size_t size)
{
	char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	const char *rest;
	int n;

	MPI_Get_library_version(text, &n);
	text[strcspn(text, "\n,")] = 0;
	/* "MPICH Version:  4.0.2", "Open MPI v4.1.4, package: ..." */
	rest = strstr(text, " Version:");
	if (!rest) {
		snprintf(name, size, "%.100s", text);
		return;
	}
	n = (int)(rest - text);
	rest += strlen(" Version:");
	snprintf(name, size, "%.*s %.50s", n, text, rest + strspn(rest, " \t"));
}

int wm_port_count(void)
{
	int n;

	MPI_Comm_size(MPI_COMM_WORLD, &n);
	return n;
}

int wm_port_me(void)
{
	int me;

	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	return me;
}

void wm_port_send(int to, int tag, uint8_t *data, size_t size)
{
	struct sending *s = WM_MORE(sending, sending_cap, sending_count);

	data = realloc(data, (size_t)pieces_for(size) * PIECE);
	if (!s || !data)
		wm_port_abort("no memory");
	sending_count++;
	s->data = data;
	MPI_Isend(data, pieces_for(size), piece, to, tag, MPI_COMM_WORLD,
		  &s->request);
}

size_t wm_port_progress(void)
{
	size_t i = 0;
	int done;

	while (i < sending_count) {
		MPI_Test(&sending[i].request, &done, MPI_STATUS_IGNORE);
		if (!done) {
			i++;
			continue;
		}
		free(sending[i].data);
		sending[i] = sending[--sending_count];
	}
	return sending_count;
}

bool wm_port_poll(int *from, int tag, size_t *size)
{
	MPI_Status status;
	int there, n;

	MPI_Iprobe(*from == WM_PORT_ANY ? MPI_ANY_SOURCE : *from, tag,
		   MPI_COMM_WORLD, &there, &status);
	if (!there)
		return false;
	*from = status.MPI_SOURCE;
	MPI_Get_count(&status, piece, &n);
	*size = (size_t)n * PIECE;
	return true;
}

void wm_port_receive(int from, int tag, uint8_t *data, size_t size)
{
	MPI_Recv(data, pieces_for(size), piece, from, tag, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
}
