/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/census/receivers.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "wmcc/base/strv.h"

#define FARTHEST 400 /* most bytes of a statement before its line */
#define LINES_BEHIND 20 /* most lines of a statement of Fortran */

struct span {
	const char *begin, *end;
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool is_blank(char c)
{
	return isspace((unsigned char)c) || c == '\\';
}

static const char *skip_back(const char *begin, const char *at)
{
	while (at > begin && is_blank(at[-1]))
		at--;
	return at;
}

static const char *skip(const char *at, const char *end)
{
	while (at < end && is_blank(*at))
		at++;
	return at;
}

static char partner_of(char c)
{
	static const char pairs[] = "()[]{}<>";
	const char *at = c ? strchr(pairs, c) : NULL;

	return at ? pairs[(at - pairs) ^ 1] : 0;
}

/* Returns the opening bracket of the closing bracket before @at, or NULL. */
static const char *open_of(const char *begin, const char *at)
{
	const char close = at[-1], open = partner_of(close);
	size_t depth = 0;

	while (at > begin) {
		at--;
		if (*at == close && !(at > begin && at[-1] == '-'))
			depth++;
		else if (*at == open && !--depth)
			return at;
	}
	return NULL;
}

/* Returns the place behind the closing bracket of the bracket at @at, or
 * @end. */
static const char *close_of(const char *at, const char *end)
{
	const char open = *at, close = partner_of(open);
	size_t depth = 0;

	for (; at < end; at++) {
		if (*at == open)
			depth++;
		else if (*at == close && at[-1] != '-' && !--depth)
			return at + 1;
	}
	return end;
}

/* Returns the start of the expression before @end, such as a->b[i].c or
 * (*p)->x. */
static const char *expression_at(const char *begin, const char *end)
{
	const char *at = end, *open;

	while (at > begin) {
		if (is_word(at[-1]) || at[-1] == '.') {
			at--;
		} else if (at - begin > 1 && (!strncmp(at - 2, "->", 2) ||
					      !strncmp(at - 2, "::", 2))) {
			at -= 2;
		} else if (at[-1] == ']' || at[-1] == ')') {
			/* a name precedes an index, and follows (*p) */
			if (at[-1] == ')' && (at == end || is_word(*at)))
				break;
			open = open_of(begin, at);
			if (!open)
				return end;
			at = open;
		} else {
			break;
		}
	}
	return at;
}

/* Appends @s without blanks.  Returns false if it has no room, or is no
 * variable. */
static bool add_receiver(struct span s, char *out)
{
	size_t n = strlen(out), first = n;
	const char *at;

	if (s.begin >= s.end || isdigit((unsigned char)*s.begin))
		return false;
	if (n && n + 2 < WM_RECEIVER_SIZE) {
		memcpy(out + n, ", ", 3);
		n += 2;
	}
	for (at = s.begin; at < s.end && n + 1 < WM_RECEIVER_SIZE; at++)
		if (isprint((unsigned char)*at) && *at != ' ')
			out[n++] = *at;
	out[at < s.end ? first : n] = 0;
	return at == s.end;
}

/* Skips casts and scopes before @at: (double *), static_cast<T *>(, std::,
 * pool->. */
static const char *before_casts(const char *begin, const char *at)
{
	const char *open, *word;

	for (;;) {
		at = skip_back(begin, at);
		if (at - begin > 1 &&
		    (!strncmp(at - 2, "::", 2) || !strncmp(at - 2, "->", 2))) {
			at = expression_at(begin, at - 2);
		} else if (at > begin && at[-1] == '.') {
			at = expression_at(begin, at - 1);
		} else if (at > begin && at[-1] == ')') {
			open = open_of(begin, at);
			if (!open || (open > begin && is_word(open[-1])))
				return at;
			at = open;
		} else if (at > begin && at[-1] == '(') {
			word = skip_back(begin, at - 1);
			open = word > begin && word[-1] == '>' ?
				       open_of(begin, word) :
				       NULL;
			if (!open || open - begin < 5 ||
			    strncmp(open - 5, "_cast", 5) != 0)
				return at;
			at = open;
			while (at > begin && is_word(at[-1]))
				at--;
		} else {
			return at;
		}
	}
}

/* Returns the variable to which the "=" before @at assigns, or an empty
 * span. */
static struct span assigned(const char *begin, const char *at)
{
	struct span none = { at, at }, s;

	at = before_casts(begin, at);
	if (at - begin < 2 || at[-1] != '=' || strchr("=<>!+-*/|&^%", at[-2]))
		return none;
	s.end = skip_back(begin, at - 1);
	s.begin = expression_at(begin, s.end);
	return s;
}

static bool has(struct span word, const char *part)
{
	size_t n = strlen(part);
	const char *at;

	for (at = word.begin; at + n <= word.end; at++)
		if (strncasecmp(at, part, n) == 0)
			return true;
	return false;
}

static bool is_one(struct span word, const char *list)
{
	return wm_is_word(word.begin, (size_t)(word.end - word.begin), list);
}

/* Returns whether @word allocates its result.  @next is the character that
 * follows. */
static bool allocates(struct span word, char next)
{
	if (is_one(word, "new"))
		return true;
	return (next == '(' || next == '<') && !has(word, "dealloc") &&
	       (has(word, "alloc") || has(word, "memalign") ||
		is_one(word, "make_unique make_shared strdup strndup"));
}

/* Returns whether a method with the name @word enlarges its object. */
static bool grows(struct span word)
{
	return is_one(word, "resize reserve assign push_back emplace_back "
			    "insert append");
}

/* Returns the variable that a call sets: p in MPI_Alloc_mem(n, info, &p) or
 * posix_memalign((void **)&p, 64, n).  @open is the "(" of the call. */
static struct span pointed(const char *open, const char *end)
{
	const char *close = close_of(open, end), *at;
	struct span s = { end, end };

	for (at = open + 1; at < close; at++) {
		if (*at != '&' || at + 1 == close || at[-1] == '&' ||
		    (!is_word(at[1]) && at[1] != '(') ||
		    !strchr("(,)", skip_back(open, at)[-1]))
			continue;
		s.begin = s.end = at + 1;
		while (s.end < close && !strchr(",)\n", *s.end))
			s.end = strchr("([", *s.end) ? close_of(s.end, close) :
						       s.end + 1;
		break;
	}
	return s;
}

static bool starts(struct span word, const char *with)
{
	size_t n = strlen(with);

	return (size_t)(word.end - word.begin) > n &&
	       !strncmp(word.begin, with, n);
}

/* Returns the variable that gets the memory of the call or "new" at @word.  The
 * span is empty in doubt, as in p = pool_alloc(&pool). */
static struct span received(const char *begin, struct span word,
			    const char *next, const char *end)
{
	struct span to = assigned(begin, word.begin), at = { end, end };

	if (next < end && *next == '(')
		at = pointed(next, end);
	if (at.begin == at.end)
		return to;
	if (to.begin == to.end || starts(word, "posix_") ||
	    starts(word, "MPI_") || starts(word, "cuda") || starts(word, "hip"))
		return at;
	return (struct span){ end, end };
}

/* Returns the variable v of std::vector<double> v(n); @word is "vector". */
static struct span declared(struct span word, const char *end)
{
	const char *at = word.end < end && *word.end == '<' ?
				 skip(close_of(word.end, end), end) :
				 end;
	struct span s = { at, at };

	while (s.end < end && is_word(*s.end))
		s.end++;
	at = skip(s.end, end);
	if (at == end || !strchr("({=", *at))
		s.end = s.begin;
	return s;
}

static void read_word(const char *begin, struct span word, const char *end,
		      char *out)
{
	const char *next = skip(word.end, end), *at;
	struct span s = { word.begin, word.begin };

	if (is_one(word, "vector valarray")) {
		s = declared(word, end);
	} else if (grows(word) && next < end && *next == '(') {
		at = word.begin - begin > 1 &&
				     !strncmp(word.begin - 2, "->", 2) ?
			     word.begin - 2 :
		     word.begin > begin && word.begin[-1] == '.' ?
			     word.begin - 1 :
			     NULL;
		if (at) {
			s.end = at;
			s.begin = expression_at(begin, at);
		}
	} else if (allocates(word, next < end ? *next : 0)) {
		s = received(begin, word, next, end);
	}
	add_receiver(s, out);
}

static const char *statement_of(const char *text, const char *line)
{
	const char *at = line;

	while (at > text && line - at < FARTHEST && !strchr(";{}", at[-1]))
		at--;
	return at;
}

static void read_c(const char *text, struct span line, char *out)
{
	const char *begin = statement_of(text, line.begin), *at;
	struct span word;

	for (at = line.begin; at < line.end; at = word.end) {
		word = (struct span){ at, at + 1 };
		if (!is_word(*at)) {
			/* a comment */
			if (*at == '/' && at + 1 < line.end && at[1] == '/')
				return;
			continue;
		}
		while (word.end < line.end && is_word(*word.end))
			word.end++;
		read_word(begin, word, line.end, out);
	}
}

/* Removes "&" and comments.  In fixed form, column 6 can continue a line. */
static size_t join_lines(const char *line, const char *end, char *to,
			 size_t room)
{
	size_t n = 0, lines;
	bool more = true;
	char quote = 0;

	for (lines = 0; more && lines < LINES_BEHIND && line < end; lines++) {
		more = false;
		for (; line < end && *line != '\n'; line++) {
			if (!quote && *line == '!')
				break;
			if (*line == '\'' || *line == '"')
				quote = quote == *line ? 0 :
					quote	       ? quote :
							 *line;
			if (*line == '&')
				more = true;
			else if (n + 1 < room)
				to[n++] = *line;
			if (!isspace((unsigned char)*line) && *line != '&')
				more = false;
		}
		while (line < end && *line++ != '\n')
			;
		if (end - line > 6 && !strncmp(line, "     ", 5) &&
		    !isspace((unsigned char)line[5]) && line[5] != '0')
			more = true;
	}
	to[n] = 0;
	return n;
}

/* Adds the objects of allocate(u(n), grid%v(n, m), stat=i). */
static void read_objects(const char *open, const char *end, char *out)
{
	const char *at = open + 1, *name;
	struct span s;
	size_t depth = 0;

	for (name = at; at < end; at++) {
		if (*at == '(') {
			depth++;
		} else if (*at == ')' && depth) {
			depth--;
		} else if (!depth && at + 1 < end && !strncmp(at, "::", 2)) {
			name = at + 2;
		} else if (!depth && (*at == ',' || *at == ')')) {
			s.begin = skip(name, at);
			s.end = skip_back(s.begin, at);
			if (memchr(s.begin, '=', (size_t)(s.end - s.begin)))
				return;
			if (s.end > s.begin && s.end[-1] == ')')
				s.end = open_of(s.begin, s.end);
			if (!s.end || !add_receiver(s, out) || *at == ')')
				return;
			name = at + 1;
		}
	}
}

static void read_fortran(const char *line, const char *end, char *out)
{
	char text[4096];
	size_t n = join_lines(line, end, text, sizeof(text));
	const char *at, *open;

	for (at = text; (at = strcasestr(at, "allocate")); at++) {
		if (at > text && is_word(at[-1]))
			continue;
		open = skip(at + 8, text + n);
		if (*open == '(')
			read_objects(open, text + n, out);
	}
}

bool wm_receiver_at(const char *text, size_t size, const char *line,
		    bool fortran, char out[WM_RECEIVER_SIZE])
{
	const char *end = text + size;
	const char *stop = memchr(line, '\n', (size_t)(end - line));

	out[0] = 0;
	if (fortran)
		read_fortran(line, end, out);
	else
		read_c(text, (struct span){ line, stop ? stop : end }, out);
	return out[0] != 0;
}
