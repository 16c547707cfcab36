# SPDX-License-Identifier: Apache-2.0
# Measurements: included by tests/module.mk.

.PHONY: budget

# The runtime with its debug information, by which tests/bench/budget knows
# where an instruction comes from.
$(BUILD)/test/wm-static.o: $(BUILD)/lib/wmtools/wm-static.o tests/bench/bench.mk
	$(call say,BUNDLE,$@)
	@mkdir -p $(@D)
	$(Q)$(LD_R) -r -o $@.tmp \
		$(patsubst %.c,$(BUILD)/obj/rt-static/%.o,$(runtime_SRCS)) \
		$(BUILD)/obj/rt-lib/libunwind.a $(BUILD)/obj/rt-lib/liblzma.a
	$(Q)$(OBJCOPY) --keep-global-symbols=$(BUILD)/obj/rt-static.keep \
		$@.tmp $@ && rm $@.tmp
unit-tests: $(BUILD)/test/wm-static.o

budget: all $(BUILD)/test/wm-static.o
	@tests/bench/budget --build $(BUILD) $(if $(TOP),--top $(TOP)) $(ONLY)
