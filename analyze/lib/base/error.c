/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analyze/lib/base/plain.h"

#undef wm_err_set
#undef wm_no_memory

enum wm_status wm_err_set(struct wm_err *err, enum wm_status status,
			  const char *fmt, ...)
{
	char text[sizeof(err->text)];
	va_list ap;

	if (!err)
		return status;
	va_start(ap, fmt);
	wm_plain_trim(text, sizeof(text),
		      vsnprintf(text, sizeof(text), fmt, ap));
	va_end(ap);
	/* names may have any bytes; plain text stays as it is */
	wm_plain_put(err->text, sizeof(err->text), text, strlen(text));
	return status;
}

enum wm_status wm_no_memory(struct wm_err *err, const char *what)
{
	return wm_err_set(err, WM_NO_MEMORY, "no memory%s%s",
			  what ? " for " : "", what ? what : "");
}
