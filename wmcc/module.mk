# SPDX-License-Identifier: Apache-2.0
# wmcc: the compiler driver; wm-ld: the linker shim; wm-run; wm-census.
# regular.c belongs to wm-analyze's names, but needs nothing of them.
wmcc_base_SRCS := $(addprefix wmcc/base/,file.c home.c once.c child.c strv.c complaint.c) \
	analyze/base/regular.c
wmcc_access_SRCS := wmcc/base/sha256.c $(wildcard wmcc/access/*.c)
wmcc_census_SRCS := $(wildcard wmcc/census/*.c)
wmcc_oracle_SRCS := $(addprefix wmcc/link/,program_info.c mpi_libs.c mpi_symbols.c)

PROGRAMS += wmcc wm-ld wm-run wm-census
wmcc_SRCS := wmcc/main.c $(wildcard wmcc/driver/*.c) wmcc/base/args.c \
	wmcc/census/embed.c $(addprefix wmcc/link/,additions.c ldargs.c \
	mpi_shim.c mpi_symbols.c twin_path.c) $(wmcc_access_SRCS) \
	$(wmcc_base_SRCS)
wmcc_LIBS :=
wm-ld_SRCS := wmcc/shim.c wmcc/base/args.c $(wildcard wmcc/link/*.c) \
	$(wmcc_census_SRCS) $(wmcc_access_SRCS) $(wmcc_base_SRCS)
wm-ld_LIBS := -ldw -lelf -llzma
wm-ld_TO := libexec/wmtools
wm-run_SRCS := wmcc/preload.c wmcc/target.c $(wmcc_oracle_SRCS) \
	$(wmcc_base_SRCS)
wm-run_LIBS := -lelf
# wm-analyze runs it
wm-census_SRCS := wmcc/take.c $(wmcc_census_SRCS) $(wmcc_oracle_SRCS) \
	$(wmcc_base_SRCS)
wm-census_LIBS := -ldw -lelf -llzma

DATA += wmcc/wmtrace.list wmcc/wm.conf
PKGCONFIG += wmtools wmtools-static wmtools-mpi wmtools-mpi-static \
	wmtools-mpi-fortran-static wmtools-ftn-static
HEADERS += include/wm/wmtrace.h include/wm/wmtrace.f90

LINKS += $(foreach n,wmcxx wmc++ wmf90 wmfc wm-gfortran wm-mpicc \
	wm-mpicxx wm-mpic++ wm-mpif77 wm-mpif90 wm-mpifort wm-config,bin/$(n)=wmcc)
# what build systems put before a compiler (scripts/packaging)
LINKS += libexec/wmtools/launch=../../bin/wmcc
LINKS += $(foreach n,ld ld.bfd ld.gold ld.lld ld.mold,libexec/wmtools/$(n)=wm-ld)

UNIT_TESTS += archive archive_copy file ldargs linker program_info receivers \
	sha256
receivers_TEST_SRCS := wmcc/census/receivers.c
sha256_TEST_SRCS := wmcc/base/sha256.c
file_TEST_SRCS := wmcc/base/file.c analyze/base/regular.c
archive_TEST_SRCS := wmcc/link/archive.c \
	$(addprefix wmcc/base/,file.c child.c strv.c) \
	analyze/base/regular.c
archive_copy_TEST_SRCS := wmcc/link/archive_copy.c $(archive_TEST_SRCS)
ldargs_TEST_SRCS := wmcc/link/ldargs.c wmcc/base/args.c $(wmcc_base_SRCS)
linker_TEST_SRCS := wmcc/link/linker.c wmcc/link/givers.c \
	wmcc/link/mpi_symbols.c $(wmcc_base_SRCS)
program_info_TEST_SRCS := $(wmcc_oracle_SRCS) analyze/base/regular.c
program_info_TEST_LIBS := -lelf
