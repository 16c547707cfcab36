/* SPDX-License-Identifier: Apache-2.0 */
/* A wait for messages of other processes, which wake no thread: the wait for a
 * condition ends after .ns nanoseconds, which are doubled each time, from
 * WM_NAP_MIN to WM_NAP_MAX.  Set .ns to 0 after each message. */
#pragma once

#include <pthread.h>
#include <time.h>

#define WM_NAP_MIN 100000 /* ns */
#define WM_NAP_MAX 1000000

struct wm_nap {
	long ns;
};

static inline void wm_nap(struct wm_nap *n, pthread_cond_t *c,
			  pthread_mutex_t *m)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += n->ns ? n->ns : WM_NAP_MIN;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	pthread_cond_timedwait(c, m, &t);
	n->ns = n->ns ? 2 * n->ns : 2 * WM_NAP_MIN;
	if (n->ns > WM_NAP_MAX)
		n->ns = WM_NAP_MAX;
}
