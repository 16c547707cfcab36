/* SPDX-License-Identifier: Apache-2.0 */
/* Facts that wmcc reads from executables; needs cc and its static libc. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wmcc/link/program_info.h"

#include "tests/unit/tap.h"

static char dir[] = "/tmp/wmtest.XXXXXX";

/* Compile @source with @flags and read the program. */
static struct wm_program_info build(const char *source, const char *flags)
{
	struct wm_program_info o;
	char cmd[2048], path[64], err[256] = "";

	snprintf(path, sizeof(path), "%s/p", dir);
	snprintf(cmd, sizeof(cmd), "printf '%%s' '%s' | gcc -w -x c - -o %s %s",
		 source, path, flags);
	memset(&o, 0, sizeof(o));
	if (system(cmd) != 0 ||
	    wm_program_info_read(&o, path, err, sizeof(err)))
		ok(0, "%s: %s", cmd, err);
	return o;
}

#define MAIN "int main(void) { return 0; }"

static void test_kinds(void)
{
	struct wm_program_info o;

	tap_plan(54);
	o = build(MAIN, "");
	ok(o.executable && !o.is_static && o.pie && o.symbols, "dynamic PIE");
	o = build(MAIN, "-no-pie");
	ok(o.executable && !o.is_static && !o.pie, "dynamic, fixed address");
	o = build(MAIN, "-static");
	ok(o.executable && o.is_static && !o.pie, "static");
	ok(!o.threads || o.symbols, "static: symbols are read");
	ok(o.mpi == WM_MPI_NONE && !o.allocator && !o.sanitizer,
	   "static: nothing special");
	o = build(MAIN, "-static-pie");
	ok(o.executable && o.is_static && o.pie, "static-pie");
	o = build(MAIN, "-static -s");
	ok(o.is_static && !o.symbols, "stripped");
	o = build("int f(void) { return 0; }", "-shared -fPIC");
	ok(!o.executable, "a shared library");
	o = build(MAIN, "-c");
	ok(!o.executable, "an object");
	o = build(MAIN, "-static -nostdlib -Wl,-e,main");
	ok(o.executable && o.is_static, "without a C library");
}

static void test_contents(void)
{
	struct wm_program_info o;

	o = build("void *malloc(unsigned long n) { return 0; }" MAIN, "");
	ok(o.own_heap && !strcmp(o.own_heap, "malloc"),
	   "its own malloc, dynamic");
	o = build(MAIN, "-static");
	ok(!o.own_heap && !o.own_wrap, "libc's malloc is not its own");
	o = build("void _Znwm(void) {}" MAIN, "");
	ok(o.own_new, "its own operator new");
	o = build("void mallctl(void) {}" MAIN, "-static");
	ok(o.allocator && !strcmp(o.allocator, "jemalloc"), "jemalloc");
	o = build("#include <pthread.h>\nvoid *f(void *p) { return p; }"
		  "int main(void) { pthread_t t;"
		  "return pthread_create(&t, 0, f, 0); }",
		  "-pthread");
	ok(o.threads, "threads");
	o = build("#include <dlfcn.h>\n"
		  "int main(void) { return !dlopen(0, 0); }",
		  "");
	ok(o.dlopen, "dlopen");
	o = build("void __asan_init(void) {}" MAIN, "");
	ok(o.sanitizer, "a sanitizer");
}

#define INIT "int MPI_Init(int *c, char ***v) { return 0; }"
#define FINI "int MPI_Finalize(void) { return 0; }"
#define CALL                                                                   \
	"int MPI_Init(int *, char ***); int MPI_Finalize(void);"               \
	"int main(int c, char **v) "                                           \
	"{ MPI_Init(&c, &v); return MPI_Finalize(); }"

static void test_mpi(void)
{
	struct wm_program_info o;

	o = build(INIT FINI "void MPIR_Err(void) {}" CALL, "-static");
	ok(o.mpi == WM_MPI_MPICH, "static MPICH");
	ok(o.mpi_has[WM_MPI_MPI_Init] && o.mpi_has[WM_MPI_MPI_Finalize],
	   "the functions that it has");
	ok(!o.mpi_has[WM_MPI_MPI_Init_thread] && !o.mpi_has[WM_MPI_mpi_init_],
	   "and none that it has not");
	ok(!o.mpi_fortran, "no Fortran");
	o = build(INIT FINI "int ompi_mpi_comm_world;" CALL, "-static");
	ok(o.mpi == WM_MPI_OMPI, "static Open MPI");
	o = build(INIT FINI "int ompi_mpi_comm_world, MPIR_debug_gate;" CALL,
		  "-static");
	ok(o.mpi == WM_MPI_OMPI, "static Open MPI has some MPIR_, too");
	o = build(INIT FINI "void MPIR_Err(void) {} "
			    "void ABI_init_builtins(void) {}" CALL,
		  "-static");
	ok(o.mpi == WM_MPI_STANDARD, "static MPICH with the standard ABI");
	o = build(INIT FINI CALL, "-static");
	ok(o.mpi == WM_MPI_NONE, "a serial stand-in is no MPI");
	o = build(INIT FINI "int PMPI_Abi_get_version(int *a, int *i)"
			    "{ return !a || !i; }" CALL,
		  "-static");
	ok(o.mpi == WM_MPI_STANDARD, "static, the standard's ABI");
	o = build("void MPIR_x(void) {} void mpi_init_(void) {}"
		  "int main(void) { mpi_init_(); return 0; }",
		  "-static");
	ok(o.mpi == WM_MPI_MPICH && o.mpi_fortran &&
		   o.mpi_has[WM_MPI_mpi_init_],
	   "Fortran");
	if (access("/usr/bin/ld.mold", X_OK) == 0) {
		o = build(INIT FINI "void MPIR_Err(void) {}" CALL,
			  "-static -fuse-ld=mold");
		ok(o.mpi == WM_MPI_MPICH && o.mpi_has[WM_MPI_MPI_Init],
		   "mold makes every symbol local");
	} else {
		ok(true, "mold makes every symbol local # SKIP no mold");
	}
	o = build("static void MPIR_x(void) {} static int MPI_Init(void) "
		  "{ return 0; } int main(void) { MPIR_x(); "
		  "return MPI_Init(); }",
		  "-static -O0");
	ok(o.mpi == WM_MPI_NONE, "local functions of the program are no MPI");
	o = build("void MPIR_x(void) {}" MAIN, "-static");
	ok(o.mpi == WM_MPI_NONE, "MPI's inside alone is no MPI program");
}

/* Dynamic: the libraries' names tell, here of small ones; @lib may be two. */
static void test_mpi_dynamic(const char *lib, enum wm_mpi_abi abi,
			     const char *world)
{
	char flags[512] = "-Wl,--no-as-needed", source[1024], cmd[1024],
	     one[64];
	struct wm_program_info o;
	int n = 0;

	for (const char *p = lib; sscanf(p, "%63s", one) == 1; n++) {
		snprintf(cmd, sizeof(cmd),
			 "printf '%%s' '" INIT FINI "int %s;' | gcc -w -x c - "
			 "-shared -fPIC -Wl,-soname,%s -o %s/libx%d.so",
			 world, one, dir, n);
		if (system(cmd) != 0) {
			ok(0, "%s", cmd);
			return;
		}
		snprintf(flags + strlen(flags), sizeof(flags) - strlen(flags),
			 " -L%s -lx%d", dir, n);
		p = strchr(p, ' ');
		if (!p)
			break;
		p++;
	}
	snprintf(source, sizeof(source),
		 "extern int %s; int *f(void) "
		 "{ return &%s; }" CALL,
		 world, world);
	o = build(source, flags);
	ok(o.mpi == abi && o.mpi_has[WM_MPI_MPI_Init] && !o.mpi_own,
	   "dynamic: %s, %s", lib, world);
}

static void test_mpi_libraries(void)
{
	static const struct {
		const char *lib;
		enum wm_mpi_abi abi;
		const char *world;
	} all[] = {
		{ "libmpi.so.12", WM_MPI_MPICH, "x" },
		{ "libmpich.so.12", WM_MPI_MPICH, "x" },
		{ "libmpich.so.3", WM_MPI_MPICH, "x" },
		{ "libmpi_mt.so.4", WM_MPI_MPICH, "x" },
		{ "libmpifort.so.12 libmpi.so.12", WM_MPI_MPICH, "x" },
		{ "libmpi_cray.so.12 libmpi_gtl_hsa.so.0", WM_MPI_MPICH, "x" },
		{ "libmpifort_gnu_123.so.12", WM_MPI_MPICH, "x" },
		{ "libmpi_aocc.so.12", WM_MPI_MPICH, "x" },
		{ "libmpi.so.40", WM_MPI_OMPI, "ompi_mpi_comm_world" },
		{ "libmpi.so.40", WM_MPI_OMPI, "x" },
		{ "libmpi.so.0", WM_MPI_OMPI, "x" },
		{ "libmpi_ibm.so.3", WM_MPI_OMPI, "x" },
		/* Open MPI 1.10 has MPICH's number */
		{ "libmpi.so.12", WM_MPI_OMPI, "ompi_mpi_comm_world" },
		{ "libmpi_mpifh.so.12 libmpi.so.12", WM_MPI_OMPI, "x" },
		{ "libmpi_mpifh-gfortran.so.40", WM_MPI_OMPI, "x" },
		/* others */
		{ "libmpi.so", WM_MPI_OTHER, "x" },
		{ "libmpi.so.1", WM_MPI_OMPI, "x" },
		{ "libmpi.so.1", WM_MPI_OTHER, "hpmp_comm_world" },
		{ "libmpich.so.1.0", WM_MPI_OTHER, "x" },
		{ "libmpi_abi.so.1", WM_MPI_STANDARD, "x" },
		{ "libmpi_gtl_hsa.so.0", WM_MPI_NONE, "x" },
		{ "libfoo.so.1", WM_MPI_NONE, "x" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		test_mpi_dynamic(all[i].lib, all[i].abi, all[i].world);
}

static void test_bad_files(void)
{
	struct wm_program_info o;
	char err[256] = "";

	ok(wm_program_info_read(&o, "/nonexistent", err, sizeof(err)) == -1 &&
		   *err,
	   "no such file: %s", err);
	err[0] = 0;
	ok(wm_program_info_read(&o, "/etc/passwd", err, sizeof(err)) == -1 &&
		   *err,
	   "no ELF file: %s", err);
}

int main(void)
{
	char cmd[64];

	if (!mkdtemp(dir))
		return 1;
	test_kinds();
	test_contents();
	test_mpi();
	test_mpi_libraries();
	test_bad_files();
	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	return system(cmd) != 0 || tap_done();
}
