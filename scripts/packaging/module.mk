# SPDX-License-Identifier: Apache-2.0
# Files for other build systems and for sites, below share of an installation.
# They do not contain its path, except modulefiles, which sites copy: `make
# install` writes those.  packaging_SHARE: file=place below share
packaging_SHARE := \
	cmake/wmtoolsConfig.cmake=cmake/wmtools/wmtoolsConfig.cmake \
	cmake/wmtoolsConfigVersion.cmake=cmake/wmtools/wmtoolsConfigVersion.cmake \
	meson/wmtools.ini=meson/native/wmtools.ini \
	autoconf/wmtools.m4=aclocal/wmtools.m4
WM_VERSION := $(shell sed -n 's/^.define WM_VERSION "\(.*\)"/\1/p' \
	include/wm/version.h)

# A build folder is laid out like an installation: files are found there, too
define packaging_rule
$(BUILD)/share/$(lastword $(subst =, ,$(1))): \
		scripts/packaging/$(firstword $(subst =, ,$(1))) include/wm/version.h
	@mkdir -p $$(@D)
	$$(Q)sed 's/@VERSION@/$(WM_VERSION)/g' $$< >$$@
tools: $(BUILD)/share/$(lastword $(subst =, ,$(1)))
endef
$(foreach s,$(packaging_SHARE),$(eval $(call packaging_rule,$(s))))

packaging_PLACES := $(foreach s,$(packaging_SHARE),$(lastword $(subst =, ,$(s))))
packaging_MODULE := modulefiles/wmtools/$(WM_VERSION)
install-share: export WM_ROOT := $(PREFIX)
.PHONY: install-share uninstall-share
install: install-share
install-share: all
	for f in $(packaging_PLACES); do $(INSTALL) -D -m 644 \
		$(BUILD)/share/$$f "$$WM_TO/share/$$f" || exit 1; done
	for k in tcl= lua=.lua; do \
		scripts/packaging/modulefiles/fill \
			scripts/packaging/modulefiles/wmtools.$${k%=*} \
			"$$WM_ROOT" $(WM_VERSION) | $(INSTALL) -D -m 644 /dev/stdin \
			"$$WM_TO/share/$(packaging_MODULE)$${k#*=}" || exit 1; done
uninstall: uninstall-share
uninstall-share:
	cd "$$WM_TO/share" && rm -f -- $(packaging_PLACES) \
		$(packaging_MODULE) $(packaging_MODULE).lua
