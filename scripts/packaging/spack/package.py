# SPDX-License-Identifier: Apache-2.0
#
# Spack package: in a repository of a site, as packages/wmtools/package.py.
#
#   spack repo add SITE; spack install wmtools
#
# The tarball of `make dist` is at `url`; the file beside it has its sha256.
# Sources of libunwind and liblzma are inside: nothing else is fetched.
#
# Checked by tests/house/t0054-recipes.sh: compiled by Python, and its class and
# methods run with stand-ins for Spack, and real `make` and `make install`.
# Spack itself was not at hand: no concretizer has read the dependencies.
import os

from spack.package import *


class Wmtools(MakefilePackage):
    """Memory tracing of static and dynamic MPI programs: a compiler wrapper
    that links traced twins, and an analyzer of their traces."""

    homepage = "file:///usr/share/doc/wmtools"
    url = "file://" + os.path.join(
        os.environ.get("WMTOOLS_RELEASES", "/opt/src"), "wmtools-0.1.0.tar.xz"
    )

    license("Apache-2.0")

    # a site adds the sum of its tarball:
    # version("0.1.0", sha256="...")
    version("0.1.0")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("elfutils", type=("build", "link"))
    depends_on("xz libs=shared", type=("build", "link"))
    depends_on("zlib-api", type=("build", "link"))
    depends_on("binutils", type="run")

    requires("target=x86_64:", msg="call paths are walked only on x86-64")

    def setup_build_environment(self, env):
        # libraries built by another user are not used
        env.set("WM_CACHE", join_path(self.stage.source_path, "wm-cache"))

    def build(self, spec, prefix):
        make("PREFIX=" + prefix)

    def install(self, spec, prefix):
        make("install", "PREFIX=" + prefix)

    @run_after("install")
    def check_install(self):
        Executable(join_path(self.prefix.bin, "wm-analyze"))("--version")
