/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the objects and options that make a program traced. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wmcc/base/subprocess.h"
#include "wmcc/base/home.h"
#include "wmcc/link/twin.h"

static char *runtime_object(const char *name)
{
	char *path = wm_strf("%s/%s", wm_home()->lib, name);

	if (access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}

static bool add_object(struct wm_additions *add, const char *name)
{
	char *path = runtime_object(name);

	if (!path)
		return false;
	wm_strv_add(&add->first, path);
	free(path);
	return true;
}

void wm_additions_suppose(struct wm_program_info *o)
{
	o->supposed = true;
	for (size_t i = 0; o->is_static && i < WM_FOUND_SYMBOLS; i++)
		o->found[i] = wm_found_names[i].family == WM_FAMILY_heap ||
			      wm_found_names[i].family == WM_FAMILY_exit;
}

/* If the program is only supposed to have a symbol, asking the linker for it
 * could add a second allocator. */
static bool is_certain(const struct wm_program_info *o, size_t i)
{
	if (!o->supposed || wm_found_names[i].family != WM_FAMILY_heap)
		return true;
	switch (i) {
	case WM_FOUND_malloc:
	case WM_FOUND_calloc:
	case WM_FOUND_realloc:
	case WM_FOUND_free:
		return true;
	case WM_FOUND_posix_memalign:
	case WM_FOUND_aligned_alloc:
	case WM_FOUND_memalign:
		return o->aligned_alone;
	default:
		return false;
	}
}

bool wm_additions_wraps(const struct wm_program_info *o, size_t i)
{
	switch (wm_found_names[i].family) {
	case WM_FAMILY_sized:
		return o->sized_known && o->found[i];
	case WM_FAMILY_growth:
	case WM_FAMILY_pages:
	case WM_FAMILY_start:
		/* only glibc; others get memory in other ways */
		return o->found[WM_FOUND___sbrk] && o->found[i];
	case WM_FAMILY_new:
		return o->new_bypasses && o->found[i];
	default:
		return o->found[i];
	}
}

static bool add_found(struct wm_additions *add, const struct wm_program_info *o)
{
	if (o->new_bypasses &&
	    !add_object(add,
			o->is_static ? "wm-new-static.o" : "wm-new-dynamic.o"))
		return false;
	if (!o->is_static && o->threads &&
	    !add_object(add, "wm-thread-dynamic.o"))
		return false;
	for (size_t i = 0; o->is_static && i < WM_FOUND_SYMBOLS; i++) {
		if (!wm_additions_wraps(o, i))
			continue;
		wm_strv_addf(&add->first, "--wrap=%s", wm_found_names[i].name);
		if (!is_certain(o, i))
			continue;
		wm_additions_ask(add, wm_found_names[i].name);
	}
	return true;
}

static const char not_installed[] = "the runtime is not installed beside wmcc";

void wm_additions_ask(struct wm_additions *add, const char *symbol)
{
	wm_strv_add(&add->first, "-u");
	wm_strv_add(&add->first, symbol);
}

/* References that are wrapped no longer pull @symbol from its archive. */
static void wrap_and_ask(struct wm_additions *add, const char *symbol)
{
	wm_strv_addf(&add->first, "--wrap=%s", symbol);
	wm_additions_ask(add, symbol);
}

static const char *mpi_compiler(void)
{
	const char *v = getenv("WM_MPICC");

	return v && *v ? v : NULL;
}

static const char *compile_shim(const struct wm_strv *cmd)
{
	char *said = wm_compiler_run(cmd->v);

	if (wm_signal_pending())
		wm_leave_by_signal(wm_signal_pending());
	return said ? wm_strf("WM_MPICC=%s cannot compile the MPI shim: %.300s",
			      mpi_compiler(), said) :
		      NULL;
}

static const char *make_shim(bool dynamic, enum wm_mpi_abi mpi,
			     const char **object)
{
	static const char *const known[] = {
		[WM_MPI_MPICH] = "-DWM_PROGRAM_MPICH",
		[WM_MPI_OMPI] = "-DWM_PROGRAM_OMPI",
		[WM_MPI_STANDARD] = "-DWM_PROGRAM_STANDARD",
		[WM_MPI_OTHER] = NULL,
	};
	char *source = wm_strf("%s/src/wrappers/mpi_all.c", wm_home()->lib);
	struct wm_strv cmd = { 0 };
	const char *why;

	if (access(source, R_OK))
		return "the sources of the MPI shim are not installed";
	*object = wm_temp_scratch();
	if (!*object)
		return "WM_MPICC: no room in TMPDIR";
	wm_strv_split(&cmd, mpi_compiler());
	/* as in runtime/module.mk, with options that every compiler knows */
	wm_strv_addf(&cmd, "-I%s/src", wm_home()->lib);
	wm_strv_addf(&cmd, "-I%s/src/include", wm_home()->lib);
	wm_strv_split(&cmd, "-DWM_MPI_HEADER -D_GNU_SOURCE");
	if (known[mpi])
		wm_strv_add(&cmd, known[mpi]);
	if (dynamic)
		wm_strv_add(&cmd, "-DWM_DYNAMIC");
	wm_strv_split(&cmd, "-O2 -fPIC -fvisibility=hidden -w -c");
	wm_strv_add(&cmd, source);
	wm_strv_add(&cmd, "-o");
	wm_strv_add(&cmd, *object);
	why = compile_shim(&cmd);
	wm_strv_release(&cmd);
	free(source);
	return why;
}

/* With WM_MPICC any MPI counts.  A dynamic program may need only a tool's
 * library that loads MPI, which the shim checks at run time. */
bool wm_additions_has_mpi(const struct wm_program_info *o)
{
	bool any = o->mpi != WM_MPI_NONE;

	if (mpi_compiler() || !(o->is_static || o->mpi_own))
		for (size_t i = 0; i < WM_MPI_SYMBOLS; i++)
			any |= o->mpi_has[i];
	return any;
}

static bool any_handle(const bool *has)
{
	bool any = false;

	for (size_t i = WM_MPI_FIRST_HANDLE; i < WM_MPI_SYMBOLS; i++)
		any |= has[i];
	return any;
}

/* Handles are not wrapped if libraries make some, as these calls cannot be
 * traced. */
static bool sees_handles(const struct wm_program_info *o)
{
	return any_handle(o->mpi_has) && !any_handle(o->mpi_exported) &&
	       !mpi_compiler();
}

/* Adds the installed shim, or a shim made for the program's own MPI. */
static const char *add_shim(struct wm_additions *add,
			    const struct wm_program_info *o, bool wrapped)
{
	const char *made = NULL, *why;

	if (mpi_compiler()) {
		why = make_shim(!wrapped, o->mpi, &made);
		if (!why)
			wm_strv_add(&add->first, made);
		return why;
	}
	if (o->mpi == WM_MPI_OTHER)
		return "the program uses an MPI that has neither MPICH's nor "
		       "Open MPI's nor the standard's ABI (WM_MPICC=mpicc "
		       "makes it known)";
	/* libraries of a dynamic program may make handles, too */
	if ((!wrapped || sees_handles(o)) &&
	    !add_object(add, wrapped ? "wm-handles-static.o" :
				       "wm-handles-dynamic.o"))
		return not_installed;
	return add_object(add,
			  wrapped ? "wm-mpi-static.o" : "wm-mpi-dynamic.o") ?
		       NULL :
		       not_installed;
}

/* Linkers do not export wrapped functions, but libraries need them. */
static const char *add_exports(struct wm_additions *add,
			       const struct wm_program_info *o)
{
	struct wm_strv words = { 0 };
	const char *list;
	size_t n;

	wm_strv_add(&words, "{");
	for (size_t i = 0; i < WM_MPI_SYMBOLS; i++)
		if (o->mpi_exported[i])
			wm_strv_addf(&words, "%s;", wm_mpi_symbol_names[i]);
	n = words.n;
	wm_strv_add(&words, "};");
	list = n > 1 ? wm_temp_scratch() : NULL;
	if (n > 1 && (!list || wm_strv_write(&words, list)))
		return "no room in TMPDIR";
	if (list)
		wm_strv_addf(&add->first, "--dynamic-list=%s", list);
	wm_strv_release(&words);
	return NULL;
}

/* Wraps the functions of MPI that the program contains.  The runtime defines
 * all others, so that it sees calls from libraries, too. */
static const char *add_mpi(struct wm_additions *add,
			   const struct wm_program_info *o)
{
	const char *why;
	bool windows = false;

	if (!o->is_static && !o->mpi_own)
		return add_shim(add, o, false);
	if (any_handle(o->mpi_exported) && !mpi_compiler())
		wm_strv_add(&add->first,
			    "--defsym=wm_handles_unseen=wm_mpi_present");
	for (size_t i = 0; i < WM_MPI_SYMBOLS; i++) {
		if (!o->mpi_has[i])
			continue;
		if (i >= WM_MPI_FIRST_HANDLE && !sees_handles(o))
			break;
		wrap_and_ask(add, wm_mpi_symbol_names[i]);
		windows |= strcasestr(wm_mpi_symbol_names[i], "win_") != NULL;
	}
	/* the shim calls these */
	if (windows)
		wm_additions_ask(add, "PMPI_Win_get_attr");
	if (o->mpi == WM_MPI_STANDARD)
		wm_additions_ask(add, "PMPI_Abi_get_version");
	why = add_exports(add, o);
	return why ? why : add_shim(add, o, true);
}

/* Calls are not counted if libraries use the HDF5 of the program, as their
 * calls cannot be traced. */
static const char *add_hdf5(struct wm_additions *add,
			    const struct wm_program_info *o)
{
	bool own = false;

	if (o->hdf5_exported)
		return NULL;
	for (size_t i = 0; i < WM_HDF5_SYMBOLS; i++) {
		if (!o->hdf5_has[i])
			continue;
		wrap_and_ask(add, wm_hdf5_symbol_names[i]);
		own = true;
	}
	if (own)
		wm_additions_ask(add, "H5Iis_valid");
	if (!own && (o->is_static || !o->hdf5))
		return NULL;
	return add_object(add, own ? "wm-hdf5-static.o" : "wm-hdf5-dynamic.o") ?
		       NULL :
		       not_installed;
}

void wm_additions_release(struct wm_additions *add)
{
	wm_strv_release(&add->first);
	wm_strv_release(&add->last);
	wm_strv_release(&add->keep);
}

const char *wm_additions_choose(struct wm_additions *add,
				const struct wm_program_info *o,
				const struct wm_ldargs *link)
{
	const char *why = NULL;
	bool found;
	char *list;

	found = add_object(add, o->is_static ? "wm-static.o" : "wm-dynamic.o");
	if (found && wm_additions_has_mpi(o))
		why = add_mpi(add, o);
	if (found && !why)
		why = add_hdf5(add, o);
	if (why)
		return why;
	if (!found || !add_found(add, o))
		return not_installed;

	/* libraries must use the program's malloc, and find wm_api_* */
	add->exports = !o->is_static;
	list = o->is_static ? NULL : runtime_object("wmtrace.list");
	if (list)
		wm_strv_addf(&add->first, "--dynamic-list=%s", list);
	free(list);
	/* it is unknown which libraries the program needs */
	if (!o->is_static && !link)
		wm_strv_add(&add->first, "--no-as-needed");
	/* gcc omits it with -static, which makes unwinding slow */
	wm_strv_add(&add->last, "--eh-frame-hdr");
	if (!link || !link->build_id)
		wm_strv_add(&add->last, "--build-id");
	if (!o->is_static && (!link || wm_ldargs_has_library(link, "dl"))) {
		/* for dlsym() of a libc before 2.34 */
		wm_strv_split(&add->last,
			      "--push-state --as-needed -ldl --pop-state");
	}
	return NULL;
}
