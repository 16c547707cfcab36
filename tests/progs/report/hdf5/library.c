/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stand-in for HDF5: identifiers with types, references and files that they
 * are in; each call but H5Eget_num empties the stack of errors.  H5Fcreate makes
 * a property list for itself, by the public function, as HDF5's drivers do, and
 * keeps it.
 */
#include <errno.h>
#include <stddef.h>

#include "hdf5.h"

enum {
	FILES = 1,
	TYPES = 3,
	SPACES = 4,
	DATASETS = 5,
	LISTS = 10,
	MOST = 4096
};

static struct object {
	hid_t id, file;
	int references, degree;
} objects[MOST];
static hid_t numbers;
static int errors;

static struct object *find(hid_t id)
{
	errors = 0;
	errno = 99;
	for (int i = 0; i < MOST; i++)
		if (objects[i].references && objects[i].id == id)
			return &objects[i];
	return NULL;
}

static hid_t make(hid_t type, hid_t file)
{
	struct object *o = objects;

	while (o->references)
		o++;
	*o = (struct object){ type << ID_SHIFT | numbers++, file, 1, 0 };
	errno = 77;
	return o->id;
}

/* The references that are left. */
static int drop(hid_t id)
{
	struct object *o = find(id);

	if (!o) {
		errors = 1;
		return -1;
	}
	if (--o->references)
		return o->references;
	for (int i = 0; o->degree == H5F_CLOSE_STRONG && i < MOST; i++)
		if (objects[i].file == id)
			objects[i].references = 0;
	errno = 77;
	return 0;
}

static herr_t end(hid_t id)
{
	return drop(id) < 0 ? -1 : 0;
}

hid_t H5Fcreate(const char *name, unsigned flags, hid_t fcpl, hid_t fapl)
{
	struct object *list = find(fapl);
	int degree = list ? list->degree : H5F_CLOSE_WEAK;
	hid_t file = make(FILES, 0);

	(void)name, (void)flags, (void)fcpl;
	H5Pcreate(H5P_FILE_ACCESS);
	find(file)->degree = degree;
	return file;
}

hid_t H5Screate_simple(int rank, const hsize_t *dims, const hsize_t *max)
{
	(void)rank, (void)dims, (void)max;
	return make(SPACES, 0);
}

hid_t H5Dcreate2(hid_t loc, const char *name, hid_t type, hid_t space,
		 hid_t lcpl, hid_t dcpl, hid_t dapl)
{
	(void)type, (void)space, (void)lcpl, (void)dcpl;
	return H5Dopen2(loc, name, dapl);
}

hid_t H5Dopen2(hid_t loc, const char *name, hid_t dapl)
{
	(void)name, (void)dapl;
	errors = !find(loc);
	return errors ? -1 : make(DATASETS, loc);
}

hid_t H5Dget_space(hid_t data)
{
	return find(data) ? make(SPACES, 0) : -1;
}

hid_t H5Tcopy(hid_t type)
{
	(void)type;
	return make(TYPES, 0);
}

herr_t H5Tcommit2(hid_t loc, const char *name, hid_t type, hid_t lcpl,
		  hid_t tcpl, hid_t tapl)
{
	(void)name, (void)lcpl, (void)tcpl, (void)tapl;
	find(type)->file = loc;
	return 0;
}

hid_t H5Pcreate(hid_t class)
{
	(void)class;
	return make(LISTS, 0);
}

herr_t H5Pset_fclose_degree(hid_t list, int degree)
{
	find(list)->degree = degree;
	return 0;
}

hid_t H5Iget_file_id(hid_t object)
{
	hid_t file = find(object)->file;

	find(file)->references++;
	return file;
}

int H5Iinc_ref(hid_t id)
{
	return ++find(id)->references;
}

int H5Idec_ref(hid_t id)
{
	return drop(id);
}

htri_t H5Iis_valid(hid_t id)
{
	return find(id) != NULL;
}

herr_t H5Fclose(hid_t file)
{
	return end(file);
}

herr_t H5Sclose(hid_t space)
{
	return end(space);
}

herr_t H5Dclose(hid_t data)
{
	return end(data);
}

herr_t H5Tclose(hid_t type)
{
	return end(type);
}

herr_t H5Pclose(hid_t list)
{
	return end(list);
}

long H5Eget_num(hid_t stack)
{
	(void)stack;
	return errors;
}

herr_t H5close(void)
{
	for (int i = 0; i < MOST; i++)
		objects[i].references = 0;
	return 0;
}
