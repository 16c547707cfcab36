# SPDX-License-Identifier: Apache-2.0
# Which lines the tests run (docs/testing.md): clang's counters, in files that
# are mapped shared, so that neither _exit nor SIGKILL takes them away.
# COVERAGE=1 belongs to a build folder of its own; `make coverage` sets it.
coverage_FLAGS := -fprofile-instr-generate -fcoverage-mapping \
	-mllvm -runtime-counter-relocation

# The runtime has no libc that could write counters: counters.c does.  Those of
# each object get a section of their own, as a program has several objects.
# Left out: the shims of MPI, of operator new and of threads.
ifdef COVERAGE
coverage_KINDS := static dynamic access-static access-dynamic preload
coverage_compile = $(if $(filter $(1),$(coverage_KINDS)),$(coverage_FLAGS))
coverage_object = $(BUILD)/obj/rt-coverage/$(1).o
coverage_LD := --force-group-allocation
coverage_section = wm_counters_$(subst -,_,$(1))
coverage_rename = --rename-section __llvm_prf_cnts=$(coverage_section)
$(BUILD)/obj/rt-coverage/%.o: tests/coverage/counters.c $(BUILD)/flags \
		tests/coverage/coverage.mk
	@mkdir -p $(@D) $(BUILD)/coverage
	$(Q)$(CC) -std=gnu11 -O2 -fPIC -fvisibility=hidden -fno-stack-protector \
		-DFILE_NAME='"$(abspath $(BUILD))/coverage/$*.counters"' \
		-DSECTION=$(if $(filter preload,$*),__llvm_prf_cnts,$(call coverage_section,$*)) \
		-c -o $@ $<
endif

# GNUmakefile documents `make coverage`.
.PHONY: coverage
coverage:
	+$(Q)BUILD='$(abspath $(BUILD))' JOBS='$(or $(JOBS),1)' \
		KEEP='$(KEEP)' tests/coverage/run '$(coverage_FLAGS)' $(T)
