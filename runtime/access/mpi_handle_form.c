/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/access/mpi_buffers.h"

WEAK int PMPI_Abi_get_version(int *major, int *minor);

bool wm_mpi_has_wide_handles(void)
{
	int major = 0, minor;

	return ompi_mpi_comm_world ||
	       (PMPI_Abi_get_version && !PMPI_Abi_get_version(&major, &minor) &&
		major > 0);
}
