# SPDX-License-Identifier: Apache-2.0
# wm-analyze: traces in, answers out.  Includes nothing of the runtime.
#
# Its folders are described in docs/design.md, the house.
#
# Every file of a folder belongs to the program, so that a report is a file
# and a row in menu.c.

# The same for many processes: analyze/mpi.mk.
analyze_MPI_SRCS := $(addprefix analyze/job/,spread_wire.c \
	spread.c spread_helper.c launcher.c port_mpi.c)
PROGRAMS += wm-analyze
wm-analyze_SRCS := $(wildcard analyze/*.c) \
	$(filter-out $(analyze_MPI_SRCS),$(sort $(wildcard analyze/*/*.c \
		analyze/*/*/*.c)))
# The demangler alone, from the static archive: no C++ runtime comes with it.
# Some systems have that archive in a package of its own, if at all.
analyze_STDCXX := $(if $(filter /%,$(shell $(CC) \
	-print-file-name=libstdc++.a 2>/dev/null)),-l:libstdc++.a,-l:libstdc++.so.6)
wm-analyze_LIBS := -ldw -lelf -llzma -lz $(analyze_STDCXX) -lm -lpthread -ldl

# Unit tests, tests' tools and wm-collect take what they need of all that.
ARCHIVES += analyze
analyze_ARCHIVE_SRCS := $(filter-out analyze/main.c,$(wm-analyze_SRCS))
analyze_TESTS := $(patsubst test_%.c,%,$(notdir \
	$(wildcard tests/unit/analyze/*/test_*.c)))
access_tokens_WITH := runtime/access/access_encode.c runtime/access/access_pages.c \
	$(addprefix runtime/trace/,access_lists.c access_notes.c plane.c)
ops_WITH := $(addprefix runtime/,base/pool.c base/state.c trace/encode.c \
	trace/encode_ops.c)
reader_WITH = $(fix_SRCS)
scan_WITH = $(fix_SRCS)
$(foreach t,$(analyze_TESTS),\
	$(eval $(t)_TEST_SRCS = $$($(t)_WITH) $$(OBJ)/analyze.a)\
	$(eval $(t)_TEST_LIBS = $$(wm-analyze_LIBS)))

include analyze/lib/lib.mk
include analyze/page.mk
include analyze/mpi.mk
