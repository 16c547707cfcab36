-- SPDX-License-Identifier: Apache-2.0
--
-- wmtools for Lmod; Environment Modules take the file beside it.
--
--   module use PREFIX/share/modulefiles
--   module load wmtools
--
-- `make install` has put the path of the installation into it: it may be copied
-- to the site's folder of modules.
local root = @ROOT@

whatis("Name: wmtools")
whatis("Version: @VERSION@")
whatis("Category: performance tools")
whatis("Description: memory tracing of static and dynamic programs")
help([[
wmtools @VERSION@: memory tracing of HPC programs

  make CC=wmcc CXX=wmcxx FC=wmf90    app as before, app.wm beside it
  srun ./app.wm                      traces
  wm-analyze                         reports from them

man wmcc, man wm-analyze, man wm-environment
]])
family("wmtools")
conflict("wmtools-link")

setenv("WMTOOLS_DIR", root)
prepend_path("PATH", pathJoin(root, "bin"))
prepend_path("MANPATH", pathJoin(root, "share/man"))
prepend_path("PKG_CONFIG_PATH", pathJoin(root, "lib/pkgconfig"))
prepend_path("CMAKE_PREFIX_PATH", root)
prepend_path("ACLOCAL_PATH", pathJoin(root, "share/aclocal"))
