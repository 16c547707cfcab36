/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions: statements of words, one a line; # begins a comment. */
#include "tests/tools/fixture.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *where; /* NULL: no description is being read */
static int line;

void fix_die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fprintf(stderr, "%s: ", program_invocation_short_name);
	if (where)
		fprintf(stderr, "%s:%d: ", where, line);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(1);
}

void *fix_alloc(void *old, size_t n)
{
	void *p = realloc(old, n ? n : 1);

	if (!p)
		fix_die("no memory");
	return p;
}

char *fix_more(void)
{
	return strtok(NULL, " \t\n");
}

char *fix_word(void)
{
	char *s = fix_more();

	if (!s)
		fix_die("a word is missing");
	return s;
}

uint64_t fix_number(void)
{
	char *s = fix_word(), *end;
	uint64_t v = strtoull(s, &end, 0);

	if (*end)
		fix_die("'%s' is not a number", s);
	return v;
}

size_t fix_hex(uint8_t *out, const char *s)
{
	size_t n = 0;
	unsigned v;

	for (; sscanf(s, "%2x", &v) == 1 && n < 64; s += 2)
		out[n++] = (uint8_t)v;
	return n;
}

void fix_read(FILE *in, const char *name, void (*statement)(const char *))
{
	char buf[65536], *s;

	where = name;
	while (fgets(buf, sizeof(buf), in)) {
		line++;
		buf[strcspn(buf, "#")] = 0;
		s = strtok(buf, " \t\n");
		if (s)
			statement(s);
	}
	where = NULL;
}
