/* SPDX-License-Identifier: Apache-2.0 */
/* Which frames can be an allocation site, and how names are read. */
#include "analyze/symbols/site.h"
#include "analyze/symbols/openmp.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/tap.h"

static void names_read(const char *linkage, const char *file, const char *want)
{
	char *got = wm_demangle(linkage, file);

	ok(want ? got && strcmp(got, want) == 0 : !got, "%s is read as %s",
	   linkage, want ? want : "it is");
	free(got);
}

static void mpi_read(const char *linkage, const char *want)
{
	char *got = wm_demangle_mpi(linkage);

	ok(want ? got && strcmp(got, want) == 0 : !got, "%s is read as %s",
	   linkage, want ? want : "it is");
	free(got);
}

static enum wm_site_class classify(const struct wm_rules *r, const char *name,
				   const char *object, const char *module)
{
	struct wm_rule_frame f = { name, NULL, object, module };
	struct wm_verdict v = wm_rules_judge(r, &f);

	return wm_site_class(&v);
}

static void region_read(const char *linkage, const char *parent, uint32_t line)
{
	struct wm_openmp_name n = { .line = 0 };
	bool is = wm_openmp_name(linkage, &n);

	if (!parent)
		ok(!is, "%s is no region", linkage);
	else
		ok(is && n.parent_length == strlen(parent) &&
			   memcmp(n.parent, parent, n.parent_length) == 0 &&
			   n.line == line,
		   "%s is a region of '%s', line %u", linkage, parent, line);
}

static void check_regions(void)
{
	char *text;

	region_read("main._omp_fn.0", "main", 0);
	region_read("_Z5solvei._omp_fn.12.cold", "_Z5solvei", 0);
	region_read("__mesh_MOD_refine._omp_fn.1", "__mesh_MOD_refine", 0);
	region_read("main.omp_outlined", "main", 0);
	region_read("main.omp_outlined_debug__.3", "main", 0);
	region_read(".omp_outlined.", "", 0);
	region_read(".omp_outlined._debug__.1", "", 0);
	region_read(".omp_task_entry..5", "", 0);
	region_read("solve.DIR.OMP.PARALLEL.LOOP.2.split", "solve", 0);
	region_read("__nv_solve_F1L42_1", "solve", 42);
	region_read("__nv_my_F2_F1L7_10", "my_F2", 7);
	region_read("__nv_init", NULL, 0);
	region_read("__nv_F1L2_1", NULL, 0);
	region_read("omp_fn", NULL, 0);
	region_read("main", NULL, 0);
	text = wm_openmp_text("solve", "/src/heat.c", 42);
	ok(text && strcmp(text, "OpenMP region in solve, heat.c:42") == 0,
	   "a region has function, file and line");
	free(text);
	text = wm_openmp_text(NULL, "heat.c", 0);
	ok(text && strcmp(text, "OpenMP region, heat.c") == 0,
	   "or what is known of them");
	free(text);
}

int main(void)
{
	static const struct {
		const char *name, *object, *module;
		enum wm_site_class want;
	} frames[] = {
		{ "solve", NULL, NULL, WM_SITE_USER },
		{ "solve", "solve.o", NULL, WM_SITE_USER },
		{ NULL, NULL, NULL, WM_SITE_USER },
		{ NULL, NULL, "/opt/lib/libfft.so.3", WM_SITE_USER },
		{ "__wrap_malloc", NULL, NULL, WM_SITE_OWN },
		{ "__wrap_MPI_Init", "a.o", NULL, WM_SITE_OWN },
		{ "wm_mpi_begin", NULL, NULL, WM_SITE_OWN },
		{ "wm_mpi_begin", "mine.o", NULL, WM_SITE_USER },
		{ "record", NULL, "/opt/lib/libwmtrace.so", WM_SITE_OWN },
		/* functions of gcc that are known in their object only */
		{ "std::vector<(anonymous namespace)::cell>::vector", "a.o",
		  NULL, WM_SITE_BY_NAME },
		{ "mystd::fill", "a.o", NULL, WM_SITE_USER },
		{ "_Znwm", "/usr/lib/libstdc++.a(new_op.o)", NULL,
		  WM_SITE_BY_OBJECT },
		{ "_Znwm", "mine.o", NULL, WM_SITE_BY_NAME },
		{ "_ZnwmSt11align_val_t", NULL, NULL, WM_SITE_BY_NAME },
		{ "_ZNSt6vectorIdSaIdEE17_M_realloc_insertIJdEEEv", "a.o", NULL,
		  WM_SITE_BY_NAME },
		{ "_ZSt16__do_uninit_copyIPdS0_ET0_T_S2_S1_", NULL, NULL,
		  WM_SITE_BY_NAME },
		{ "_ZNSsC1EPKcRKSaIcE", NULL, NULL, WM_SITE_BY_NAME },
		{ "_ZNSolsEi", NULL, NULL, WM_SITE_BY_NAME },
		{ "_ZN5Solve3runEv", "a.o", NULL, WM_SITE_USER },
		{ "_ZZ4mainENKUlvE_clEv", "a.o", NULL, WM_SITE_USER },
		{ "_gfortran_reshape_r8", NULL, NULL, WM_SITE_BY_NAME },
		{ "anything", "/usr/lib/gcc/x/12/libgfortran.a(open.o)", NULL,
		  WM_SITE_BY_OBJECT },
		{ "fopen", "/usr/lib/libc.a(iofopen.o)", NULL,
		  WM_SITE_BY_OBJECT },
		{ "fopen", NULL, "/lib/x86_64-linux-gnu/libc.so.6",
		  WM_SITE_BY_OBJECT },
		{ "anything", NULL, "/lib64/ld-linux-x86-64.so.2",
		  WM_SITE_BY_OBJECT },
		{ "MPIR_Init", NULL, "/usr/lib/libmpi.so.12", WM_SITE_MPI },
		{ "PMPI_Init", "libmpi.a(init.o)", NULL, WM_SITE_MPI },
		{ "malloc", "libmpi.a(mem.o)", NULL, WM_SITE_MPI },
		{ "MPI_Send", "mytool.o", NULL, WM_SITE_USER },
		{ "MPIDI_CH3_Init", NULL, NULL, WM_SITE_MPI },
		{ "hwloc_load", NULL, "libhwloc.so.15", WM_SITE_MPI_BASE },
		{ "cgemm", "libcblas.a(cgemm.o)", NULL, WM_SITE_USER },
		/* a name of libc may be the user's own */
		{ "getline", NULL, NULL, WM_SITE_BY_NAME },
		{ "getline", "parse.o", NULL, WM_SITE_USER },
		{ "clone", NULL, "/opt/lib/libgeo.so", WM_SITE_USER },
	};
	struct wm_rules rules;
	size_t i;

	tap_plan(83);
	wm_rules_init(&rules, NULL, 0, NULL);
	for (i = 0; i < sizeof(frames) / sizeof(*frames); i++)
		ok(classify(&rules, frames[i].name, frames[i].object,
			    frames[i].module) == frames[i].want,
		   "%s in %s, %s", frames[i].name ? frames[i].name : "?",
		   frames[i].object ? frames[i].object : "?",
		   frames[i].module ? frames[i].module : "the program");
	wm_rules_release(&rules);
	check_regions();
	names_read("main", NULL, NULL);
	names_read("_ZN4Mesh6refineEi", NULL, "Mesh::refine(int)");
	names_read("_Zbroken", NULL, NULL);
	names_read("__grid_MOD_setup", "grid.f90", "grid::setup");
	names_read("__MOD_", NULL, NULL);
	names_read("solve_", "solve.f90", "solve");
	names_read("solve_", "solve.F", "solve");
	names_read("solve_", "solve.c", NULL);
	names_read("MAIN__", "main.f90", NULL);
	names_read("_", "x.f", NULL);
	names_read("inner.0", "store.f90", "inner");
	names_read("inner.0", "store.c", NULL);
	names_read("fill.constprop.0", "a.c", "fill");
	names_read("fill.isra.0.cold", "a.c", "fill");
	names_read("fill_.constprop.0", "a.f90", "fill");
	names_read("inner.1.constprop.0", "a.f90", "inner");
	names_read("_ZN4Mesh6refineEi.part.0", NULL, "Mesh::refine(int)");
	names_read("a.part(1)", NULL, NULL);
	mpi_read("PMPI_Init", "MPI_Init");
	mpi_read("MPI_File_open", "MPI_File_open");
	mpi_read("mpi_file_open_", "MPI_File_open");
	mpi_read("pmpi_init__", "MPI_Init");
	mpi_read("MPI_COMM_DUP", "MPI_Comm_dup");
	mpi_read("mpi_init_f08_", "MPI_Init");
	mpi_read("mpi_bcast_f08ts_", "MPI_Bcast");
	mpi_read("ompi_mpi_finalize", "MPI_Finalize");
	mpi_read("ompi_finalize_f", "MPI_Finalize");
	mpi_read("ompi_comm_init", NULL);
	mpi_read("MPI_Comm_c2f", "MPI_Comm_c2f");
	mpi_read("MPIR_Init", NULL);
	mpi_read("MPI_", NULL);
	return tap_done();
}
