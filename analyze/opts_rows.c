/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/opts_rows.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/units.h"

static enum wm_status bad_value(const struct wm_option *row, const char *v,
				struct wm_err *err)
{
	return wm_err_set(err, WM_USAGE, "--%s %s: not %s", row->name,
			  *v ? v : "''", row->want ? row->want : "a value");
}

static enum wm_status take_flag(struct wm_command *c,
				const struct wm_option *row, const char *v,
				struct wm_err *err)
{
	(void)v;
	(void)err;
	*(bool *)(void *)((char *)c + row->field) = true;
	return WM_OK;
}

static enum wm_status take_text(struct wm_command *c,
				const struct wm_option *row, const char *v,
				struct wm_err *err)
{
	*(const char **)(void *)((char *)c + row->field) = v;
	return *v ? WM_OK : bad_value(row, v, err);
}

static enum wm_status take_rank(struct wm_command *c,
				const struct wm_option *row, const char *v,
				struct wm_err *err)
{
	c->ask.rank_given = true;
	return wm_request_rank(&c->ask.request, v) ? bad_value(row, v, err) :
						     WM_OK;
}

static enum wm_status take_top(struct wm_command *c,
			       const struct wm_option *row, const char *v,
			       struct wm_err *err)
{
	uint64_t n = 0;

	if (strcmp(v, "all") != 0 && !wm_parse_number(v, 1u << 30, &n))
		return bad_value(row, v, err);
	c->ask.top_given = true;
	c->ask.top = (size_t)n;
	return WM_OK;
}

/* takes a number from 1 to row->most */
static enum wm_status take_count(struct wm_command *c,
				 const struct wm_option *row, const char *v,
				 struct wm_err *err)
{
	uint64_t *n = (uint64_t *)(void *)((char *)c + row->field);

	return wm_parse_number(v, row->most, n) && *n ? WM_OK :
							bad_value(row, v, err);
}

static enum wm_status take_size(struct wm_command *c,
				const struct wm_option *row, const char *v,
				struct wm_err *err)
{
	uint64_t *n = (uint64_t *)(void *)((char *)c + row->field);

	return wm_parse_bytes(v, n) && *n ? WM_OK : bad_value(row, v, err);
}

static enum wm_status take_threshold(struct wm_command *c,
				     const struct wm_option *row, const char *v,
				     struct wm_err *err)
{
	char *end = NULL;

	if (*v >= '0' && *v <= '9')
		c->ask.threshold = strtod(v, &end);
	return end && (!*end || strcmp(end, "%") == 0) &&
			       c->ask.threshold < 1e6 ?
		       WM_OK :
		       bad_value(row, v, err);
}

static enum wm_status take_line(struct wm_command *c,
				const struct wm_option *row, const char *v,
				struct wm_err *err)
{
	(void)row;
	return wm_line_parse(&c->ask.request.wish.line, v, err);
}

static enum wm_status take_checkpoint(struct wm_command *c,
				      const struct wm_option *row,
				      const char *v, struct wm_err *err)
{
	double *s = &c->ask.request.wish.checkpoint;

	return wm_parse_seconds(v, s) && *s >= 1e-3 ? WM_OK :
						      bad_value(row, v, err);
}

static enum wm_status take_color(struct wm_command *c,
				 const struct wm_option *row, const char *v,
				 struct wm_err *err)
{
	static const char *const words[] = { [WM_COLOR_AUTO] = "auto",
					     [WM_COLOR_ALWAYS] = "always",
					     [WM_COLOR_NEVER] = "never" };
	size_t i = 0;

	while (i < sizeof(words) / sizeof(*words) && strcmp(v, words[i]) != 0)
		i++;
	c->color = (enum wm_color)i;
	return i < sizeof(words) / sizeof(*words) ? WM_OK :
						    bad_value(row, v, err);
}

static enum wm_status take_form(struct wm_command *c,
				const struct wm_option *row, const char *v,
				struct wm_err *err)
{
	bool *form = !strcmp(v, "json")	    ? &c->ask.json :
		     !strcmp(v, "csv")	    ? &c->ask.csv :
		     !strcmp(v, "markdown") ? &c->markdown :
					      NULL;

	if (form)
		*form = true;
	return form || !strcmp(v, "text") ? WM_OK : bad_value(row, v, err);
}

static enum wm_status take_one(const char **list, size_t *count, size_t most,
			       const struct wm_option *row, const char *v,
			       struct wm_err *err)
{
	if (*count == most)
		return wm_err_set(err, WM_USAGE,
				  "--%s %s: not one of the first %zu",
				  row->name, v, most);
	list[(*count)++] = v;
	return *v ? WM_OK : bad_value(row, v, err);
}

static enum wm_status take_fold(struct wm_command *c,
				const struct wm_option *row, const char *v,
				struct wm_err *err)
{
	return take_one(c->ask.request.fold, &c->ask.request.fold_count,
			WM_FOLDS, row, v, err);
}

static enum wm_status take_exe(struct wm_command *c,
			       const struct wm_option *row, const char *v,
			       struct wm_err *err)
{
	return take_one(c->places.exe, &c->places.exes, WM_PLACES, row, v, err);
}

static enum wm_status take_directory(struct wm_command *c,
				     const struct wm_option *row, const char *v,
				     struct wm_err *err)
{
	return take_one(c->places.dir, &c->places.dirs, WM_PLACES, row, v, err);
}

static enum wm_status take_limits(struct wm_command *c,
				  const struct wm_option *row, const char *v,
				  struct wm_err *err)
{
	(void)row;
	return wm_gates_parse(&c->ask.gates, v, err);
}

#define AT(field) offsetof(struct wm_command, field)
#define COUNT(field, most) take_count, AT(ask.field), most
#define SIZE(field) take_size, AT(ask.field), 0
#define TEXT(field) take_text, AT(ask.field), 0
#define FLAG(field) take_flag, AT(field), 0, NULL, NULL

const struct wm_option wm_options[] = {
	{ "rank", 0, take_rank, 0, 0, "N|max|min|all",
	  "a number, max, min or all", NULL,
	  "the rank that lists are about: a number, the one with\n"
	  "the highest (default) or lowest peak, or all ranks\n"
	  "together (default of --leaks, --temporaries); --pages\n"
	  "starts with the largest working set, --accesses with the\n"
	  "most accesses" },
	{ "json", 0, FLAG(ask.json), NULL,
	  "write one JSON object instead of text" },
	{ "csv", 0, FLAG(ask.csv), NULL,
	  "write one table (RFC 4180) instead of text" },
	{ "format", 0, take_form, 0, 0, "text|json|csv|markdown",
	  "text, markdown, json or csv", NULL,
	  "\n"
	  "write this form; markdown is for merge requests" },
	{ "at", 0, TEXT(at), "peak|end|MOMENT", NULL,
	  "functions timeline tree libraries files export",
	  "list holders at the peak (default), the end, a snapshot,\n"
	  "the peak of a phase, after 50% of each rank's time, or\n"
	  "1.5s, 250ms after the start of the job" },
	{ "by", 0, TEXT(by), "WHAT", NULL,
	  "timeline accesses functions tree export",
	  "--timeline: by sites, libraries, phases, names, threads;\n"
	  "--accesses: by variable, member, function or line;\n"
	  "--functions, --tree, --export folded and speedscope: by\n"
	  "threads" },
	{ "svg", 0, TEXT(svg), "FILE", NULL, NULL,
	  "draw the report of --timeline, --imbalance, --tree,\n"
	  "--pages, --model or --history into FILE (-: stdout)" },
	{ "problem-size", 0, TEXT(sizes), "P,...", NULL, "model export",
	  "--model, --export extrap: the problem size of each RUN" },
	{ "predict", 0, TEXT(predict), "N[:P],...", NULL, "model",
	  "--model: predict jobs of N ranks (and problem size P)" },
	{ "check", 0, TEXT(check_runs), "RUN,...", NULL, "model",
	  "--model: compare the predictions with these runs" },
	{ "node-memory", 0, SIZE(node_memory), "SIZE", "a size such as 64G",
	  "imbalance html",
	  "--imbalance, --html: report whether the job fits such\n"
	  "nodes, and how many of its ranks fit one node" },
	{ "ranks-per-node", 0, COUNT(ranks_per_node, 1000000), "K",
	  "a number from 1 on", "imbalance",
	  "--imbalance: report the memory that a node with K ranks\n"
	  "needs" },
	{ "threshold", 0, take_threshold, 0, 0, "N%", "N%, as 5%", "history",
	  "--history: report growth above this share (5%)" },
	{ "checkpoint", 0, take_checkpoint, 0, 0, "TIME",
	  "a time from 1 ms on like 60, 60s or 250ms", "pages",
	  "--pages: report what a checkpoint each TIME would write" },
	{ "tier", 0, SIZE(tier), "SIZE", "a size like 16G", "pages",
	  "--pages: report what a fast memory of SIZE should hold" },
	{ "line", 0, take_line, 0, 0, "BYTES", NULL, "reuse false-sharing",
	  "--reuse, --false-sharing: the size of a cache line (64)" },
	{ "output", 'o', TEXT(output), "FILE", NULL, NULL,
	  "write the report to FILE; with --repack, write copies\n"
	  "below a directory" },
	{ "force", 0, FLAG(ask.force), NULL,
	  "let --svg, --html and --output replace a file that\n"
	  "wm-analyze has not written" },
	{ "open", 0, FLAG(open), "html compare",
	  "--html: show the page in the browser ($BROWSER or\n"
	  "xdg-open)" },
	{ "top", 0, take_top, 0, 0, "N|all", "a number or all", NULL,
	  "the number of entries in lists of text" },
	{ "max-blocks", 0, COUNT(request.wish.max_blocks, 1ull << 40), "N",
	  "a number of blocks from 1 to 2^40", NULL,
	  "read files that have up to N blocks alive at one time,\n"
	  "more than their size lets one expect" },
	{ "bottom-up", 0, FLAG(ask.bottom_up), "tree",
	  "--tree: start with the allocating functions and show\n"
	  "their callers below them" },
	{ "fold", 0, take_fold, 0, 0, "RULE", NULL, NULL,
	  "choose the frames that are hidden: none, -GROUP, +GROUP,\n"
	  "or a FILE of rules (see --rules); may be repeated" },
	{ "exe", 0, take_exe, 0, 0, "[NAME=]FILE", NULL, NULL,
	  "read names from FILE: a program or library that moved or\n"
	  "was stripped; may be repeated" },
	{ "any-build", 0, FLAG(places.any_build), NULL,
	  "let --exe take a file with another build-id" },
	{ "debug-dir", 0, take_directory, 0, 0, "DIR", NULL, NULL,
	  "also look in DIR for programs, libraries and debug\n"
	  "files; may be repeated" },
	{ "debuginfod", 0, FLAG(places.debuginfod), NULL,
	  "get debug files from the servers of $DEBUGINFOD_URLS" },
	{ "jobs", 'j', COUNT(request.threads, 4096), "N",
	  "a number from 1 to 4096", NULL, "read N traces at a time" },
	{ "fail-on", 0, take_limits, 0, 0, "LIMIT", NULL, NULL,
	  "exit with status 1 above a limit: leaks[=SIZE],\n"
	  "held[=SIZE], failed[=SIZE], peak=SIZE; --compare,\n"
	  "--history: growth=SIZE or growth=N%" },
	{ "junit", 0, TEXT(junit), "FILE", NULL, NULL,
	  "with --fail-on: write JUnit XML, a test case for each\n"
	  "limit (-: stdout)" },
	{ "color", 0, take_color, 0, 0, "auto|always|never",
	  "auto, always or never", NULL,
	  "print headings in bold; auto: on terminals" },
	{ "quiet", 'q', FLAG(ask.quiet), NULL,
	  "print no progress and no remarks" },
	{ "help", 'h', FLAG(help), NULL,
	  "print the questions that reports answer; with REPORT,\n"
	  "the options of that report; with all, this text" },
	{ "version", 'V', FLAG(version), NULL, "print the version" },
};
const size_t wm_option_count = sizeof(wm_options) / sizeof(*wm_options);
_Static_assert(sizeof(wm_options) / sizeof(*wm_options) <= WM_OPTIONS_MOST,
	       "room for their names");

/* Returns whether @word is one of @words, which blanks separate. */
static bool is_among(const char *words, const char *word)
{
	size_t n = strlen(word);
	const char *at = words;

	while ((at = strstr(at, word))) {
		if ((at == words || at[-1] == ' ') && (!at[n] || at[n] == ' '))
			return true;
		at += n;
	}
	return false;
}

bool wm_option_is_for(const struct wm_option *option,
		      const struct wm_report *report)
{
	return !option->reports || is_among(option->reports, report->name);
}
