/* SPDX-License-Identifier: Apache-2.0 */
/* Long names in text reports. */
#include "analyze/lib/base/shorten.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/random.h"
#include "tests/unit/tap.h"

static void read_as(const char *name, size_t columns, const char *want)
{
	char *out = malloc(columns + 1);

	if (!out)
		abort();
	ok(!strcmp(wm_shorten(name, columns, out), want), "%s", out);
	free(out);
}

static void bare(const char *name, const char *want)
{
	size_t from = strlen(name), size = 0;
	char out[200];

	wm_parameters(name, &from, &size);
	snprintf(out, sizeof(out), "%.*s%s", (int)from, name,
		 name + from + size);
	ok(!strcmp(out, want), "without parameters: %s", out);
}

static void check_parameters(void)
{
	bare("main", "main");
	bare("f(int, char (*)(long))", "f");
	bare("A::at(int) const  a.cpp:12", "A::at  a.cpp:12");
	bare("(anonymous namespace)::g()", "(anonymous namespace)::g");
	bare("A::operator()(int)", "A::operator()");
	bare("A::operator+(A const&)", "A::operator+");
	bare("main::{lambda(int)#1}::operator()(int) const",
	     "main::{lambda(int)#1}::operator()");
	bare("void s<int (*)(int)>(int (*)(int))", "void s<int (*)(int)>");
	bare("A::f(int)::{lambda()#1}", "A::f(int)::{lambda()#1}");
	bare("libm.a(e_exp.o)", "libm.a(e_exp.o)");
	bare("[x](https://example.org)", "[x](https://example.org)");
	bare("f(char const*, ...)", "f");
	bare("m::u(:,1)", "m::u(:,1)");
	bare("?? (app+0x12)", "?? (app+0x12)");
	bare("grab(int) < main(int)", "grab < main(int)");
}

/* Names that no compiler made: never more than asked for. */
static void check_odd(void)
{
	static const char alphabet[] = "a<>(){}[]:- ,operator";
	char name[64], out[17];
	unsigned bad = 0;
	size_t n, round, from, size;

	for (round = 0; round < 200000; round++) {
		n = round % sizeof(name);
		odd_text(name, n, alphabet);
		name[n] = 0;
		bad += strlen(wm_shorten(name, 16, out)) > 16;
		bad += wm_parameters(name, &from, &size) && from + size > n;
	}
	ok(!bad, "200000 odd names keep their column");
}

int main(void)
{
	static char huge[20000];

	tap_plan(53);
	check_parameters();
	read_as("main", 8, "main");
	read_as("exactly_", 8, "exactly_");
	read_as("Mesh::refine(int, double)", 25, "Mesh::refine(int, double)");
	read_as("Mesh::refine(int, double)", 24, "Mesh::refine(...)");
	read_as("Mesh::at(int, double) const", 24, "Mesh::at(...) const");
	read_as("Mesh<int, 3>::refine(int, double)", 26,
		"Mesh<int, 3>::refine(...)");
	read_as("Mesh<int, 3>::refine(int, double)", 24,
		"Mesh<...>::refine(...)");
	read_as("fill()", 60, "fill()");
	read_as("box<int, long>::fill()", 16, "box<...>::fill()");
	read_as("void f<std::map<int, (1>2)>, int (*)(char)>(int (*)(char))",
		20, "void f<...>(...)");
	/* operators */
	read_as("bool operator< <int, long>(box<int> const&, box<int> const&)",
		30, "bool operator< <...>(...)");
	read_as("bool ns::operator<(box<int> const&, box<int> const&)", 30,
		"bool ns::operator<(...)");
	read_as("std::ostream& operator<< <char>(std::ostream&, char)", 40,
		"std::ostream& operator<< <char>(...)");
	read_as("std::ostream& operator<< <char>(std::ostream&, char)", 35,
		"std::ostream& operator<< <...>(...)");
	read_as("box<int>::operator()(int, long, double) const", 31,
		"box<int>::operator()(...) const");
	read_as("box<int, long>::operator()(int) const", 31,
		"box<...>::operator()(int) const");
	read_as("f<(a<b), (c>>d), (e->g), x<y<(1<2)> > >::h(int)", 16,
		"f<...>::h(int)");
	read_as("box<&(a::operator<(int))>::operator->() const", 28,
		"box<...>::operator->() const");
	read_as("box<int, long>::operator<=>(box<int> const&) const", 32,
		"box<...>::operator<=>(...) const");
	read_as("box<int, long>::operator>>=(int)", 26,
		"box<...>::operator>>=(int)");
	read_as("my_operator<int, long, char, short>(int)", 24,
		"my_operator<...>(int)");
	/* brackets that are no lists */
	read_as("(stack of the main thread)", 22, "(stack... main thread)");
	read_as("(anonymous namespace)::grid::resize(int, int)", 40,
		"(anonymous namespace)::grid::resize(...)");
	read_as("main(int, char**)::{lambda(int, int)#1}::operator()(int) const",
		55, "main(...)::{lambda(...)#1}::operator()(int) const");
	read_as("void (*choose<int, long>(int, char))(double)", 32,
		"void (*choose<...>(...))(...)");
	/* the last resort */
	read_as("abcdefghijklmnopqrstuvwxyz", 12, "abc...uvwxyz");
	read_as("space::very_long_name<int, long>::other(int)", 24,
		"space::...::other(int)");
	/* variables of one module can be told apart */
	read_as("ocean_circulation_fields::velocity_component_north", 31,
		"...::velocity_component_north");
	read_as("ocean_circulation_fields::velocity_component_north", 24,
		"velocity_component_north");
	read_as("ocean_circulation_fields::velocity_north(:)  fields.f90:3", 34,
		"velocity_north(:)  fields.f90:3");
	read_as("ocean_circulation_fields::velocity_component_up  fields.f90:3",
		31, "velo...mponent_up  fields.f90:3");
	read_as("outer::middle::inner::name", 18, "outer::...::name");
	/* characters and \xHH are whole, or away */
	read_as("ab\xc3\xa4"
		"cdefghijklmnopq\xc3\xa4rstuv",
		12, "ab...rstuv");
	read_as("a\\x1bbcdefghijklmnopqr\\x07st", 12, "a...\\x07st");
	read_as("a\\x1bbcdefghijklmnopqrs\\x07tuv", 12, "a...tuv");
	memset(huge, 'x', sizeof(huge) - 1);
	read_as(huge, 10, "xx...xxxxx");
	memcpy(huge, "f<", 2);
	memcpy(huge + sizeof(huge) - 3, ">", 2);
	read_as(huge, 10, "f<...>");
	check_odd();
	return tap_done();
}
