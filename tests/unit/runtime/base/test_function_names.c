/* SPDX-License-Identifier: Apache-2.0 */
/* Which symbols are the function that a user means. */
#include "runtime/base/function_names.h"

#include <string.h>

#include "tests/unit/tap.h"

static void means(const char *symbol, const char *list, uint64_t wanted)
{
	ok(wm_function_patterns(symbol, list) == wanted, "%s of %.60s: %d",
	   list, symbol, (int)wanted);
}

int main(void)
{
	char name[2000];

	tap_plan(51);

	means("solve", "solve", 1);
	means("solve", "solv", 0);
	means("solve", "solver", 0);
	means("solve", "x,solve,s*", 6);
	means("solve", "", 0);
	means("solve", ",,solve", 4);
	means("solve", "*", 1);
	means("solve", "**e", 1);
	means("solve", "?olve", 1);
	means("solve", "s*v*x", 0);
	means("spmv_row", "s*v*ow", 1);
	means("", "*", 1);
	means("", "?", 0);
	/* parts that a compiler makes */
	means("solve._omp_fn.0", "solve", 1);
	means("solve.constprop.0.cold", "solve", 1);
	means(".hidden", "hidden", 0);
	means("solve.part", "solve.*", 1);
	/* Fortran */
	means("solve_", "solve", 1);
	means("solve_", "solve_", 1);
	means("solve__", "solve", 0);
	means("_", "", 0);
	means("__mesh_MOD_solve", "solve", 1);
	means("__mesh_MOD_solve", "mesh::solve,mesh::*", 3);
	means("__mesh_MOD_solve._omp_fn.1", "solve", 1);
	means("mesh_MOD_solve", "solve", 0);
	/* C++ */
	means("_Z4spmvPdi", "spmv", 1);
	means("_Z4spmv5Timer", "spmv", 1);
	means("_Z4spmv5Timer", "Timer,5Timer", 0);
	means("_ZL4spmvPd", "spmv", 1);
	means("_ZN6Solver4spmvEi", "spmv,Solver::spmv,Solver,Solver::*", 11);
	means("_ZNK2ns6Solver4spmvEv", "ns::Solver::spmv,ns::*,spm?", 7);
	means("_ZN6SolverC2Ei", "Solver::Solver,Solver", 3);
	means("_ZN6SolverD1Ev", "~Solver,Solver::~Solver", 3);
	means("_ZN6VectorIdE3addEv", "Vector::add,add", 3);
	means("_ZN6VectorISt4pairIiLb1EEE3addEv", "Vector::add", 1);
	means("_ZN6VectorIN2ns1AEE3addEv", "Vector::add", 1);
	means("_Z3maxIdET_S0_S0_", "max", 1);
	means("_ZNSt6vectorIiSaIiEE9push_backERKi",
	      "std::vector::push_back,"
	      "push_back",
	      3);
	means("_ZN4spmvEi.cold", "spmv", 1);
	/* what is none */
	means("_Z", "*", 1);
	means("_ZN", "x", 0);
	means("_Z99999999999999999999x", "x", 0);
	means("_ZN3abcI", "abc", 1);
	means("_ZN3abcIL", "abc", 1);
	means("_ZN3abcILb", "abc", 1);
	means("_ZN3abcIE", "abc", 1);
	means("_ZN3abcIS", "abc", 1);
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = 0;
	means(name, "a*", 1);
	memcpy(name, "_ZN1999", 7);
	means(name, "a", 0);
	/* more patterns than count */
	for (size_t i = 0; i < 200; i++)
		memcpy(name + 2 * i, "y,", 3);
	means("x", name, 0);
	means("y", name, ~UINT64_C(0));
	return tap_done();
}
