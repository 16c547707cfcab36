/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Static variables of all kinds: t5310.  Prints where their members and
 * elements lie and what they are called.  Allocates nothing.
 */
#define _GNU_SOURCE
#include <complex.h>
#include <stddef.h>

#include "say.h"

struct vec {
	double x, y, z;
};

typedef struct cell {
	const struct vec pos;
	volatile int id;
	struct {
		short low, high;
	};
	union {
		int whole;
		float real;
		unsigned char byte[4];
	} u;
	struct cell *next;
} cell;

typedef double row[7];

static int Arr[10];
struct {
	int Ab, Ba;
} myG;
row grid[5];
int cube[2][3][4];
static cell cells[20];
static volatile double scalar = 1;
const char *text = "abc";
_Bool flag;
enum color { RED, GREEN } colour;
double complex wave;
static struct {
	unsigned a : 3;
	unsigned b : 9;
	int plain;
	unsigned c : 5;
} bits;
union either {
	double d;
	struct {
		int first, second;
	} two;
} either;
struct {
	int count;
	char data[];
} tail = { 3, "abcdef" };
_Thread_local int mine = 4;
_Thread_local struct vec my_vec[3];
int (*function)(void);
int one[1];

static __attribute__((noinline)) void inner(void)
{
	static int calls;
	static struct vec last;

	calls++;
	last.y = calls;
	SAY_AS(calls, "inner::calls");
	SAY_AS(last.y, "inner::last.y");
	{
		static int deep[3];

		deep[calls] = 1;
		SAY_AS(deep[2], "inner::deep[2]");
	}
}

int main(void)
{
	inner();
	SAY(Arr[0]);
	SAY(Arr[9]);
	SAY(Arr);
	SAY(myG.Ab);
	SAY(myG.Ba);
	SAY(myG);
	SAY(grid[0][0]);
	SAY(grid[3][6]);
	SAY(cube[1][2][3]);
	SAY(cells[12].pos.x);
	SAY(cells[19].pos.z);
	SAY(cells[7].id);
	SAY(cells[7].high);
	SAY(cells[3].next);
	SAY(cells[3]);
	SAY(cells[3].pos);
	SAY(scalar);
	SAY(text);
	SAY(flag);
	SAY(colour);
	SAY(wave);
	SAY(bits.plain);
	say((char *)&bits + 8, 4, "bits.c");
	say(&bits, 4, "bits.{a,b}");
	SAY(tail.count);
	SAY(tail.data[5]);
	SAY(function);
	SAY(one[0]);
	SAY_AS(cells[4].u.whole, "cells[4].u.whole (union)");
	SAY_AS(cells[4].u.real, "cells[4].u.whole (union)");
	SAY_AS(either.two.second, "either.d+4 (union)");
	say_own(&mine, sizeof(mine), "mine");
	say_own(&my_vec[2].y, sizeof(double), "my_vec[2].y");

	/* more than one member or element at once */
	say(&Arr[4], 16, "Arr[4..7]");
	say(&grid[2][4], 16, "grid[2][4..5]");
	say(&cells[5].pos.y, 16, "cells[5].pos+8");
	say((char *)&scalar + 2, 1, "scalar+2");
	/* many accesses */
	say_many(&Arr[0], &Arr[9], 4, 4, "Arr[]");
	say_many(&cells[1].pos.y, &cells[17].pos.y, 8, 2 * sizeof(cell),
		 "cells[].pos.y");
	say_many(&cells[0].id, &cells[19].pos.x, 4, 4, "cells[]");
	say_many(&cells[9].pos.x, &cells[9].pos.z, 8, 8, "cells[9].pos");
	say_many(&grid[0][3], &grid[4][3], 8, sizeof(row), "grid[][3]");
	say_many(&grid[3][0], &grid[3][6], 8, 8, "grid[3][]");
	say_many(&grid[0][0], &grid[4][6], 8, 8, "grid[][]");
	say_many(&cube[0][1][2], &cube[1][1][2], 4, sizeof(cube[0]),
		 "cube[][1][2]");
	say_many(&grid[0][0], &grid[4][6], 16, 16, "grid[]");
	return 0;
}
