# SPDX-License-Identifier: Apache-2.0
# wmcc: the compiler driver; wm-ld: the linker shim; wm-run; wm-census.
ARCHIVES += wmcc
wmcc_ARCHIVE_SRCS := $(wildcard wmcc/*/*.c)

PROGRAMS += wmcc wm-ld wm-run wm-census
wmcc_SRCS = wmcc/wmcc.c $(OBJ)/wmcc.a
wm-ld_SRCS = wmcc/shim.c $(OBJ)/wmcc.a
wm-ld_LIBS := -ldw -lelf -llzma
wm-ld_TO := libexec/wmtools
wm-run_SRCS = wmcc/wm_run.c $(OBJ)/wmcc.a
wm-run_LIBS := -lelf
# wm-analyze runs it
wm-census_SRCS = wmcc/take.c $(OBJ)/wmcc.a
wm-census_LIBS := -ldw -lelf -llzma
# the build of libwmtrace.so does
PROGRAMS += first-version
first-version_SRCS = wmcc/first_version.c $(OBJ)/wmcc.a
first-version_LIBS := -lelf
first-version_TO := obj
DATA += wmcc/wmtrace.list wmcc/wm.conf
PKGCONFIG += wmtools wmtools-static wmtools-mpi wmtools-mpi-static \
	wmtools-mpi-fortran-static wmtools-ftn-static
HEADERS += include/wm/wmtrace.h include/wm/wmtrace.f90

LINKS += $(foreach n,wmcxx wmc++ wmf90 wmfc wm-gfortran wm-mpicc \
	wm-mpicxx wm-mpic++ wm-mpif77 wm-mpif90 wm-mpifort wm-config,bin/$(n)=wmcc)
# the program that build systems put before a compiler (scripts/packaging)
LINKS += libexec/wmtools/launch=../../bin/wmcc
LINKS += $(foreach n,ld ld.bfd ld.gold ld.lld ld.mold,libexec/wmtools/$(n)=wm-ld)

wmcc_TESTS := $(patsubst test_%.c,%,$(notdir \
	$(wildcard tests/unit/wmcc/*/test_*.c)))
# test_census.c writes a bundle and reads it
census_WITH = $(OBJ)/analyze.a
$(foreach t,$(wmcc_TESTS),\
	$(eval $(t)_TEST_SRCS = $$(OBJ)/wmcc.a $$($(t)_WITH))\
	$(eval $(t)_TEST_LIBS := -ldw -lelf -llzma))
