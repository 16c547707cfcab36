/* SPDX-License-Identifier: Apache-2.0 */
/* The origin of a run: lines for people, and keys of `run`. */

#include <string.h>

#include "analyze/answers/summary/provenance.h"
#include "analyze/answers/text.h"

#define COMMANDS_SHOWN 4
#define HOSTS_SHOWN 3
#define COMMAND_COLUMNS 72
#define BUILD_SHOWN 12 /* digits, as git has */

static void put_command(const struct wm_analysis *a,
			const struct wm_run_command *c, const char *what,
			struct wm_doc *d)
{
	char text[4 * COMMAND_COLUMNS + 1];
	const char *shown = wm_cut(c->text, COMMAND_COLUMNS, text);

	wm_doc_print(d, "  %-8s  %s%s", what, shown,
		     c->cut && strcmp(shown, c->text) == 0 ? " ..." : "");
	if (c->ranks < a->rank_count)
		wm_doc_print(d, "  (%zu rank%s)", c->ranks,
			     c->ranks == 1 ? "" : "s");
	wm_doc_print(d, "\n");
}

static void put_commands(const struct wm_analysis *a,
			 const struct wm_provenance *p, struct wm_doc *d)
{
	size_t i, ranks = p->ranks_left;

	for (i = 0; i < p->commands && i < COMMANDS_SHOWN; i++)
		put_command(a, &p->command[i], i ? "" : "command", d);
	for (; i < p->commands; i++)
		ranks += p->command[i].ranks;
	if (ranks)
		wm_doc_print(d, "  %-8s  others  (%zu rank%s)\n", "", ranks,
			     ranks == 1 ? "" : "s");
}

/* "2026-11-23 14:35:00 UTC on a, b by hydra, job 17 of PBS" */
static void put_start(const struct wm_provenance *p, struct wm_doc *d)
{
	const struct wm_origin *o = p->origin;
	size_t i;

	if (!p->started[0])
		return;
	wm_doc_print(d, "  started   %.10s %.8s UTC", p->started,
		     p->started + 11);
	for (i = 0; i < p->hosts && i < HOSTS_SHOWN; i++)
		wm_doc_print(d, "%s%s", i ? ", " : " on ", p->host[i]);
	if (i < p->hosts)
		wm_doc_print(d, " and others");
	if (o->launcher && strcmp(o->launcher, "none") != 0)
		wm_doc_print(d, " by %s", o->launcher);
	if (o->batch)
		wm_doc_print(d, ", job %s of %s",
			     o->batch_job ? o->batch_job : "?", o->batch);
	wm_doc_print(d, "\n");
}

static void put_program(const struct wm_provenance *p, struct wm_doc *d)
{
	const char *version = p->origin->tool_version;

	if (!p->exe)
		return;
	wm_doc_print(d, "  program   %s", p->exe);
	if (p->build_id[0])
		wm_doc_print(d, ", build %.*s", BUILD_SHOWN, p->build_id);
	if (version)
		wm_doc_print(d, ", traced by wmtools %s", version);
	wm_doc_print(d, "\n");
}

void wm_tell_provenance(const struct wm_analysis *a, struct wm_doc *d)
{
	struct wm_provenance p;

	wm_provenance_make(&p, a);
	put_commands(a, &p, d);
	put_start(&p, d);
	put_program(&p, d);
}

static void put_batch(const struct wm_origin *o, struct wm_json *j)
{
	if (!o->batch) {
		wm_json_text(j, "batch", NULL);
		return;
	}
	WM_JSON_ROW(j, "batch", "system job cpus_per_rank?", o->batch,
		    o->batch_job, o->cpus);
}

static void put_limits(const struct wm_origin *o, struct wm_json *j)
{
	const struct {
		const char *key;
		uint64_t bytes;
	} limit[] = {
		{ "per_cpu_bytes", o->limits.per_cpu },
		{ "per_node_bytes", o->limits.per_node },
		{ "group_bytes", o->limits.group },
		{ "address_space_bytes", o->limits.address_space },
		{ "data_bytes", o->limits.data },
		{ "node_memory_bytes", o->limits.node_memory },
	};

	wm_json_flat_object(j, "limits");
	for (size_t i = 0; i < sizeof(limit) / sizeof(*limit); i++)
		wm_json_known(j, limit[i].key, limit[i].bytes != 0,
			      limit[i].bytes);
	wm_json_text(j, "group", o->group);
	wm_json_end_object(j);
}

void wm_json_provenance(const struct wm_analysis *a, struct wm_json *j)
{
	struct wm_provenance p;

	wm_provenance_make(&p, a);
	WM_JSON_ADD(j, "exe build_id command", p.exe,
		    p.build_id[0] ? p.build_id : NULL,
		    p.commands ? p.command[0].text : NULL);
	wm_json_array(j, "commands");
	for (size_t i = 0; i < p.commands; i++) {
		WM_JSON_ROW(j, NULL, "command cut! ranks", p.command[i].text,
			    p.command[i].cut, p.command[i].ranks);
	}
	wm_json_end_array(j);
	wm_json_text(j, "started", p.started[0] ? p.started : NULL);
	WM_JSON_LIST(j, "hosts", i, p.hosts, p.host[i]);
	wm_json_text(j, "launcher", p.origin->launcher);
	put_batch(p.origin, j);
	put_limits(p.origin, j);
	wm_json_text(j, "tool_version", p.origin->tool_version);
}
