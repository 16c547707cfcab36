/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/error.h"

#include <stdarg.h>
#include <stdio.h>

enum wm_status wm_err_set(struct wm_err *err, enum wm_status status,
			  const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return status;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return status;
}
