/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of --help. */
#include <string.h>

#include "analyze/menu.h"
#include "analyze/opts_rows.h"

/* The questions of users, each with the commands that answer it. */
static const struct {
	const char *question, *command;
} questions[] = {
	{ "How much memory to ask for?", "RUN" },
	{ "Who holds it at the peak?", "functions|tree|files|libraries RUN" },
	{ "When does it grow?", "timeline|snapshots RUN" },
	{ "Which rank, which node?", "imbalance RUN" },
	{ "Does the job fit a node?", "imbalance --node-memory 64G RUN" },
	{ "Is it a leak?", "leaks|temporaries|sizes RUN" },
	{ "Why was the job killed?", "RUN" },
	{ "What changed?", "compare A B" },
	{ "Since which build?", "history DIR" },
	{ "What will N ranks need?", "model --predict N RUN RUN..." },
	{ "What is static memory?", "static-report RUN" },
	{ "Which memory is really used?", "pages RUN" },
	{ "Which loads and stores?", "accesses|reuse|false-sharing RUN" },
	{ "Which of them miss caches?", "cache L1=32K/8,L2=1M/16 RUN" },
	{ "All of it, in the browser?", "html --open RUN" },
	{ "For other programs?", "--json RUN, export FORMAT RUN" },
};

/* Prints the lines of @text at column @from; the first line begins at column
 * @n. */
static void put_lines(int n, int from, const char *text, FILE *out)
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

static void put_report(const struct wm_report *r, FILE *out)
{
	put_lines(fprintf(out, "  --%s%s%s", r->name, r->value ? " " : "",
			  r->value ? r->value : ""),
		  22, r->help, out);
}

static void put_option(const struct wm_option *row, FILE *out)
{
	put_lines(fprintf(out, "  %s%.*s%s--%s%s%s", row->letter ? "-" : "",
			  row->letter ? 1 : 0, &row->letter,
			  row->letter ? ", " : "", row->name,
			  row->value ? " " : "", row->value ? row->value : ""),
		  24, row->help, out);
}

static void put_questions(const char *program, FILE *out)
{
	size_t i;

	fprintf(out, "usage: %s [REPORT] [OPTIONS] [RUN...]\n\n", program);
	for (i = 0; i < sizeof(questions) / sizeof(*questions); i++)
		fprintf(out, "  %-30s%s %s\n", questions[i].question, program,
			questions[i].command);
	fprintf(out,
		"\nRUN is a run directory NAME.ID.wm; without it, the newest "
		"run here is read.\n"
		"Often used: --rank N, --at MOMENT, --top N, --csv, --output "
		"FILE, --fail-on LIMIT\n\n"
		"  %s --help REPORT     the options of a report\n"
		"  %s --help all        all reports and options\n",
		program, program);
}

static void put_topic(const struct wm_report *r, const char *program, FILE *out)
{
	fprintf(out, "usage: %s %s%s%s [OPTIONS] [RUN...]\n\n", program,
		r->name, r->value ? " " : "", r->value ? r->value : "");
	put_lines(0, 2, r->help, out);
	fprintf(out, "\nOptions of this report:\n");
	for (size_t i = 0; i < wm_option_count; i++)
		if (wm_options[i].reports &&
		    wm_option_is_for(&wm_options[i], r))
			put_option(&wm_options[i], out);
	fprintf(out, "\nOptions of all reports:\n ");
	for (size_t i = 0, n = 1; i < wm_option_count; i++)
		if (!wm_options[i].reports) {
			if (n + strlen(wm_options[i].name) + 3 > 78) {
				fprintf(out, "\n ");
				n = 1;
			}
			n += (size_t)fprintf(out, " --%s", wm_options[i].name);
		}
	fprintf(out, "\n%s --help all explains them.\n", program);
}

static void put_all(const char *program, FILE *out)
{
	const struct wm_report *r;

	fprintf(out,
		"usage: %s [REPORT] [OPTIONS] [RUN...]\n\n"
		"RUN is a run directory NAME.ID.wm (several: the programs of "
		"one job, and what\nthey have spawned) or a trace file; "
		"without it, the newest run directory here\nis read. The first "
		"word may be the name of a report without its --.\n\n"
		"Reports:\n",
		program);
	for (size_t i = 0; (r = wm_reports[i]); i++)
		put_report(r, out);
	fputs("\nOptions:\n", out);
	for (size_t i = 0; i < wm_option_count; i++)
		put_option(&wm_options[i], out);
	fputs("\nExit status: 0 good, 1 --fail-on, 2 usage, 3 nothing readable, "
	      "4 answers from a\npart of the input (see stderr and the "
	      "report).\n",
	      out);
}

void wm_opts_help(const struct wm_command *c, const char *program, FILE *out)
{
	if (c->help_all)
		put_all(program, out);
	else if (c->topic)
		put_topic(c->topic, program, out);
	else
		put_questions(program, out);
}
