/* SPDX-License-Identifier: Apache-2.0 */
/* In all spellings of MPI in Fortran, arguments are addresses; the last one may
 * be absent in the module mpi_f08. */
#pragma once

#include "runtime/access/access.h"
#include "runtime/access/mpi_buffers.h"
#include "runtime/access/mpi_calls.h"
#include "runtime/base/attributes.h"

#define INT const int *
#define COUNT const NUMBER *
#define PLACE const intptr_t *
#define LONG const int64_t *
#define VALUE(x) (*(x))
#define HANDLE const void *

#define LATER(Name, name, parameters, arguments, plan)                         \
	NOW(Name, name, (BARE parameters, int *request),                       \
	    (BARE arguments, request), plan)

#define CALL(...) CALL_OF(__VA_ARGS__)
#define CALL_OF(name, parameters, arguments, plan)                             \
	__attribute__((weak)) void name(BARE parameters, int *error);          \
	void wm_access_##name(BARE parameters, int *error);                    \
	wm_export void wm_access_##name(BARE parameters, int *error)           \
	{                                                                      \
		struct wm_mpi_call c = {                                       \
			.caller = WM_ACCESS_CALLER,                            \
			.fortran = true,                                       \
		};                                                             \
		int own = 0, *e = error ? error : &own;                        \
                                                                               \
		name(BARE arguments, e);                                       \
		if (!*e && wm_mpi_is_running(&c)) {                            \
			plan;                                                  \
			wm_mpi_call_done(&c);                                  \
		}                                                              \
	}
