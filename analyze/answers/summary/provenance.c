/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/summary/provenance.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "analyze/lib/base/plain.h"

#define HOSTS_TOLD 4

static void add_command(struct wm_provenance *p, const struct wm_origin *o)
{
	size_t i;

	if (!o->command)
		return;
	for (i = 0; i < p->commands; i++)
		if (p->command[i].text == o->command ||
		    strcmp(p->command[i].text, o->command) == 0)
			break;
	if (i == WM_PROVENANCE_ROWS) {
		p->ranks_left++;
		return;
	}
	if (i == p->commands)
		p->command[p->commands++] = (struct wm_run_command){
			o->command, o->command_cut, 0
		};
	p->command[i].ranks++;
}

static void add_host(struct wm_provenance *p, const char *host)
{
	if (!host)
		return;
	/* the ranks of a node usually follow each other */
	for (size_t i = p->hosts; i-- > 0;)
		if (strcmp(p->host[i], host) == 0)
			return;
	if (p->hosts < WM_PROVENANCE_ROWS)
		p->host[p->hosts++] = host;
}

static void find_start(struct wm_provenance *p, const struct wm_analysis *a)
{
	uint64_t start = UINT64_MAX;
	struct tm tm;
	time_t t;

	for (size_t i = 0; i < a->rank_count; i++)
		if (a->ranks[i].start_ns && a->ranks[i].start_ns < start)
			start = a->ranks[i].start_ns;
	if (start == UINT64_MAX)
		return;
	t = (time_t)(start / 1000000000);
	if (gmtime_r(&t, &tm))
		strftime(p->started, sizeof(p->started), "%Y-%m-%dT%H:%M:%SZ",
			 &tm);
}

void wm_provenance_make(struct wm_provenance *p, const struct wm_analysis *a)
{
	const struct wm_module *exe = &a->ranks[0].exe;

	memset(p, 0, sizeof(*p));
	p->origin = wm_analysis_origin(a, 0);
	p->exe = exe->path && exe->path[0] ? exe->path : NULL;
	for (size_t i = 0; i < exe->build_id_size && i < 64; i++)
		sprintf(p->build_id + 2 * i, "%02x", exe->build_id[i]);
	for (size_t i = 0; i < a->rank_count; i++) {
		add_command(p, wm_analysis_origin(a, i));
		add_host(p, a->ranks[i].host);
	}
	find_start(p, a);
}

/* Appends to @buf as much as fits. */
static void add(char buf[WM_PROVENANCE_TEXT], const char *before,
		const char *text)
{
	size_t len = strlen(buf);

	if (text)
		wm_plain_trim(buf, WM_PROVENANCE_TEXT,
			      (int)len + snprintf(buf + len,
						  WM_PROVENANCE_TEXT - len,
						  "%s%.200s", before, text));
}

const char *wm_provenance_text(const struct wm_provenance *p,
			       char buf[WM_PROVENANCE_TEXT])
{
	const struct wm_origin *o = p->origin;
	size_t i;

	buf[0] = 0;
	add(buf, "started ", p->started[0] ? p->started : NULL);
	for (i = 0; i < p->hosts && i < HOSTS_TOLD; i++)
		add(buf, i ? ", " : " on ", p->host[i]);
	if (i < p->hosts)
		add(buf, "", " and others");
	if (o->launcher && strcmp(o->launcher, "none") != 0)
		add(buf, " by ", o->launcher);
	if (o->batch) {
		add(buf, ", job ", o->batch_job ? o->batch_job : "?");
		add(buf, " of ", o->batch);
	}
	add(buf, ", program ", p->exe);
	add(buf, ", build ", p->build_id[0] ? p->build_id : NULL);
	add(buf, ", traced by wmtools ", o->tool_version);
	return buf;
}
