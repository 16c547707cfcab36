/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/base/complaint.h"

#include <stdlib.h>
#include <string.h>

#include "wmcc/base/subprocess.h"
#include "wmcc/base/strv.h"

char *wm_complaint_read(int fd)
{
	char *text = wm_capture_read(fd), *at = strstr(text, "error"), *line;

	while (at && at > text && at[-1] != '\n')
		at--;
	line = at ? at : text;
	line = wm_strf("%.*s", (int)strcspn(line, "\n"), line);
	free(text);
	return line;
}
