/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TAP for unit tests: tap_plan(n) first in main, ok(condition, format, ...)
 * per check, and `return tap_done();` at the end.  The plan is a number that
 * somebody wrote down: checks in a loop that never ran are missing then, and
 * the test fails.  One translation unit each.
 */
#pragma once

#include <stdarg.h>
#include <stdio.h>

static int tap_planned, tap_count, tap_failures;

static inline void tap_plan(int n)
{
	tap_planned = n;
	printf("1..%d\n", n);
	fflush(stdout);
}

__attribute__((format(printf, 2, 3), unused)) static int
tap_ok(int good, const char *fmt, ...)
{
	va_list ap;

	tap_count++;
	tap_failures += !good;
	printf("%sok %d - ", good ? "" : "not ", tap_count);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	return good;
}
#define ok(cond, ...) tap_ok(!!(cond), __VA_ARGS__)

static inline int tap_done(void)
{
	if (tap_count != tap_planned)
		printf("# %d checks were planned, %d ran\n", tap_planned,
		       tap_count);
	return tap_failures != 0 || tap_count != tap_planned;
}
