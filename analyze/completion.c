/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/completion.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "analyze/opts.h"

/* Reports, then options. */
static bool word_at(const struct wm_opts *o, size_t i, struct wm_opts_word *w)
{
	const struct wm_report *r;
	size_t n = 0;

	memset(w, 0, sizeof(*w));
	while (n < i && o->reports[n])
		n++;
	r = o->reports[n];
	if (!r)
		return wm_opts_word(i - n, w);
	snprintf(w->name, sizeof(w->name), "--%s", r->name);
	w->value = r->value;
	w->choices = r->choices;
	w->help = r->help;
	return true;
}

/* As one word of a shell, in one line. */
static void put_quoted(const char *text, FILE *out)
{
	putc('\'', out);
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", out);
		else
			putc(*text == '\n' ? ' ' : *text, out);
	putc('\'', out);
}

/* The next of the words that a value may be, "N|max|min"; those in capitals
 * stand for others.  *@n: its length; NULL: there are no more. */
static const char *next_word(const char *at, size_t *n)
{
	for (; *at; at += *n + (at[*n] == '|')) {
		*n = strcspn(at, "|");
		if (islower((unsigned char)*at) && !memchr(at, '[', *n))
			return at;
	}
	return NULL;
}

static void put_words(const struct wm_opts_word *w, FILE *out)
{
	const struct wm_report *c = w->choices;
	const char *at = w->value, *between = "";
	size_t n;

	for (; c && c->name; c++, between = " ")
		fprintf(out, "%s%s", between, c->value);
	while ((at = next_word(at, &n))) {
		fprintf(out, "%s%.*s", between, (int)n, at);
		between = " ";
		at += n + (at[n] == '|');
	}
}

/* May be left out. */
static bool is_optional(const char *value)
{
	return *value == '[' && value[strlen(value) - 1] == ']';
}

static bool is_file(const char *value)
{
	return strstr(value, "FILE") || strstr(value, "DIR") ||
	       strstr(value, "RUN") || strstr(value, "RULE");
}

static bool has_words(const struct wm_opts_word *w)
{
	size_t n;

	return w->choices || next_word(w->value, &n);
}

static void put_bash(const struct wm_opts *o, FILE *out)
{
	struct wm_opts_word w;
	size_t i;

	fputs("_wm_analyze() {\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]}"
	      " prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
	      "\tCOMPREPLY=()\n\tcase $prev in\n",
	      out);
	for (i = 0; word_at(o, i, &w); i++) {
		if (!w.value || is_optional(w.value) || is_file(w.value))
			continue;
		fprintf(out, "\t%s) mapfile -t COMPREPLY < <(compgen -W '",
			w.name);
		put_words(&w, out);
		fputs("' -- \"$cur\"); return ;;\n", out);
	}
	fputs("\tesac\n\tif [[ $cur == -* ]]; then\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -W '",
	      out);
	for (i = 0; word_at(o, i, &w); i++)
		fprintf(out, "%s%s", i ? " " : "", w.name);
	fputs("' -- \"$cur\")\n\telse\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
	      "\t\tcompopt -o filenames 2>/dev/null\n\tfi\n}\n"
	      "complete -F _wm_analyze wm-analyze wm-analyze-mpi\n",
	      out);
}

static void put_zsh(const struct wm_opts *o, FILE *out)
{
	struct wm_opts_word w;
	size_t i;

	fputs("#compdef wm-analyze wm-analyze-mpi\n"
	      "local -a names\nnames=(\n",
	      out);
	for (i = 0; word_at(o, i, &w); i++) {
		fprintf(out, "\t%s:", w.name);
		put_quoted(w.help, out);
		putc('\n', out);
	}
	fputs(")\ncase $words[CURRENT-1] in\n", out);
	for (i = 0; word_at(o, i, &w); i++) {
		if (!w.value || is_optional(w.value) || is_file(w.value))
			continue;
		fprintf(out, "%s) compadd -- ", w.name);
		put_words(&w, out);
		fputs("; return ;;\n", out);
	}
	fputs("esac\nif [[ $PREFIX == -* ]]; then\n"
	      "\t_describe -o option names\nelse\n\t_files\nfi\n",
	      out);
}

static void put_fish(const struct wm_opts *o, FILE *out)
{
	struct wm_opts_word w;
	size_t i;

	for (i = 0; word_at(o, i, &w); i++) {
		bool wants = w.value && !is_optional(w.value);

		fprintf(out, "complete -c wm-analyze -%c %s",
			w.name[1] == '-' ? 'l' : 's',
			w.name + (w.name[1] == '-' ? 2 : 1));
		if (wants)
			fputs(is_file(w.value) ? " -r" : " -x", out);
		if (wants && has_words(&w)) {
			fputs(" -a '", out);
			put_words(&w, out);
			putc('\'', out);
		}
		fputs(" -d ", out);
		put_quoted(w.help, out);
		putc('\n', out);
	}
	fputs("complete -c wm-analyze-mpi -w wm-analyze\n", out);
}

enum wm_status wm_completion_put(const struct wm_opts *o, const char *shell,
				 FILE *out, struct wm_err *err)
{
	if (strcmp(shell, "bash") == 0)
		put_bash(o, out);
	else if (strcmp(shell, "zsh") == 0)
		put_zsh(o, out);
	else if (strcmp(shell, "fish") == 0)
		put_fish(o, out);
	else
		return wm_err_set(err, WM_USAGE,
				  "--completion %.80s: not bash, zsh or fish",
				  shell);
	return WM_OK;
}
