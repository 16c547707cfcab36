/* SPDX-License-Identifier: Apache-2.0 */
/* The part of HDF5 that left.c and keep.c use, for the stand-in library.c.
 * OLD: identifiers as HDF5 1.8 has them. */
#ifndef HDF5_H
#define HDF5_H

#include <stdint.h>

#ifdef OLD
typedef int hid_t;
#define ID_SHIFT 24
#else
typedef int64_t hid_t;
#define ID_SHIFT 56
#endif
typedef int herr_t, htri_t;
typedef unsigned long long hsize_t;

enum { H5F_CLOSE_WEAK = 1, H5F_CLOSE_STRONG = 3 };
#define H5F_ACC_TRUNC 2u
#define H5P_DEFAULT ((hid_t)0)
#define H5P_FILE_ACCESS ((hid_t)1)
#define H5T_NATIVE_INT ((hid_t)2)
#define H5E_DEFAULT ((hid_t)0)

hid_t H5Fcreate(const char *name, unsigned flags, hid_t fcpl, hid_t fapl);
herr_t H5Fclose(hid_t file);
hid_t H5Screate_simple(int rank, const hsize_t *dims, const hsize_t *max);
herr_t H5Sclose(hid_t space);
hid_t H5Dcreate2(hid_t loc, const char *name, hid_t type, hid_t space,
		 hid_t lcpl, hid_t dcpl, hid_t dapl);
hid_t H5Dopen2(hid_t loc, const char *name, hid_t dapl);
hid_t H5Dget_space(hid_t data);
herr_t H5Dclose(hid_t data);
hid_t H5Tcopy(hid_t type);
herr_t H5Tcommit2(hid_t loc, const char *name, hid_t type, hid_t lcpl,
		  hid_t tcpl, hid_t tapl);
herr_t H5Tclose(hid_t type);
hid_t H5Pcreate(hid_t class);
herr_t H5Pclose(hid_t list);
herr_t H5Pset_fclose_degree(hid_t list, int degree);
hid_t H5Iget_file_id(hid_t object);
int H5Iinc_ref(hid_t id);
int H5Idec_ref(hid_t id);
htri_t H5Iis_valid(hid_t id);
long H5Eget_num(hid_t stack);
herr_t H5close(void);

#endif
