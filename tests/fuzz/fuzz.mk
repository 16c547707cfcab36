# SPDX-License-Identifier: Apache-2.0
# Fuzz targets (docs/testing.md).  `make fuzz-targets` builds them with what
# the variables say: alone, with tests/fuzz/replay.c in the place of libFuzzer.

FUZZ_TARGETS := trace crash_buffer bundle options rules environment ranks \
	elf objects
FUZZ_ENGINE ?= tests/fuzz/replay.c
FUZZ_LINK ?=

fuzz_SRCS := $(addprefix tests/fuzz/,case.c seal.c mutate.c work.c)
fuzz_run_SRCS = $(fuzz_SRCS) tests/fuzz/run_case.c \
	tests/fuzz/analyze_main.c $(OBJ)/analyze.a
fuzz-trace_SRCS = $(fuzz_run_SRCS) tests/fuzz/play_case.c
fuzz-crash_buffer_SRCS = $(fuzz-trace_SRCS)
fuzz-bundle_SRCS = $(fuzz-trace_SRCS)
fuzz-options_SRCS = $(fuzz_run_SRCS)
fuzz-rules_SRCS = $(fuzz_run_SRCS)
fuzz-ranks_SRCS := $(fuzz_SRCS)
fuzz-environment_SRCS := $(fuzz_SRCS) $(addprefix runtime/,base/env.c \
	base/file_text.c base/pool.c base/state.c process/ancestry.c process/identity.c)
fuzz-elf_SRCS = $(fuzz_SRCS) tests/fuzz/mutate_elf.c $(OBJ)/wmcc.a \
	$(OBJ)/analyze.a
fuzz-objects_SRCS = $(fuzz_SRCS) tests/fuzz/mutate_elf.c $(OBJ)/wmcc.a
FUZZ_LIBS := $(wm-analyze_LIBS)

define fuzz_rule
$$(BUILD)/fuzz/fuzz-$(1): $$(patsubst %.c,$$(BUILD)/obj/%.o,\
		tests/fuzz/target_$(1).c $$(FUZZ_ENGINE) $$(fuzz-$(1)_SRCS))
	$$(call say,LINK,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS) $$(WM_SAN) $$(FUZZ_LINK) $$(LDFLAGS) -o $$@ $$^ \
		$$(FUZZ_LIBS)
fuzz-targets: $$(BUILD)/fuzz/fuzz-$(1)
DEPS += $$(patsubst %.c,$$(BUILD)/obj/%.d,tests/fuzz/target_$(1).c \
	$$(FUZZ_ENGINE) $$(filter %.c,$$(fuzz-$(1)_SRCS)))
endef
$(foreach t,$(FUZZ_TARGETS),$(eval $(call fuzz_rule,$(t))))

TEST_TOOLS += fuzz-unseal
fuzz-unseal_SRCS := tests/fuzz/unseal.c tests/fuzz/case.c
fuzz-unseal_LIBS := -llzma

# GNUmakefile documents `make fuzz`.
.PHONY: fuzz fuzz-targets
FUZZ_SANITIZERS := address,undefined,fuzzer-no-link
fuzz: unit-tests tools
	+$(Q)$(MAKE) --no-print-directory BUILD=$(BUILD)/fuzz CC=clang \
		CFLAGS='-O1 -g' SAN=$(FUZZ_SANITIZERS) FUZZ_ENGINE= \
		FUZZ_LINK=-fsanitize=fuzzer DEVELOPER= fuzz-targets
	$(Q)BUILD=$(abspath $(BUILD)) tests/fuzz/run '$(or $(SECONDS),60)' \
		'$(or $(JOBS),1)' $(or $(TARGET),$(FUZZ_TARGETS))
