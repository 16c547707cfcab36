# SPDX-License-Identifier: Apache-2.0
# `make lint`: checks of the sources for mistakes.  Each part is a target; a
# file in which clang-tidy has found nothing is checked again only after it or a
# header has changed.
lint_C ?= $(filter-out analyze/job/port_mpi.c,$(wildcard analyze/*.c \
	analyze/*/*.c analyze/*/*/*.c include/*/*.c runtime/*.c \
	runtime/*/*.c wmcc/*.c wmcc/*/*.c wrappers/*.c scripts/*/*.c))
lint_HEADERS := $(wildcard analyze/*.h analyze/*/*.h analyze/*/*/*.h \
	include/*/*.h runtime/*/*.h runtime/*/*/*.h wmcc/*/*.h wrappers/*.h scripts/*/*.h)
lint_SHELL ?= $(shell grep -slE '^\#!.*(bash|/sh)$$|^\# shellcheck shell=' \
	.ci/run scripts/* scripts/hooks/* scripts/sites/*/* scripts/packaging/*/* \
	scripts/packaging/debian/tests/*)
lint_TESTS ?= tests/run $(wildcard tests/*.sh tests/*/*.sh)
lint_MAN ?= $(wildcard docs/man/*.[137])
CPPCHECK ?= cppcheck
CLANG_TIDY ?= clang-tidy
SHELLCHECK ?= shellcheck
MANDOC ?= mandoc

## lint            look for mistakes: cppcheck, clang-tidy (with the analyzer
##                 that scan-build runs), shellcheck, mandoc; -j2 helps
.PHONY: lint lint-cppcheck lint-tidy lint-shell lint-man
lint: lint-cppcheck lint-tidy lint-shell lint-man

# cppcheck misreads __typeof__ and _Alignas, and the pointers that result; gcc
# and clang define x >> 63 of signed numbers.  Across files it takes a buffer that
# is filled for one that is read.  Cells of a table (cell.h) look to it like
# commas without use, which gcc's -Wunused-value finds.
lint-cppcheck:
	$(call say,LINT,cppcheck)
	$(Q)$(CPPCHECK) --quiet --std=c11 --error-exitcode=1 --inline-suppr \
		--enable=warning,performance,portability --max-configs=1 \
		--suppress=missingInclude --suppress=missingIncludeSystem \
		--suppress=shiftTooManyBitsSigned --suppress=constStatement \
		--suppress=AssignmentAddressToInteger \
		--suppress=CastIntegerToAddressAtReturn \
		--suppress=ctuuninitvar --suppress=ctunullpointer \
		'-D__typeof__(x)=void *' '-D_Alignas(x)=' -D__x86_64__ \
		-D_GNU_SOURCE -Iinclude -I. $(lint_C)

# The analyzer follows 20,000 steps of a function, not 225,000: that finds the
# same mistakes (t0040) in a sixth of the time.
$(BUILD)/lint/%.ok: %.c .clang-tidy $(lint_HEADERS)
	$(call say,TIDY,$<)
	@mkdir -p $(@D)
	$(Q)$(CLANG_TIDY) --config-file=.clang-tidy --quiet $< -- -std=gnu11 $(WM_CPPFLAGS) \
		-I$(BUILD)/page -Wno-everything -Xclang -analyzer-config \
		-Xclang max-nodes=20000 2>$@.err || \
		{ cat $@.err >&2; exit 1; }
	$(Q)touch $@
lint-tidy: $(lint_C:%.c=$(BUILD)/lint/%.ok)

# Tests have words of other languages in quotes: only errors count, and not text
# that looks like an array (SC1087).
lint-shell:
	$(call say,LINT,shellcheck)
	$(Q)$(if $(lint_SHELL),$(SHELLCHECK) -x -S warning $(lint_SHELL))
	$(Q)$(if $(lint_TESTS),$(SHELLCHECK) -s bash -S error -e SC1087 \
		$(lint_TESTS))

lint-man:
	$(call say,LINT,mandoc)
	$(Q)$(MANDOC) -T lint -W warning $(lint_MAN)
