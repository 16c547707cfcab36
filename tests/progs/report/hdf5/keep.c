/* SPDX-License-Identifier: Apache-2.0 */
/* A library above HDF5, as netCDF: a file with a dataset and a property list of
 * its own, which it never closes. */
#include "hdf5.h"

hid_t keep_open(const char *name);
void keep_close(hid_t file);

static hid_t data;

hid_t keep_open(const char *name)
{
	hsize_t ten = 10;
	hid_t file, space = H5Screate_simple(1, &ten, 0);

	H5Pcreate(H5P_FILE_ACCESS);
	file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	data = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT,
			  H5P_DEFAULT, H5P_DEFAULT);
	H5Sclose(space);
	return file;
}

void keep_close(hid_t file)
{
	H5Dclose(data);
	H5Fclose(file);
}
