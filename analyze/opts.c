/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/opts.h"

#include <stdlib.h>
#include <string.h>

enum opt_id { OPT_RANK, OPT_JSON, OPT_QUIET, OPT_HELP, OPT_VERSION, OPT_TOP,
	      OPT_JOBS, OPT_COLOR, OPT_SVG, OPT_OUTPUT, OPT_NONE };

static const struct {
	const char *name;
	enum opt_id id;
	int value;
} options[] = {
	{ "--rank", OPT_RANK, 1 }, { "--json", OPT_JSON, 0 },
	{ "--quiet", OPT_QUIET, 0 }, { "-q", OPT_QUIET, 0 },
	{ "--help", OPT_HELP, 0 }, { "-h", OPT_HELP, 0 },
	{ "--version", OPT_VERSION, 0 }, { "--top", OPT_TOP, 1 },
	{ "-j", OPT_JOBS, 1 }, { "--jobs", OPT_JOBS, 1 },
	{ "--color", OPT_COLOR, 1 }, { "--svg", OPT_SVG, 1 },
	{ "--output", OPT_OUTPUT, 1 },
};

static enum wm_status bad_value(const char *name, const char *value,
				const char *want, struct wm_err *err)
{
	return wm_err_set(err, WM_USAGE, "%s %s: not %s", name, value, want);
}

static int parse_number(const char *s, uint64_t max, uint64_t *v)
{
	uint64_t n = 0;

	if (!*s)
		return 0;
	for (; *s; s++) {
		if (*s < '0' || *s > '9' || n > max / 10)
			return 0;
		n = n * 10 + (uint64_t)(*s - '0');
	}
	*v = n;
	return n <= max;
}

static enum wm_status set_rank(struct wm_opts *o, const char *v,
			       struct wm_err *err)
{
	if (!strcmp(v, "max"))
		o->choice = WM_RANK_MAX;
	else if (!strcmp(v, "min"))
		o->choice = WM_RANK_MIN;
	else if (!strcmp(v, "all"))
		o->choice = WM_RANK_ALL;
	else if (parse_number(v, UINT32_MAX, &o->rank))
		o->choice = WM_RANK_NUMBER;
	else
		return bad_value("--rank", v, "a number, max, min or all",
				 err);
	return WM_OK;
}

static enum wm_status set_option(struct wm_opts *o, enum opt_id id,
				 const char *v, struct wm_err *err)
{
	uint64_t n;

	switch (id) {
	case OPT_RANK:
		return set_rank(o, v, err);
	case OPT_JSON:
		o->json = 1;
		break;
	case OPT_QUIET:
		o->quiet = 1;
		break;
	case OPT_HELP:
		o->help = 1;
		break;
	case OPT_VERSION:
		o->version = 1;
		break;
	case OPT_TOP:
		o->top_given = 1;
		if (!strcmp(v, "all"))
			n = 0;
		else if (!parse_number(v, 1u << 30, &n))
			return bad_value("--top", v, "a number or all", err);
		o->top = (size_t)n;
		break;
	case OPT_JOBS:
		if (!parse_number(v, 4096, &n) || n == 0)
			return bad_value("-j", v, "a number from 1", err);
		o->jobs = (unsigned)n;
		break;
	case OPT_COLOR:
		if (!strcmp(v, "auto"))
			o->color = WM_COLOR_AUTO;
		else if (!strcmp(v, "always"))
			o->color = WM_COLOR_ALWAYS;
		else if (!strcmp(v, "never"))
			o->color = WM_COLOR_NEVER;
		else
			return bad_value("--color", v,
					 "auto, always or never", err);
		break;
	case OPT_SVG:
		o->svg = v;
		break;
	case OPT_OUTPUT:
		if (!*v)
			return bad_value("--output", v, "a directory", err);
		o->output = v;
		break;
	case OPT_NONE:
		break;
	}
	return WM_OK;
}

static enum wm_status set_report(struct wm_opts *o, const char *arg,
				 struct wm_err *err)
{
	const struct wm_report *r;

	for (r = wm_reports; r->name; r++) {
		if (strcmp(arg + 2, r->name) != 0)
			continue;
		if (o->report && o->report != r)
			return wm_err_set(err, WM_USAGE,
					  "two reports: --%s and --%s",
					  o->report->name, r->name);
		o->report = r;
		return WM_OK;
	}
	return wm_err_set(err, WM_USAGE,
			  "unknown option '%s'; see wm-analyze --help", arg);
}

/* The option that @arg is; *@value where "--name=value" has one. */
static enum opt_id find_option(const char *arg, const char **value,
			       size_t *index)
{
	size_t i, n;

	*value = NULL;
	for (i = 0; i < sizeof(options) / sizeof(*options); i++) {
		n = strlen(options[i].name);
		*index = i;
		if (strcmp(arg, options[i].name) == 0)
			return options[i].id;
		if (!options[i].value || strncmp(arg, options[i].name, n) != 0)
			continue;
		/* --name=value; -jN */
		if (arg[n] == '=' && n > 2)
			*value = arg + n + 1;
		else if (n == 2)
			*value = arg + n;
		else
			continue;
		return options[i].id;
	}
	return OPT_NONE;
}

static enum wm_status take_option(struct wm_opts *o, char **argv, int argc,
				  int *i, struct wm_err *err)
{
	const char *arg = argv[*i], *value;
	size_t index;
	enum opt_id id = find_option(arg, &value, &index);

	if (id == OPT_NONE && strncmp(arg, "--", 2) == 0)
		return set_report(o, arg, err);
	if (id == OPT_NONE)
		return wm_err_set(err, WM_USAGE,
				  "unknown option '%s'; see wm-analyze --help",
				  arg);
	if (options[index].value && !value) {
		if (*i + 1 >= argc)
			return wm_err_set(err, WM_USAGE,
					  "%s needs a value", arg);
		value = argv[++*i];
	}
	return set_option(o, id, value, err);
}

static enum wm_status check(struct wm_opts *o, struct wm_err *err)
{
	if (!o->report)
		o->report = &wm_reports[0];
	if (o->output && strcmp(o->report->name, "repack") != 0)
		return wm_err_set(err, WM_USAGE,
				  "--output is for traces that are repacked: "
				  "add --repack");
	if (o->json && strcmp(o->report->name, "repack") == 0)
		return wm_err_set(err, WM_USAGE,
				  "--repack has nothing to say as JSON");
	if (o->svg && strcmp(o->report->name, "timeline") != 0)
		return wm_err_set(err, WM_USAGE,
				  "--svg draws the timeline: add --timeline");
	if (o->svg && o->json && strcmp(o->svg, "-") == 0)
		return wm_err_set(err, WM_USAGE,
				  "--json and --svg - both want stdout");
	return WM_OK;
}

enum wm_status wm_opts_parse(struct wm_opts *o, int argc, char **argv,
			     struct wm_err *err)
{
	enum wm_status r = WM_OK;
	int i, only_runs = 0;

	*o = (struct wm_opts){ .choice = WM_RANK_MAX };
	/* RUNs move to the front of argv */
	o->runs = argv + 1;
	for (i = 1; i < argc && !r; i++) {
		if (only_runs || argv[i][0] != '-' || !argv[i][1])
			o->runs[o->run_count++] = argv[i];
		else if (strcmp(argv[i], "--") == 0)
			only_runs = 1;
		else
			r = take_option(o, argv, argc, &i, err);
	}
	return r ? r : check(o, err);
}
