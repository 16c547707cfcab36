/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/opts.h"

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/units.h"
#include "analyze/menu.h"
#include "analyze/render/output.h"
#include "wm/trace_format.h"

struct row;

typedef enum wm_status take_value(struct wm_command *c, const struct row *row,
				  const char *v, struct wm_err *err);

/*
 * The table of options, in the order of --help.  scripts/completion makes
 * completions from it, and a test compares it with wm-analyze(1).
 */
struct row {
	const char *name;
	char letter; /* -o, 0: none */
	take_value *take;
	size_t field; /* in struct wm_command, if @take needs to know */
	uint64_t most; /* of take_count() */
	const char *value; /* as --help shows it; NULL: it takes none */
	const char *want; /* a description of values, for messages */
	const char *reports; /* that take it; NULL: all */
	const char *help; /* lines */
};

static enum wm_status bad_value(const struct row *row, const char *v,
				struct wm_err *err)
{
	return wm_err_set(err, WM_USAGE, "--%s %s: not %s", row->name,
			  *v ? v : "''", row->want ? row->want : "a value");
}

static enum wm_status take_flag(struct wm_command *c, const struct row *row,
				const char *v, struct wm_err *err)
{
	(void)v;
	(void)err;
	*(bool *)(void *)((char *)c + row->field) = true;
	return WM_OK;
}

static enum wm_status take_text(struct wm_command *c, const struct row *row,
				const char *v, struct wm_err *err)
{
	*(const char **)(void *)((char *)c + row->field) = v;
	return *v ? WM_OK : bad_value(row, v, err);
}

static enum wm_status take_rank(struct wm_command *c, const struct row *row,
				const char *v, struct wm_err *err)
{
	c->ask.rank_given = true;
	return wm_request_rank(&c->ask.request, v) ? bad_value(row, v, err) :
						     WM_OK;
}

static enum wm_status take_top(struct wm_command *c, const struct row *row,
			       const char *v, struct wm_err *err)
{
	uint64_t n = 0;

	if (strcmp(v, "all") != 0 && !wm_parse_number(v, 1u << 30, &n))
		return bad_value(row, v, err);
	c->ask.top_given = true;
	c->ask.top = (size_t)n;
	return WM_OK;
}

/* takes a number from 1 to row->most */
static enum wm_status take_count(struct wm_command *c, const struct row *row,
				 const char *v, struct wm_err *err)
{
	uint64_t *n = (uint64_t *)(void *)((char *)c + row->field);

	return wm_parse_number(v, row->most, n) && *n ? WM_OK :
							bad_value(row, v, err);
}

static enum wm_status take_size(struct wm_command *c, const struct row *row,
				const char *v, struct wm_err *err)
{
	uint64_t *n = (uint64_t *)(void *)((char *)c + row->field);

	return wm_parse_bytes(v, n) && *n ? WM_OK : bad_value(row, v, err);
}

static enum wm_status take_threshold(struct wm_command *c,
				     const struct row *row, const char *v,
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

static enum wm_status take_line(struct wm_command *c, const struct row *row,
				const char *v, struct wm_err *err)
{
	(void)row;
	return wm_line_parse(&c->ask.request.wish.line, v, err);
}

static enum wm_status take_checkpoint(struct wm_command *c,
				      const struct row *row, const char *v,
				      struct wm_err *err)
{
	double *s = &c->ask.request.wish.checkpoint;

	return wm_parse_seconds(v, s) && *s >= 1e-3 ? WM_OK :
						      bad_value(row, v, err);
}

static enum wm_status take_color(struct wm_command *c, const struct row *row,
				 const char *v, struct wm_err *err)
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

static enum wm_status take_form(struct wm_command *c, const struct row *row,
				const char *v, struct wm_err *err)
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
			       const struct row *row, const char *v,
			       struct wm_err *err)
{
	if (*count == most)
		return wm_err_set(err, WM_USAGE,
				  "--%s %s: not one of the first %zu",
				  row->name, v, most);
	list[(*count)++] = v;
	return *v ? WM_OK : bad_value(row, v, err);
}

static enum wm_status take_fold(struct wm_command *c, const struct row *row,
				const char *v, struct wm_err *err)
{
	return take_one(c->ask.request.fold, &c->ask.request.fold_count,
			WM_FOLDS, row, v, err);
}

static enum wm_status take_exe(struct wm_command *c, const struct row *row,
			       const char *v, struct wm_err *err)
{
	return take_one(c->places.exe, &c->places.exes, WM_PLACES, row, v, err);
}

static enum wm_status take_directory(struct wm_command *c,
				     const struct row *row, const char *v,
				     struct wm_err *err)
{
	return take_one(c->places.dir, &c->places.dirs, WM_PLACES, row, v, err);
}

static enum wm_status take_limits(struct wm_command *c, const struct row *row,
				  const char *v, struct wm_err *err)
{
	(void)row;
	return wm_gates_parse(&c->ask.gates, v, err);
}

#define AT(field) offsetof(struct wm_command, field)
#define COUNT(field, most) take_count, AT(ask.field), most
#define SIZE(field) take_size, AT(ask.field), 0
#define TEXT(field) take_text, AT(ask.field), 0
#define FLAG(field) take_flag, AT(field), 0, NULL, NULL

static const struct row rows[] = {
	{ "rank", 0, take_rank, 0, 0, "N|max|min|all",
	  "a number, max, min or all", NULL,
	  "what lists are about: a rank, the one with the highest\n"
	  "(default) or lowest peak, or the sum (default of\n"
	  "--leaks, --temporaries); --pages: that with the highest\n"
	  "working set; --accesses: that with most of them" },
	{ "json", 0, FLAG(ask.json), NULL, "one JSON object instead of text" },
	{ "csv", 0, FLAG(ask.csv), NULL,
	  "one table, RFC 4180, instead of text" },
	{ "format", 0, take_form, 0, 0, "text|json|csv|markdown",
	  "text, markdown, json or csv", NULL,
	  "\nwhat reports are written as; markdown: for merge requests" },
	{ "at", 0, TEXT(at), "peak|end|MOMENT", NULL,
	  "functions timeline tree libraries files export",
	  "what holds memory then: peak (default), end, a snapshot or\n"
	  "phase by name (of a phase its peak), 50% of each rank's time,\n"
	  "or 1.5s, 250ms since the job began, to the last digit" },
	{ "by", 0, TEXT(by), "WHAT", NULL,
	  "timeline accesses functions tree export",
	  "with --timeline: sites, libraries, phases, names or threads; with\n"
	  "--accesses: variable, member, function or line; with\n"
	  "--functions, --tree, --export folded, speedscope: threads" },
	{ "svg", 0, TEXT(svg), "FILE", NULL, NULL,
	  "with --timeline, --imbalance, --tree, --pages, --model,\n"
	  "--history: draw it (- is stdout)" },
	{ "problem-size", 0, TEXT(sizes), "P,...", NULL, "model export",
	  "with --model, --export extrap: size of the problem of\n"
	  "each RUN" },
	{ "predict", 0, TEXT(predict), "N[:P],...", NULL, "model",
	  "with --model: jobs to predict" },
	{ "check", 0, TEXT(check_runs), "RUN,...", NULL, "model",
	  "with --model: runs to compare it with" },
	{ "node-memory", 0, SIZE(node_memory), "SIZE", "a size such as 64G",
	  "imbalance html",
	  "with --imbalance, --html: does the job fit, how many such ranks" },
	{ "ranks-per-node", 0, COUNT(ranks_per_node, 1000000), "K",
	  "a number from 1 on", "imbalance",
	  "with --imbalance: the memory that a node with K needs" },
	{ "threshold", 0, take_threshold, 0, 0, "N%", "N%, as 5%", "history",
	  "with --history: what counts as growth (5%)" },
	{ "checkpoint", 0, take_checkpoint, 0, 0, "TIME",
	  "a time from 1 ms on like 60, 60s or 250ms", "pages",
	  "with --pages: what checkpoints as far apart would write" },
	{ "tier", 0, SIZE(tier), "SIZE", "a size like 16G", "pages",
	  "with --pages: what a fast memory of that size should hold" },
	{ "line", 0, take_line, 0, 0, "BYTES", NULL, "reuse false-sharing",
	  "with --reuse, --false-sharing: of a cache line (64)" },
	{ "output", 'o', TEXT(output), "FILE", NULL, NULL,
	  "write the report to it; with --repack DIR: write a copy\n"
	  "there" },
	{ "force", 0, FLAG(ask.force), NULL,
	  "with --svg, --html, -o: replace a file that\n"
	  "wm-analyze has not written" },
	{ "open", 0, FLAG(open), "html compare",
	  "with --html: show the page in the browser ($BROWSER or\n"
	  "xdg-open)" },
	{ "top", 0, take_top, 0, 0, "N|all", "a number or all", NULL,
	  "entries in lists of text" },
	{ "max-blocks", 0, COUNT(request.wish.max_blocks, 1ull << 40), "N",
	  "a number of blocks from 1 to 2^40", NULL,
	  "read files with more blocks alive at one time than their\n"
	  "size lets one expect: up to N" },
	{ "bottom-up", 0, FLAG(ask.bottom_up), "tree",
	  "with --tree: callers below what they call" },
	{ "fold", 0, take_fold, 0, 0, "RULE", NULL, NULL,
	  "none, -GROUP, +GROUP or a FILE of folding rules" },
	{ "exe", 0, take_exe, 0, 0, "[NAME=]FILE", NULL, NULL,
	  "names come from FILE: the program, or a library, that has\n"
	  "moved or was stripped; may be given more than once" },
	{ "any-build", 0, FLAG(places.any_build), NULL,
	  "with --exe: though its build-id is another one" },
	{ "debug-dir", 0, take_directory, 0, 0, "DIR", NULL, NULL,
	  "look for programs, libraries and their debug files there,\n"
	  "too; may be given more than once" },
	{ "debuginfod", 0, FLAG(places.debuginfod), NULL,
	  "ask the servers of $DEBUGINFOD_URLS for debug files" },
	{ "jobs", 'j', COUNT(request.threads, 4096), "N",
	  "a number from 1 to 4096", NULL, "read N traces at a time" },
	{ "fail-on", 0, take_limits, 0, 0, "LIMIT", NULL, NULL,
	  "leaks[=SIZE], held[=SIZE], failed[=SIZE], peak=SIZE, with\n"
	  "--compare, --history growth=SIZE|N%: exit status 1 when it\n"
	  "is exceeded" },
	{ "junit", 0, TEXT(junit), "FILE", NULL, NULL,
	  "with --fail-on: JUnit XML, a test case for each limit\n"
	  "(- is stdout)" },
	{ "color", 0, take_color, 0, 0, "auto|always|never",
	  "auto, always or never", NULL, "of headings; auto: on terminals" },
	{ "quiet", 'q', FLAG(ask.quiet), NULL, "no progress, no remarks" },
	{ "help", 'h', FLAG(help), NULL, "this text" },
	{ "version", 'V', FLAG(version), NULL, "" },
};

#define ROWS (sizeof(rows) / sizeof(*rows))
#define NAMES (ROWS + 40) /* with reports */
#define FIRST 256 /* what getopt_long() returns for the first name */

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

/* Lists options, then reports, as getopt_long() takes them. */
static void list_names(struct option *names)
{
	size_t i, n = 0;

	for (; n < ROWS; n++)
		names[n] = (struct option){ rows[n].name, rows[n].value != NULL,
					    NULL, FIRST + (int)n };
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

static enum wm_status wrong_report(const struct row *row, struct wm_err *err)
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

	if (n < ROWS) {
		given[n] = true;
		return rows[n].take(c, &rows[n], optarg, err);
	}
	r = wm_reports[n - ROWS];
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
		for (i = 0; i < ROWS && sign != rows[i].letter; i++)
			;
		if (sign == 1)
			q->runs[q->run_count++] = optarg;
		else if (sign >= FIRST || i < ROWS)
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

enum wm_status wm_opts_parse(struct wm_command *c, int argc, char **argv,
			     struct wm_err *err)
{
	struct wm_opts *o = &c->ask;
	bool given[ROWS] = { false };
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
	if (!o->report)
		o->report = wm_reports[0];
	for (size_t i = 0; i < ROWS && !s; i++)
		if (given[i] && rows[i].reports &&
		    !is_among(rows[i].reports, o->report->name))
			s = wrong_report(&rows[i], err);
	return s ? s : wm_opts_check(c, err);
}

/* Prints the lines of @text at column @from; the first line begins at column
 * @n. */
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

void wm_opts_help(const char *program, FILE *out)
{
	const struct wm_report *r;

	fprintf(out, "usage: %s [REPORT] [OPTIONS] [RUN...]\n\n", program);
	fputs("RUN is a run directory NAME.ID.wm (several: the programs of one "
	      "job,\nand what it has spawned), or trace files; without it the "
	      "newest run directory\nhere is taken.\n\nReports:\n",
	      out);
	for (size_t i = 0; (r = wm_reports[i]); i++)
		put_help(fprintf(out, "  --%s%s%s", r->name,
				 r->value ? " " : "", r->value ? r->value : ""),
			 22, r->help, out);
	fputs("\nOptions:\n", out);
	for (size_t i = 0; i < ROWS; i++)
		put_help(fprintf(out, "  %s%.*s%s--%s%s%s",
				 rows[i].letter ? "-" : "",
				 rows[i].letter ? 1 : 0, &rows[i].letter,
				 rows[i].letter ? ", " : "", rows[i].name,
				 rows[i].value ? " " : "",
				 rows[i].value ? rows[i].value : ""),
			 24, rows[i].help, out);
	fprintf(out,
		"\n  %s                           the newest run here\n"
		"  %s --functions --rank max    what holds the highest peak\n"
		"  %s --html --open RUN         all of it, in the browser\n"
		"  %s --compare A.1.wm A.2.wm   what grew between two runs\n"
		"\nExit status: 0 good, 1 --fail-on, 2 usage, 3 nothing "
		"readable, 4 answers from a\npart of the input (see "
		"stderr and the report).\n",
		program, program, program, program);
}
