/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/opts.h"

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/lib/base/units.h"
#include "analyze/menu.h"
#include "analyze/opts_rows.h"
#include "analyze/render/output.h"
#include "wm/trace_format.h"

#define NAMES (WM_OPTIONS_MOST + 40) /* with reports */
#define FIRST 256 /* what getopt_long() returns for the first name */

/* Lists options, then reports, as getopt_long() takes them. */
static void list_names(struct option *names)
{
	size_t i, n = 0;

	for (; n < wm_option_count; n++)
		names[n] = (struct option){ wm_options[n].name,
					    wm_options[n].value != NULL, NULL,
					    FIRST + (int)n };
	for (i = 0; wm_reports[i] && n < NAMES; i++, n++)
		names[n] = (struct option){
			.name = wm_reports[i]->name,
			.has_arg = !wm_reports[i]->value ? no_argument :
				   wm_reports[i]->forms & WM_NAMES_ITSELF ?
							   optional_argument :
							   required_argument,
			.val = FIRST + (int)n,
		};
	names[n] = (struct option){ 0 };
}

/* Returns whether @b becomes @a if one letter is missing, added, replaced or
 * swapped with its neighbour. */
static bool is_slip(const char *a, size_t an, const char *b)
{
	size_t bn = strlen(b), most = an > bn ? an : bn, front = 0, back = 0;

	while (front < an && front < bn && a[front] == b[front])
		front++;
	while (back < an - front && back < bn - front &&
	       a[an - 1 - back] == b[bn - 1 - back])
		back++;
	return front + back + 1 >= most ||
	       (an == bn && front + back + 2 == an &&
		a[front] == b[front + 1] && a[front + 1] == b[front]);
}

/* Reports that @arg is no option, the beginning of several options, or
 * mistyped. */
static enum wm_status no_name(const struct option *names, const char *arg,
			      struct wm_err *err)
{
	const char *text = arg + 2, *near = NULL;
	size_t n = strcspn(text, "="), used = 0;
	char all[400];

	for (; names->name && used < sizeof(all); names++) {
		if (is_slip(text, n, names->name))
			near = names->name;
		if (strncmp(names->name, text, n) == 0)
			used += (size_t)snprintf(all + used, sizeof(all) - used,
						 "%s--%s", used ? ", " : "",
						 names->name);
	}
	if (n && used)
		return wm_err_set(err, WM_USAGE, "'--%.*s' may be any of %s",
				  (int)n, text, all);
	return wm_err_set(err, WM_USAGE,
			  "unknown option '%s'%s%s; see wm-analyze --help", arg,
			  near ? ": did you mean --" : "", near ? near : "");
}

/* Reports why getopt_long() refused argv[optind - 1], or a letter in it. */
static enum wm_status refuse(const struct option *names, int sign, char **argv,
			     struct wm_err *err)
{
	const char *arg = argv[optind - 1];

	if (sign == ':')
		return wm_err_set(err, WM_USAGE, "%s needs a value", arg);
	if (optopt >= FIRST)
		return wm_err_set(err, WM_USAGE, "%s: it takes no value", arg);
	if (optopt)
		return wm_err_set(err, WM_USAGE,
				  "unknown option '-%c'; see wm-analyze --help",
				  optopt);
	return no_name(names, arg, err);
}

static const struct wm_report *find_choice(const struct wm_report *of,
					   const char *value)
{
	const struct wm_report *r;

	for (r = of->choices; r->name; r++)
		if (strcmp(r->value, value) == 0)
			return r;
	return NULL;
}

static enum wm_status no_choice(const struct wm_report *of, const char *value,
				struct wm_err *err)
{
	const struct wm_report *r;
	char names[160];
	size_t n = 0;

	for (r = of->choices; r->name && n < sizeof(names); r++)
		n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%s",
				      n ? ", " : "", r->value);
	return wm_err_set(err, WM_USAGE, "--%s %s: none of %s", of->name, value,
			  names);
}

/* Takes --html with a report that has its own page. */
static bool take_page(struct wm_opts *o, const struct wm_report *r,
		      const char *value)
{
	const struct wm_report *other = o->report;

	if (other && other->forms & WM_HAS_PAGE && r->forms & WM_NAMES_ITSELF) {
		o->report_value = value;
	} else if (other && other->forms & WM_NAMES_ITSELF &&
		   r->forms & WM_HAS_PAGE) {
		o->report = r;
	} else {
		return false;
	}
	o->page = true;
	return true;
}

static enum wm_status take_report(struct wm_opts *o, const struct wm_report *r,
				  const char *value, struct wm_err *err)
{
	if (take_page(o, r, value))
		return WM_OK;
	if (o->report && (o->report != r || r->value))
		return wm_err_set(err, WM_USAGE, "two reports: --%s and --%s",
				  o->report->name, r->name);
	o->report = r->choices ? find_choice(r, value) : r;
	o->report_value = value;
	return o->report ? WM_OK : no_choice(r, value, err);
}

/* Returns whether @arg, the word after --html, is not the file to write, but
 * another option, or a RUN, which need not exist. */
static bool is_no_file(const char *arg)
{
	static const char end[] = WMT_DIR_SUFFIX;
	size_t n = strlen(arg), k = sizeof(end) - 1;
	struct wm_err ignored;

	while (n && arg[n - 1] == '/')
		n--;
	return (arg[0] == '-' && arg[1]) ||
	       (n > k && memcmp(arg + n - k, end, k) == 0) ||
	       wm_output_check(arg, &ignored) == WM_USAGE;
}

static enum wm_status wrong_report(const struct wm_option *row,
				   struct wm_err *err)
{
	int n = (int)strcspn(row->reports, " ");
	const char *second = row->reports[n] ? row->reports + n + 1 : NULL;

	if (second && strchr(second, ' '))
		second = NULL; /* too many to name */
	return wm_err_set(err, WM_USAGE,
			  "--%s is for other reports: add --%.*s%s%s",
			  row->name, n, row->reports, second ? " or --" : "",
			  second ? second : "");
}

/* Takes option or report number @n, which getopt_long() found. */
static enum wm_status take_name(struct wm_command *c, size_t n, int argc,
				char **argv, bool *given, struct wm_err *err)
{
	const struct wm_report *r;

	if (n < wm_option_count) {
		given[n] = true;
		return wm_options[n].take(c, &wm_options[n], optarg, err);
	}
	r = wm_reports[n - wm_option_count];
	if (!optarg && r->forms & WM_NAMES_ITSELF && optind < argc &&
	    !is_no_file(argv[optind]))
		optarg = argv[optind++];
	return take_report(&c->ask, r, optarg, err);
}

/* Takes all words of the command line and moves RUNs to the front of @argv. */
static enum wm_status take_words(struct wm_command *c, int argc, char **argv,
				 bool *given, struct wm_err *err)
{
	struct wm_request *q = &c->ask.request;
	struct option names[NAMES + 1];
	enum wm_status s = WM_OK;
	int sign;
	size_t i;

	list_names(names);
	optind = 0; /* glibc: from the beginning */
	opterr = 0;
	while (!s && (sign = getopt_long(argc, argv, "-:o:j:qhV", names,
					 NULL)) != -1) {
		for (i = 0; i < wm_option_count && sign != wm_options[i].letter;
		     i++)
			;
		if (sign == 1)
			q->runs[q->run_count++] = optarg;
		else if (sign >= FIRST || i < wm_option_count)
			s = take_name(c,
				      sign >= FIRST ? (size_t)(sign - FIRST) :
						      i,
				      argc, argv, given, err);
		else
			s = refuse(names, sign, argv, err);
	}
	while (!s && optind < argc)
		q->runs[q->run_count++] = argv[optind++];
	return s;
}

/* Returns the report that is named @text, or else stores in *@near the name
 * that @text was probably meant to be, or NULL. */
static const struct wm_report *find_report(const char *text, const char **near)
{
	*near = NULL;
	for (size_t i = 0; wm_reports[i]; i++) {
		if (strcmp(wm_reports[i]->name, text) == 0)
			return wm_reports[i];
		if (is_slip(text, strlen(text), wm_reports[i]->name))
			*near = wm_reports[i]->name;
	}
	return NULL;
}

/* Takes a first RUN that is the name of a report and no file, as in wm-analyze
 * leaks RUN, for the report; with --help also "all". */
static enum wm_status take_first_run(struct wm_command *c, struct wm_err *err)
{
	struct wm_request *q = &c->ask.request;
	const struct wm_report *r;
	const char *value = NULL, *near;

	if (!q->run_count)
		return WM_OK;
	r = find_report(q->runs[0], &near);
	c->help_all = c->help && strcmp(q->runs[0], "all") == 0;
	if (access(q->runs[0], F_OK) == 0)
		return WM_OK;
	if (!r && near)
		return wm_err_set(err, WM_USAGE,
				  "no run '%s': did you mean wm-analyze %s",
				  q->runs[0], near);
	if (!r)
		return WM_OK;
	q->runs++;
	q->run_count--;
	if (c->help) {
		c->ask.report = r;
		return WM_OK;
	}
	if (r->value && !(r->forms & WM_NAMES_ITSELF)) {
		if (!q->run_count)
			return wm_err_set(err, WM_USAGE, "%s needs a value: %s",
					  r->name, r->value);
		value = q->runs++[0];
		q->run_count--;
	}
	return take_report(&c->ask, r, value, err);
}

enum wm_status wm_opts_parse(struct wm_command *c, int argc, char **argv,
			     struct wm_err *err)
{
	struct wm_opts *o = &c->ask;
	bool given[WM_OPTIONS_MOST] = { false };
	enum wm_status s;

	*c = (struct
	      wm_command){ .ask = {
				   .reports = wm_reports,
				   .request = { .choice = WM_RANK_MAX,
						.runs = argv + 1,
						.wish = { .caches =
								  wm_cache_shape_usual } },
				   .threshold = 5,
			   } };
	o->request.wish.line = wm_cache_shape_usual.level[0].line;
	s = take_words(c, argc, argv, given, err);
	if (!s)
		s = take_first_run(c, err);
	c->topic = o->report;
	if (!o->report)
		o->report = wm_reports[0];
	for (size_t i = 0; i < wm_option_count && !s; i++)
		if (given[i] && !wm_option_is_for(&wm_options[i], o->report))
			s = wrong_report(&wm_options[i], err);
	return s ? s : wm_opts_check(c, err);
}
