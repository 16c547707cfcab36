/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls each function of wm/block_list.h that the C library declares, and
 * prints first which block accesses that makes, in order, one a line: r or w,
 * address, bytes.  Used by t3430.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char a[1000], b[1000], s[100], t[100], u[100];
static volatile size_t got;
static char *volatile copy;
/* what the compiler does not know, it cannot do in line */
static volatile size_t n700 = 700, n20 = 20, n3 = 3, n0 = 0;

struct big {
	char bytes[5000];
};
static struct big one, two;
void copy_big(struct big *to, const struct big *from);
void clear_big(struct big *to);

static void line(char kind, const void *p, size_t bytes)
{
	printf("%c %lx %zu\n", kind, (unsigned long)p, bytes);
}

static void both(const void *from, size_t read, const void *to, size_t written)
{
	line('r', from, read);
	line('w', to, written);
}

static void pair(const void *p, const void *q, size_t bytes)
{
	line('r', p, bytes);
	line('r', q, bytes);
}

static void state(void)
{
	both(a, 700, b, 700); /* memcpy */
	both(a, 700, a + 3, 700); /* memmove */
	both(a, 20, b, 20); /* mempcpy */
	line('w', a, 700); /* memset */
#ifdef CONSTANT
	line('w', b, 24);
	both(b, 24, u, 24);
#endif
	pair(a, b, 1); /* memcmp: they differ at once */
	line('r', a, 20); /* memchr: not there */
	line('r', s, 6); /* strlen("hello") */
	line('r', s, 3); /* strnlen */
	line('r', s, 6); /* strnlen */
	both(s, 6, t, 6); /* strcpy */
	both(s, 6, u, 6); /* stpcpy */
	both(s, 6, t, 20); /* strncpy */
	both(s, 3, u, 3);
	line('r', t, 6); /* strcat */
	both(s, 6, t + 5, 6);
	line('r', t, 11); /* strncat */
	both(s, 3, t + 10, 4);
	line('r', t, 14);
	both(s, 6, t + 13, 6);
	pair(s, t, 6); /* strcmp("hello", "hellohello...") */
	pair(s, t, 3); /* strncmp */
	line('r', s, 3); /* strchr 'l' */
	line('r', s, 6); /* strchr: not there */
	line('r', s, 6); /* strrchr */
	line('r', s, 6); /* strdup */
	fflush(stdout);
}

static void work(void)
{
	memcpy(b, a, n700);
	memmove(a + 3, a, n700);
	got += (size_t)mempcpy(b, a, n20);
	memset(a, 'x', n700);
#ifdef CONSTANT
	memset(b, 'y', 24);
	memcpy(u, b, 24);
#else
	b[0] = 'y';
#endif
	got += (size_t)memcmp(a, b, n700);
	got += (size_t)memchr(a, 'q', n20);
	memcpy(a, b, n0);
	got += strlen(s);
	got += strnlen(s, n3);
	got += strnlen(s, n20);
	strcpy(t, s);
	got += (size_t)stpcpy(u, s);
	strncpy(t, s, n20);
	strncpy(u, s, n3);
	strcat(t, s);
	strncat(t, s, n3);
	strncat(t, s, n20);
	got += (size_t)strcmp(s, t);
	got += (size_t)strncmp(s, t, n3);
	got += (size_t)strchr(s, 'l' + (int)n0);
	got += (size_t)strchr(s, 'z' + (int)n0);
	got += (size_t)strrchr(s, 'l' + (int)n0);
	copy = strdup(s);
	free(copy);
}

/* gcc tells of these as ranges, and calls memcpy() and memset(); clang calls
 * them. */
__attribute__((noinline)) void copy_big(struct big *to, const struct big *from)
{
	*to = *from;
}

__attribute__((noinline)) void clear_big(struct big *to)
{
	*to = (struct big){ 0 };
}

int main(int argc, char **argv)
{
	s[0] = 'h';
	s[1] = 'e';
	s[2] = s[3] = 'l';
	s[4] = 'o';
	if (argc > 1) {
		printf("%lx %lx\n", (unsigned long)&one, (unsigned long)&two);
		fflush(stdout);
		copy_big(&two, &one);
		clear_big(&one);
		return argv[1][0] == 0;
	}
	state();
	work();
	return 0;
}
