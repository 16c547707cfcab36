# SPDX-License-Identifier: Apache-2.0
# wm-analyze: traces in, answers out.  Includes nothing of the runtime.
#
# What its folders are for: docs/design.md, the house.
#
# Every file of a folder belongs to the program, so that a report is a file
# and a row in menu.c.

# The same for many processes: analyze/mpi.mk.
analyze_MPI_SRCS := $(addprefix analyze/job/,wire.c rank_wire.c spread_wire.c \
	spread.c spread_helper.c launcher.c port_mpi.c)
PROGRAMS += wm-analyze
wm-analyze_SRCS := $(wildcard analyze/*.c) \
	$(filter-out $(analyze_MPI_SRCS),$(sort $(wildcard analyze/*/*.c)))
# The demangler alone, from the static archive: no C++ runtime comes with it.
# Some systems have that archive in a package of its own, if at all.
analyze_STDCXX := $(if $(filter /%,$(shell $(CC) \
	-print-file-name=libstdc++.a 2>/dev/null)),-l:libstdc++.a,-l:libstdc++.so.6)
wm-analyze_LIBS := -ldw -lelf -llzma -lz $(analyze_STDCXX) -lm -lpthread -ldl

# Unit tests link the files that they are about; those about much, all.
analyze_trace_SRCS := analyze/base/error.c analyze/base/index.c \
	$(wildcard analyze/trace/*.c)
analyze_model_SRCS := $(addprefix analyze/,base/error.c base/index.c \
	base/keys.c model/model.c model/model_fit.c \
	model/model_roles.c)
UNIT_TESTS += series alloc_times cache cache_shape crc32 demangle json live model model_fit \
	node objects ops path_tree plain ranges rans reader regions renames reuse \
	scan sharing shorten site symbol_table table units
symbol_table_TEST_SRCS := analyze/symbols/symbol_table.c
symbol_table_TEST_LIBS := -ldw -lelf
series_TEST_SRCS := $(filter-out analyze/main.c,$(wm-analyze_SRCS))
series_TEST_LIBS := $(wm-analyze_LIBS)
alloc_times_TEST_SRCS := $(addprefix analyze/,base/error.c base/index.c trace/decode.c \
	trace/generation.c trace/operands.c \
	trace/decode_ops.c replay/bound.c replay/family.c trace/live.c \
	replay/ranges.c replay/replay.c replay/replay_changes.c \
	replay/replay_ranges.c replay/replay_marks.c \
	replay/replay_handles.c)
cache_TEST_SRCS := $(addprefix analyze/,access/cache.c base/cache_shape.c \
	base/error.c base/index.c base/units.c)
cache_shape_TEST_SRCS := $(addprefix analyze/base/,cache_shape.c error.c \
	units.c)
crc32_TEST_SRCS := analyze/trace/crc32.c
crc32_TEST_LIBS := -llzma
json_TEST_SRCS := analyze/render/json.c
live_TEST_SRCS := analyze/trace/live.c
model_TEST_SRCS := $(analyze_model_SRCS)
model_TEST_LIBS := -lm
model_fit_TEST_SRCS := $(analyze_model_SRCS)
model_fit_TEST_LIBS := -lm
node_TEST_SRCS := analyze/base/error.c analyze/passes/node.c
objects_TEST_SRCS := $(addprefix analyze/,access/objects.c trace/live.c \
	replay/ranges.c)
ops_TEST_SRCS := $(addprefix analyze/,base/error.c base/index.c trace/decode.c \
	trace/generation.c trace/operands.c \
	trace/decode_ops.c repack/repack_ops.c trace/live.c) \
	$(addprefix runtime/,base/pool.c base/state.c trace/encode.c \
	trace/encode_ops.c)
demangle_TEST_SRCS := $(addprefix analyze/symbols/,demangle.c rust_names.c)
demangle_TEST_LIBS := $(analyze_STDCXX) -lm -lpthread -ldl
path_tree_TEST_SRCS := $(addprefix analyze/,base/error.c base/index.c \
	trace/generation.c trace/path_tree.c trace/paths.c)
plain_TEST_SRCS := analyze/base/error.c
ranges_TEST_SRCS := $(series_TEST_SRCS)
ranges_TEST_LIBS := $(wm-analyze_LIBS)
regions_TEST_SRCS := $(addprefix analyze/,base/error.c replay/regions.c)
rans_TEST_SRCS := analyze/trace/rans.c analyze/repack/repack_rans.c
reader_TEST_SRCS := $(analyze_trace_SRCS) tests/tools/fix_encode.c \
	tests/tools/fix_ops.c
reader_TEST_LIBS := -llzma
reuse_TEST_SRCS := $(addprefix analyze/,access/reuse.c base/error.c \
	base/index.c)
scan_TEST_SRCS := $(series_TEST_SRCS) tests/tools/fix_encode.c \
	tests/tools/fix_ops.c
scan_TEST_LIBS := $(wm-analyze_LIBS)
renames_TEST_SRCS := analyze/queries/renames.c analyze/base/error.c
sharing_TEST_SRCS := $(addprefix analyze/,access/sharing.c \
	access/sharing_judge.c base/error.c base/index.c)
shorten_TEST_SRCS := analyze/base/shorten.c
site_TEST_SRCS := $(series_TEST_SRCS)
site_TEST_LIBS := $(wm-analyze_LIBS)
table_TEST_SRCS := $(filter-out %/output.c,$(wildcard analyze/render/*.c)) \
	$(addprefix analyze/base/,error.c shorten.c units.c)
table_TEST_LIBS := -lz -lm
units_TEST_SRCS := analyze/base/units.c

include analyze/page.mk
include analyze/mpi.mk
