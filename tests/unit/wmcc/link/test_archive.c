/* SPDX-License-Identifier: Apache-2.0 */
/* wmcc/link/archive.c on archives made here: good, thin, cut off, damaged. */
#include "wmcc/link/archive.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit/tap.h"

static char dir[] = "/tmp/wmtest.XXXXXX";
static char path[64]; /* the archive */

struct text {
	char *p;
	size_t n, cap;
};

static void add(struct text *t, const void *p, size_t n)
{
	while (t->cap <= t->n + n) {
		t->cap = 2 * t->cap + 4096;
		t->p = realloc(t->p, t->cap);
		if (!t->p)
			abort();
	}
	memcpy(t->p + t->n, p, n);
	t->n += n;
}

/* Ends at an even byte, as each member does. */
static void add_member(struct text *t, const char *name, const void *p,
		       size_t n)
{
	char head[64];

	snprintf(head, sizeof(head), "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", name, 0,
		 0, 0, 0644u, n);
	add(t, head, 60);
	if (p)
		add(t, p, n);
	if (p && n % 2)
		add(t, "\n", 1);
}

static void write_file(const char *name, const void *p, size_t n)
{
	FILE *f = fopen(name, "w");

	if (!f || fwrite(p, 1, n, f) != n || fclose(f))
		abort();
}

static bool any(uint8_t *bytes, size_t size, const void *what)
{
	(void)bytes;
	(void)size;
	(void)what;
	return true;
}

static bool begins(uint8_t *bytes, size_t size, const void *what)
{
	return size >= strlen(what) && !memcmp(bytes, what, strlen(what));
}

/* Is @wanted (NULL: nothing) what member @name of the archive holds? */
static int holds(const char *name, const char *what, const char *wanted)
{
	char object[128];
	size_t size = 0;
	uint8_t *bytes;
	int good;

	snprintf(object, sizeof(object), "%s(%s)", path, name);
	bytes = wm_archive_load(object, what ? begins : any, what, &size);
	good = wanted ? bytes && size == strlen(wanted) &&
				!memcmp(bytes, wanted, size) :
			!bytes;
	free(bytes);
	return good;
}

static const char long_names[] =
	"a_name_of_more_than_16_bytes.o/\nwith (blanks) inside it, too.o/\n";

static struct text good_archive(void)
{
	struct text t = { 0 };

	add(&t, "!<arch>\n", 8);
	add_member(&t, "/", "\0\0\0\0", 4);
	add_member(&t, "//", long_names, sizeof(long_names) - 1);
	add_member(&t, "short.o/", "first", 5);
	add_member(&t, "/0", "long", 4);
	add_member(&t, "/32", "blanks", 6);
	add_member(&t, "twice.o/", "one of two", 10);
	add_member(&t, "empty.o/", "", 0);
	add_member(&t, "twice.o/", "second one", 10);
	return t;
}

static void test_good(void)
{
	struct text t = good_archive();
	size_t size = 0;
	uint8_t *bytes;
	char *file;

	write_file(path, t.p, t.n);
	ok(holds("short.o", NULL, "first"), "a short name");
	ok(holds("a_name_of_more_than_16_bytes.o", NULL, "long"),
	   "a name of the table");
	ok(holds("with (blanks) inside it, too.o", NULL, "blanks"),
	   "blanks and parentheses");
	ok(holds("empty.o", NULL, ""), "an empty member");
	ok(holds("twice.o", NULL, "one of two"), "two of one name: the first");
	ok(holds("twice.o", "second", "second one"),
	   "two of one name: the one that is looked for");
	ok(holds("twice.o", "third", NULL), "two of one name: neither");
	ok(holds("other.o", NULL, NULL), "a member that is not there");
	bytes = wm_archive_load(path, begins, "!<arch>", &size);
	ok(bytes && size == t.n && !memcmp(bytes, t.p, size),
	   "a file that is no member");
	free(bytes);
	ok(!wm_archive_load(path, begins, "no", &size),
	   "a file that is not looked for");
	ok(!wm_archive_load("/nonexistent(a.o)", any, NULL, &size) &&
		   !wm_archive_load("/dev/null(a.o)", any, NULL, &size),
	   "no file, no regular file");
	file = wm_archive_of("dir(1)/a.o");
	ok(!strcmp(file, "dir(1)/a.o"), "a folder with parentheses: '%s'",
	   file);
	free(file);
	file = wm_archive_of("a.a(b.o)");
	ok(!strcmp(file, "a.a"), "an archive that is gone: '%s'", file);
	free(file);
	free(t.p);
}

static void test_thin(void)
{
	struct text t = { 0 }, names = { 0 };
	char file[64], line[128];
	int n;

	snprintf(file, sizeof(file), "%s/absolute.o", dir);
	write_file(file, "by its path", 11);
	n = snprintf(line, sizeof(line), "%s/\nnear.o/\n", file);
	add(&names, line, (size_t)n);
	n -= 8;
	snprintf(file, sizeof(file), "%s/near.o", dir);
	write_file(file, "beside it", 9);
	add(&t, "!<thin>\n", 8);
	add_member(&t, "/", "\0\0\0\0", 4);
	add_member(&t, "//", names.p, names.n);
	add_member(&t, "/0", NULL, 11);
	snprintf(line, sizeof(line), "/%d", n);
	add_member(&t, line, NULL, 9);
	add_member(&t, "gone.o/", NULL, 9);
	write_file(path, t.p, t.n);
	ok(holds("absolute.o", NULL, "by its path"), "thin: a whole path");
	ok(holds("near.o", NULL, "beside it"), "thin: a file beside it");
	ok(holds("near.o", "no", NULL), "thin: not the one looked for");
	ok(holds("gone.o", NULL, NULL), "thin: a file that is gone");
	free(names.p);
	free(t.p);
}

/* Every prefix and each bit: an answer, and members before are as they were. */
static void test_damage(void)
{
	struct text t = good_archive();
	size_t i, before = 0, bad = 0, first = 8 + 64 + 60 + sizeof(long_names);

	first += sizeof(long_names) % 2 ? 0 : 1;
	for (i = 0; i <= t.n; i++) {
		write_file(path, t.p, i);
		before += !holds("short.o", NULL,
				 i >= first + 60 + 5 - 1 ? "first" : NULL);
		holds("twice.o", "second", "second one");
	}
	ok(before == 0, "cut off at any byte: %zu wrong answers", before);
	for (i = 0; i < 8 * t.n; i++) {
		t.p[i / 8] ^= (char)(1 << i % 8);
		write_file(path, t.p, t.n);
		holds("twice.o", "second", "second one");
		holds("a_name_of_more_than_16_bytes.o", NULL, "long");
		t.p[i / 8] ^= (char)(1 << i % 8);
	}
	write_file(path, t.p, t.n);
	bad += !holds("twice.o", "second", "second one");
	ok(bad == 0, "each bit: an answer");
	free(t.p);
}

/* A table of names without an end, which each of many members begins in. */
static void test_endless(void)
{
	struct text t = { 0 };
	size_t n = 4u << 20;
	char *table = malloc(n);
	clock_t start;
	double s;

	if (!table)
		abort();
	memset(table, 'x', n);
	add(&t, "!<arch>\n", 8);
	add_member(&t, "//", table, n);
	for (int i = 0; i < 20000; i++)
		add_member(&t, "/0", "", 0);
	write_file(path, t.p, t.n);
	start = clock();
	ok(holds("x.o", NULL, NULL), "names without an end are none");
	s = (double)(clock() - start) / CLOCKS_PER_SEC;
	ok(s < 5, "and do not take for ever: %.1f s", s);
	free(table);
	free(t.p);
}

int main(void)
{
	char cmd[64];

	tap_plan(21);
	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/lib.a", dir);
	test_good();
	test_thin();
	test_damage();
	test_endless();
	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	return system(cmd) != 0 || tap_done();
}
