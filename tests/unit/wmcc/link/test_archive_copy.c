/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wm_archive_copy(): order, names and members of one name stay; the index leads
 * to the same members; archives that are cut off or damaged give an answer.
 */
#include "wmcc/link/archive_copy.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/tap.h"
#include "wmcc/link/archive.h"

static char dir[] = "/tmp/wmtest.XXXXXX";
static char path[64], copy[64];

struct text {
	char p[4096];
	size_t n;
};

static void add(struct text *t, const void *p, size_t n)
{
	if (t->n + n > sizeof(t->p))
		abort();
	memcpy(t->p + t->n, p, n);
	t->n += n;
}

/* Returns where its header is. */
static size_t add_member(struct text *t, const char *name, const char *p,
			 size_t n, int inside)
{
	size_t at = t->n;
	char head[64];

	snprintf(head, sizeof(head), "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", name, 0,
		 0, 0, 0644u, n);
	add(t, head, 60);
	if (inside)
		add(t, p, n);
	if (inside && n % 2)
		add(t, "\n", 1);
	return at;
}

static void set_number(char *p, size_t v)
{
	for (size_t i = 0; i < 4; i++)
		p[i] = (char)(v >> (24 - 8 * i));
}

static size_t get_number(const char *p)
{
	size_t v = 0;

	for (size_t i = 0; i < 4; i++)
		v = v << 8 | (uint8_t)p[i];
	return v;
}

static void write_file(const char *name, const void *p, size_t n)
{
	FILE *f = fopen(name, "w");

	if (!f || fwrite(p, 1, n, f) != n || fclose(f))
		abort();
}

static struct text read_copy(void)
{
	struct text t = { .n = 0 };
	FILE *f = fopen(copy, "r");

	if (f) {
		t.n = fread(t.p, 1, sizeof(t.p), f);
		fclose(f);
	}
	return t;
}

static const char names[] = "a_name_of_more_than_16_bytes.o/\nsub/x.o/\n";

/* Symbols one, two, three: of members first.o, the second twice.o, long. */
static struct text good_archive(void)
{
	static const char index[] = "\0\0\0\3............one\0two\0three";
	struct text t = { .n = 0 };
	size_t start, at[3];

	add(&t, "!<arch>\n", 8);
	start = add_member(&t, "/", index, sizeof(index), 1) + 60 + 4;
	add_member(&t, "//", names, sizeof(names) - 1, 1);
	at[0] = add_member(&t, "first.o/", "first", 5, 1);
	add_member(&t, "twice.o/", "1 of two", 8, 1);
	at[1] = add_member(&t, "twice.o/", "2 of two", 8, 1);
	add_member(&t, "empty.o/", "", 0, 1);
	at[2] = add_member(&t, "/0", "long", 4, 1);
	for (size_t i = 0; i < 3; i++)
		set_number(t.p + start + 4 * i, at[i]);
	return t;
}

/* A member that holds @context becomes longer, and of an odd size. */
static uint8_t *choose(const struct wm_member *m, size_t *size, void *context)
{
	static const char longer[] = "something much longer";
	const char *what = context;

	if (!what || m->size != strlen(what) || memcmp(m->bytes, what, m->size))
		return NULL;
	*size = sizeof(longer) - 1;
	return (uint8_t *)strdup(longer);
}

static long copy_of(const char *file, const char *what)
{
	return wm_archive_copy(file, copy, choose, NULL,
			       (void *)(uintptr_t)what);
}

/* The bytes behind the header to which symbol number @i leads. */
static const char *symbol_leads_to(const struct text *t, size_t i)
{
	size_t at = get_number(t->p + 8 + 60 + 4 + 4 * i);

	return at + 60 < t->n ? t->p + at + 60 : "";
}

static int has(const char *at, const char *what)
{
	return !strncmp(at, what, strlen(what));
}

static void test_good(void)
{
	struct text t = good_archive(), c;

	write_file(path, t.p, t.n);
	ok(copy_of(path, NULL) == 0 && access(copy, F_OK),
	   "nothing is replaced: no copy");
	ok(copy_of(path, "first") == 1, "the first one is replaced");
	c = read_copy();
	ok(has(symbol_leads_to(&c, 0), "something much longer\n"),
	   "its symbol leads to it, its odd size is made even");
	ok(has(symbol_leads_to(&c, 1), "2 of two") &&
		   has(symbol_leads_to(&c, 2), "long"),
	   "the others to theirs");
	ok(c.n == t.n + 16, "nothing else has changed its size: %zu", c.n);
	ok(copy_of(path, "first") == -1, "a file is not written over");
	unlink(copy);
	ok(copy_of(path, "2 of two") == 1, "one of two of a name is replaced");
	c = read_copy();
	ok(has(symbol_leads_to(&c, 1), "something") &&
		   has(symbol_leads_to(&c, 0), "first") &&
		   memmem(c.p, c.n, "1 of two", 8),
	   "and not the other");
	unlink(copy);
}

static void test_thin(void)
{
	struct text t = { .n = 0 }, c;
	char file[80];

	snprintf(file, sizeof(file), "%s/sub", dir);
	mkdir(file, 0700);
	snprintf(file, sizeof(file), "%s/sub/x.o", dir);
	write_file(file, "thin", 4);
	add(&t, "!<thin>\n", 8);
	add_member(&t, "//", names, sizeof(names) - 1, 1);
	add_member(&t, "/32", NULL, 4, 0);
	add_member(&t, "/32", NULL, 4, 0);
	write_file(path, t.p, t.n);
	ok(copy_of(path, "thin") == 2, "members of a thin archive");
	c = read_copy();
	ok(has(c.p, "!<arch>\n") && memmem(c.p, c.n, "something", 9),
	   "become a whole one");
	unlink(copy);
	unlink(file);
	ok(copy_of(path, "thin") == -1, "a file that is gone: none");
	*strrchr(file, '/') = 0;
	rmdir(file);
}

static void test_odd(void)
{
	struct text t = { .n = 0 };

	add(&t, "!<arch>\n", 8);
	add_member(&t, "#1/4", "bsd.first", 9, 1);
	write_file(path, t.p, t.n);
	ok(copy_of(path, "bsd.first") == -1, "long names of BSD: none");
	write_file(path, "first", 5);
	ok(copy_of(path, "first") == -1, "no archive: none");
	ok(copy_of("/nonexistent", "first") == -1, "no file: none");
}

/* Each prefix and each bit: an answer, and a good one for what is whole. */
static void test_damage(void)
{
	struct text t = good_archive();
	size_t cut = 0, answers = 0;

	for (size_t i = 0; i < t.n; i++) {
		write_file(path, t.p, i);
		cut += copy_of(path, "2 of two") > 0;
		unlink(copy);
	}
	/* without the members behind it, where the index asks for none */
	ok(cut == 0, "cut off at any byte: no copy (%zu)", cut);
	for (size_t i = 0; i < 8 * t.n; i++) {
		t.p[i / 8] ^= (char)(1 << i % 8);
		write_file(path, t.p, t.n);
		answers += copy_of(path, "2 of two") <= 1;
		unlink(copy);
		t.p[i / 8] ^= (char)(1 << i % 8);
	}
	ok(answers == 8 * t.n, "each bit: an answer");
}

int main(void)
{
	tap_plan(16);
	if (!mkdtemp(dir))
		abort();
	snprintf(path, sizeof(path), "%s/lib.a", dir);
	snprintf(copy, sizeof(copy), "%s/copy.a", dir);
	test_good();
	test_thin();
	test_odd();
	test_damage();
	unlink(path);
	rmdir(dir);
	return tap_done();
}
