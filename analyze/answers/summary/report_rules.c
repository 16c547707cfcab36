/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>

#include "analyze/render/doc.h"
#include "analyze/answers/exit.h"
#include "analyze/answers/report.h"
#include "analyze/symbols/rules.h"

static int rules_main(const struct wm_opts *o, struct wm_doc *d)
{
	struct wm_rules r;
	enum wm_status s = wm_rules_init(&r, o->request.fold,
					 o->request.fold_count, d->err);

	if (!s)
		wm_rules_print(&r, d->out);
	s = wm_doc_close(d, s);
	wm_rules_release(&r);
	return wm_exit_status(s, false, d->err);
}

const struct wm_report wm_rules_report = {
	.name = "rules",
	.help = "folding rules: the frames that lists pass over (--fold)",
	.alone = rules_main,
	.forms = WM_NO_JSON | WM_NO_CSV,
};
