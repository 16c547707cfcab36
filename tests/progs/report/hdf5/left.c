/* SPDX-License-Identifier: Apache-2.0 */
/*
 * left HOW COUNT: makes ten of each identifier one after the other, and closes
 * all but the first COUNT.  HOW: close, strong (the file closes what is in it),
 * all (H5close), thread (the same by a thread whose stack is near main's), exit
 * (when the process exits), release (by H5Idec_ref), keep (a library's file is
 * left open, too).  Prints what the program sees: errors and errno.
 */
#include <errno.h>
#include <hdf5.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

hid_t keep_open(const char *name);
void keep_close(hid_t file);

static const char *how;

static void read_step(hid_t file, int left)
{
	hid_t data = H5Dopen2(file, "d", H5P_DEFAULT);
	hid_t space = H5Dget_space(data);

	H5Sclose(space);
	if (!left && strcmp(how, "release") == 0)
		H5Idec_ref(data);
	else if (!left)
		H5Dclose(data);
}

/* Each has two references. */
static void refer(hid_t file, int left)
{
	hid_t data = H5Dopen2(file, "d", H5P_DEFAULT);

	H5Iinc_ref(data);
	H5Dclose(data);
	if (!left)
		H5Dclose(data);
}

static void make_space(int left)
{
	hsize_t ten = 10;
	hid_t space = H5Screate_simple(1, &ten, NULL);

	if (!left)
		H5Sclose(space);
}

/* Calls that fail, as the program sees them. */
static void fail(hid_t file)
{
	hid_t data = H5Dopen2(file, "d", H5P_DEFAULT);

	errno = 5;
	H5Dclose(data);
	printf("%d ", errno);
	printf("%d ", (int)H5Dopen2(data, "d", H5P_DEFAULT));
	printf("%ld ", (long)H5Eget_num(H5E_DEFAULT));
	printf("%d ", H5Dclose(data));
	printf("%ld\n", (long)H5Eget_num(H5E_DEFAULT));
}

/* It becomes one of the file. */
static void commit_type(hid_t file)
{
	hid_t type = H5Tcopy(H5T_NATIVE_INT);

	H5Tcommit2(file, "t", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	if (strcmp(how, "strong") != 0)
		H5Tclose(type);
}

static hid_t make_file(void)
{
	hid_t list = H5Pcreate(H5P_FILE_ACCESS), space, data, file;
	hsize_t ten = 10;

	if (strcmp(how, "strong") == 0)
		H5Pset_fclose_degree(list, H5F_CLOSE_STRONG);
	file = H5Fcreate("left.h5", H5F_ACC_TRUNC, H5P_DEFAULT, list);
	H5Pclose(list);
	space = H5Screate_simple(1, &ten, NULL);
	data = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT,
			  H5P_DEFAULT, H5P_DEFAULT);
	H5Sclose(space);
	/* the same identifier once more */
	H5Fclose(H5Iget_file_id(data));
	H5Dclose(data);
	return file;
}

static void close_all(void)
{
	H5close();
}

static void *close_in_thread(void *unused)
{
	H5close();
	return unused;
}

/* Nothing is mapped between the thread's stack and that of main. */
static void close_by_thread(void)
{
	uintptr_t at = (getauxval(AT_RANDOM) - (40 << 20)) & -4096ul;
	void *stack = mmap((void *)at, 1 << 20, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, stack, 1 << 20);
	if (stack != (void *)at ||
	    pthread_create(&thread, &attr, close_in_thread, NULL))
		abort();
	pthread_join(thread, NULL);
	munmap(stack, 1 << 20);
}

int main(int argc, char **argv)
{
	/* as what a call of exit() leaves on the stack */
	volatile uintptr_t stale = (uintptr_t)&exit + 8;
	int count = argc > 2 ? atoi(argv[2]) : 0, i;
	hid_t file, kept;

	how = argc > 1 ? argv[1] : "close";
	if (strcmp(how, "exit") == 0)
		atexit(close_all);
	file = make_file();
	commit_type(file);
	for (i = 0; i < 10; i++) {
		read_step(file, i < count);
		refer(file, i < count);
		make_space(i < count);
	}
	kept = keep_open("keep.h5");
	if (strcmp(how, "keep") != 0)
		keep_close(kept);
	fail(file);
	if (strcmp(how, "release") == 0)
		H5Idec_ref(file);
	else
		H5Fclose(file);
	if (strcmp(how, "all") == 0)
		H5close();
	if (strcmp(how, "thread") == 0)
		close_by_thread();
	return stale == 0;
}
