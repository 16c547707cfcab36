/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of MPI whose buffers are recorded when hooked objects call
 * them, by the rules of wm/block_list.h.
 *
 * WM_MPI_LIST(X) expands X(NAME, name) once per function: MPI_NAME in C,
 * mpi_name_ in Fortran, and in programs with the module mpi_f08 mpi_name_f08_
 * (Open MPI) or mpi_name_f08ts_ (MPICH).  The functions of WM_MPI_COUNTED also
 * exist with counts of 64 bits: MPI_NAME_c, and mpi_name_f08ts_large_ (MPICH;
 * Open MPI 4 has none of them).  WM_MPI_ASKED(X) has the functions of PMPI that
 * the runtime calls.
 */
#ifndef WM_MPI_LIST_H
#define WM_MPI_LIST_H

/* clang-format off */
#define WM_MPI_COUNTED(X)						\
	X(Send, send)							\
	X(Bsend, bsend)							\
	X(Ssend, ssend)							\
	X(Rsend, rsend)							\
	X(Isend, isend)							\
	X(Ibsend, ibsend)						\
	X(Issend, issend)						\
	X(Irsend, irsend)						\
	X(Send_init, send_init)						\
	X(Bsend_init, bsend_init)					\
	X(Ssend_init, ssend_init)					\
	X(Rsend_init, rsend_init)					\
	X(Recv_init, recv_init)						\
	X(Recv, recv)							\
	X(Irecv, irecv)							\
	X(Mrecv, mrecv)							\
	X(Imrecv, imrecv)						\
	X(Sendrecv, sendrecv)						\
	X(Sendrecv_replace, sendrecv_replace)				\
	X(Bcast, bcast)							\
	X(Ibcast, ibcast)						\
	X(Reduce, reduce)						\
	X(Ireduce, ireduce)						\
	X(Allreduce, allreduce)						\
	X(Iallreduce, iallreduce)					\
	X(Scan, scan)							\
	X(Iscan, iscan)							\
	X(Exscan, exscan)						\
	X(Iexscan, iexscan)						\
	X(Gather, gather)						\
	X(Igather, igather)						\
	X(Gatherv, gatherv)						\
	X(Igatherv, igatherv)						\
	X(Scatter, scatter)						\
	X(Iscatter, iscatter)						\
	X(Scatterv, scatterv)						\
	X(Iscatterv, iscatterv)						\
	X(Allgather, allgather)						\
	X(Iallgather, iallgather)					\
	X(Allgatherv, allgatherv)					\
	X(Iallgatherv, iallgatherv)					\
	X(Alltoall, alltoall)						\
	X(Ialltoall, ialltoall)						\
	X(Alltoallv, alltoallv)						\
	X(Ialltoallv, ialltoallv)					\
	X(Alltoallw, alltoallw)						\
	X(Ialltoallw, ialltoallw)					\
	X(Neighbor_allgather, neighbor_allgather)			\
	X(Ineighbor_allgather, ineighbor_allgather)			\
	X(Neighbor_allgatherv, neighbor_allgatherv)			\
	X(Ineighbor_allgatherv, ineighbor_allgatherv)			\
	X(Neighbor_alltoall, neighbor_alltoall)				\
	X(Ineighbor_alltoall, ineighbor_alltoall)			\
	X(Neighbor_alltoallv, neighbor_alltoallv)			\
	X(Ineighbor_alltoallv, ineighbor_alltoallv)			\
	X(Neighbor_alltoallw, neighbor_alltoallw)			\
	X(Ineighbor_alltoallw, ineighbor_alltoallw)			\
	X(Reduce_scatter, reduce_scatter)				\
	X(Ireduce_scatter, ireduce_scatter)				\
	X(Reduce_scatter_block, reduce_scatter_block)			\
	X(Ireduce_scatter_block, ireduce_scatter_block)			\
	X(Bcast_init, bcast_init)					\
	X(Reduce_init, reduce_init)					\
	X(Allreduce_init, allreduce_init)				\
	X(Scan_init, scan_init)						\
	X(Exscan_init, exscan_init)					\
	X(Gather_init, gather_init)					\
	X(Gatherv_init, gatherv_init)					\
	X(Scatter_init, scatter_init)					\
	X(Scatterv_init, scatterv_init)					\
	X(Allgather_init, allgather_init)				\
	X(Allgatherv_init, allgatherv_init)				\
	X(Alltoall_init, alltoall_init)					\
	X(Alltoallv_init, alltoallv_init)				\
	X(Alltoallw_init, alltoallw_init)				\
	X(Neighbor_allgather_init, neighbor_allgather_init)		\
	X(Neighbor_allgatherv_init, neighbor_allgatherv_init)		\
	X(Neighbor_alltoall_init, neighbor_alltoall_init)		\
	X(Neighbor_alltoallv_init, neighbor_alltoallv_init)		\
	X(Neighbor_alltoallw_init, neighbor_alltoallw_init)		\
	X(Reduce_scatter_init, reduce_scatter_init)			\
	X(Reduce_scatter_block_init, reduce_scatter_block_init)		\
	X(Put, put)							\
	X(Rput, rput)							\
	X(Get, get)							\
	X(Rget, rget)							\
	X(Accumulate, accumulate)					\
	X(Get_accumulate, get_accumulate)				\
	X(Rget_accumulate, rget_accumulate)				\
	X(Raccumulate, raccumulate)

#define WM_MPI_UNCOUNTED(X)						\
	X(Psend_init, psend_init)					\
	X(Precv_init, precv_init)					\
	X(Start, start)							\
	X(Startall, startall)						\
	X(Request_free, request_free)					\
	X(Fetch_and_op, fetch_and_op)					\
	X(Compare_and_swap, compare_and_swap)

#define WM_MPI_LIST(X) WM_MPI_COUNTED(X) WM_MPI_UNCOUNTED(X)

#define WM_MPI_ASKED(X)                                                        \
	X(Type_size, type_size)                                                \
	X(Type_get_extent, type_get_extent)                                    \
	X(Type_get_true_extent, type_get_true_extent)                          \
	X(Get_count, get_count)                                                \
	X(Comm_rank, comm_rank)                                                \
	X(Comm_size, comm_size)                                                \
	X(Comm_test_inter, comm_test_inter)                                    \
	X(Topo_test, topo_test)                                                \
	X(Cartdim_get, cartdim_get)                                            \
	X(Cart_shift, cart_shift)                                              \
	X(Graph_neighbors_count, graph_neighbors_count)                        \
	X(Dist_graph_neighbors_count, dist_graph_neighbors_count)              \
	X(Initialized, initialized)                                            \
	X(Finalized, finalized)
/* clang-format on */

#endif
