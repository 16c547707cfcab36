// SPDX-License-Identifier: Apache-2.0
// Each rank: a std::vector of 1000 int, freed, and an MPI_Allreduce.
// Used by `mpi_sources` of mpi-lib.sh.
#include <mpi.h>
#include <vector>
int main(int argc, char **argv)
{
	int rank, sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	{
		std::vector<int> v(1000, rank);
		int part = v[rank];

		MPI_Allreduce(&part, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return sum < 0;
}
