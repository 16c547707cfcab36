# SPDX-License-Identifier: Apache-2.0
# wm-collect: run directories from the disks of nodes into one.  wm-alive reads
# only the parts of traces that identify their processes.
PROGRAMS += wm-alive
wm-alive_SRCS = scripts/collect/alive.c $(OBJ)/analyze.a
wm-alive_LIBS := -llzma
wm-alive_TO := libexec/wmtools

$(BUILD)/bin/wm-collect: scripts/collect/wm-collect include/wm/version.h
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	$(Q)sed "s/@VERSION@/$$(sed -n 's/.*WM_VERSION "\(.*\)"/\1/p' \
		include/wm/version.h)/" $< >$@ && chmod +x $@
tools: $(BUILD)/bin/wm-collect
