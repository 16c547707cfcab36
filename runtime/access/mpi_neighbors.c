/* SPDX-License-Identifier: Apache-2.0 */
/* Asks MPI for the neighbours of a communicator with a topology.  Left out:
 * MPI-5's standard ABI, which has other numbers for topologies, and grids of
 * more than 32 dimensions. */
#include "runtime/access/access.h"
#include "runtime/access/mpi_buffers.h"

WEAK int PMPI_Topo_test(const void *comm, int *kind);
WEAK int PMPI_Cartdim_get(const void *comm, int *dimensions);
WEAK int PMPI_Cart_shift(const void *comm, int dimension, int steps,
			 int *source, int *dest);
WEAK int PMPI_Graph_neighbors_count(const void *comm, int rank, int *n);
WEAK int PMPI_Dist_graph_neighbors_count(const void *comm, int *in, int *out,
					 int *weighted);
WEAK void pmpi_topo_test_(const void *comm, int *kind, int *error);
WEAK void pmpi_cartdim_get_(const void *comm, int *dimensions, int *error);
WEAK void pmpi_cart_shift_(const void *comm, const int *dimension,
			   const int *steps, int *source, int *dest,
			   int *error);
WEAK void pmpi_graph_neighbors_count_(const void *comm, const int *rank, int *n,
				      int *error);
WEAK void pmpi_dist_graph_neighbors_count_(const void *comm, int *in, int *out,
					   int *weighted, int *error);

enum kind { NONE, GRID, GRAPH, DIST_GRAPH };

/* Each asks the same in both languages, and returns an error of MPI's. */
static int ask_kind(const struct wm_mpi_call *c, const void *comm, int *kind)
{
	int error = 1;

	if (!c->fortran)
		return PMPI_Topo_test ? PMPI_Topo_test(comm, kind) : 1;
	if (pmpi_topo_test_)
		pmpi_topo_test_(comm, kind, &error);
	return error;
}

static int ask_dimensions(const struct wm_mpi_call *c, const void *comm, int *n)
{
	int error = 1;

	if (!c->fortran)
		return PMPI_Cartdim_get ? PMPI_Cartdim_get(comm, n) : 1;
	if (pmpi_cartdim_get_)
		pmpi_cartdim_get_(comm, n, &error);
	return error;
}

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
	int error = 1, rank;

	if (!c->fortran)
		return !PMPI_Comm_rank || !PMPI_Graph_neighbors_count ||
		       PMPI_Comm_rank(comm, &rank) ||
		       PMPI_Graph_neighbors_count(comm, rank, n);
	if (!pmpi_comm_rank_ || !pmpi_graph_neighbors_count_)
		return 1;
	pmpi_comm_rank_(comm, &rank, &error);
	if (!error)
		pmpi_graph_neighbors_count_(comm, &rank, n, &error);
	return error;
}

static int ask_dist_graph(const struct wm_mpi_call *c, const void *comm,
			  struct wm_mpi_neighbors *n)
{
	int error = 1, weighted;

	if (!c->fortran)
		return !PMPI_Dist_graph_neighbors_count ||
		       PMPI_Dist_graph_neighbors_count(comm, &n->sources,
						       &n->destinations,
						       &weighted);
	if (pmpi_dist_graph_neighbors_count_)
		pmpi_dist_graph_neighbors_count_(comm, &n->sources,
						 &n->destinations, &weighted,
						 &error);
	return error;
}

/* Each dimension has two neighbours: the one before and the one after. */
static bool grid(const struct wm_mpi_call *c, const void *comm,
		 struct wm_mpi_neighbors *n)
{
	int before, behind, dimensions, i;

	if (ask_dimensions(c, comm, &dimensions) || dimensions > 32)
		return false;
	n->sources = n->destinations = 2 * dimensions;
	for (i = 0; i < dimensions; i++) {
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
	    ask_kind(c, comm, &number) || number < 1 || number > 3)
		return NONE;
	return ompi_mpi_comm_world ? open_mpi[number] : mpich[number];
}

bool wm_mpi_neighbors(const struct wm_mpi_call *c, const void *comm,
		      struct wm_mpi_neighbors *n)
{
	n->sources = n->destinations = 0;
	n->absent = 0;
	switch (kind_of(c, comm)) {
	case GRID:
		return grid(c, comm, n);
	case GRAPH:
		if (ask_graph(c, comm, &n->sources))
			return false;
		n->destinations = n->sources;
		return true;
	case DIST_GRAPH:
		return !ask_dist_graph(c, comm, n);
	case NONE:
		break;
	}
	return false;
}
