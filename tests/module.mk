# SPDX-License-Identifier: Apache-2.0
# Tools that only tests use; never installed.
include tests/bench/bench.mk

function_names_TEST_SRCS := runtime/base/function_names.c
page_cost_TEST_SRCS := runtime/pages/cost.c runtime/base/clock.c \
	runtime/base/state.c
page_scan_TEST_SRCS := $(addprefix runtime/pages/,page_sets.c runs.c scan.c)
page_scan_TEST_LIBS := -pthread
page_sets_TEST_SRCS := runtime/pages/page_sets.c $(OBJ)/analyze.a
page_sets_TEST_LIBS := $(wm-analyze_LIBS)
plane_TEST_SRCS := runtime/trace/plane.c $(OBJ)/analyze.a
plane_TEST_LIBS := $(wm-analyze_LIBS)
persistent_TEST_SRCS := runtime/access/mpi_persistent.c
persistent_TEST_LIBS := -pthread
requests_TEST_SRCS := runtime/event/requests.c
summary_TEST_SRCS := $(addprefix runtime/,base/pool.c base/state.c \
	summary/summary_job.c trace/curve.c)
xz_crc32_TEST_SRCS := runtime/trace/xz_crc32.c
xz_crc32_TEST_LIBS := -llzma

fix_SRCS := $(addprefix tests/tools/fix_,encode.c ops.c words.c)
make_SRCS := $(addprefix tests/tools/make_,trace.c pages.c accesses.c crash_buffer.c) \
	$(fix_SRCS) tests/tools/fix_elf.c

TEST_TOOLS := wmt-make wmt-job wmc-make census-embed census-dump order-check waves access-dump \
	elements-dump access-names flips
include tests/fuzz/fuzz.mk
waves_SRCS := tests/tools/waves.c
census-embed_SRCS = tests/tools/census-embed.c $(OBJ)/wmcc.a
census-embed_LIBS := -ldw -lelf -llzma
census-dump_SRCS = tests/tools/census-dump.c $(OBJ)/analyze.a
census-dump_LIBS := $(wm-analyze_LIBS)
wmt-make_SRCS := tests/tools/wmt-make.c $(make_SRCS)
wmt-make_LIBS := -llzma
wmt-job_SRCS := tests/tools/wmt-job.c $(make_SRCS)
wmt-job_LIBS := -llzma
wmc-make_SRCS := tests/tools/wmc-make.c $(fix_SRCS)
wmc-make_LIBS := -llzma

access-dump_SRCS = tests/tools/access-dump.c $(OBJ)/analyze.a
access-dump_LIBS := $(wm-analyze_LIBS)
elements-dump_SRCS = tests/tools/elements-dump.c $(OBJ)/analyze.a
elements-dump_LIBS := $(wm-analyze_LIBS)
access-names_SRCS = tests/tools/access-names.c $(OBJ)/analyze.a
access-names_LIBS := $(wm-analyze_LIBS)
flips_SRCS = tests/tools/flips.c tests/fuzz/analyze_main.c $(OBJ)/analyze.a
flips_LIBS := $(wm-analyze_LIBS)
order-check_SRCS = tests/tools/order-check.c $(OBJ)/analyze.a
order-check_LIBS := $(wm-analyze_LIBS)

define test_tool_rule
$$(BUILD)/test/tools/$(1): $$(patsubst %.c,$$(BUILD)/obj/%.o,$$($(1)_SRCS))
	$$(call say,LINK,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS) $$(WM_SAN) $$(LDFLAGS) -o $$@ $$^ $$($(1)_LIBS)
unit-tests: $$(BUILD)/test/tools/$(1)
DEPS += $$(patsubst %.c,$$(BUILD)/obj/%.d,$$(filter %.c,$$($(1)_SRCS)))
endef
$(foreach t,$(TEST_TOOLS),$(eval $(call test_tool_rule,$(t))))

# The runtime without its wrappers, as a part of a program that a sanitizer of
# threads can be in (t8101); not of unit-tests, as it takes a compiler that has one.
stress_SRCS := $(filter-out wrappers/%,$(runtime_SRCS))
$(eval $(call runtime_compile,dynamic,stress,$(stress_SRCS) tests/tools/record-stress.c,-DWM_DYNAMIC -fsanitize=thread -Wno-tsan))
$(BUILD)/test/record-stress: $(patsubst %.c,$(BUILD)/obj/rt-stress/%.o,\
		$(stress_SRCS) tests/tools/record-stress.c) \
		$(BUILD)/obj/rt-lib/libunwind.a $(BUILD)/obj/rt-lib/liblzma.a
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -fsanitize=thread $(runtime_WRAP:%=-Wl,%) -o $@ $^ -ldl
