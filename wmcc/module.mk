# SPDX-License-Identifier: Apache-2.0
# wmcc: the compiler driver, and wm-ld: the linker shim.
# regular.c belongs to wm-analyze's names, but needs nothing of them.
wmcc_common_SRCS := wmcc/home.c wmcc/once.c wmcc/run.c wmcc/strv.c \
	analyze/base/regular.c

wmcc_census_SRCS := $(wildcard wmcc/census*.c wmcc/dwarf.c wmcc/embed.c \
	wmcc/linkmap.c)

PROGRAMS += wmcc wm-ld wm-run wm-census
wmcc_SRCS := wmcc/main.c wmcc/additions.c wmcc/args.c wmcc/config.c \
	wmcc/driver.c wmcc/embed.c wmcc/ldargs.c wmcc/mpi_symbols.c \
	wmcc/mpi_advice.c wmcc/personality.c wmcc/place.c wmcc/probe.c wmcc/show.c $(wmcc_common_SRCS)
wmcc_LIBS :=
wm-ld_SRCS := wmcc/shim.c wmcc/additions.c wmcc/args.c wmcc/ldargs.c \
	wmcc/mpi_libs.c wmcc/mpi_symbols.c wmcc/oracle.c wmcc/place.c wmcc/twin.c \
	wmcc/archive.c wmcc/givers.c $(wildcard wmcc/inner*.c) \
	$(wmcc_census_SRCS) \
	$(wmcc_common_SRCS)
wm-ld_LIBS := -ldw -lelf -llzma

wm-run_SRCS := wmcc/preload.c wmcc/target.c \
	$(wildcard wmcc/oracle*.c wmcc/mpi_*.c) $(wmcc_common_SRCS)
wm-run_LIBS := -lelf
# wm-analyze runs it
wm-census_SRCS := wmcc/take.c $(wmcc_census_SRCS) \
	$(wildcard wmcc/oracle*.c wmcc/mpi_*.c) $(wmcc_common_SRCS)
wm-census_LIBS := -ldw -lelf -llzma

DATA += wmcc/wmtrace.list wmcc/wm.conf
PKGCONFIG += wmtools wmtools-static wmtools-mpi wmtools-mpi-static \
	wmtools-mpi-fortran-static wmtools-ftn-static
HEADERS += include/wm/wmtrace.h include/wm/wmtrace.f90

LINKS += $(foreach n,wmcxx wmc++ wmf90 wmfc wm-gfortran wm-mpicc \
	wm-mpicxx wm-mpic++ wm-mpif77 wm-mpif90 wm-mpifort wm-config,bin/$(n)=wmcc)
LINKS += $(foreach n,ld ld.bfd ld.gold ld.lld ld.mold wm-ld,\
	libexec/wmtools/$(n)=../../bin/wm-ld)

# WM_MPICC
wmcc_SRCS += wmcc/mpi_shim.c
wm-ld_SRCS += wmcc/mpi_shim.c

UNIT_TESTS += archive ldargs oracle
archive_TEST_SRCS := wmcc/archive.c wmcc/strv.c wmcc/run.c \
	analyze/base/regular.c
ldargs_TEST_SRCS := wmcc/ldargs.c wmcc/args.c $(wmcc_common_SRCS)
oracle_TEST_SRCS := wmcc/oracle.c wmcc/mpi_libs.c wmcc/mpi_symbols.c \
	analyze/base/regular.c
oracle_TEST_LIBS := -lelf
