/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls of MPI that make and free handles which have no memory of their own
 * in some MPI: requests that stay, operations, error handlers, keys of
 * attributes, infos.  Of each function that makes some of a class all are here
 * that free such handles.
 *
 * Classes (WMT_HANDLE_*) and numbers are those of docs/trace-format.md, 5.13:
 * never changed, and never used again for something else.
 */
#ifndef WM_HANDLE_LIST_H
#define WM_HANDLE_LIST_H

/*
 * R(x, class, number, Name, NAME, name, arguments): MPI_Name has so many
 * arguments in C; the last one is where the handle is put.  Fortran has an
 * error behind it.  With counts that are longer it is there as well.
 */
/* clang-format off */
#define WM_HANDLE_LAST(R, x)                                                   \
	R(x, REQUEST, 1, Send_init, SEND_INIT, send_init, 7)                   \
	R(x, REQUEST, 2, Bsend_init, BSEND_INIT, bsend_init, 7)                \
	R(x, REQUEST, 3, Ssend_init, SSEND_INIT, ssend_init, 7)                \
	R(x, REQUEST, 4, Rsend_init, RSEND_INIT, rsend_init, 7)                \
	R(x, REQUEST, 5, Recv_init, RECV_INIT, recv_init, 7)                   \
	R(x, REQUEST, 6, Psend_init, PSEND_INIT, psend_init, 9)                \
	R(x, REQUEST, 7, Precv_init, PRECV_INIT, precv_init, 9)                \
	R(x, REQUEST, 8, Bcast_init, BCAST_INIT, bcast_init, 7)                \
	R(x, REQUEST, 9, Gather_init, GATHER_INIT, gather_init, 10)            \
	R(x, REQUEST, 10, Gatherv_init, GATHERV_INIT, gatherv_init, 11)        \
	R(x, REQUEST, 11, Scatter_init, SCATTER_INIT, scatter_init, 10)        \
	R(x, REQUEST, 12, Scatterv_init, SCATTERV_INIT, scatterv_init, 11)     \
	R(x, REQUEST, 13, Allgather_init, ALLGATHER_INIT, allgather_init, 9)   \
	R(x, REQUEST, 14, Allgatherv_init, ALLGATHERV_INIT, allgatherv_init,   \
	  10)                                                                  \
	R(x, REQUEST, 15, Alltoall_init, ALLTOALL_INIT, alltoall_init, 9)      \
	R(x, REQUEST, 16, Alltoallv_init, ALLTOALLV_INIT, alltoallv_init, 11)  \
	R(x, REQUEST, 17, Alltoallw_init, ALLTOALLW_INIT, alltoallw_init, 11)  \
	R(x, REQUEST, 18, Reduce_init, REDUCE_INIT, reduce_init, 9)            \
	R(x, REQUEST, 19, Allreduce_init, ALLREDUCE_INIT, allreduce_init, 8)   \
	R(x, REQUEST, 20, Reduce_scatter_init, REDUCE_SCATTER_INIT,            \
	  reduce_scatter_init, 8)                                              \
	R(x, REQUEST, 21, Reduce_scatter_block_init,                           \
	  REDUCE_SCATTER_BLOCK_INIT, reduce_scatter_block_init, 8)             \
	R(x, REQUEST, 22, Scan_init, SCAN_INIT, scan_init, 8)                  \
	R(x, REQUEST, 23, Exscan_init, EXSCAN_INIT, exscan_init, 8)            \
	R(x, REQUEST, 24, Neighbor_allgather_init, NEIGHBOR_ALLGATHER_INIT,    \
	  neighbor_allgather_init, 9)                                          \
	R(x, REQUEST, 25, Neighbor_allgatherv_init, NEIGHBOR_ALLGATHERV_INIT,  \
	  neighbor_allgatherv_init, 10)                                        \
	R(x, REQUEST, 26, Neighbor_alltoall_init, NEIGHBOR_ALLTOALL_INIT,      \
	  neighbor_alltoall_init, 9)                                           \
	R(x, REQUEST, 27, Neighbor_alltoallv_init, NEIGHBOR_ALLTOALLV_INIT,    \
	  neighbor_alltoallv_init, 11)                                         \
	R(x, REQUEST, 28, Neighbor_alltoallw_init, NEIGHBOR_ALLTOALLW_INIT,    \
	  neighbor_alltoallw_init, 11)                                         \
	R(x, OP, 29, Op_create, OP_CREATE, op_create, 3)

/* R(x, class, number, Name, NAME, name, arguments, at): argument number @at is
 * where the handle is put. */
#define WM_HANDLE_MADE(R, x)                                                   \
	R(x, REQUEST, 30, Barrier_init, BARRIER_INIT, barrier_init, 3, 3)      \
	R(x, ERRHANDLER, 31, Comm_create_errhandler, COMM_CREATE_ERRHANDLER,   \
	  comm_create_errhandler, 2, 2)                                        \
	R(x, ERRHANDLER, 32, Win_create_errhandler, WIN_CREATE_ERRHANDLER,     \
	  win_create_errhandler, 2, 2)                                         \
	R(x, ERRHANDLER, 33, File_create_errhandler, FILE_CREATE_ERRHANDLER,   \
	  file_create_errhandler, 2, 2)                                        \
	R(x, ERRHANDLER, 34, Session_create_errhandler,                        \
	  SESSION_CREATE_ERRHANDLER, session_create_errhandler, 2, 2)          \
	R(x, ERRHANDLER, 35, Errhandler_create, ERRHANDLER_CREATE,             \
	  errhandler_create, 2, 2)                                             \
	R(x, COMM_KEY, 36, Comm_create_keyval, COMM_CREATE_KEYVAL,             \
	  comm_create_keyval, 4, 3)                                            \
	R(x, COMM_KEY, 37, Keyval_create, KEYVAL_CREATE, keyval_create, 4, 3)  \
	R(x, TYPE_KEY, 38, Type_create_keyval, TYPE_CREATE_KEYVAL,             \
	  type_create_keyval, 4, 3)                                            \
	R(x, WIN_KEY, 39, Win_create_keyval, WIN_CREATE_KEYVAL,                \
	  win_create_keyval, 4, 3)                                             \
	R(x, INFO, 40, Info_create, INFO_CREATE, info_create, 1, 1)            \
	R(x, INFO, 41, Info_dup, INFO_DUP, info_dup, 2, 2)                     \
	R(x, INFO, 42, Comm_get_info, COMM_GET_INFO, comm_get_info, 2, 2)      \
	R(x, INFO, 43, Win_get_info, WIN_GET_INFO, win_get_info, 2, 2)         \
	R(x, INFO, 44, File_get_info, FILE_GET_INFO, file_get_info, 2, 2)      \
	R(x, INFO, 45, Session_get_info, SESSION_GET_INFO, session_get_info, 2, 2)

/* R(x, class, Name, NAME, name): the argument is where the handle is. */
#define WM_HANDLE_FREED(R, x)                                                  \
	R(x, REQUEST, Request_free, REQUEST_FREE, request_free)                \
	R(x, OP, Op_free, OP_FREE, op_free)                                    \
	R(x, ERRHANDLER, Errhandler_free, ERRHANDLER_FREE, errhandler_free)    \
	R(x, COMM_KEY, Comm_free_keyval, COMM_FREE_KEYVAL, comm_free_keyval)   \
	R(x, COMM_KEY, Keyval_free, KEYVAL_FREE, keyval_free)                  \
	R(x, TYPE_KEY, Type_free_keyval, TYPE_FREE_KEYVAL, type_free_keyval)   \
	R(x, WIN_KEY, Win_free_keyval, WIN_FREE_KEYVAL, win_free_keyval)       \
	R(x, INFO, Info_free, INFO_FREE, info_free)
/* clang-format on */

#define WM_HANDLE_NUMBERS 46 /* they are below */

#endif
