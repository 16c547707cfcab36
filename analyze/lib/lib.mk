# SPDX-License-Identifier: Apache-2.0
# libwmreader.a: lib/ for other programs that read traces (wmreader(3)).  One
# object whose only global functions are wm_reader_*(), also for shared objects.
reader_SRCS := $(wildcard analyze/lib/*/*.c)
$(foreach d,base trace replay,\
	$(eval analyze_lib_$(d)_CFLAGS := -fPIC -fvisibility=hidden))
$(LIB)/libwmreader.a: $(reader_SRCS:%.c=$(OBJ)/%.o)
	$(call say,AR,$@)
	@mkdir -p $(@D)
	$(Q)$(LD_R) -r -o $(OBJ)/wmreader.o $^
	$(Q)$(OBJCOPY) --wildcard --keep-global-symbol='wm_reader_*' \
		$(OBJ)/wmreader.o
	@rm -f $@
	$(Q)$(AR) qcs $@ $(OBJ)/wmreader.o
tools: $(LIB)/libwmreader.a
HEADERS += include/wm/reader.h
