# SPDX-License-Identifier: Apache-2.0
# Tools that only tests use; never installed.
include tests/bench/bench.mk

census_WRITER := $(wildcard wmcc/census/*.c) wmcc/base/file.c \
	analyze/base/regular.c
census_READER := $(addprefix analyze/symbols/,bundle.c bundle_file.c bundle_find.c) \
	analyze/base/regular.c analyze/base/error.c

UNIT_TESTS += access_tokens census descriptors function_names inner linkmap page_cost page_scan \
	page_sets persistent plane rank_list signal_stack summary \
	xz_crc32
inner_TEST_SRCS := analyze/base/regular.c \
	$(addprefix wmcc/base/,args.c file.c home.c once.c child.c strv.c complaint.c) \
	$(addprefix wmcc/census/,dwarf.c linkmap.c) \
	$(addprefix wmcc/link/,additions.c archive.c givers.c inner.c inner_dwarf.c \
	inner_find.c ldargs.c mpi_libs.c mpi_shim.c mpi_symbols.c object.c \
	program_info.c)
inner_TEST_LIBS := -ldw -lelf
function_names_TEST_SRCS := runtime/base/function_names.c
access_tokens_TEST_SRCS := runtime/access/encode.c runtime/access/pages.c \
	$(addprefix runtime/trace/,access_lists.c access_notes.c plane.c) \
	$(addprefix analyze/,base/error.c trace/access_lists.c \
	trace/access_tokens.c trace/rans.c)
census_TEST_SRCS := $(census_WRITER) $(census_READER)
census_TEST_LIBS := -ldw -lelf -llzma
linkmap_TEST_SRCS := wmcc/census/linkmap.c wmcc/base/file.c \
	analyze/base/regular.c
page_cost_TEST_SRCS := runtime/pages/cost.c
page_scan_TEST_SRCS := $(addprefix runtime/,pages/runs.c pages/scan.c)
page_scan_TEST_LIBS := -pthread
page_sets_TEST_SRCS := analyze/base/error.c analyze/trace/page_sets.c \
	runtime/pages/page_sets.c
persistent_TEST_SRCS := runtime/access/mpi_persistent.c
persistent_TEST_LIBS := -pthread
plane_TEST_SRCS := runtime/trace/plane.c analyze/trace/rans.c
plane_TEST_LIBS := -lm
summary_TEST_SRCS := $(addprefix runtime/,base/pool.c base/state.c \
	summary/summary_job.c trace/curve.c)
xz_crc32_TEST_SRCS := runtime/trace/xz_crc32.c
xz_crc32_TEST_LIBS := -llzma

fix_SRCS := tests/tools/fix_encode.c tests/tools/fix_ops.c

TEST_TOOLS := wmt-make wmt-job wmc-make census-embed census-dump order-check waves access-dump \
	elements-dump access-names flips
include tests/fuzz/fuzz.mk
waves_SRCS := tests/tools/waves.c
census-embed_SRCS := tests/tools/census-embed.c $(census_WRITER)
census-embed_LIBS := -ldw -lelf -llzma
census-dump_SRCS := tests/tools/census-dump.c $(census_READER)
census-dump_LIBS := -llzma
wmt-make_SRCS := tests/tools/wmt-make.c tests/tools/make_trace.c \
	tests/tools/make_pages.c tests/tools/make_accesses.c \
	tests/tools/make_crash_buffer.c $(fix_SRCS) \
	tests/tools/fix_elf.c
wmt-make_LIBS := -llzma
wmt-job_SRCS := tests/tools/wmt-job.c $(fix_SRCS) \
	tests/tools/fix_elf.c
wmt-job_LIBS := -llzma
wmc-make_SRCS := tests/tools/wmc-make.c $(fix_SRCS)
wmc-make_LIBS := -llzma

access-dump_SRCS := tests/tools/access-dump.c $(analyze_trace_SRCS)
access-dump_LIBS := -llzma
elements-dump_SRCS := tests/tools/elements-dump.c \
	$(filter-out analyze/main.c,$(wm-analyze_SRCS))
elements-dump_LIBS := $(wm-analyze_LIBS)
access-names_SRCS := tests/tools/access-names.c \
	$(filter-out analyze/main.c,$(wm-analyze_SRCS))
access-names_LIBS := $(wm-analyze_LIBS)
flips_SRCS := tests/tools/flips.c tests/fuzz/analyze_main.c \
	$(filter-out analyze/main.c,$(wm-analyze_SRCS))
flips_LIBS := $(wm-analyze_LIBS)
order-check_SRCS := tests/tools/order-check.c $(analyze_trace_SRCS)
order-check_LIBS := -llzma

define test_tool_rule
$$(BUILD)/test/tools/$(1): $$(patsubst %.c,$$(BUILD)/obj/%.o,$$($(1)_SRCS))
	$$(call say,LINK,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS) $$(WM_SAN) $$(LDFLAGS) -o $$@ $$^ $$($(1)_LIBS)
unit-tests: $$(BUILD)/test/tools/$(1)
-include $$(patsubst %.c,$$(BUILD)/obj/%.d,$$($(1)_SRCS))
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
