/* SPDX-License-Identifier: Apache-2.0 */
/*
 * handles LOST: each rank makes 12 communicators by MPI_Comm_dup, 12 pairs of
 * them, and 12 by MPI_Comm_split, datatypes, groups, windows, files, infos (with
 * and without a value), operations, error handlers, keys and requests one after
 * the other, and 600 requests, 50 communicators and 300 datatypes at one time; it frees all but the first LOST of the ones before, and LOST times
 * 100 bytes.  For tests/jobs/t6015-handles.sh.
 */
#include <mpi.h>
#include <stdlib.h>

#define EACH 12
#define MANY 300
#define COMMS 50

static int rank, ranks, word[4], in[4];

static void use_comm(int keep)
{
	MPI_Comm comm;

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Barrier(comm);
	if (!keep)
		MPI_Comm_free(&comm);
}

/* Two calls in one line, as compilers make of a loop. */
static void use_pair(int keep)
{
	MPI_Comm world = MPI_COMM_WORLD, a, b;

	MPI_Comm_dup(world, &a), MPI_Comm_dup(world, &b);
	if (!keep) {
		MPI_Comm_free(&a);
		MPI_Comm_free(&b);
	}
}

static void use_split(int keep)
{
	MPI_Comm comm;

	MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comm);
	if (!keep)
		MPI_Comm_free(&comm);
}

static void use_type(int keep)
{
	MPI_Datatype type;

	MPI_Type_vector(3, 2, 5, MPI_INT, &type);
	MPI_Type_commit(&type);
	if (!keep)
		MPI_Type_free(&type);
}

static void use_group(int keep)
{
	MPI_Group all, one;
	int first = 0;

	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Group_incl(all, 1, &first, &one);
	MPI_Group_free(&all);
	if (!keep)
		MPI_Group_free(&one);
}

static void use_window(int keep)
{
	MPI_Win win;

	MPI_Win_create(word, sizeof(word), 4, MPI_INFO_NULL, MPI_COMM_WORLD,
		       &win);
	MPI_Win_fence(0, win);
	if (!keep)
		MPI_Win_free(&win);
}

static void use_file(int keep)
{
	MPI_File file;

	MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_WRONLY,
		      MPI_INFO_NULL, &file);
	MPI_File_write(file, word, 1, MPI_INT, MPI_STATUS_IGNORE);
	if (!keep)
		MPI_File_close(&file);
}

static void use_info(int keep)
{
	MPI_Info info;

	MPI_Info_create(&info);
	MPI_Info_set(info, "key", "value");
	if (!keep)
		MPI_Info_free(&info);
}

static void use_empty(int keep)
{
	MPI_Info one, two;

	MPI_Info_create(&one);
	MPI_Info_dup(one, &two);
	MPI_Info_free(&one);
	if (!keep)
		MPI_Info_free(&two);
}

static void add(void *a, void *b, int *n, MPI_Datatype *type)
{
	(void)a;
	(void)b;
	(void)n;
	(void)type;
}

static void use_op(int keep)
{
	MPI_Op op;

	MPI_Op_create(add, 1, &op);
	if (!keep)
		MPI_Op_free(&op);
}

static void handle(MPI_Comm *comm, int *error, ...)
{
	(void)comm;
	(void)error;
}

static void use_handler(int keep)
{
	MPI_Errhandler handler;

	MPI_Comm_create_errhandler(handle, &handler);
	if (!keep)
		MPI_Errhandler_free(&handler);
	/* predefined: no call made it */
	MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
	MPI_Errhandler_free(&handler);
}

static void use_key(int keep)
{
	int key;

	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN,
			       &key, NULL);
	if (!keep)
		MPI_Comm_free_keyval(&key);
}

/* Those that receive are started, and those that are not persistent are freed by
 * the same function. */
static void use_receive(int keep)
{
	MPI_Request receive, send;

	MPI_Recv_init(in, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &receive);
	MPI_Start(&receive);
	MPI_Isend(word, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &send);
	MPI_Request_free(&send);
	MPI_Wait(&receive, MPI_STATUS_IGNORE);
	if (!keep)
		MPI_Request_free(&receive);
}

static void use_send(int keep)
{
	MPI_Request send;

	MPI_Ssend_init(word, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD,
		       &send);
	if (!keep)
		MPI_Request_free(&send);
}

static void use_requests(void)
{
	static MPI_Request r[2 * MANY];
	int i;

	for (i = 0; i < MANY; i++) {
		MPI_Irecv(in, 1, MPI_INT, (rank + ranks - 1) % ranks, i,
			  MPI_COMM_WORLD, &r[i]);
		MPI_Isend(word, 1, MPI_INT, (rank + 1) % ranks, i,
			  MPI_COMM_WORLD, &r[MANY + i]);
	}
	MPI_Waitall(2 * MANY, r, MPI_STATUSES_IGNORE);
}

static void use_many(void)
{
	static MPI_Datatype type[MANY];
	static MPI_Comm comm[COMMS];
	int i;

	for (i = 0; i < COMMS; i++)
		MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
	for (i = 0; i < COMMS; i++)
		MPI_Comm_free(&comm[i]);
	for (i = 0; i < MANY; i++) {
		MPI_Type_vector(3, 2, 5 + i, MPI_INT, &type[i]);
		MPI_Type_commit(&type[i]);
	}
	for (i = 0; i < MANY; i++)
		MPI_Type_free(&type[i]);
}

/* A communicator in an attribute, as libraries keep theirs: freed with it. */
static int free_inner(MPI_Comm comm, int key, void *value, void *extra)
{
	(void)comm;
	(void)key;
	(void)extra;
	return MPI_Comm_free(value);
}

static void use_attribute(void)
{
	MPI_Comm outer;
	static MPI_Comm inner;
	int key;

	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_inner, &key, NULL);
	MPI_Comm_dup(MPI_COMM_WORLD, &outer);
	MPI_Comm_dup(MPI_COMM_WORLD, &inner);
	MPI_Comm_set_attr(outer, key, &inner);
	MPI_Comm_set_errhandler(outer, MPI_ERRORS_RETURN);
	MPI_Comm_free_keyval(&key);
	MPI_Comm_free(&outer);
}

/* "lost: N" of a line: so many handles of it are left, when @keep is set. */
static void make_comms(int keep)
{
	MPI_Comm a, b, c, d, e, f, none;
	MPI_Request request;
	MPI_Info info = MPI_INFO_NULL;
	int dims = ranks, no = 0, yes = 1, shared = MPI_COMM_TYPE_SHARED;

	MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &none);
	MPI_Comm_dup(MPI_COMM_WORLD, &a); /* lost: 1 */
	MPI_Comm_dup(MPI_COMM_WORLD, &b); /* lost: 1 */
	MPI_Comm_idup(MPI_COMM_WORLD, &c, &request); /* lost: 1 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &no, 0, &d); /* lost: 1 */
	MPI_Cart_sub(d, &yes, &e); /* lost: 1 */
	MPI_Comm_split_type(c, shared, 0, info, &f); /* lost: 1 */
	if (keep)
		return;
	MPI_Comm_free(&a);
	MPI_Comm_disconnect(&b);
	MPI_Comm_free(&c);
	MPI_Comm_free(&d);
	MPI_Comm_free(&e);
	MPI_Comm_free(&f);
}

/* The group of a communicator is one, with references. */
static void make_groups(int keep)
{
	MPI_Group all[5], one, none;
	int i, first = 0;

	for (i = 0; i < 5; i++)
		MPI_Comm_group(MPI_COMM_WORLD, &all[i]); /* lost: 4 */
	MPI_Group_incl(all[0], 1, &first, &one); /* lost: 1 */
	MPI_Group_incl(all[0], 0, NULL, &none);
	MPI_Group_free(&all[0]);
	if (keep)
		return;
	for (i = 1; i < 5; i++)
		MPI_Group_free(&all[i]);
	MPI_Group_free(&one);
}

/* One is freed after use in another one. */
static void make_types(int keep)
{
	MPI_Datatype a, b, c;

	MPI_Type_contiguous(3, MPI_INT, &a);
	MPI_Type_vector(2, 1, 3, a, &b); /* lost: 1 */
	MPI_Type_free(&a);
	MPI_Type_create_resized(b, 0, 100, &c); /* lost: 1 */
	MPI_Type_commit(&c);
	if (keep)
		return;
	MPI_Type_free(&b);
	MPI_Type_free(&c);
}

/* A view has its types twice: those of MPI's own are not freed. */
static void make_views(int keep)
{
	MPI_Datatype pair, named, a, b, c;
	MPI_Info info = MPI_INFO_NULL;
	char how[MPI_MAX_DATAREP_STRING];
	MPI_Offset at;
	MPI_File f;

	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_commit(&pair);
	MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_WRONLY, info, &f);
	MPI_File_set_view(f, 0, MPI_INT, pair, "native", info);
	MPI_File_get_view(f, &at, &named, &a, how); /* lost: 1 */
	MPI_File_set_view(f, 0, pair, pair, "native", info);
	MPI_File_get_view(f, &at, &b, &c, how); /* lost: 1 */
	MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", info);
	MPI_File_get_view(f, &at, &named, &named, how);
	MPI_File_close(&f);
	MPI_Type_free(&pair);
	MPI_Type_free(&c);
	if (keep)
		return;
	MPI_Type_free(&a);
	MPI_Type_free(&b);
}

static void make_window(int keep)
{
	MPI_Info info = MPI_INFO_NULL;
	MPI_Win win;

	MPI_Win_create_dynamic(info, MPI_COMM_WORLD, &win); /* lost: 1 */
	if (!keep)
		MPI_Win_free(&win);
}

/* Requests that are complete when they are made may share one handle. */
static void make_sends(int keep)
{
	MPI_Request lost, sent[3];
	MPI_Comm all = MPI_COMM_WORLD;
	int none = MPI_PROC_NULL, waited = keep ? 1 : 3, i;

	for (i = 0; i < 3; i++) {
		MPI_Isend(word, 1, MPI_INT, none, 1, all, &lost); /* lost: 2 */
		sent[i] = lost;
	}
	MPI_Waitall(waited, sent, MPI_STATUSES_IGNORE);
	MPI_Isend(word, 1, MPI_INT, none, 1, all, &lost);
	MPI_Wait(&lost, MPI_STATUS_IGNORE);
}

/* Each way to end them; of five that are left none is. */
static void make_receives(int keep)
{
	MPI_Request r[9], copy[2], duplicate;
	MPI_Comm all = MPI_COMM_WORLD, dup;
	static int tag = 2;
	int i, at, some, list[4];

	tag++;
	for (i = 0; i < 9; i++)
		MPI_Irecv(in, 1, MPI_INT, rank, tag, all, &r[i]); /* lost: 5 */
	MPI_Test(&r[0], &some, MPI_STATUS_IGNORE);
	MPI_Testall(2, r, &some, MPI_STATUSES_IGNORE);
	MPI_Testany(2, r, &at, &some, MPI_STATUS_IGNORE);
	MPI_Testsome(2, r, &some, list, MPI_STATUSES_IGNORE);
	for (i = 0; i < 4; i++)
		MPI_Send(word, 1, MPI_INT, rank, tag, all);
	copy[0] = r[0];
	MPI_Wait(copy, MPI_STATUS_IGNORE);
	MPI_Waitany(1, &r[1], &at, MPI_STATUS_IGNORE);
	MPI_Waitsome(1, &r[2], &some, list, MPI_STATUSES_IGNORE);
	for (some = 0; !some;)
		MPI_Test(&r[3], &some, MPI_STATUS_IGNORE);
	MPI_Ibarrier(all, &r[0]); /* lost: 1 */
	MPI_Iallreduce(word, in, 1, MPI_INT, MPI_SUM, all, &r[1]); /* lost: 1 */
	MPI_Comm_idup(all, &dup, &duplicate);
	MPI_Wait(&duplicate, MPI_STATUS_IGNORE);
	MPI_Comm_free(&dup);
	if (!keep) {
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
		for (i = 4; i < 8; i++) {
			MPI_Cancel(&r[i]);
			MPI_Wait(&r[i], MPI_STATUS_IGNORE);
		}
		MPI_Cancel(&r[8]);
		MPI_Request_free(&r[8]);
	}
}

static void make_all(int keep)
{
	make_sends(keep);
	make_receives(keep);
	make_comms(keep);
	make_groups(keep);
	make_types(keep);
	make_views(keep);
	make_window(keep);
}

static void use_bytes(int lost)
{
	volatile char *p = malloc(100 * (size_t)lost);

	p[0] = 1;
}

int main(int argc, char **argv)
{
	int lost = argc > 1 ? atoi(argv[1]) : 0, i;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (i = 0; i < EACH; i++) {
		use_comm(i < lost);
		use_pair(i < lost);
		use_split(i < lost);
		use_type(i < lost);
		use_group(i < lost);
		use_window(i < lost);
		use_file(i < lost);
		use_info(i < lost);
		use_op(i < lost);
		use_handler(i < lost);
		use_key(i < lost);
		use_empty(i < lost);
		use_receive(i < lost);
		use_send(i < lost);
		make_all(i < lost);
		use_attribute();
	}
	use_requests();
	use_many();
	if (lost)
		use_bytes(lost);
	MPI_Finalize();
	return 0;
}
