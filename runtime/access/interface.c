/* SPDX-License-Identifier: Apache-2.0 */
/* By the interface of the thread sanitizer programs describe their own locks,
 * threads and objects.  No call is a load or store, so these functions do
 * nothing.  Fibers are pointers that must not be NULL. */
#include "runtime/access/access.h"

#define NOTHING(name)                                                          \
	WM_ACCESS_EXPORT(void, name, void *p, unsigned flags)                  \
	{                                                                      \
		(void)p;                                                       \
		(void)flags;                                                   \
	}
#define ZERO(name)                                                             \
	WM_ACCESS_EXPORT(int, name, void *p, unsigned flags)                   \
	{                                                                      \
		(void)p;                                                       \
		(void)flags;                                                   \
		return 0;                                                      \
	}
NOTHING(__tsan_acquire)
NOTHING(__tsan_release)
NOTHING(__tsan_ignore_thread_begin)
NOTHING(__tsan_ignore_thread_end)
NOTHING(__tsan_mutex_create)
NOTHING(__tsan_mutex_destroy)
NOTHING(__tsan_mutex_pre_lock)
NOTHING(__tsan_mutex_pre_signal)
NOTHING(__tsan_mutex_post_signal)
NOTHING(__tsan_mutex_pre_divert)
NOTHING(__tsan_mutex_post_divert)
NOTHING(__tsan_mutex_post_unlock)
NOTHING(__tsan_external_register_header)
NOTHING(__tsan_external_assign_tag)
NOTHING(__tsan_external_read)
NOTHING(__tsan_external_write)
NOTHING(__tsan_flush_memory)
NOTHING(__tsan_destroy_fiber)
NOTHING(__tsan_switch_to_fiber)
NOTHING(__tsan_set_fiber_name)
ZERO(__tsan_mutex_pre_unlock)
WM_ACCESS_EXPORT(void, __tsan_mutex_post_lock, void *p, unsigned flags,
		 int recursion)
{
	(void)p;
	(void)flags;
	(void)recursion;
}

static char fiber;

WM_ACCESS_EXPORT(void *, __tsan_external_register_tag, const char *name)
{
	(void)name;
	return &fiber;
}

WM_ACCESS_EXPORT(void *, __tsan_get_current_fiber, void)
{
	return &fiber;
}

WM_ACCESS_EXPORT(void *, __tsan_create_fiber, unsigned flags)
{
	(void)flags;
	return &fiber;
}
