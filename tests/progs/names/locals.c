/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Local variables, in their own functions and through pointers, in recursion,
 * after a longjmp, below functions without hooks: t5325.  Before each access it
 * stores its number into mark[number], and prints what comes then.  Allocates
 * nothing of its own.
 */
#include <setjmp.h>
#include <stdio.h>

struct part {
	int x, y;
	double w[3];
};

#define MOST 4096

char mark[MOST];
static int step;
static const char *want[MOST];
static jmp_buf out;

/* The program's own list is none of what is asked. */
static void expect(const char *text)
{
	want[step] = text;
	mark[step] = 1;
	step++;
}

/* Where the compiler sees what is accessed, it need not call a hook. */
#if defined(__clang__) || defined(__OPTIMIZE__)
#define TOUCH(function, x, ...) (__VA_ARGS__)
#else
#define TOUCH(function, x, ...)                                                \
	do {                                                                   \
		expect("L " #function " " #x);                                 \
		__VA_ARGS__;                                                   \
	} while (0)
#endif

/* Escapes: the compiler leaves it in memory, and hooks it. */
static void *volatile sink;
#define KEEP(x) (sink = (void *)&(x))

static __attribute__((noinline)) void fill(int *p, const char *text)
{
	expect(text);
	*p = 1;
}

static __attribute__((noinline)) void parameters(int f_loc, struct part s)
{
	KEEP(f_loc);
	KEEP(s);
	TOUCH(parameters, f_loc, f_loc += 2);
	fill(&f_loc, "L parameters f_loc");
	(void)s.x;
}

static __attribute__((noinline)) void down(int n)
{
	int here[4];

	KEEP(here);
	if (n)
		down(n - 1);
	/* after the inner ones have ended */
	fill(&here[n], n == 0 ? "L down here[0]" :
		       n == 1 ? "L down here[1]" :
		       n == 2 ? "L down here[2]" :
				"L down here[3]");
}

static __attribute__((noinline)) void jump(int n)
{
	int deep[2];

	KEEP(deep);
	fill(&deep[1], "L jump deep[1]");
	if (!n)
		longjmp(out, 1);
	jump(n - 1);
	sink = deep;
}

/* Leaves a frame where outside() has memory of its own. */
static __attribute__((noinline)) void stale(void)
{
	int old[100];

	KEEP(old);
	for (int i = 0; i < 100; i++)
		fill(&old[i], NULL);
}

/* Without hooks: its frame is not in the trace. */
__attribute__((noinline, no_sanitize("thread"))) static void
outside(void (*call)(int *, const char *))
{
	int own[100];

	for (int i = 0; i < 100; i++)
		call(&own[i], NULL);
}

int main(void)
{
	int Arr[10];
	struct part q[2];
	int list[60];
	struct part s = { 1, 2, { 3, 4, 5 } };

	KEEP(Arr);
	KEEP(q);
	KEEP(list);
	KEEP(s);
	TOUCH(main, Arr[5], Arr[5] = 3);
	fill(&Arr[7], "L main Arr[7]");
	fill(&q[1].y, "L main q[1].y");
	TOUCH(main, q[1].w[2], q[1].w[2] = 1);
	parameters(3, s);
	down(3);
	fill(&Arr[2], "L main Arr[2]");
	if (!setjmp(out))
		jump(4);
	fill(&Arr[3], "L main Arr[3]");
	for (int i = 0; i < 60; i++)
		list[i] = (i * 7919) % 61;
	stale();
	outside(fill);
	fill(&list[59], "L main list[59]");
	for (int i = 0; i < step; i++)
		if (want[i])
			printf("G mark[%d]\n%s\n", i, want[i]);
	return 0;
}
