# SPDX-License-Identifier: Apache-2.0
# libwmreader.a: what lib/ knows of traces, for other programs (wmreader(3)).
# One object that gives nothing but wm_reader_*(), fit for shared objects, too.
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
