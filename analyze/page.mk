# SPDX-License-Identifier: Apache-2.0
# The browser side of wm-analyze --html: what scripts/page-bundle makes of
# analyze/render/page is a part of the program (analyze/render/bundle.c).
page_FROM := analyze/render/page
page_TOOLS := $(shell command -v node >/dev/null && \
	scripts/node-tools --cached $(page_FROM) 2>/dev/null)
page_SRCS := $(wildcard $(page_FROM)/*.js $(page_FROM)/*.css \
	$(page_FROM)/dist/* $(page_FROM)/*.json) scripts/page-bundle
page_STAMP := $(BUILD)/page/from
$(shell mkdir -p $(BUILD)/page; \
	printf '%s\n' '$(page_TOOLS)' | cmp -s - $(page_STAMP) || \
	printf '%s\n' '$(page_TOOLS)' >$(page_STAMP))

$(BUILD)/page/page.js: $(page_SRCS) $(page_STAMP)
	$(call say,BUNDLE,$@)
	$(Q)scripts/page-bundle $(@D) $(page_TOOLS)

$(BUILD)/obj/analyze/render/bundle.o: $(BUILD)/page/page.js
analyze_render_CFLAGS := -Wa,-I$(BUILD)/page

## dist            a release: build/dist/wmtools-VERSION.tar.xz of what is
##                 committed, the page's script, and the sources of libunwind
##                 and liblzma: builds without network; the same bytes each time
.PHONY: dist
dist: $(BUILD)/page/page.js
	$(Q)scripts/dist $(BUILD)/dist $(BUILD)/page
