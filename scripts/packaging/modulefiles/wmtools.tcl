#%Module1.0
# SPDX-License-Identifier: Apache-2.0
#
# wmtools for Environment Modules; Lmod takes the file beside it.
#
#   module use PREFIX/share/modulefiles
#   module load wmtools
#
# `make install` has put the path of the installation into it: it may be copied
# to the site's folder of modules.
set root @ROOT@

module-whatis "memory tracing of static and dynamic programs: wmcc, wm-analyze"
conflict wmtools wmtools-link

proc ModulesHelp { } {
	puts stderr "wmtools @VERSION@: memory tracing of HPC programs"
	puts stderr ""
	puts stderr "  make CC=wmcc CXX=wmcxx FC=wmf90    app as before, app.wm beside it"
	puts stderr "  srun ./app.wm                      traces"
	puts stderr "  wm-analyze                         reports from them"
	puts stderr ""
	puts stderr "man wmcc, man wm-analyze, man wm-environment"
}

# An empty part means the system's manuals.  Lmod adds one itself.
if { ![info exists env(MANPATH)] || $env(MANPATH) eq "$root/share/man:" } {
	append-path MANPATH {}
}
setenv WMTOOLS_DIR $root
prepend-path PATH $root/bin
prepend-path MANPATH $root/share/man
prepend-path PKG_CONFIG_PATH $root/lib/pkgconfig
prepend-path CMAKE_PREFIX_PATH $root
prepend-path ACLOCAL_PATH $root/share/aclocal
