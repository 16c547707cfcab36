# SPDX-License-Identifier: Apache-2.0
#[[
find_package(wmtools): memory-traced twins beside programs.

  find_package(wmtools)
  if(wmtools_FOUND)
    wmtools_relink(app)                                 app.wm beside app
    target_link_libraries(app PRIVATE wmtools::annotate)
  endif()

CMake 3.13 or newer; from 3.19 on targets may set it by a property, and the
variable WMTOOLS_RELINK sets it for all others:

  set_target_properties(app PROPERTIES WMTOOLS_RELINK ON)
  cmake -DWMTOOLS_RELINK=ON ...

It defines:

  wmtools_relink(TARGET...)   these executables get twins
  wmtools::annotate           flags for <wm/wmtrace.h>
  wmtools_FORTRAN_MODULE      the source of the Fortran module wmtrace
  wmtools_PREFIX              where wmtools is installed
  wmtools_VERSION

app itself is linked by the same command as before, behind wmcc.  Twins are made
with the generators for Makefiles and for Ninja.

Checked by tests/wmcc/t1032-cmake-package.sh: CMake 3.25, both generators, C,
C++ and Fortran, static and dynamic.
]]
get_filename_component(wmtools_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.."
	ABSOLUTE)
set(wmtools_FORTRAN_MODULE
	"${wmtools_PREFIX}/lib/wmtools/include/wm/wmtrace.f90")
set(_wmtools_launch "${wmtools_PREFIX}/libexec/wmtools/launch")
if(NOT EXISTS "${_wmtools_launch}")
	set(wmtools_FOUND FALSE)
	set(wmtools_NOT_FOUND_MESSAGE "there is no '${_wmtools_launch}'")
	return()
endif()

if(NOT TARGET wmtools::annotate)
	add_library(wmtools::annotate INTERFACE IMPORTED)
	set_target_properties(wmtools::annotate PROPERTIES
		INTERFACE_INCLUDE_DIRECTORIES
		"${wmtools_PREFIX}/lib/wmtools/include")
endif()

# Words that the project puts before its link commands are kept (ctest
# --launch).
function(wmtools_relink)
	foreach(target IN LISTS ARGN)
		if(NOT TARGET "${target}")
			message(FATAL_ERROR
				"wmtools_relink: '${target}' is no target")
		endif()
		get_target_property(type "${target}" TYPE)
		if(NOT type STREQUAL "EXECUTABLE")
			message(FATAL_ERROR
				"wmtools_relink: '${target}' is no executable")
		endif()
		get_property(before TARGET "${target}"
			PROPERTY RULE_LAUNCH_LINK)
		if(NOT before)
			get_target_property(dir "${target}" SOURCE_DIR)
			get_property(before DIRECTORY "${dir}"
				PROPERTY RULE_LAUNCH_LINK)
		endif()
		if(NOT before)
			get_property(before GLOBAL PROPERTY RULE_LAUNCH_LINK)
		endif()
		if(before MATCHES "libexec/wmtools/launch")
			continue()
		endif()
		string(STRIP "${before} \"${_wmtools_launch}\"" launch)
		set_target_properties("${target}" PROPERTIES
			RULE_LAUNCH_LINK "${launch}")
		set_property(TARGET "${target}" APPEND PROPERTY
			ADDITIONAL_CLEAN_FILES "$<TARGET_FILE:${target}>.wm")
	endforeach()
endfunction()

# Relink the targets with the property, in @dir and below.
function(_wmtools_relink_below dir)
	get_property(targets DIRECTORY "${dir}" PROPERTY BUILDSYSTEM_TARGETS)
	foreach(target IN LISTS targets)
		get_target_property(type "${target}" TYPE)
		get_property(said TARGET "${target}" PROPERTY WMTOOLS_RELINK SET)
		set(wanted "${WMTOOLS_RELINK}")
		if(said)
			get_target_property(wanted "${target}" WMTOOLS_RELINK)
		endif()
		if(wanted AND type STREQUAL "EXECUTABLE")
			wmtools_relink("${target}")
		endif()
	endforeach()
	get_property(below DIRECTORY "${dir}" PROPERTY SUBDIRECTORIES)
	foreach(sub IN LISTS below)
		_wmtools_relink_below("${sub}")
	endforeach()
endfunction()

# Called when all targets are known.
get_property(_wmtools_deferred GLOBAL PROPERTY _wmtools_deferred)
if(NOT _wmtools_deferred AND NOT CMAKE_VERSION VERSION_LESS 3.19)
	set_property(GLOBAL PROPERTY _wmtools_deferred TRUE)
	cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY
		[==[${CMAKE_SOURCE_DIR}]==]
		CALL _wmtools_relink_below [==[${CMAKE_SOURCE_DIR}]==])")
endif()
