# SPDX-License-Identifier: Apache-2.0
# The browser side of wm-analyze --html: what scripts/page-bundle makes of
# analyze/render/page is a part of the program (analyze/render/page_bundle.c).
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

$(BUILD)/obj/analyze/render/page_bundle.o: $(BUILD)/page/page.js
analyze_render_CFLAGS := -Wa,-I$(BUILD)/page

## page-dist       put the page's script where builds without npm find it:
##                 analyze/render/page/dist, to be committed with its sources
.PHONY: page-dist
page-dist: $(BUILD)/page/page.js
	$(if $(page_TOOLS),,$(error page-dist needs npm packages: scripts/setup))
	$(Q)mkdir -p $(page_FROM)/dist && cp $(BUILD)/page/*.*s $(page_FROM)/dist/

## dist            a release: build/dist/wmtools-VERSION.tar.xz of what is
##                 committed, and the sources of libunwind and liblzma: builds
##                 without network; the same bytes each time
.PHONY: dist
dist:
	$(Q)scripts/dist $(BUILD)/dist
