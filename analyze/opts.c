/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/opts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/spelling.h"
#include "analyze/base/units.h"
#include "analyze/menu.h"
#include "analyze/render/output.h"
#include "wm/trace_format.h"

struct option;

typedef enum wm_status take_value(struct wm_opts *o, const struct option *opt,
				  const char *v, struct wm_err *err);

/*
 * In the order of --help.  @shown and the lines of @help are what that says of
 * the row; NULL: it stands with the one before, or, with OLD, is what an option
 * was called before: only when it is typed in full.
 */
struct option {
	const char *name;
	take_value *take; /* take_flag() is for what has no value */
	size_t field; /* of take_text() and take_flag() */
	const char *reports; /* that it belongs to; NULL: all */
	const char *shown, *help;
};

static enum wm_status bad_value(const char *name, const char *value,
				const char *want, struct wm_err *err)
{
	return wm_err_set(err, WM_USAGE, "%s %s: not %s", name, value, want);
}

/* Where take_text() keeps it. */
static const char **text_field(struct wm_opts *o, const struct option *opt)
{
	return (const char **)(void *)((char *)o + opt->field);
}

static bool *flag_field(struct wm_opts *o, const struct option *opt)
{
	return (bool *)(void *)((char *)o + opt->field);
}

static enum wm_status take_flag(struct wm_opts *o, const struct option *opt,
				const char *v, struct wm_err *err)
{
	(void)v;
	(void)err;
	*flag_field(o, opt) = true;
	return WM_OK;
}

static enum wm_status take_text(struct wm_opts *o, const struct option *opt,
				const char *v, struct wm_err *err)
{
	if (!*v)
		return bad_value(opt->name, "''", "a value", err);
	*text_field(o, opt) = v;
	return WM_OK;
}

static enum wm_status take_rank(struct wm_opts *o, const struct option *opt,
				const char *v, struct wm_err *err)
{
	if (wm_request_rank(&o->request, v))
		return bad_value(opt->name, v, "a number, max, min or all",
				 err);
	o->rank_given = true;
	return WM_OK;
}

static enum wm_status take_top(struct wm_opts *o, const struct option *opt,
			       const char *v, struct wm_err *err)
{
	uint64_t n = 0;

	if (strcmp(v, "all") != 0 && !wm_parse_number(v, 1u << 30, &n))
		return bad_value(opt->name, v, "a number or all", err);
	o->top_given = true;
	o->top = (size_t)n;
	return WM_OK;
}

static enum wm_status take_blocks(struct wm_opts *o, const struct option *opt,
				  const char *v, struct wm_err *err)
{
	uint64_t n;

	if (!wm_parse_number(v, 1ull << 40, &n) || n == 0)
		return bad_value(opt->name, v,
				 "a number of blocks from 1 to 2^40", err);
	o->request.wish.max_blocks = n;
	return WM_OK;
}

static enum wm_status take_checkpoint(struct wm_opts *o,
				      const struct option *opt, const char *v,
				      struct wm_err *err)
{
	double *s = &o->request.wish.checkpoint;

	if (!wm_parse_seconds(v, s) || *s < 1e-3)
		return bad_value(opt->name, v,
				 "a time from 1 ms on like 60, 60s or 250ms",
				 err);
	return WM_OK;
}

static enum wm_status take_threads(struct wm_opts *o, const struct option *opt,
				   const char *v, struct wm_err *err)
{
	uint64_t n;

	(void)opt; /* -j, however it was given */
	if (!wm_parse_number(v, 4096, &n) || n == 0)
		return bad_value("-j", v, "a number from 1 to 4096", err);
	o->request.threads = (unsigned)n;
	return WM_OK;
}

static enum wm_status take_color(struct wm_opts *o, const struct option *opt,
				 const char *v, struct wm_err *err)
{
	if (!strcmp(v, "auto"))
		o->color = WM_COLOR_AUTO;
	else if (!strcmp(v, "always"))
		o->color = WM_COLOR_ALWAYS;
	else if (!strcmp(v, "never"))
		o->color = WM_COLOR_NEVER;
	else
		return bad_value(opt->name, v, "auto, always or never", err);
	return WM_OK;
}

static enum wm_status take_form(struct wm_opts *o, const struct option *opt,
				const char *v, struct wm_err *err)
{
	if (!strcmp(v, "json"))
		o->json = true;
	else if (!strcmp(v, "csv"))
		o->csv = true;
	else if (!strcmp(v, "markdown"))
		o->markdown = true;
	else if (strcmp(v, "text") != 0)
		return bad_value(opt->name, v, "text, markdown, json or csv",
				 err);
	return WM_OK;
}

/* One more of @most in @list. */
static enum wm_status take_one(const char **list, size_t *count, size_t most,
			       const struct option *opt, const char *v,
			       struct wm_err *err)
{
	char want[40];

	snprintf(want, sizeof(want), "one of the first %zu", most);
	if (*count == most)
		return bad_value(opt->name, v, want, err);
	if (!*v)
		return bad_value(opt->name, "''", "a value", err);
	list[(*count)++] = v;
	return WM_OK;
}

static enum wm_status take_fold(struct wm_opts *o, const struct option *opt,
				const char *v, struct wm_err *err)
{
	return take_one(o->request.fold, &o->request.fold_count, WM_FOLDS, opt,
			v, err);
}

static enum wm_status take_exe(struct wm_opts *o, const struct option *opt,
			       const char *v, struct wm_err *err)
{
	return take_one(o->places.exe, &o->places.exes, WM_PLACES, opt, v, err);
}

static enum wm_status take_directory(struct wm_opts *o,
				     const struct option *opt, const char *v,
				     struct wm_err *err)
{
	return take_one(o->places.dir, &o->places.dirs, WM_PLACES, opt, v, err);
}

static enum wm_status take_limits(struct wm_opts *o, const struct option *opt,
				  const char *v, struct wm_err *err)
{
	(void)opt;
	return wm_gates_parse(&o->gates, v, err);
}

#define OLD ""
#define TEXT(field) take_text, offsetof(struct wm_opts, field)
#define FLAG(field) take_flag, offsetof(struct wm_opts, field)

static const struct option options[] = {
	{ "--rank", take_rank, 0, NULL, "--rank N|max|min|all",
	  "what lists are about: a rank, the one with the highest\n"
	  "(default) or lowest peak, or the sum (default of\n"
	  "--leaks, --temporaries); --pages: that with the highest\n"
	  "working set; --accesses: that with most of them" },
	{ "--json", FLAG(json), NULL, "--json",
	  "one JSON object instead of text" },
	{ "--csv", FLAG(csv), NULL, "--csv",
	  "one table, RFC 4180, instead of text" },
	{ "--format", take_form, 0, NULL, "--format text|json|csv|markdown",
	  "\nwhat reports are written as; markdown: for merge requests" },
	{ "--at", TEXT(at), "functions timeline tree libraries files export",
	  "--at peak|end|MOMENT",
	  "who holds memory then: peak (default), end, a snapshot or\n"
	  "phase by name (of a phase its peak), 50% of each rank's time,\n"
	  "or 1.5s, 250ms since the job began, to the last digit" },
	{ "--by", TEXT(by), "timeline accesses functions tree export",
	  "--by WHAT",
	  "with --timeline: sites, libraries, phases, names or threads; with\n"
	  "--accesses: variable, member, function or line; with\n"
	  "--functions, --tree, --export folded, speedscope: threads" },
	{ "--svg", TEXT(svg), NULL, "--svg FILE",
	  "with --timeline, --imbalance, --tree, --pages, --model,\n"
	  "--history: draw it (- is stdout)" },
	{ "--problem-size", TEXT(sizes), "model export", "--problem-size P,...",
	  "with --model, --export extrap: size of the problem of\n"
	  "each RUN" },
	{ "--size", TEXT(sizes), "model export", NULL, OLD },
	{ "--predict", TEXT(predict), "model", "--predict N[:P],...",
	  "with --model: jobs to predict" },
	{ "--check", TEXT(check_runs), "model", "--check RUN,...",
	  "with --model: runs to compare it with" },
	{ "--node-memory", TEXT(node_memory), "imbalance html",
	  "--node-memory SIZE",
	  "with --imbalance, --html: does the job fit, how many such ranks;\n"
	  "--ranks-per-node K: what K need" },
	{ "--ranks-per-node", TEXT(ranks_per_node), "imbalance", NULL, NULL },
	{ "--threshold", TEXT(threshold), "history", "--threshold N%",
	  "with --history: what counts as growth (5%)" },
	{ "--checkpoint", take_checkpoint, 0, "pages", "--checkpoint TIME",
	  "with --pages: what checkpoints as far apart would write" },
	{ "--tier", TEXT(tier), "pages", "--tier SIZE",
	  "with --pages: what a fast memory of that size should hold" },
	{ "--line", TEXT(line), "reuse false-sharing", "--line BYTES",
	  "with --reuse, --false-sharing: of a cache line (64)" },
	{ "-o", TEXT(output), NULL, "-o, --output FILE",
	  "write the report to it; with --repack DIR: write a copy\n"
	  "there" },
	{ "--output", TEXT(output), NULL, NULL, NULL },
	{ "--force", FLAG(force), NULL, "--force",
	  "with --svg, --html, -o: replace a file that\n"
	  "wm-analyze has not written" },
	{ "--open", FLAG(open), "html compare", "--open",
	  "with --html: show the page in the browser ($BROWSER or\n"
	  "xdg-open)" },
	{ "--top", take_top, 0, NULL, "--top N|all",
	  "entries in lists of text" },
	{ "--max-blocks", take_blocks, 0, NULL, "--max-blocks N",
	  "read files with more blocks alive at one time than their\n"
	  "size lets one expect: up to N" },
	{ "--bottom-up", FLAG(bottom_up), "tree", "--bottom-up",
	  "with --tree: callers below what they call" },
	{ "--fold", take_fold, 0, NULL, "--fold RULE",
	  "none, -GROUP, +GROUP or a FILE of folding rules" },
	{ "--exe", take_exe, 0, NULL, "--exe [NAME=]FILE",
	  "names come from FILE: the program, or a library, that has\n"
	  "moved or was stripped; may be given more than once" },
	{ "--any-build", FLAG(places.any_build), NULL, "--any-build",
	  "with --exe: though its build-id is another one" },
	{ "--debug-dir", take_directory, 0, NULL, "--debug-dir DIR",
	  "look for programs, libraries and their debug files there,\n"
	  "too; may be given more than once" },
	{ "--debuginfod", FLAG(places.debuginfod), NULL, "--debuginfod",
	  "ask the servers of $DEBUGINFOD_URLS for debug files" },
	{ "-j", take_threads, 0, NULL, "-j N", "read N traces at a time" },
	{ "--jobs", take_threads, 0, NULL, NULL, NULL },
	{ "--fail-on", take_limits, 0, NULL, "--fail-on LIMIT",
	  "leaks[=SIZE], held[=SIZE], failed[=SIZE], peak=SIZE, with\n"
	  "--compare, --history growth=SIZE|N%: exit status 1 when it\n"
	  "is exceeded" },
	{ "--junit", TEXT(junit), NULL, "--junit FILE",
	  "with --fail-on: JUnit XML, a test case for each limit\n"
	  "(- is stdout)" },
	{ "--color", take_color, 0, NULL, "--color auto|always|never",
	  "of headings; auto: on terminals" },
	{ "-q", FLAG(quiet), NULL, "-q, --quiet", "no progress, no remarks" },
	{ "--quiet", FLAG(quiet), NULL, NULL, NULL },
	{ "-h", FLAG(help), NULL, "-h, --help", "this" },
	{ "--help", FLAG(help), NULL, NULL, NULL },
	{ "-V", FLAG(version), NULL, "-V, --version", "" },
	{ "--version", FLAG(version), NULL, NULL, NULL },
	{ "--completion", TEXT(completion), NULL, NULL, OLD },
};

/* Whether @word is one of @words, which blanks stand between. */
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

static bool is_given(struct wm_opts *o, const struct option *opt)
{
	return (opt->take == take_text && *text_field(o, opt)) ||
	       (opt->take == take_flag && *flag_field(o, opt)) ||
	       (opt->take == take_checkpoint && o->request.wish.checkpoint > 0);
}

#define OPTIONS (sizeof(options) / sizeof(*options))
#define NAMES (OPTIONS + 40) /* with reports */

/* The option or report that was typed. */
struct typed {
	const struct option *option;
	const struct wm_report *report;
	const char *value; /* of "--name=value" and "-jN" */
};

/* The words that can be typed in full or in part, with "--"; ends with NULL. */
struct names {
	const char *name[NAMES + 1];
	char report[NAMES][24]; /* "--" before their names */
};

static bool is_old(const struct option *opt)
{
	return !opt->shown && opt->help && !*opt->help;
}

static void list_names(const struct wm_opts *o, struct names *n)
{
	size_t i, count = 0, k;

	for (i = 0; i < OPTIONS; i++) {
		const struct option *opt = &options[i];

		if (opt->name[1] == '-' && !is_old(opt))
			n->name[count++] = opt->name;
	}
	for (k = 0; o->reports[k] && count < NAMES; k++) {
		snprintf(n->report[k], sizeof(n->report[k]), "--%s",
			 o->reports[k]->name);
		n->name[count++] = n->report[k];
	}
	n->name[count] = NULL;
}

/* The option or report that has that name in full. */
static bool find_name(const struct wm_opts *o, const char *name, size_t n,
		      struct typed *t)
{
	size_t i;

	for (i = 0; i < OPTIONS; i++)
		if (strlen(options[i].name) == n &&
		    memcmp(options[i].name, name, n) == 0) {
			t->option = &options[i];
			return true;
		}
	for (i = 0; n > 2 && o->reports[i]; i++)
		if (strlen(o->reports[i]->name) == n - 2 &&
		    memcmp(o->reports[i]->name, name + 2, n - 2) == 0) {
			t->report = o->reports[i];
			return true;
		}
	return false;
}

/* @text begins several names: which. */
static enum wm_status several_names(const char *const *first, const char *text,
				    int n, struct wm_err *err)
{
	const char *const *at = first;
	char all[400];
	size_t used = 0;

	for (; at && used < sizeof(all);
	     at = wm_spelling_begun(at + 1, text, (size_t)n))
		used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s",
					 used ? ", " : "", *at);
	return wm_err_set(err, WM_USAGE, "'%.*s' may be any of %s", n, text,
			  all);
}

static enum wm_status no_name(const struct names *names, const char *arg,
			      size_t n, struct wm_err *err)
{
	const char *near = arg[1] == '-' ?
				   wm_spelling_near(names->name, arg, n) :
				   NULL;

	return wm_err_set(err, WM_USAGE,
			  "unknown option '%s'%s%s; see wm-analyze --help", arg,
			  near ? ": did you mean " : "", near ? near : "");
}

/* "--name", "--name=value", "--na" where no other name begins so. */
static enum wm_status find_long(const struct wm_opts *o, const char *arg,
				struct typed *t, struct wm_err *err)
{
	size_t n = strcspn(arg, "=");
	const char *const *first;
	struct names names;

	if (arg[n])
		t->value = arg + n + 1;
	if (find_name(o, arg, n, t))
		return WM_OK;
	list_names(o, &names);
	first = n > 2 ? wm_spelling_begun(names.name, arg, n) : NULL;
	if (!first)
		return no_name(&names, arg, n, err);
	if (wm_spelling_begun(first + 1, arg, n))
		return several_names(first, arg, (int)n, err);
	find_name(o, *first, strlen(*first), t);
	return WM_OK;
}

/* "-x", "-xVALUE". */
static enum wm_status find_short(const struct wm_opts *o, const char *arg,
				 struct typed *t, struct wm_err *err)
{
	struct names none = { .name = { NULL } };

	if (!find_name(o, arg, 2, t))
		return no_name(&none, arg, 2, err);
	if (arg[2] && t->option->take == take_flag)
		return no_name(&none, arg, 2, err);
	if (arg[2])
		t->value = arg + 2;
	return WM_OK;
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

/* --html beside a report that has a page of its own. */
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

/* Whether @arg, behind --html, is no file to write but another option, or RUN,
 * be it there or not. */
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

static enum wm_status take_argument(struct wm_opts *o, char **argv, int argc,
				    int *i, struct wm_err *err)
{
	const char *arg = argv[*i];
	struct typed t = { .option = NULL };
	bool wants;

	if (arg[1] == '-' ? find_long(o, arg, &t, err) :
			    find_short(o, arg, &t, err))
		return WM_USAGE;
	/* one of them was found */
	wants = t.option ? t.option->take != take_flag :
		t.report ? t.report->value != NULL :
			   false;
	if (!wants && t.value)
		return wm_err_set(err, WM_USAGE, "%s: it takes no value", arg);
	if (t.report && t.report->forms & WM_NAMES_ITSELF && !t.value &&
	    (*i + 1 >= argc || is_no_file(argv[*i + 1])))
		wants = false;
	if (wants && !t.value) {
		if (*i + 1 >= argc)
			return wm_err_set(err, WM_USAGE, "%s needs a value",
					  arg);
		t.value = argv[++*i];
	}
	return t.option ? t.option->take(o, t.option, t.value, err) :
			  take_report(o, t.report, t.value, err);
}

static enum wm_status wrong_report(const struct option *opt, struct wm_err *err)
{
	int n = (int)strcspn(opt->reports, " ");
	const char *second = opt->reports[n] ? opt->reports + n + 1 : NULL;

	if (second && strchr(second, ' '))
		second = NULL; /* too many to name */
	return wm_err_set(err, WM_USAGE,
			  "%s is for other reports: add "
			  "--%.*s%s%s",
			  opt->name, n, opt->reports, second ? " or --" : "",
			  second ? second : "");
}

/* Options that belong to other reports. */
static enum wm_status check_reports(struct wm_opts *o, struct wm_err *err)
{
	size_t i;

	if (!o->report)
		o->report = o->reports[0];
	for (i = 0; i < OPTIONS; i++) {
		const struct option *opt = &options[i];

		if (is_given(o, opt) && opt->reports &&
		    !is_among(opt->reports, o->report->name))
			return wrong_report(opt, err);
	}
	return WM_OK;
}

enum wm_status wm_opts_parse(struct wm_opts *o, int argc, char **argv,
			     struct wm_err *err)
{
	enum wm_status r = WM_OK;
	int i;
	bool only_runs = false;

	*o = (struct wm_opts){ .reports = wm_reports,
			       .request = { .choice = WM_RANK_MAX } };
	/* RUNs move to the front of argv */
	o->request.runs = argv + 1;
	for (i = 1; i < argc && !r; i++) {
		if (only_runs || argv[i][0] != '-' || !argv[i][1])
			o->request.runs[o->request.run_count++] = argv[i];
		else if (strcmp(argv[i], "--") == 0)
			only_runs = true;
		else
			r = take_argument(o, argv, argc, &i, err);
	}
	if (!r)
		r = check_reports(o, err);
	return r ? r : wm_opts_check(o, err);
}

/* @text, its lines below each other from column @from on; @n: where it is. */
static void put_help(int n, int from, const char *text, FILE *out)
{
	size_t length;

	for (;; n = 0) {
		length = strcspn(text, "\n");
		if (length)
			fprintf(out, "%*s%.*s", n < from ? from - n : 2, "",
				(int)length, text);
		putc('\n', out);
		if (!text[length])
			break;
		text += length + 1;
	}
}

bool wm_opts_word(size_t i, struct wm_opts_word *w)
{
	const struct option *told = options;
	size_t k;

	for (k = 0; k < OPTIONS; k++) {
		/* without lines of its own it stands with the one before */
		if (options[k].shown)
			told = &options[k];
		if (!is_old(&options[k]) && !i--)
			break;
	}
	if (k == OPTIONS)
		return false;
	snprintf(w->name, sizeof(w->name), "%s", options[k].name);
	if (options[k].take != take_flag)
		w->value = strrchr(told->shown, ' ') + 1;
	w->help = told->help + (*told->help == '\n');
	return true;
}

void wm_opts_help(const struct wm_opts *o, const char *program, FILE *out)
{
	const struct wm_report *r;
	size_t i;

	fprintf(out, "usage: %s [REPORT] [OPTIONS] [RUN...]\n\n", program);
	fputs("RUN is a run directory NAME.ID.wm (several: the programs of one "
	      "job,\nand what it has spawned), or trace files; without it the "
	      "newest run directory\nhere is taken.\n\nReports:\n",
	      out);
	for (i = 0; (r = o->reports[i]); i++)
		put_help(fprintf(out, "  --%s%s%s", r->name,
				 r->value ? " " : "", r->value ? r->value : ""),
			 22, r->help, out);
	fputs("\nOptions:\n", out);
	for (i = 0; i < OPTIONS; i++)
		if (options[i].shown)
			put_help(fprintf(out, "  %s", options[i].shown), 24,
				 options[i].help, out);
	fprintf(out,
		"\n  %s                           the newest run here\n"
		"  %s --functions --rank max    who holds the highest peak\n"
		"  %s --html --open RUN         all of it, in the browser\n"
		"  %s --compare A.1.wm A.2.wm   what grew between two runs\n"
		"\nExit status: 0 good, 1 --fail-on, 2 usage, 3 nothing "
		"readable, 4 answers from a\npart of the input (stderr "
		"and the report say which).\n",
		program, program, program, program);
}
