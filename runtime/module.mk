# SPDX-License-Identifier: Apache-2.0
# The runtime objects: our code and the bundled libraries in one relocatable
# object each, whose only globals are the wrappers and a few wm_*.
#
#   wm-static.o               for static executables (ld --wrap)
#   wm-dynamic.o              for dynamic ones (definitions)
#   wm-new-KIND.o             operator new and delete
#   wm-thread-dynamic.o       stacks of threads
#   wm-mpi-KIND.o             the MPI shim
#   wm-handles-KIND.o         functions that make and free handles of MPI
#   wm-hdf5-KIND.o            functions that make and close identifiers of HDF5
#   wm-access-KIND.o          hooks that compilers call: only in programs
#                             whose objects have them
#   libwmtrace.so             all of it, for LD_PRELOAD (wm-run)

include tests/coverage/coverage.mk

preload_SRCS := runtime/process/preload.c runtime/process/hide_mappings.c
runtime_SRCS := $(filter-out runtime/access/% $(preload_SRCS) \
	wrappers/mpi% wrappers/hdf5% wrappers/new% wrappers/thread%,\
	$(wildcard runtime/*.c runtime/*/*.c wrappers/*.c))
runtime_KINDS := static dynamic
runtime_MPI := $(filter-out wrappers/mpi_handles.c,$(wildcard wrappers/mpi*.c))

# The libraries that the runtime bundles: scripts/pic-library finds or builds
# each once.  WM_LIBUNWIND=PREFIX and WM_LIBLZMA=PREFIX give them.
pic_GIVEN := $(BUILD)/pic/given
$(shell mkdir -p $(BUILD)/pic; \
	printf '%s\n' '$(WM_LIBUNWIND) $(WM_LIBLZMA)' | cmp -s - $(pic_GIVEN) || \
	printf '%s\n' '$(WM_LIBUNWIND) $(WM_LIBLZMA)' >$(pic_GIVEN))
pic_FROM := scripts/pic-library scripts/setup-lib.sh scripts/third-party.sha256

define pic_library
$(BUILD)/pic/$(1)/lib/$(1).a: $(pic_GIVEN) $(pic_FROM) scripts/$(1)-pic \
		| $(BUILD)/needs
	$$(call say,LIBRARY,$(1))
	$$(Q)CC='$$(CC)' WM_LIBUNWIND='$$(WM_LIBUNWIND)' \
		WM_LIBLZMA='$$(WM_LIBLZMA)' scripts/pic-library $(1) \
		$(BUILD)/pic/$(1)
endef
$(foreach l,libunwind liblzma,$(eval $(call pic_library,$(l))))
pic_LIBRARIES := $(foreach l,libunwind liblzma,$(BUILD)/pic/$(l)/lib/$(l).a)

# -fno-lto and the like: the object is linked into programs that were built
# with other flags and must not depend on theirs.
runtime_CFLAGS := $(WM_CFLAGS) -O2 -g -fPIC -fvisibility=hidden \
	-ftls-model=initial-exec -fno-lto -fno-stack-protector \
	-U_FORTIFY_SOURCE -fomit-frame-pointer -fno-exceptions \
	-fasynchronous-unwind-tables -fno-common
runtime_CPPFLAGS := $(WM_CPPFLAGS) -I$(BUILD)/pic/libunwind/include \
	-I$(BUILD)/pic/liblzma/include -DWM_STATIC_RUNTIME
# WM_PAGE=65536: pages of the runtime's own are larger (docs/porting.md).
WM_PAGE ?=
runtime_CPPFLAGS += $(WM_PAGE:%=-DWM_PAGE=%ul)
runtime_FLAGS_static := -DWM_STATIC_TLS -ftls-model=local-exec
# -fno-plt: lazy binding takes 3 KiB of the stack that a program happens to be on
runtime_FLAGS_dynamic := -DWM_DYNAMIC -fno-plt

# Functions of liblzma that ours stand before.
runtime_WRAP := --wrap=lzma_crc32

# Debuggers need what this takes away: docs/debugging.md
runtime_STRIP ?= -g

# $(1) kind, $(2) name of object, $(3) sources, $(4) flags
define runtime_compile
$(BUILD)/obj/rt-$(2)/%.o: %.c $(BUILD)/flags runtime/module.mk \
		| $(pic_LIBRARIES)
	$$(call say,CC,"$$< ($(2))")
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(runtime_CPPFLAGS) $$(runtime_CFLAGS) $(4) \
		$$(call coverage_compile,$(2)) \
		$$(call headers_told,rt-$(2)/$$*.o) -c -o $$@ $$<
DEPS += $(patsubst %.c,$(BUILD)/obj/rt-$(2)/%.d,$(3))
endef

# The libraries, their references redirected (see redirect.syms).  Their
# objects stay archives: only the members that are needed get in.
define pic_redirected
$(BUILD)/obj/rt-lib/$(1).a: $(BUILD)/pic/$(1)/lib/$(1).a \
		runtime/callpath/redirect.syms runtime/module.mk
	@mkdir -p $$(@D)
	$$(Q)$$(OBJCOPY) --redefine-syms=runtime/callpath/redirect.syms $$< $$@
endef
$(foreach l,libunwind liblzma,$(eval $(call pic_redirected,$(l))))

define runtime_object
$(call runtime_compile,$(1),$(1),$(runtime_SRCS),$(runtime_FLAGS_$(1)))
$(BUILD)/lib/wmtools/wm-$(1).o: \
		$(patsubst %.c,$(BUILD)/obj/rt-$(1)/%.o,$(runtime_SRCS)) \
		$(BUILD)/obj/rt-lib/libunwind.a $(BUILD)/obj/rt-lib/liblzma.a \
		$(BUILD)/obj/rt-$(1).keep $$(call coverage_object,$(1))
	$$(call say,BUNDLE,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(LD_R) -r $$(runtime_WRAP) $$(coverage_LD) -o $$@.tmp $$(filter %.o %.a,$$^)
	$$(Q)$$(SIZE) -A $$@.tmp | awk '/^\.(data|bss|tbss|tdata)/ && \
		!/^\.data\.rel\.ro/ {n += $$$$2} END {printf "%-16d", n}' >$$@.own
	$$(Q)$$(OBJCOPY) $(runtime_STRIP) \
		--update-section .rodata.wm_own_static=$$@.own \
		$$(call coverage_rename,$(1)) \
		--keep-global-symbols=$(BUILD)/obj/rt-$(1).keep $$@.tmp
	$$(Q)mv $$@.tmp $$@ && rm $$@.own
LIBOBJS += $(BUILD)/lib/wmtools/wm-$(1).o
endef
$(foreach k,$(runtime_KINDS),$(eval $(call runtime_object,$(k))))

# Names that stay global: the wrappers of wrap_list.h, and what the shim calls.
$(BUILD)/obj/rt-%.keep: include/wm/wrap_list.h include/wm/handle_list.h include/wm/hdf5_list.h runtime/module.mk
	@mkdir -p $(@D)
	$(Q)printf '#include "wm/wrap_list.h"\n#define X(s, f) %s\nWM_WRAP_HEAP(X) WM_WRAP_EXIT(X) WM_WRAP_PROCESS(X) WM_WRAP_SIZED(X) WM_WRAP_MAP(X) $(if $(filter dynamic,$*),WM_WRAP_LOADER(X) WM_WRAP_ADVICE(X),WM_WRAP_GROWTH(X) WM_WRAP_PAGES(X) WM_WRAP_START(X))\n' \
		'$(if $(filter static,$*),__wrap_##s,s)' | \
		$(CC) -Iinclude -E -P - | tr ' ' '\n' | grep . >$@
	$(Q)printf '%s\n' wm_process_end wm_process_exits wm_process_aborts wm_mpi_wants_name wm_mpi_name \
		wm_mpi_up wm_mpi_no_world wm_mpi_down wm_memory_goes wm_memory_comes wm_request_begins \
		wm_request_ends wm_request_ended wm_fortran_hooks wm_api_phase wm_api_name \
		wm_api_pause wm_api_resume wm_api_snapshot wm_api_accesses \
		wm_annotate_next_hold wm_api_say wm_aside wm_depth wm_rec_alloc wm_enter_again \
		wm_rec_refused wm_rec_release wm_rec_revocable wm_access_begin wm_access_flush \
		wm_access_forget \
		wm_access_self wm_access_none wm_access_only wm_access_wish \
		wm_access_asked wm_access_frames wm_access_lose wm_pool_map wm_pool_unmap wm_path_leads_through wm_filter_note wm_filter_note_aside wm_self $(if $(filter dynamic,$*),wm_next wm_look_in wm_look_up wm_look_up_start) >>$@

# $(1) kind.  -fexceptions: operator new throws through its shim.
define runtime_new
$(call runtime_compile,$(1),new-$(1),wrappers/new.c,$(runtime_FLAGS_$(1)) -fexceptions)
$(BUILD)/lib/wmtools/wm-new-$(1).o: $(BUILD)/obj/rt-new-$(1)/wrappers/new.o
	@mkdir -p $$(@D)
	$$(Q)$$(OBJCOPY) $(runtime_STRIP) $$< $$@
LIBOBJS += $(BUILD)/lib/wmtools/wm-new-$(1).o
endef
$(foreach k,$(runtime_KINDS),$(eval $(call runtime_new,$(k))))

$(eval $(call runtime_compile,dynamic,thread-dynamic,wrappers/thread.c,$(runtime_FLAGS_dynamic)))
$(BUILD)/lib/wmtools/wm-thread-dynamic.o: \
		$(BUILD)/obj/rt-thread-dynamic/wrappers/thread.o
	@mkdir -p $(@D)
	$(Q)$(OBJCOPY) $(runtime_STRIP) $< $@
LIBOBJS += $(BUILD)/lib/wmtools/wm-thread-dynamic.o

# $(1) kind
define runtime_mpi
$(call runtime_compile,$(1),mpi-$(1),$(runtime_MPI),$(runtime_FLAGS_$(1)))
$(BUILD)/lib/wmtools/wm-mpi-$(1).o: \
		$(patsubst %.c,$(BUILD)/obj/rt-mpi-$(1)/%.o,$(runtime_MPI))
	@mkdir -p $$(@D)
	$$(Q)$$(LD_R) -r -o $$@.tmp $$^
	$$(Q)$$(OBJCOPY) $(runtime_STRIP) $$@.tmp $$@ && rm $$@.tmp
LIBOBJS += $(BUILD)/lib/wmtools/wm-mpi-$(1).o
endef
$(foreach k,$(runtime_KINDS),$(eval $(call runtime_mpi,$(k))))

# $(1) kind, $(2) name of object, $(3) source
define runtime_handles
$(call runtime_compile,$(1),$(2)-$(1),wrappers/$(3).c,$(runtime_FLAGS_$(1)) -Os)
$(BUILD)/lib/wmtools/wm-$(2)-$(1).o: $(BUILD)/obj/rt-$(2)-$(1)/wrappers/$(3).o
	@mkdir -p $$(@D)
	$$(Q)$$(OBJCOPY) $(runtime_STRIP) $$< $$@
LIBOBJS += $(BUILD)/lib/wmtools/wm-$(2)-$(1).o
endef
$(foreach k,$(runtime_KINDS),$(eval $(call runtime_handles,$(k),handles,mpi_handles)))
$(foreach k,$(runtime_KINDS),$(eval $(call runtime_handles,$(k),hdf5,hdf5)))

# Every load and store.  No calls of its own in place of loops: they could be
# wrapped.
runtime_ACCESS := $(wildcard runtime/access/*.c)
define runtime_access
$(call runtime_compile,$(1),access-$(1),$(runtime_ACCESS),$(runtime_FLAGS_$(1)) -fno-builtin)
$(BUILD)/lib/wmtools/wm-access-$(1).o: \
		$(patsubst %.c,$(BUILD)/obj/rt-access-$(1)/%.o,$(runtime_ACCESS)) \
		$$(call coverage_object,access-$(1))
	@mkdir -p $$(@D)
	$$(Q)$$(LD_R) -r $$(coverage_LD) -o $$@.tmp $$^
	$$(Q)$$(OBJCOPY) $(runtime_STRIP) --wildcard \
		$$(call coverage_rename,access-$(1)) \
		--keep-global-symbol='__tsan_*' --keep-global-symbol='wm_access_*' \
		$$@.tmp $$@ && rm $$@.tmp
LIBOBJS += $(BUILD)/lib/wmtools/wm-access-$(1).o
endef
$(foreach k,$(runtime_KINDS),$(eval $(call runtime_access,$(k))))

# The installed sources of the MPI wrappers, which WM_MPICC compiles.
runtime_MPI_SOURCES := $(wildcard wrappers/mpi*.[ch]) wrappers/shim.h \
	runtime/hooks.h runtime/event/event_hooks.h runtime/pages/page_hooks.h \
	runtime/process/process_hooks.h runtime/arch/machine.h \
	$(wildcard runtime/arch/*/memory.h) $(addprefix runtime/base/,attributes.h \
	depth.h footprint.h look_up.h objects.h on_stack.h overwritten.h pool.h) \
	include/wm/trace_format.h include/wm/wrap_list.h \
	include/wm/handle_list.h include/wm/hdf5_list.h include/wm/varint.h
$(BUILD)/lib/wmtools/src/%: %
	@mkdir -p $(@D)
	$(Q)$(INSTALL) -m 644 $< $@
LIBOBJS += $(patsubst %,$(BUILD)/lib/wmtools/src/%,$(runtime_MPI_SOURCES))

# For programs that cannot be relinked: the sources of the dynamic objects,
# and what a library needs beside them.  Its first constructor must be the
# first of preload.c, before those of all other libraries.
preload_FLAGS := $(runtime_FLAGS_dynamic) -DWM_PRELOAD
$(eval $(call runtime_compile,preload,preload,$(preload_SRCS),$(preload_FLAGS)))
$(eval $(call runtime_compile,preload,preload-new,wrappers/new.c,$(preload_FLAGS) -fexceptions))
preload_OBJS := $(preload_SRCS:%.c=$(BUILD)/obj/rt-preload/%.o) \
	$(patsubst %.c,$(BUILD)/obj/rt-dynamic/%.o,$(runtime_SRCS)) \
	$(patsubst %.c,$(BUILD)/obj/rt-mpi-dynamic/%.o,$(runtime_MPI)) \
	$(BUILD)/obj/rt-preload-new/wrappers/new.o \
	$(BUILD)/obj/rt-thread-dynamic/wrappers/thread.o \
	$(BUILD)/obj/rt-handles-dynamic/wrappers/mpi_handles.o \
	$(BUILD)/obj/rt-hdf5-dynamic/wrappers/hdf5.o \
	$(call coverage_object,preload)
$(BUILD)/obj/preload.map: include/wm/wrap_list.h include/wm/handle_list.h include/wm/hdf5_list.h runtime/module.mk
	@mkdir -p $(@D)
	$(Q)printf '#include "wm/wrap_list.h"\n#define X(s, f) s;\n{ global: WM_WRAP_HEAP(X) WM_WRAP_SIZED(X) WM_WRAP_MAP(X) WM_WRAP_NEW(X) WM_WRAP_EXIT(X) WM_WRAP_PROCESS(X) WM_WRAP_LOADER(X) WM_WRAP_ADVICE(X) WM_WRAP_THREAD(X) WM_WRAP_MPI(X) WM_WRAP_HANDLES(X) WM_WRAP_HDF5(X) wm_api_*; wm_fortran_hooks; local: *; };\n' | \
		$(CC) -Iinclude -E -P - >$@
$(BUILD)/lib/wmtools/libwmtrace.so: $(preload_OBJS) $(BUILD)/obj/preload.map \
		$(BUILD)/obj/rt-lib/libunwind.a $(BUILD)/obj/rt-lib/liblzma.a \
		$(BUILD)/obj/first-version
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -shared -fno-lto -nodefaultlibs -o $@.tmp \
		$(filter %.o %.a,$^) -ldl -lc -lgcc \
		-Wl,--version-script=$(BUILD)/obj/preload.map \
		$(runtime_WRAP:%=-Wl,%) \
		-Wl,-soname,libwmtrace.so -Wl,-Bsymbolic-functions -Wl,-z,now \
		-Wl,-z,initfirst -Wl,-z,nodelete -Wl,-z,defs -Wl,--build-id
	$(Q)$(OBJCOPY) $(runtime_STRIP) $@.tmp
	$(Q)$(BUILD)/obj/first-version $@.tmp
	$(Q)mv $@.tmp $@
LIBOBJS += $(BUILD)/lib/wmtools/libwmtrace.so
