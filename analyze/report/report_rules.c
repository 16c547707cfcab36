/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/report/reports.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analyze/exit.h"
#include "analyze/names/rules.h"
#include "analyze/report/report.h"

static int rules_main(const struct wm_opts *o)
{
	struct wm_err err = { "" };
	struct wm_rules r;
	enum wm_status s;

	s = wm_rules_init(&r, o->request.fold, o->request.fold_count, &err);
	if (!s) {
		wm_rules_print(&r, stdout);
		if (fflush(stdout) || ferror(stdout))
			s = wm_err_set(&err, WM_IO, "output: %s",
				       strerror(errno));
	}
	wm_rules_release(&r);
	return wm_exit_status(s, 0, &err);
}

const struct wm_report wm_rules_report = {
	.name = "rules",
	.help = "folding rules: which frames are passed over; see --fold",
	.alone = rules_main,
	.forms = WM_NO_JSON,
};
