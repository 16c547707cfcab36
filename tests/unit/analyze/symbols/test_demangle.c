/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions as compilers write them. */
#include "analyze/symbols/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/random.h"
#include "tests/unit/tap.h"

static void reads(const char *linkage, const char *want)
{
	char *name = wm_demangle(linkage, NULL);

	ok(!strcmp(name ? name : linkage, want), "%s: %s", linkage,
	   name ? name : "as it is");
	free(name);
}

static void check_fortran(void)
{
	reads("__solver_MOD_assemble", "solver::assemble"); /* gfortran */
	reads("_QMsolverPassemble", "solver::assemble"); /* flang */
	reads("_QMsolverSfineFassemblePinner_2",
	      "solver::fine::assemble::inner_2");
	reads("_QFassemblePinner", "assemble::inner");
	reads("_QMsolverEu", "solver::u");
	reads("_QMsolverECmax_n", "solver::max_n");
	reads("_QQmain", "MAIN__");
	reads("solver_mp_assemble_", "solver::assemble"); /* ifort, ifx */
	reads("solver_mp_assemble_.A", "solver::assemble");
	reads("assemble$solver_", "solver::assemble"); /* Cray */
	/* nvfortran's solver_assemble_ may be a procedure without a module */
	reads("solver_assemble_", "solver_assemble_");
	/* no names of Fortran */
	reads("gmp_mp_init", "gmp_mp_init");
	reads("_QMSolver", "_QMSolver");
	reads("_Quit", "_Quit");
	reads("a$b", "a$b");
	reads("_mp_", "_mp_");
	reads("X_mp_init_", "X_mp_init_");
}

static void check_others(void)
{
	reads("_ZN6solver8assemble17h0123456789abcdefE", "solver::assemble");
	reads("_ZN6solver3h12E", "solver::h12");
	reads("_RNvNtCs1234_6solver4mesh8assemble", "solver::mesh::assemble");
	reads("_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>");
	reads("_RNvMCs4fqI2P2rA04_13const_genericINtB2_3FooKhb_E4show",
	      "<const_generic::Foo<11>>::show");
	reads("_RNCNvC4main1f0B3_", "main::f::{closure#0}");
	reads("_RNvXs_C1aNtB4_1TNtB4_1F1f", "<a::T as a::F>::f");
	reads("_D6solver8assembleFZv", "solver.assemble");
	reads("_Dmain", "D main");
	reads("_Delay", "_Delay");
	reads("_RUN", "_RUN");
	reads("_D9solver", "_D9solver");
}

/* Names that no compiler made: the sanitizers of t8100 look on. */
static void check_odd(void)
{
	static const char alphabet[] = "NvCtMXYIEB_s0123aPRTFDGUKLp4z";
	char name[48] = "_R";
	size_t n, round, read = 0;

	for (round = 0; round < 200000; round++) {
		n = round % 45;
		odd_text(name + 2, n, alphabet);
		name[2 + n] = 0;
		char *s = wm_demangle_rust(name);

		read += s != NULL;
		free(s);
	}
	ok(read < round, "%zu odd names, %zu of which can be read", round,
	   read);
}

int main(void)
{
	tap_plan(30);
	check_fortran();
	check_others();
	check_odd();
	return tap_done();
}
