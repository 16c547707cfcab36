/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of HDF5, 1.8 to 2.0, that return a new identifier, and those
 * that close an identifier.  Numbers are those of docs/trace-format.md, 5.13,
 * above those of wm/handle_list.h.  They are never changed, and never used
 * again for something else. */
#ifndef WM_HDF5_LIST_H
#define WM_HDF5_LIST_H

/* clang-format off */

/* R(x, number, name, arguments): the function makes a file, or an object in a
 * file, which may be closed with the file. */
#define WM_HDF5_IN_FILE(R, x)                                                  \
	R(x, 256, H5Fcreate, 4)                                                \
	R(x, 257, H5Fcreate_async, 8)                                          \
	R(x, 258, H5Fopen, 3)                                                  \
	R(x, 259, H5Fopen_async, 7)                                            \
	R(x, 260, H5Freopen, 1)                                                \
	R(x, 261, H5Freopen_async, 5)                                          \
	R(x, 262, H5Iget_file_id, 1)                                           \
	R(x, 263, H5Dcreate1, 5)                                               \
	R(x, 264, H5Dcreate2, 7)                                               \
	R(x, 265, H5Dcreate_async, 11)                                         \
	R(x, 266, H5Dcreate_anon, 5)                                           \
	R(x, 267, H5Dopen1, 2)                                                 \
	R(x, 268, H5Dopen2, 3)                                                 \
	R(x, 269, H5Dopen_async, 7)                                            \
	R(x, 270, H5Gcreate1, 3)                                               \
	R(x, 271, H5Gcreate2, 5)                                               \
	R(x, 272, H5Gcreate_async, 9)                                          \
	R(x, 273, H5Gcreate_anon, 3)                                           \
	R(x, 274, H5Gopen1, 2)                                                 \
	R(x, 275, H5Gopen2, 3)                                                 \
	R(x, 276, H5Gopen_async, 7)                                            \
	R(x, 277, H5Acreate1, 5)                                               \
	R(x, 278, H5Acreate2, 6)                                               \
	R(x, 279, H5Acreate_async, 10)                                         \
	R(x, 280, H5Acreate_by_name, 8)                                        \
	R(x, 281, H5Acreate_by_name_async, 12)                                 \
	R(x, 282, H5Aopen, 3)                                                  \
	R(x, 283, H5Aopen_async, 7)                                            \
	R(x, 284, H5Aopen_name, 2)                                             \
	R(x, 285, H5Aopen_idx, 2)                                              \
	R(x, 286, H5Aopen_by_name, 5)                                          \
	R(x, 287, H5Aopen_by_name_async, 9)                                    \
	R(x, 288, H5Aopen_by_idx, 7)                                           \
	R(x, 289, H5Aopen_by_idx_async, 11)                                    \
	R(x, 290, H5Oopen, 3)                                                  \
	R(x, 291, H5Oopen_async, 7)                                            \
	R(x, 292, H5Oopen_by_idx, 6)                                           \
	R(x, 293, H5Oopen_by_idx_async, 10)                                    \
	R(x, 294, H5Oopen_by_addr, 2)                                          \
	R(x, 295, H5Oopen_by_token, 3)                                         \
	R(x, 296, H5Topen1, 2)                                                 \
	R(x, 297, H5Topen2, 3)                                                 \
	R(x, 298, H5Topen_async, 7)                                            \
	R(x, 299, H5Dget_type, 1)                                              \
	R(x, 300, H5Aget_type, 1)                                              \
	R(x, 301, H5Rdereference, 3)                                           \
	R(x, 302, H5Rdereference1, 3)                                          \
	R(x, 303, H5Rdereference2, 4)                                          \
	R(x, 304, H5Ropen_object, 3)                                           \
	R(x, 305, H5Ropen_object_async, 7)                                     \
	R(x, 306, H5Ropen_attr, 3)                                             \
	R(x, 307, H5Ropen_attr_async, 7)

/* R(x, number, name, arguments): the identifier is outside of files. */
#define WM_HDF5_FREE(R, x)                                                     \
	R(x, 308, H5Screate, 1)                                                \
	R(x, 309, H5Screate_simple, 3)                                         \
	R(x, 310, H5Scopy, 1)                                                  \
	R(x, 311, H5Sdecode, 1)                                                \
	R(x, 312, H5Scombine_hyperslab, 6)                                     \
	R(x, 313, H5Scombine_select, 3)                                        \
	R(x, 314, H5Dget_space, 1)                                             \
	R(x, 315, H5Dget_space_async, 5)                                       \
	R(x, 316, H5Aget_space, 1)                                             \
	R(x, 317, H5Rget_region, 3)                                            \
	R(x, 318, H5Ropen_region, 3)                                           \
	R(x, 319, H5Ropen_region_async, 7)                                     \
	R(x, 320, H5Pget_virtual_vspace, 2)                                    \
	R(x, 321, H5Pget_virtual_srcspace, 2)                                  \
	R(x, 322, H5Tcreate, 2)                                                \
	R(x, 323, H5Tcopy, 1)                                                  \
	R(x, 324, H5Tarray_create1, 4)                                         \
	R(x, 325, H5Tarray_create2, 3)                                         \
	R(x, 326, H5Tvlen_create, 1)                                           \
	R(x, 327, H5Tenum_create, 1)                                           \
	R(x, 328, H5Tcomplex_create, 1)                                        \
	R(x, 329, H5Tdecode, 1)                                                \
	R(x, 330, H5Tdecode1, 1)                                               \
	R(x, 331, H5Tdecode2, 2)                                               \
	R(x, 332, H5Tget_native_type, 2)                                       \
	R(x, 333, H5Tget_super, 1)                                             \
	R(x, 334, H5Tget_member_type, 2)                                       \
	R(x, 335, H5Pcreate, 1)                                                \
	R(x, 336, H5Pcreate_class, 8)                                          \
	R(x, 337, H5Pcopy, 1)                                                  \
	R(x, 338, H5Pdecode, 1)                                                \
	R(x, 339, H5Pget_class, 1)                                             \
	R(x, 340, H5Pget_class_parent, 1)                                      \
	R(x, 341, H5Pget_elink_fapl, 1)                                        \
	R(x, 342, H5Fget_create_plist, 1)                                      \
	R(x, 343, H5Fget_access_plist, 1)                                      \
	R(x, 344, H5Dget_create_plist, 1)                                      \
	R(x, 345, H5Dget_access_plist, 1)                                      \
	R(x, 346, H5Gget_create_plist, 1)                                      \
	R(x, 347, H5Aget_create_plist, 1)                                      \
	R(x, 348, H5Tget_create_plist, 1)

/* R(x, name, arguments, at): argument number @at is the identifier. */
#define WM_HDF5_CLOSED(R, x)                                                   \
	R(x, H5Fclose, 1, 1)                                                   \
	R(x, H5Fclose_async, 5, 4)                                             \
	R(x, H5Dclose, 1, 1)                                                   \
	R(x, H5Dclose_async, 5, 4)                                             \
	R(x, H5Gclose, 1, 1)                                                   \
	R(x, H5Gclose_async, 5, 4)                                             \
	R(x, H5Aclose, 1, 1)                                                   \
	R(x, H5Aclose_async, 5, 4)                                             \
	R(x, H5Oclose, 1, 1)                                                   \
	R(x, H5Oclose_async, 5, 4)                                             \
	R(x, H5Tclose, 1, 1)                                                   \
	R(x, H5Tclose_async, 5, 4)                                             \
	R(x, H5Sclose, 1, 1)                                                   \
	R(x, H5Pclose, 1, 1)                                                   \
	R(x, H5Pclose_class, 1, 1)                                             \
	R(x, H5Idec_ref, 1, 1)

/* R(x, name): H5close, and the function that makes a file close its objects. */
#define WM_HDF5_OTHER(R, x)                                                    \
	R(x, H5close)                                                          \
	R(x, H5Pset_fclose_degree)
/* clang-format on */

#define WM_HDF5_FIRST 256
#define WM_HDF5_FIRST_FREE 308
#define WM_HDF5_NUMBERS 349 /* above all numbers */

#endif
