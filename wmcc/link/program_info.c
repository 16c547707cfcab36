/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/link/program_info.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "input/regular.h"

#include "wmcc/base/strv.h"

#ifndef DF_1_PIE
#define DF_1_PIE 0x08000000
#endif

/* The MPI to which a shared library belongs, by the name in DT_NEEDED. */
enum mpi_lib {
	LIB_NONE, /* not a library of a known MPI */
	LIB_MPICH, /* ABI of MPICH, unless more is known */
	LIB_OMPI, /* Open MPI, unless more is known */
	LIB_OMPI_SURE, /* only Open MPI and MPIs derived from it */
	LIB_STANDARD, /* the ABI of the MPI-5 standard */
	LIB_OTHER, /* an ABI of its own */
};

/*
 * Patterns; the first match counts.
 *   libmpi.so.12    MPICH since 3.1, Intel MPI 5 and later, MVAPICH,
 *                   ParaStation; but Open MPI 1.10 as well
 *   libmpi.so.4, 5  Intel MPI 4 and the name that 5 kept for it
 *   libmpi_X.so.12  Cray MPICH, X: cray, gnu_123, intel, amd, aocc, nvidia;
 *                   Intel's _mt, _dbg and _ilp64
 *   libmpich.so.N   MPICH2, MPICH 3.0, MVAPICH2 1.9; Debian's MPICH has .12
 *   libmpi.so.N     Open MPI: 0 (1.2 to 1.4, and Fujitsu's), 1 (1.5 to 1.8),
 *                   20 (2.x), 40 (3.x to 6.x, and Bull's, NVIDIA's)
 *   libmpi.so       HPE MPT: the library itself has no version
 *   libpcmpi, libmpio  Platform MPI, formerly HP-MPI, whose libmpi.so.1
 *                   is not Open MPI's; C programs refer to hpmp_*, too
 */
static const struct {
	const char *name;
	enum mpi_lib lib;
} mpi_libs[] = {
	{ "libmpi_abi*", LIB_STANDARD },
	{ "libmpi_mpifh*", LIB_OMPI_SURE },
	{ "libmpi_usempi*", LIB_OMPI_SURE },
	{ "libmpi_f77.so*", LIB_OMPI_SURE },
	{ "libmpi_f90.so*", LIB_OMPI_SURE },
	{ "libmpi_cxx.so*", LIB_OMPI_SURE },
	{ "libmpi_ibm*", LIB_OMPI_SURE },
	{ "libopen-rte.so*", LIB_OMPI_SURE },
	{ "libopen-pal.so*", LIB_OMPI_SURE },
	{ "libmpi.so", LIB_OTHER },
	{ "libmpi_mt.so", LIB_OTHER },
	{ "libxmpi.so", LIB_OTHER },
	{ "libmpio.so*", LIB_OTHER },
	{ "libpcmpi.so*", LIB_OTHER },
	{ "libmpitrampoline*", LIB_OTHER },
	/* MPICH 1, whose handles are small integers */
	{ "libmpich.so.1.0*", LIB_OTHER },
	{ "libmpi.so.[45]", LIB_MPICH },
	{ "libmpi_mt.so.[45]", LIB_MPICH },
	/* the partners of MPICH's ABI agreed on this name */
	{ "libmpi*.so.12", LIB_MPICH },
	{ "libmpich*", LIB_MPICH },
	{ "libfmpich*", LIB_MPICH },
	{ "libmpi.so.[0-9]*", LIB_OMPI },
};

static enum mpi_lib mpi_lib_of(const char *name)
{
	for (size_t i = 0; i < sizeof(mpi_libs) / sizeof(*mpi_libs); i++)
		if (fnmatch(mpi_libs[i].name, name, 0) == 0)
			return mpi_libs[i].lib;
	return LIB_NONE;
}

struct evidence {
	bool mpich, ompi, standard, other;
	bool lib[LIB_OTHER + 1];
	bool pie_flag, soname;
	bool exported; /* these symbols are from .dynsym */
	bool all_local; /* mold makes all symbols of a static program local */
};

static void see_needed(struct wm_program_info *o, struct evidence *ev,
		       const char *lib)
{
	static const char *const names[] = { "jemalloc", "tcmalloc",
					     "mimalloc" };

	/* with OpenMP, the program itself may not mention threads */
	if (wm_starts_any(lib, "libgomp. libomp. libiomp5."))
		o->threads = true;
	ev->lib[mpi_lib_of(lib)] = true;
	o->hdf5 |= wm_starts_any(lib, "libhdf5 libnetcdf");
	/* these allocators have an operator new of their own */
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (wm_starts(lib, "lib") && wm_starts(lib + 3, names[i]))
			o->allocator = names[i];
}

static void see_allocator(struct wm_program_info *o, const char *name)
{
	if (!strcmp(name, "mallctl") || !strcmp(name, "je_mallctl"))
		o->allocator = "jemalloc";
	else if (!strcmp(name, "tc_malloc"))
		o->allocator = "tcmalloc";
	else if (!strcmp(name, "mi_malloc"))
		o->allocator = "mimalloc";
}

/* In a static-pie program, hidden functions of libc are local. */
static void see_found(struct wm_program_info *o, const char *name,
		      const GElf_Sym *sym)
{
	/* most symbols begin with another character */
	if (!strchr("_abcdfmprsv", *name) || !o->is_static)
		return;
	for (size_t i = 0; i < WM_FOUND_SYMBOLS; i++)
		if (!strcmp(name, wm_found_names[i].name) &&
		    (!o->found[i] || GELF_ST_BIND(sym->st_info) != STB_LOCAL))
			o->found[i] = sym->st_value;
}

/* Records another tool's wrapper of a function that the relinked program would
 * define a second time. */
static void see_wrap(struct wm_program_info *o, const char *name)
{
	static const char prefix[] = "__wrap_";

	if (!wm_starts(name, prefix))
		return;
	name += strlen(prefix);
	for (size_t i = 0; o->is_static && i < WM_FOUND_SYMBOLS; i++)
		if (!strcmp(name, wm_found_names[i].name)) {
			o->found_wrap[i] = true;
			o->own_wrap = wm_found_names[i].name;
		}
	for (size_t i = 0; i < WM_MPI_SYMBOLS; i++)
		if (!strcmp(name, wm_mpi_symbol_names[i])) {
			o->mpi_wrap[i] = true;
			o->own_wrap = wm_mpi_symbol_names[i];
		}
	for (size_t i = 0; i < WM_HDF5_SYMBOLS; i++)
		if (!strcmp(name, wm_hdf5_symbol_names[i])) {
			o->hdf5_wrap[i] = true;
			o->own_wrap = wm_hdf5_symbol_names[i];
		}
}

static void see_own(struct wm_program_info *o, const char *name)
{
	if (o->is_static)
		return;
	if (!strcmp(name, "dlclose"))
		o->own_other = "dlclose";
	for (size_t i = 0; i < WM_FOUND_SYMBOLS; i++) {
		const struct wm_found_name *f = &wm_found_names[i];

		if (strcmp(name, f->name) != 0)
			continue;
		/* our abort is weak, so a program may have its own */
		if (f->family == WM_FAMILY_exit && strcmp(name, "abort") != 0)
			o->own_other = f->name;
		else if (f->family == WM_FAMILY_heap &&
			 (!o->own_heap || i == WM_FOUND_malloc))
			o->own_heap = f->name;
	}
}

static void see_mpi(struct wm_program_info *o, struct evidence *ev,
		    const char *name, bool defined)
{
	if (wm_starts_any(name, "MPIR_ MPII_ MPID_"))
		ev->mpich = true;
	if (wm_starts(name, "ompi_mpi_"))
		ev->ompi = true;
	/* MPICH's libmpi_abi.a, which also has MPIR_ */
	if (!strcmp(name, "ABI_init_builtins"))
		ev->standard = true;
	/* Platform MPI, whose library is also libmpi.so.1 */
	if (wm_starts(name, "hpmp_"))
		ev->other = true;
	if (defined && o->is_static && !strcmp(name, "PMPI_Abi_get_version"))
		ev->standard = true;
	if (wm_starts(name, "mpi_") || wm_starts(name, "MPI_")) {
		for (size_t i = 0; i < WM_MPI_SYMBOLS; i++) {
			if (strcmp(name, wm_mpi_symbol_names[i]) != 0)
				continue;
			if (defined || !o->is_static)
				o->mpi_has[i] = true;
			if (defined)
				o->mpi_own = true;
			o->mpi_exported[i] |= defined && ev->exported;
		}
	}
}

static void see_hdf5(struct wm_program_info *o, const struct evidence *ev,
		     const char *name, bool defined)
{
	for (size_t i = 0; wm_starts(name, "H5") && i < WM_HDF5_SYMBOLS; i++)
		if (!strcmp(name, wm_hdf5_symbol_names[i])) {
			o->hdf5 = true;
			o->hdf5_has[i] |= defined;
			o->hdf5_exported |= defined && ev->exported;
		}
}

static void see_symbol(struct wm_program_info *o, struct evidence *ev,
		       const char *name, const GElf_Sym *sym)
{
	bool defined = sym->st_shndx != SHN_UNDEF;

	if (defined)
		see_found(o, name, sym);
	/* bfd makes a __wrap_X of a static-pie program local */
	if (defined && (o->pie || GELF_ST_BIND(sym->st_info) != STB_LOCAL))
		see_wrap(o, name);
	if (GELF_ST_BIND(sym->st_info) == STB_LOCAL &&
	    !(ev->all_local && GELF_ST_TYPE(sym->st_info) != STT_FILE))
		return;
	see_mpi(o, ev, name, defined);
	see_hdf5(o, ev, name, defined);
	if (defined)
		see_allocator(o, name);
	if (defined)
		see_own(o, name);
	if (!strcmp(name, "_Znwm") && defined)
		o->own_new = true;
	else if (wm_starts(name, "pthread_create") ||
		 !strcmp(name, "__pthread_create_2_1"))
		o->threads = true;
	else if (!strcmp(name, "dlopen"))
		o->dlopen = true;
	else if (!strcmp(name, "wm_api_phase") && defined)
		o->relinked = true;
	else if (wm_starts_any(name, "__asan_init __tsan_init __msan_init "
				     "__lsan_init __hwasan_init"))
		o->sanitizer = true;
}

/* Returns whether the program's entry is a local symbol. */
static bool start_is_local(Elf *elf, Elf_Data *data, const GElf_Shdr *sh,
			   size_t n)
{
	GElf_Sym sym;

	for (size_t i = 0; data && i < n; i++) {
		const char *name;

		if (!gelf_getsym(data, (int)i, &sym))
			break;
		if (GELF_ST_BIND(sym.st_info) != STB_LOCAL)
			break; /* locals come first */
		name = elf_strptr(elf, sh->sh_link, sym.st_name);
		if (name && !strcmp(name, "_start"))
			return true;
	}
	return false;
}

static void read_symbols(struct wm_program_info *o, struct evidence *ev,
			 Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;
	GElf_Sym sym;

	ev->exported = sh->sh_type == SHT_DYNSYM;
	ev->all_local = start_is_local(elf, data, sh, n);
	for (size_t i = 0; data && i < n; i++) {
		const char *name;
		char plain[64];
		const char *at;

		if (!gelf_getsym(data, (int)i, &sym))
			break;
		name = elf_strptr(elf, sh->sh_link, sym.st_name);
		if (!name || !*name)
			continue;
		at = strchr(name, '@');
		/* names in .symtab may be malloc@GLIBC_2.2.5 */
		if (at && (size_t)(at - name) < sizeof(plain)) {
			memcpy(plain, name, (size_t)(at - name));
			plain[at - name] = 0;
			name = plain;
		}
		see_symbol(o, ev, name, &sym);
	}
}

static void read_dynamic(struct wm_program_info *o, struct evidence *ev,
			 Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;
	GElf_Dyn dyn;

	for (size_t i = 0; data && i < n; i++) {
		const char *name;

		if (!gelf_getdyn(data, (int)i, &dyn) || dyn.d_tag == DT_NULL)
			break;
		if (dyn.d_tag == DT_SONAME)
			ev->soname = true;
		if (dyn.d_tag == DT_FLAGS_1 && dyn.d_un.d_val & DF_1_PIE)
			ev->pie_flag = true;
		if (dyn.d_tag != DT_NEEDED)
			continue;
		name = elf_strptr(elf, sh->sh_link, dyn.d_un.d_val);
		if (!name)
			continue;
		see_needed(o, ev, name);
	}
}

static void read_sections(struct wm_program_info *o, struct evidence *ev,
			  Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh))
			continue;
		if (sh.sh_type == SHT_DYNAMIC)
			read_dynamic(o, ev, elf, scn, &sh);
		if (sh.sh_type == SHT_SYMTAB)
			o->symbols = true;
		if (sh.sh_type == SHT_SYMTAB || sh.sh_type == SHT_DYNSYM)
			read_symbols(o, ev, elf, scn, &sh);
	}
}

/* Finds the ABI, and whether the program uses MPI at all. */
static void judge_mpi(struct wm_program_info *o, const struct evidence *ev)
{
	bool any = false;

	for (size_t i = 0; i < WM_MPI_SYMBOLS; i++) {
		if (!o->mpi_has[i])
			continue;
		any = true;
		/* only names in C are MPI_Xxxx */
		if (!wm_starts(wm_mpi_symbol_names[i], "MPI_") ||
		    !islower((unsigned char)wm_mpi_symbol_names[i][5]))
			o->mpi_fortran = true;
	}
	/* A program with MPI_Init, but without a known implementation, contains
	 * a serial stub, which does not count as MPI. */
	if (ev->other)
		o->mpi = WM_MPI_OTHER;
	else if (ev->standard || ev->lib[LIB_STANDARD])
		o->mpi = WM_MPI_STANDARD;
	else if (ev->ompi || ev->lib[LIB_OMPI_SURE])
		o->mpi = WM_MPI_OMPI;
	else if (ev->mpich || ev->lib[LIB_MPICH])
		o->mpi = WM_MPI_MPICH;
	else if (ev->lib[LIB_OTHER])
		o->mpi = WM_MPI_OTHER;
	else if (ev->lib[LIB_OMPI])
		o->mpi = WM_MPI_OMPI;
	if (o->is_static && !any)
		o->mpi = WM_MPI_NONE;
}

static int read_elf(struct wm_program_info *o, Elf *elf, char *err, size_t size)
{
	struct evidence ev = { 0 };
	bool interp = false;
	Elf_Data *path;
	size_t n = 0;
	GElf_Ehdr eh;
	GElf_Phdr ph;

	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &eh) ||
	    elf_getphdrnum(elf, &n)) {
		snprintf(err, size, "not an ELF file");
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, (int)i, &ph) || ph.p_type != PT_INTERP)
			continue;
		interp = true;
		path = elf_getdata_rawchunk(elf, (int64_t)ph.p_offset,
					    ph.p_filesz, ELF_T_BYTE);
		o->musl = path &&
			  memmem(path->d_buf, path->d_size, "ld-musl", 7);
	}
	o->machine = eh.e_machine;
	o->is64 = eh.e_ident[EI_CLASS] == ELFCLASS64;
	o->is_static = !interp;
	o->pie = eh.e_type == ET_DYN;
	read_sections(o, &ev, elf);
	o->executable = eh.e_type == ET_EXEC ||
			(eh.e_type == ET_DYN &&
			 (ev.pie_flag ||
			  (!ev.soname && (interp || eh.e_entry))));
	judge_mpi(o, &ev);
	o->new_bypasses = o->allocator && (o->own_new || !o->is_static);
	return 0;
}

int wm_program_info_read(struct wm_program_info *o, const char *path, char *err,
			 size_t size)
{
	int fd = wm_regular_open(path);
	Elf *elf = NULL;
	int ret = -1;

	memset(o, 0, sizeof(*o));
	if (fd < 0) {
		snprintf(err, size, "%s",
			 errno == EINVAL ? "not a regular file" :
					   strerror(errno));
		return -1;
	}
	if (elf_version(EV_CURRENT) != EV_NONE)
		elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf)
		ret = read_elf(o, elf, err, size);
	else
		snprintf(err, size, "libelf: %s", elf_errmsg(-1));
	elf_end(elf);
	close(fd);
	return ret;
}
