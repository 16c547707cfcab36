# SPDX-License-Identifier: Apache-2.0
# wm-analyze: traces in, answers out.  Includes nothing of the runtime.

# Everything but the command line and the reports; unit tests link it.
analyze_core_SRCS := $(addprefix analyze/,error.c source.c xz.c head.c paths.c \
	parts.c block.c reader.c clocks.c decode.c decode_ops.c live.c ranges.c replay.c replay_ranges.c \
	replay_notes.c notes.c noting.c merge.c pass.c pass_heap.c pass_phases.c levels.c pass_moment.c \
	pass_timeline.c window.c usage.c rank.c run.c load.c demangle.c rules.c site.c symbols.c \
	pass_node.c node.c group.c group_read.c \
	inlined.c intern.c functions.c shorten.c json.c bundle.c bundle_file.c)
analyze_core_SRCS += analyze/rans.c analyze/crc32.c analyze/spread_none.c
analyze_core_SRCS += $(addprefix analyze/,bins.c bands.c pass_bands.c \
	pass_eras.c pass_life.c)

PROGRAMS += wm-analyze
wm-analyze_SRCS := $(analyze_core_SRCS) $(addprefix analyze/,main.c opts.c \
	analysis.c kept.c programs.c stack.c \
	profile.c keys.c protobuf.c output.c export.c export_folded.c \
	export_speedscope.c export_pprof.c export_massif.c export_csv.c \
	export_extrap.c table.c text.c report.c report_summary.c \
	report_functions.c report_rules.c report_timeline.c report_snapshots.c \
	gate.c pair.c compare.c renames.c report_compare.c \
	text_notes.c text_paths.c tree.c report_tree.c svg.c svg_tree.c report_html.c report_json.c json_notes.c \
	imbalance.c heatmap.c report_imbalance.c imbalance_json.c svg_heatmap.c \
	report_static.c report_static_run.c \
	report_static_map.c report_static_compare.c repack.c repack_file.c \
	repack_plan.c repack_write.c repack_ops.c repack_stream.c \
	repack_verify.c report_model.c report_model_text.c report_model_json.c model.c \
	model_fit.c model_terms.c model_cases.c model_args.c model_runs.c model_text.c)
wm-analyze_SRCS += $(addprefix analyze/,repack_rans.c repack_known.c \
	repack_choose.c)
wm-analyze_SRCS += $(addprefix analyze/,wrappers.c mpi_share.c libraries.c report_libraries.c \
	report_files.c)
wm-analyze_SRCS += $(addprefix analyze/,layers.c report_layers.c residue.c \
	report_leaks.c report_temporaries.c report_sizes.c)
# The demangler alone, from the static archive: no C++ runtime comes with it.
wm-analyze_LIBS := -ldw -lelf -llzma -lz -l:libstdc++.a -lm -lpthread

UNIT_TESTS += bands
bands_TEST_SRCS := $(analyze_core_SRCS)
bands_TEST_LIBS := $(wm-analyze_LIBS)
UNIT_TESTS += rans crc32
crc32_TEST_SRCS := analyze/crc32.c
crc32_TEST_LIBS := -llzma
rans_TEST_SRCS := analyze/rans.c analyze/repack_rans.c
UNIT_TESTS += model model_fit node live ranges births json shorten site reader ops
model_TEST_SRCS := analyze/error.c analyze/model.c analyze/model_fit.c \
	analyze/model_terms.c analyze/model_cases.c
model_TEST_LIBS := -lm
model_fit_TEST_SRCS := analyze/error.c analyze/model_fit.c \
	analyze/model_terms.c analyze/model_cases.c
model_fit_TEST_LIBS := -lm
live_TEST_SRCS := analyze/live.c
ranges_TEST_SRCS := $(analyze_core_SRCS)
ranges_TEST_LIBS := $(wm-analyze_LIBS)
node_TEST_SRCS := analyze/node.c analyze/error.c
births_TEST_SRCS := $(addprefix analyze/,error.c decode.c decode_ops.c live.c \
	ranges.c replay.c replay_ranges.c replay_notes.c)
json_TEST_SRCS := analyze/json.c
shorten_TEST_SRCS := analyze/shorten.c
site_TEST_SRCS := $(analyze_core_SRCS)
site_TEST_LIBS := $(wm-analyze_LIBS)
reader_TEST_SRCS := $(addprefix analyze/,error.c source.c xz.c head.c paths.c \
	parts.c block.c rans.c crc32.c reader.c clocks.c window.c usage.c decode.c decode_ops.c) tests/tools/fix_encode.c
reader_TEST_LIBS := -llzma
ops_TEST_SRCS := analyze/error.c analyze/decode.c analyze/decode_ops.c \
	analyze/repack_ops.c analyze/live.c \
	runtime/encode.c runtime/encode_ops.c runtime/pool.c

include analyze/mpi.mk
