/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of MPI in hooked objects of C and C++ (wm/mpi_list.h). */
#include "runtime/access/access.h"
#include "runtime/access/mpi_buffers.h"
#include "runtime/access/mpi_calls.h"
#include "wm/mpi_list.h"

#define INT int
#define COUNT NUMBER
#define PLACE intptr_t
#define LONG int64_t
#define VALUE(x) (x)
#define HANDLE const void *
#define DATA(x) (x)

/* so that NAMED() is expanded first */
#define CALL(...) CALL_OF(__VA_ARGS__)
#define CALL_OF(name, parameters, arguments, plan)                             \
	__attribute__((weak)) int name parameters;                             \
	int wm_access_##name parameters;                                       \
	wm_export int wm_access_##name parameters                              \
	{                                                                      \
		struct wm_mpi_call c = {                                       \
			.caller = WM_ACCESS_CALLER,                            \
		};                                                             \
		int error = name arguments;                                    \
                                                                               \
		if (!error && wm_mpi_is_running(&c)) {                         \
			plan;                                                  \
			wm_mpi_call_done(&c);                                  \
		}                                                              \
		return error;                                                  \
	}
#define NOW(Name, name, parameters, arguments, plan)                           \
	CALL(NAMED(Name), parameters, arguments, plan)
#define LATER(Name, name, parameters, arguments, plan)                         \
	CALL(NAMED(Name), (BARE parameters, void *request),                    \
	     (BARE arguments, request), plan)

#define NUMBER int
#define WIDTH narrow
#define NAMED(Name) MPI_##Name
WM_MPI_CALLS
WM_MPI_SHORT(NOW)
#undef NUMBER
#undef WIDTH
#undef NAMED

#define NUMBER int64_t
#define WIDTH wide
#define NAMED(Name) MPI_##Name##_c
WM_MPI_CALLS

/* Fails to compile if a function of the list is missing. */
#define IS_HERE(Name, name) (void)wm_access_MPI_##Name;
#define LONG_IS_HERE(Name, name) (void)wm_access_MPI_##Name##_c;
static void __attribute__((unused)) have_all(void)
{
	WM_MPI_LIST(IS_HERE)
	WM_MPI_COUNTED(LONG_IS_HERE)
}
