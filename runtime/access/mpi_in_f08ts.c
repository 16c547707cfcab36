/* SPDX-License-Identifier: Apache-2.0 */
/* MPI calls with MPICH's module mpi_f08, where buffers are descriptors of the
 * compiler.  Left out: sections of arrays whose elements are not side by side,
 * and compilers other than gfortran. */
#include "runtime/access/mpi_in_fortran.h"
#include "wm/mpi_list.h"

/* The layout of gfortran. */
struct descriptor {
	const void *base;
	size_t offset, element;
	int version;
	int8_t rank, type;
	int16_t attribute;
	intptr_t span; /* 0, or that of an element */
	struct {
		intptr_t stride, low, high; /* in elements */
	} dimension[15];
};

static const void *data_of(const void *buf)
{
	const struct descriptor *d = buf;
	intptr_t stride = 1;

	/* Descriptors of other compilers differ here. */
	if (d->element > INT32_MAX || d->version || d->rank > 15)
		return WM_MPI_SCATTERED;
	if (d->rank && d->span && d->span != (intptr_t)d->element)
		return WM_MPI_SCATTERED;
	for (int i = 0; i < d->rank; i++) {
		intptr_t extent = d->dimension[i].high - d->dimension[i].low +
				  1;

		if (extent > 1 && d->dimension[i].stride != stride)
			return WM_MPI_SCATTERED;
		stride *= extent;
	}
	return d->base;
}
#define DATA(x) data_of(x)

#define NOW(Name, name, parameters, arguments, plan)                           \
	CALL(NAMED(name), parameters, arguments, plan)

#define NUMBER int
#define WIDTH narrow
#define NAMED(name) mpi_##name##_f08ts_
WM_MPI_CALLS
WM_MPI_SHORT(NOW)
#undef NUMBER
#undef WIDTH
#undef NAMED

#define NUMBER int64_t
#define WIDTH wide
#define NAMED(name) mpi_##name##_f08ts_large_
WM_MPI_CALLS

/* Fails to compile if a function of the list is missing. */
#define IS_HERE(Name, name) (void)wm_access_mpi_##name##_f08ts_;
static void __attribute__((unused)) have_all(void)
{
	WM_MPI_LIST(IS_HERE)
}
