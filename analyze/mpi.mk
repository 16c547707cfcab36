# SPDX-License-Identifier: Apache-2.0
# wm-analyze-mpi: wm-analyze spread over MPI processes.  Only port_mpi.c knows
# MPI: it and the program are made by MPICC; MPICC= leaves them out.

MPICC ?= $(shell command -v mpicc)
ifneq ($(MPICC),)
wm-analyze-mpi_SRCS := $(filter-out %/spread_none.c,$(wm-analyze_SRCS)) \
	$(analyze_MPI_SRCS)
wm-analyze-mpi_OBJS := $(wm-analyze-mpi_SRCS:%.c=$(BUILD)/obj/%.o)
# it drives the compiler that makes everything else
MPICC_RUN = MPICH_CC='$(CC)' OMPI_CC='$(CC)' $(MPICC)
$(shell mkdir -p $(BUILD); printf '%s\n' '$(MPICC)' | \
	cmp -s - $(BUILD)/mpicc || printf '%s\n' '$(MPICC)' >$(BUILD)/mpicc)

$(BUILD)/obj/analyze/job/port_mpi.o: analyze/job/port_mpi.c $(BUILD)/flags \
		$(BUILD)/mpicc
	$(call say,MPICC,$<)
	@mkdir -p $(@D)
	$(Q)$(MPICC_RUN) $(WM_CPPFLAGS) $(WM_CFLAGS) $(CFLAGS) $(WM_SAN) \
		-MMD -MP -c -o $@ $<

# tests make it once more, with another MPI, from the list in .link
$(BUILD)/bin/wm-analyze-mpi: $(wm-analyze-mpi_OBJS)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	@echo $(filter-out %/port_mpi.o,$^) $(wm-analyze_LIBS) \
		>$(BUILD)/obj/wm-analyze-mpi.link
	$(Q)$(MPICC_RUN) $(CFLAGS) $(WM_SAN) $(LDFLAGS) -o $@ $^ \
		$(wm-analyze_LIBS)
.PHONY: wm-analyze-mpi
wm-analyze-mpi: $(BUILD)/bin/wm-analyze-mpi
tools: wm-analyze-mpi
DEPS += $(wm-analyze-mpi_OBJS:.o=.d)
else
.PHONY: no-mpicc
no-mpicc:
	@echo "  no mpicc here: wm-analyze-mpi is left out (make MPICC=...)"
tools: no-mpicc
endif
