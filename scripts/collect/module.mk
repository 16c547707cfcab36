# SPDX-License-Identifier: Apache-2.0
# wm-collect: run directories from the disks of nodes into one.  Reads traces
# as far as it has to know whose they are.
PROGRAMS += wm-collect
wm-collect_SRCS := $(wildcard scripts/collect/*.c) $(analyze_trace_SRCS)
wm-collect_LIBS := -llzma
