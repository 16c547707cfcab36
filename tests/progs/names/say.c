/* SPDX-License-Identifier: Apache-2.0 */
/* For statics.f90: say.h.  Allocates nothing. */
#define _GNU_SOURCE
#include "say.h"

void say_text(int64_t at, int64_t bytes, const char *text);

void say_text(int64_t at, int64_t bytes, const char *text)
{
	say((const void *)(intptr_t)at, (size_t)bytes, text);
	fflush(stdout);
}
