# SPDX-License-Identifier: Apache-2.0
# Measurements: included by tests/module.mk.

.PHONY: budget bench

# The runtime with its debug information, by which tests/bench/budget knows
# where an instruction comes from.
$(BUILD)/test/wm-static.o: $(BUILD)/lib/wmtools/wm-static.o tests/bench/bench.mk
	$(call say,BUNDLE,$@)
	@mkdir -p $(@D)
	$(Q)$(LD_R) -r $(runtime_WRAP) -o $@.tmp \
		$(patsubst %.c,$(BUILD)/obj/rt-static/%.o,$(runtime_SRCS)) \
		$(BUILD)/obj/rt-lib/libunwind.a $(BUILD)/obj/rt-lib/liblzma.a
	$(Q)$(OBJCOPY) --keep-global-symbols=$(BUILD)/obj/rt-static.keep \
		$@.tmp $@ && rm $@.tmp
unit-tests: $(BUILD)/test/wm-static.o

budget: all $(BUILD)/test/wm-static.o
	@tests/bench/budget --build $(BUILD) $(if $(TOP),--top $(TOP)) $(ONLY)

# Static and small, as tests/bench/bench starts everything through it.
$(BUILD)/test/cost: tests/bench/cost.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(WM_CPPFLAGS) $(WM_CFLAGS) -O2 -static -o $@ $<

unit-tests: $(BUILD)/test/cost

bench: all $(BUILD)/test/cost
	@tests/bench/bench --build $(BUILD)

.PHONY: bench-analyzer
bench-analyzer: all $(BUILD)/test/cost
	@tests/bench/analyzer --build $(BUILD)
