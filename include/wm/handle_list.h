/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls of MPI that make and free handles: communicators, datatypes,
 * groups, windows, files, requests, operations, error handlers, keys of
 * attributes, infos.  For each class, the list has all functions that free
 * handles of the class.
 *
 * Classes (WMT_HANDLE_*) and numbers are those of docs/trace-format.md, 5.13.
 * They are never changed, and never used again for something else.
 */
#ifndef WM_HANDLE_LIST_H
#define WM_HANDLE_LIST_H

/* R(x, class, number, Name, NAME, name, arguments): @arguments is the number of
 * arguments of MPI_Name in C; the last one is the address for the handle.  In
 * Fortran an error follows it.  These functions also exist with large
 * counts. */
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
	R(x, OP, 29, Op_create, OP_CREATE, op_create, 3)                       \
	R(x, TYPE, 46, Type_contiguous, TYPE_CONTIGUOUS,                       \
	  type_contiguous, 3)                                                  \
	R(x, TYPE, 47, Type_vector, TYPE_VECTOR, type_vector, 5)               \
	R(x, TYPE, 48, Type_create_hvector, TYPE_CREATE_HVECTOR,               \
	  type_create_hvector, 5)                                              \
	R(x, TYPE, 49, Type_indexed, TYPE_INDEXED, type_indexed, 5)            \
	R(x, TYPE, 50, Type_create_hindexed, TYPE_CREATE_HINDEXED,             \
	  type_create_hindexed, 5)                                             \
	R(x, TYPE, 51, Type_create_indexed_block,                              \
	  TYPE_CREATE_INDEXED_BLOCK, type_create_indexed_block, 5)             \
	R(x, TYPE, 52, Type_create_hindexed_block,                             \
	  TYPE_CREATE_HINDEXED_BLOCK, type_create_hindexed_block, 5)           \
	R(x, TYPE, 53, Type_create_struct, TYPE_CREATE_STRUCT,                 \
	  type_create_struct, 5)                                               \
	R(x, TYPE, 54, Type_create_subarray, TYPE_CREATE_SUBARRAY,             \
	  type_create_subarray, 7)                                             \
	R(x, TYPE, 55, Type_create_darray, TYPE_CREATE_DARRAY,                 \
	  type_create_darray, 10)                                              \
	R(x, TYPE, 56, Type_create_resized, TYPE_CREATE_RESIZED,               \
	  type_create_resized, 4)                                              \
	R(x, WIN, 57, Win_create, WIN_CREATE, win_create, 6)                   \
	R(x, REQUEST, 100, Isend, ISEND, isend, 7)                             \
	R(x, REQUEST, 101, Ibsend, IBSEND, ibsend, 7)                          \
	R(x, REQUEST, 102, Issend, ISSEND, issend, 7)                          \
	R(x, REQUEST, 103, Irsend, IRSEND, irsend, 7)                          \
	R(x, REQUEST, 104, Irecv, IRECV, irecv, 7)                             \
	R(x, REQUEST, 105, Imrecv, IMRECV, imrecv, 5)                          \
	R(x, REQUEST, 106, Isendrecv, ISENDRECV, isendrecv, 12)                \
	R(x, REQUEST, 107, Isendrecv_replace, ISENDRECV_REPLACE,               \
	  isendrecv_replace, 9)                                                \
	R(x, REQUEST, 108, Ibcast, IBCAST, ibcast, 6)                          \
	R(x, REQUEST, 109, Igather, IGATHER, igather, 9)                       \
	R(x, REQUEST, 110, Igatherv, IGATHERV, igatherv, 10)                   \
	R(x, REQUEST, 111, Iscatter, ISCATTER, iscatter, 9)                    \
	R(x, REQUEST, 112, Iscatterv, ISCATTERV, iscatterv, 10)                \
	R(x, REQUEST, 113, Iallgather, IALLGATHER, iallgather, 8)              \
	R(x, REQUEST, 114, Iallgatherv, IALLGATHERV, iallgatherv, 9)           \
	R(x, REQUEST, 115, Ialltoall, IALLTOALL, ialltoall, 8)                 \
	R(x, REQUEST, 116, Ialltoallv, IALLTOALLV, ialltoallv, 10)             \
	R(x, REQUEST, 117, Ialltoallw, IALLTOALLW, ialltoallw, 10)             \
	R(x, REQUEST, 118, Ireduce, IREDUCE, ireduce, 8)                       \
	R(x, REQUEST, 119, Iallreduce, IALLREDUCE, iallreduce, 7)              \
	R(x, REQUEST, 120, Ireduce_scatter, IREDUCE_SCATTER,                   \
	  ireduce_scatter, 7)                                                  \
	R(x, REQUEST, 121, Ireduce_scatter_block, IREDUCE_SCATTER_BLOCK,       \
	  ireduce_scatter_block, 7)                                            \
	R(x, REQUEST, 122, Iscan, ISCAN, iscan, 7)                             \
	R(x, REQUEST, 123, Iexscan, IEXSCAN, iexscan, 7)                       \
	R(x, REQUEST, 124, Ineighbor_allgather, INEIGHBOR_ALLGATHER,           \
	  ineighbor_allgather, 8)                                              \
	R(x, REQUEST, 125, Ineighbor_allgatherv, INEIGHBOR_ALLGATHERV,         \
	  ineighbor_allgatherv, 9)                                             \
	R(x, REQUEST, 126, Ineighbor_alltoall, INEIGHBOR_ALLTOALL,             \
	  ineighbor_alltoall, 8)                                               \
	R(x, REQUEST, 127, Ineighbor_alltoallv, INEIGHBOR_ALLTOALLV,           \
	  ineighbor_alltoallv, 10)                                             \
	R(x, REQUEST, 128, Ineighbor_alltoallw, INEIGHBOR_ALLTOALLW,           \
	  ineighbor_alltoallw, 10)                                             \
	R(x, REQUEST, 129, Rput, RPUT, rput, 9)                                \
	R(x, REQUEST, 130, Rget, RGET, rget, 9)                                \
	R(x, REQUEST, 131, Raccumulate, RACCUMULATE, raccumulate, 10)          \
	R(x, REQUEST, 132, Rget_accumulate, RGET_ACCUMULATE,                   \
	  rget_accumulate, 13)                                                 \
	R(x, REQUEST, 133, File_iread, FILE_IREAD, file_iread, 5)              \
	R(x, REQUEST, 134, File_iwrite, FILE_IWRITE, file_iwrite, 5)           \
	R(x, REQUEST, 135, File_iread_all, FILE_IREAD_ALL, file_iread_all, 5)  \
	R(x, REQUEST, 136, File_iwrite_all, FILE_IWRITE_ALL,                   \
	  file_iwrite_all, 5)                                                  \
	R(x, REQUEST, 137, File_iread_shared, FILE_IREAD_SHARED,               \
	  file_iread_shared, 5)                                                \
	R(x, REQUEST, 138, File_iwrite_shared, FILE_IWRITE_SHARED,             \
	  file_iwrite_shared, 5)                                               \
	R(x, REQUEST, 139, File_iread_at, FILE_IREAD_AT, file_iread_at, 6)     \
	R(x, REQUEST, 140, File_iwrite_at, FILE_IWRITE_AT, file_iwrite_at, 6)  \
	R(x, REQUEST, 141, File_iread_at_all, FILE_IREAD_AT_ALL,               \
	  file_iread_at_all, 6)                                                \
	R(x, REQUEST, 142, File_iwrite_at_all, FILE_IWRITE_AT_ALL,             \
	  file_iwrite_at_all, 6)

/* R(x, class, number, Name, NAME, name, arguments, at): argument number @at is
 * the address for the handle. */
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
	R(x, INFO, 45, Session_get_info, SESSION_GET_INFO, session_get_info, 2,\
	  2)                                                                   \
	R(x, TYPE, 58, Type_dup, TYPE_DUP, type_dup, 2, 2)                     \
	R(x, TYPE, 59, Type_hvector, TYPE_HVECTOR, type_hvector, 5, 5)         \
	R(x, TYPE, 60, Type_hindexed, TYPE_HINDEXED, type_hindexed, 5,         \
	  5)                                                                   \
	R(x, TYPE, 61, Type_struct, TYPE_STRUCT, type_struct, 5, 5)            \
	R(x, WIN, 62, Win_create_dynamic, WIN_CREATE_DYNAMIC,                  \
	  win_create_dynamic, 3, 3)                                            \
	R(x, COMM, 63, Comm_dup, COMM_DUP, comm_dup, 2, 2)                     \
	R(x, COMM, 64, Comm_dup_with_info, COMM_DUP_WITH_INFO,                 \
	  comm_dup_with_info, 3, 3)                                            \
	R(x, COMM, 65, Comm_idup, COMM_IDUP, comm_idup, 3, 2)                  \
	R(x, COMM, 66, Comm_idup_with_info, COMM_IDUP_WITH_INFO,               \
	  comm_idup_with_info, 4, 3)                                           \
	R(x, COMM, 67, Comm_create, COMM_CREATE, comm_create, 3, 3)            \
	R(x, COMM, 68, Comm_create_group, COMM_CREATE_GROUP,                   \
	  comm_create_group, 4, 4)                                             \
	R(x, COMM, 69, Comm_split, COMM_SPLIT, comm_split, 4, 4)               \
	R(x, COMM, 70, Comm_split_type, COMM_SPLIT_TYPE,                       \
	  comm_split_type, 5, 5)                                               \
	R(x, COMM, 71, Cart_create, CART_CREATE, cart_create, 6, 6)            \
	R(x, COMM, 72, Cart_sub, CART_SUB, cart_sub, 3, 3)                     \
	R(x, COMM, 73, Graph_create, GRAPH_CREATE, graph_create, 6, 6)         \
	R(x, COMM, 74, Dist_graph_create, DIST_GRAPH_CREATE,                   \
	  dist_graph_create, 9, 9)                                             \
	R(x, COMM, 75, Dist_graph_create_adjacent,                             \
	  DIST_GRAPH_CREATE_ADJACENT, dist_graph_create_adjacent, 10,          \
	  10)                                                                  \
	R(x, COMM, 76, Intercomm_create, INTERCOMM_CREATE,                     \
	  intercomm_create, 6, 6)                                              \
	R(x, COMM, 77, Intercomm_merge, INTERCOMM_MERGE,                       \
	  intercomm_merge, 3, 3)                                               \
	R(x, COMM, 78, Comm_join, COMM_JOIN, comm_join, 2, 2)                  \
	R(x, GROUP, 79, Comm_group, COMM_GROUP, comm_group, 2, 2)              \
	R(x, GROUP, 80, Comm_remote_group, COMM_REMOTE_GROUP,                  \
	  comm_remote_group, 2, 2)                                             \
	R(x, GROUP, 81, Win_get_group, WIN_GET_GROUP, win_get_group, 2,        \
	  2)                                                                   \
	R(x, GROUP, 82, File_get_group, FILE_GET_GROUP, file_get_group,        \
	  2, 2)                                                                \
	R(x, GROUP, 83, Group_incl, GROUP_INCL, group_incl, 4, 4)              \
	R(x, GROUP, 84, Group_excl, GROUP_EXCL, group_excl, 4, 4)              \
	R(x, GROUP, 85, Group_range_incl, GROUP_RANGE_INCL,                    \
	  group_range_incl, 4, 4)                                              \
	R(x, GROUP, 86, Group_range_excl, GROUP_RANGE_EXCL,                    \
	  group_range_excl, 4, 4)                                              \
	R(x, GROUP, 87, Group_union, GROUP_UNION, group_union, 3, 3)           \
	R(x, GROUP, 88, Group_intersection, GROUP_INTERSECTION,                \
	  group_intersection, 3, 3)                                            \
	R(x, GROUP, 89, Group_difference, GROUP_DIFFERENCE,                    \
	  group_difference, 3, 3)                                              \
	R(x, REQUEST, 143, Ibarrier, IBARRIER, ibarrier, 2, 2)                 \
	R(x, REQUEST, 144, Grequest_start, GREQUEST_START,                     \
	  grequest_start, 5, 5)

/* R(x, class, number, Name, NAME, name, arguments, at, lengths): functions like
 * those of WM_HANDLE_MADE, but with strings, whose lengths follow the error in
 * Fortran. */
#define WM_HANDLE_NAMED(R, x)                                                  \
	R(x, COMM, 90, Comm_create_from_group, COMM_CREATE_FROM_GROUP,         \
	  comm_create_from_group, 5, 5, 1)                                     \
	R(x, COMM, 91, Intercomm_create_from_groups,                           \
	  INTERCOMM_CREATE_FROM_GROUPS, intercomm_create_from_groups,          \
	  8, 8, 1)                                                             \
	R(x, COMM, 92, Comm_accept, COMM_ACCEPT, comm_accept, 5, 5, 1)         \
	R(x, COMM, 93, Comm_connect, COMM_CONNECT, comm_connect, 5, 5,         \
	  1)                                                                   \
	R(x, COMM, 94, Comm_spawn, COMM_SPAWN, comm_spawn, 8, 7, 2)            \
	R(x, COMM, 95, Comm_spawn_multiple, COMM_SPAWN_MULTIPLE,               \
	  comm_spawn_multiple, 9, 8, 2)                                        \
	R(x, GROUP, 96, Group_from_session_pset,                               \
	  GROUP_FROM_SESSION_PSET, group_from_session_pset, 3, 3, 1)           \
	R(x, FILE, 97, File_open, FILE_OPEN, file_open, 5, 5, 1)               \
	R(x, TYPE, WM_HANDLE_VIEW, File_get_view, FILE_GET_VIEW,               \
	  file_get_view, 5, 3, 1)
/* This function makes two types; the second type is in the argument after that
 * of the first.  Each type may be one of MPI's own, which is not freed. */
#define WM_HANDLE_VIEW 147

/* R(x, class, number, Name): wrapped in wrappers/mpi_memory.c. */
#define WM_HANDLE_WINDOWS(R, x)                                                \
	R(x, WIN, 98, Win_allocate)                                            \
	R(x, WIN, 99, Win_allocate_shared)

/* R(x, class, Name, NAME, name): the argument is the handle's address. */
#define WM_HANDLE_FREED(R, x)                                                  \
	R(x, REQUEST, Request_free, REQUEST_FREE, request_free)                \
	R(x, OP, Op_free, OP_FREE, op_free)                                    \
	R(x, ERRHANDLER, Errhandler_free, ERRHANDLER_FREE, errhandler_free)    \
	R(x, COMM_KEY, Comm_free_keyval, COMM_FREE_KEYVAL, comm_free_keyval)   \
	R(x, COMM_KEY, Keyval_free, KEYVAL_FREE, keyval_free)                  \
	R(x, TYPE_KEY, Type_free_keyval, TYPE_FREE_KEYVAL, type_free_keyval)   \
	R(x, WIN_KEY, Win_free_keyval, WIN_FREE_KEYVAL, win_free_keyval)       \
	R(x, INFO, Info_free, INFO_FREE, info_free)                            \
	R(x, COMM, Comm_free, COMM_FREE, comm_free)                            \
	R(x, COMM, Comm_disconnect, COMM_DISCONNECT, comm_disconnect)          \
	R(x, TYPE, Type_free, TYPE_FREE, type_free)                            \
	R(x, GROUP, Group_free, GROUP_FREE, group_free)                        \
	R(x, FILE, File_close, FILE_CLOSE, file_close)

/* R(x, number, Name): functions that make a request and another handle. */
#define WM_HANDLE_DUPLICATING(R, x)                                            \
	R(x, 145, Comm_idup)                                                   \
	R(x, 146, Comm_idup_with_info)
#define WM_HANDLE_REQUEST_OF(number)                                           \
	((number) == 65 || (number) == 66 ? (number) + 80 : 0)

/* R(x, Name, NAME, name, arguments, many): functions that end nonblocking
 * requests.  With @many, these are the requests of an array that follows its
 * length; otherwise, the request is the first argument. */
#define WM_HANDLE_ENDING(R, x)                                                 \
	R(x, Wait, WAIT, wait, 2, 0)                                           \
	R(x, Waitall, WAITALL, waitall, 3, 1)                                  \
	R(x, Waitany, WAITANY, waitany, 4, 1)                                  \
	R(x, Waitsome, WAITSOME, waitsome, 5, 1)                               \
	R(x, Test, TEST, test, 3, 0)                                           \
	R(x, Testall, TESTALL, testall, 4, 1)                                  \
	R(x, Testany, TESTANY, testany, 5, 1)                                  \
	R(x, Testsome, TESTSOME, testsome, 5, 1)
/* clang-format on */

/* Whether @number is that of a nonblocking request.  Several of these may share
 * one handle, such as requests that are complete when they are made. */
#define WM_HANDLE_IS_NONBLOCKING(number) ((number) >= 100 && (number) <= 146)

/* Whether a function returns another reference to an object with a handle. */
#define WM_HANDLE_IS_REFERENCE(number)                                         \
	(((number) >= 79 && (number) <= 82) || WM_HANDLE_IS_NONBLOCKING(number))

#define WM_HANDLE_NUMBERS 160 /* above all numbers */

#endif
