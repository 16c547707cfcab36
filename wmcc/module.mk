# SPDX-License-Identifier: Apache-2.0
# wmcc: the compiler driver, and wm-ld: the linker shim.
wmcc_common_SRCS := wmcc/home.c wmcc/run.c wmcc/strv.c

PROGRAMS += wmcc wm-ld
wmcc_SRCS := wmcc/main.c wmcc/additions.c wmcc/args.c wmcc/config.c \
	wmcc/driver.c wmcc/ldargs.c wmcc/mpi_symbols.c wmcc/personality.c wmcc/show.c \
	$(wmcc_common_SRCS)
wmcc_LIBS :=
wm-ld_SRCS := wmcc/shim.c wmcc/additions.c wmcc/args.c wmcc/ldargs.c \
	wmcc/mpi_symbols.c wmcc/oracle.c wmcc/twin.c \
	$(wildcard wmcc/census*.c wmcc/embed.c wmcc/linkmap.c) $(wmcc_common_SRCS)
wm-ld_LIBS := -ldw -lelf -llzma

LINKS += $(foreach n,wmcxx wmc++ wmf90 wmfc wm-gfortran wm-config,bin/$(n)=wmcc)
LINKS += $(foreach n,ld ld.bfd ld.gold ld.lld ld.mold wm-ld,\
	libexec/wmtools/$(n)=../../bin/wm-ld)

# What a dynamic program must export so that its libraries use it, too: GNU ld
# alone would leave out what libc or MPI defines weakly.
LIBOBJS += $(BUILD)/lib/wmtools/wm-dynamic.list
$(BUILD)/lib/wmtools/wm-dynamic.list: include/wm/wrap_list.h wmcc/module.mk
	@mkdir -p $(@D)
	$(Q)printf '#include "wm/wrap_list.h"\n#define X(s, f) s;\nWM_WRAP_LIST(X)\n' | \
		$(CC) -Iinclude -E -P - >$@.tmp
	$(Q)(echo '{'; cat $@.tmp; echo '};') >$@
	$(Q)rm -f $@.tmp

UNIT_TESTS += ldargs oracle
ldargs_TEST_SRCS := wmcc/ldargs.c wmcc/args.c $(wmcc_common_SRCS)
oracle_TEST_SRCS := wmcc/oracle.c wmcc/mpi_symbols.c
oracle_TEST_LIBS := -lelf
