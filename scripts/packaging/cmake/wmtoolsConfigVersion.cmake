# SPDX-License-Identifier: Apache-2.0
# A newer version is compatible if the first number is the same.
set(PACKAGE_VERSION "@VERSION@")
if(PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION)
	set(PACKAGE_VERSION_EXACT TRUE)
endif()
string(REGEX MATCH "^[0-9]+" _wmtools_major "${PACKAGE_VERSION}")
if(NOT PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION AND
   (PACKAGE_FIND_VERSION STREQUAL "" OR
    PACKAGE_FIND_VERSION_MAJOR STREQUAL _wmtools_major))
	set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
unset(_wmtools_major)
