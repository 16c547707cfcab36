/* SPDX-License-Identifier: Apache-2.0 */
/* The variable that receives the memory that a line of source allocates. */
#include "wmcc/census/receivers.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/random.h"
#include "tests/unit/tap.h"

/* The line of @text that has "@" at its end, which is not a part of it. */
static void gives(const char *text, bool fortran, const char *want)
{
	char *copy = strdup(text), *mark, *line, out[WM_RECEIVER_SIZE];

	if (!copy)
		abort();
	mark = strchr(copy, '@');
	line = mark ? mark : copy;
	if (mark)
		*mark = ' ';
	while (line > copy && line[-1] != '\n')
		line--;
	wm_receiver_at(copy, strlen(copy), line, fortran, out);
	ok(!strcmp(out, want), "%.*s: '%s'", (int)strcspn(text, "\n"), text,
	   out);
	free(copy);
}

static void c(const char *text, const char *want)
{
	gives(text, false, want);
}

static void f(const char *text, const char *want)
{
	gives(text, true, want);
}

static void check_c(void)
{
	c("double *r = new double[n];", "r");
	c("  A->list_of_vals = new double[9 * n];", "A->list_of_vals");
	c("x = (double *)malloc(n * sizeof(double));", "x");
	c("p = static_cast<double *>(std::malloc(n));", "p");
	c("m.rows[i]->u = calloc(n, 8);", "m.rows[i]->u");
	c("(*out)->v = xmalloc(n);", "(*out)->v");
	c("*buffer = malloc(n);", "buffer");
	c("if (!(p = malloc(n)))", "p");
	c("if ((p = realloc(p, n)) == NULL)", "p");
	c("a = malloc(1); b = malloc(2);", "a, b");
	c("mesh->cells =\n\tnew Cell[n];@", "mesh->cells");
	c("int i = 3;\nreturn malloc(n);@", "");
	c("posix_memalign((void **)&grid->u, 64, n);", "grid->u");
	c("rc = posix_memalign(&q, 64, n);", "q");
	c("err = MPI_Alloc_mem(n, MPI_INFO_NULL, &win[i].base);",
	  "win[i].base");
	c("p = pool_alloc(&pool, n);", "");
	c("f(malloc(3));", "");
	c("x = f(malloc(3));", "");
	c("x = g(y) + malloc(3)", "");
	c("y == malloc(3)", "");
	c("free(p); dealloc(p);", "");
	c("// a = malloc(3)", "");
	c("std::vector<double> v(n);", "v");
	c("std::vector<std::pair<int, int> > w(n, x);", "w");
	c("  mesh.cells.push_back(c);", "mesh.cells");
	c("s->list.resize(n);", "s->list");
	c("this->x_ = alloc_.allocate(n);", "this->x_");
	c("auto t = std::make_unique<T[]>(n);", "t");
	c("table[key] = strdup(name);", "table[key]");
	c("newer = older;", "");
	c("a_name_that_is_much_too_long_for_a_table_of_any_width_whatsoever = "
	  "malloc(3);",
	  "");
	c("=malloc(", "");
	c(")=malloc(", "");
	c("new", "");
	c("posix_memalign(", "");
	c("vector<", "");
}

static void check_fortran(void)
{
	f("allocate(u(n,m))", "u");
	f("  ALLOCATE ( u(0:n), v(n), stat = ierr )", "u, v");
	f("allocate(grid%cell(i)%u(n))", "grid%cell(i)%u");
	f("allocate(real(8) :: w(n))", "w");
	f("if (.not. allocated(u)) allocate(u(n))", "u");
	f("allocate(p, source=q)", "p");
	f("allocate(a(n), & ! one\n  & b(n))", "a, b");
	f("      allocate(a(n),\n     &  b(n))", "a, b");
	f("deallocate(u)", "");
	f("x = allocated(u)", "");
	f("allocate(", "");
	f("allocate(u", "");
	f("! allocate(u(n))", "");
}

/* Text that no compiler takes. */
static void check_odd(void)
{
	static const char alphabet[] = "a=()[]<>-.*&,: \n;new mallocvector(";
	char text[64], out[WM_RECEIVER_SIZE];
	size_t i, round, n, found = 0;

	for (round = 0; round < 200000; round++) {
		n = round % sizeof(text);
		odd_text(text, n, alphabet);
		char *exact = malloc(n + 1); /* for the sanitizers */

		if (!exact)
			abort();
		memcpy(exact, text, n);
		for (i = 0; n && i < 2; i++)
			found += wm_receiver_at(exact, n, exact, i, out);
		free(exact);
	}
	ok(found < 2 * round, "%zu odd texts", round);
}

int main(void)
{
	tap_plan(50);
	check_c();
	check_fortran();
	check_odd();
	return tap_done();
}
