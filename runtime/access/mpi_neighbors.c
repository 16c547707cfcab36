/* SPDX-License-Identifier: Apache-2.0 */
/* Asks MPI for the neighbours in a topology.  Left out: MPI-5's standard
 * ABI, which has other numbers for topologies, and grids of more than 32
 * dimensions. */
#include "runtime/access/mpi_buffers.h"

WM_MPI_FUNCTION(Topo_test, topo_test, const void *comm, int *kind);
WM_MPI_FUNCTION(Cartdim_get, cartdim_get, const void *comm, int *dimensions);
WM_MPI_FUNCTION(Dist_graph_neighbors_count, dist_graph_neighbors_count,
		const void *comm, int *in, int *out, int *weighted);
WEAK int PMPI_Abi_get_version(int *major, int *minor);
WEAK int PMPI_Cart_shift(const void *comm, int dimension, int steps,
			 int *source, int *dest);
WEAK void pmpi_cart_shift_(const void *comm, const int *dimension,
			   const int *steps, int *source, int *dest,
			   int *error);
WEAK int PMPI_Graph_neighbors_count(const void *comm, int rank, int *n);
WEAK void pmpi_graph_neighbors_count_(const void *comm, const int *rank, int *n,
				      int *error);

bool wm_mpi_has_wide_handles(void)
{
	int major = 0, minor;

	return ompi_mpi_comm_world ||
	       (PMPI_Abi_get_version && !PMPI_Abi_get_version(&major, &minor) &&
		major > 0);
}

enum kind { NONE, GRID, GRAPH, DIST_GRAPH };

/* These two pass numbers by value or by address.  They return as WM_MPI_ASK()
 * does. */
static int ask_shift(const struct wm_mpi_call *c, const void *comm, int i,
		     int *before, int *behind)
{
	int error = 1, one = 1;

	if (!c->fortran)
		return PMPI_Cart_shift ?
			       PMPI_Cart_shift(comm, i, 1, before, behind) :
			       1;
	if (pmpi_cart_shift_)
		pmpi_cart_shift_(comm, &i, &one, before, behind, &error);
	return error;
}

static int ask_graph(const struct wm_mpi_call *c, const void *comm, int *n)
{
	int error = 1, rank = 0;

	if (WM_MPI_ASK(c, Comm_rank, comm_rank, comm, &rank))
		return 1;
	if (!c->fortran)
		return !PMPI_Graph_neighbors_count ||
		       PMPI_Graph_neighbors_count(comm, rank, n);
	if (pmpi_graph_neighbors_count_)
		pmpi_graph_neighbors_count_(comm, &rank, n, &error);
	return error;
}

/* Each dimension has two neighbours: the one before and the one after. */
static bool grid(const struct wm_mpi_call *c, const void *comm,
		 struct wm_mpi_neighbors *n)
{
	int before, behind, dimensions = 0;

	if (WM_MPI_ASK(c, Cartdim_get, cartdim_get, comm, &dimensions) ||
	    dimensions > 32)
		return false;
	n->sources = n->destinations = 2 * dimensions;
	for (int i = 0; i < dimensions; i++) {
		if (ask_shift(c, comm, i, &before, &behind))
			return false;
		n->absent |= (uint64_t)(before < 0) << (2 * i);
		n->absent |= (uint64_t)(behind < 0) << (2 * i + 1);
	}
	return true;
}

static enum kind kind_of(const struct wm_mpi_call *c, const void *comm)
{
	static const enum kind open_mpi[] = { NONE, GRID, GRAPH, DIST_GRAPH },
			       mpich[] = { NONE, GRAPH, GRID, DIST_GRAPH };
	int number = 0;

	if ((!ompi_mpi_comm_world && wm_mpi_has_wide_handles()) ||
	    WM_MPI_ASK(c, Topo_test, topo_test, comm, &number) || number < 1 ||
	    number > 3)
		return NONE;
	return ompi_mpi_comm_world ? open_mpi[number] : mpich[number];
}

bool wm_mpi_neighbors(const struct wm_mpi_call *c, const void *comm,
		      struct wm_mpi_neighbors *n)
{
	int weighted;

	*n = (struct wm_mpi_neighbors){ 0, 0, 0 };
	switch (kind_of(c, comm)) {
	case GRID:
		return grid(c, comm, n);
	case GRAPH:
		if (ask_graph(c, comm, &n->sources))
			return false;
		n->destinations = n->sources;
		return true;
	case DIST_GRAPH:
		return !WM_MPI_ASK(c, Dist_graph_neighbors_count,
				   dist_graph_neighbors_count, comm,
				   &n->sources, &n->destinations, &weighted);
	case NONE:
		break;
	}
	return false;
}
