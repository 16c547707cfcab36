/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of structures of which a loop wants a few members, or all. */
struct hot_cell {
	double x, y;
	char name[32];
	double mass;
	long id;
};

union hot_word {
	long number;
	char letter[8];
	struct {
		int low, high;
	} half;
};

struct hot_mixed {
	long first, second, never;
};

/* Hot members have lines of their own. */
struct hot_wide {
	long hot[8], cold[24];
};

static volatile struct hot_wide wide[10] __attribute__((aligned(64)));
static volatile struct hot_cell cells[100] __attribute__((aligned(64)));
static volatile union hot_word words[100];
static volatile struct hot_mixed mixed[100];
static volatile struct hot_cell one;

__attribute__((noinline)) static void move(int times)
{
	for (int k = 0; k < times; k++)
		for (int i = 0; i < 100; i++)
			cells[i].y = cells[i].x * cells[i].mass;
}

__attribute__((noinline)) static void label(void)
{
	for (int i = 0; i < 100; i++) {
		cells[i].id = i;
		one.id = i;
		one.id = i;
	}
}

__attribute__((noinline)) static void count(int times)
{
	for (int k = 0; k < times; k++)
		for (int i = 0; i < 100; i++)
			words[i].number = k;
}

/* Which members it are is not certain: all of them, one after the other. */
__attribute__((noinline)) static void clear(void)
{
	volatile long *p = &mixed[0].first;

	for (int i = 0; i < 300; i++)
		p[i] = 0;
}

__attribute__((noinline)) static void add(int times)
{
	for (int k = 0; k < times; k++)
		for (int i = 0; i < 100; i++)
			mixed[i].second = k;
}

__attribute__((noinline)) static void fill(void)
{
	for (int k = 0; k < 80; k++)
		for (int i = 0; i < 10; i++)
			wide[i].hot[3] = k;
}

int main(void)
{
	fill();
	move(30);
	label();
	count(30);
	clear();
	add(30);
	return 0;
}
