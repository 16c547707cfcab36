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

## dist            a release: build/wmtools-VERSION.tar.gz of what is committed,
##                 with the page's script, so that it builds without npm
.PHONY: dist
dist_NAME = wmtools-$(shell sed -n 's/.*WM_VERSION "\(.*\)"/\1/p' \
	include/wm/version.h)
dist: $(BUILD)/page/page.js
	$(Q)test -s $< || { echo "dist: the page has no script:" \
		"run scripts/setup first" >&2; exit 1; }
	$(Q)git archive -o $(BUILD)/$(dist_NAME).tar.gz \
		--prefix=$(dist_NAME)/$(page_FROM)/dist/ \
		$(addprefix --add-file=,$(filter-out $(page_STAMP),\
			$(wildcard $(BUILD)/page/*))) \
		--prefix=$(dist_NAME)/ HEAD
	$(call say,DIST,$(BUILD)/$(dist_NAME).tar.gz)
