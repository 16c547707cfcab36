# SPDX-License-Identifier: Apache-2.0
# Recipes of package managers that are not here: Spack's class is run with
# stand-ins, EasyBuild's file is read and its commands are run, container files
# name what there is.  Each head says that no more was done.
. "$(dirname "$0")/../lib.sh"
recipes=$SRC/scripts/packaging
version=$(sed -n 's/.*WM_VERSION "\(.*\)"/\1/p' "$SRC/include/wm/version.h")
command -v python3 >/dev/null || skip_all "package python3 is not installed"

# what `make` of a recipe must not do to the tree: build it with other flags
mkdir bin
cat >bin/make <<X
#!/bin/bash
exec env WM_CACHE="$WM_CACHE" $(command -v make) -s -C "$SRC" BUILD="$BUILD" $(cat "$BUILD/variables") "\$@"
X
chmod +x bin/make

# ---- Spack ----
mkdir spack
: >spack/__init__.py
cat >spack/package.py <<'X'
import os
import subprocess
seen = []
class Prefix(str):
    bin = property(lambda self: os.path.join(self, "bin"))
class Stage:
    source_path = os.getcwd()
class MakefilePackage:
    prefix = Prefix(os.environ["TO"])
    stage = Stage()
class Environment:
    def set(self, name, value):
        os.environ[name] = value
def Executable(path):
    def run(*words):
        subprocess.run([path, *words], check=True)
    return run
make = Executable("make")
join_path = os.path.join
def directive(name):
    def note(*words, **more):
        seen.append((name, words, more))
    return note
license = directive("license")
version = directive("version")
depends_on = directive("depends_on")
requires = directive("requires")
def run_after(phase):
    assert phase in ("install", "build"), phase
    return lambda f: f
X
cat >run_spack.py <<'X'
import importlib.util
import sys
import spack.package as sp
where = importlib.util.spec_from_file_location("package", sys.argv[1])
module = importlib.util.module_from_spec(where)
where.loader.exec_module(module)
p = module.Wmtools()
assert p.__doc__ and p.homepage and p.url
p.setup_build_environment(sp.Environment())
p.build(None, p.prefix)
p.install(None, p.prefix)
p.check_install()
print(*[w[0] for n, w, m in sp.seen if n == "version"])
print(*sorted(w[0].split()[0] for n, w, m in sp.seen if n == "depends_on"))
X
ok "Spack: Python reads it" python3 -c \
	"compile(open('$recipes/spack/package.py').read(), 'package.py', 'exec')"
TO=$W/spack-prefix PATH=$W/bin:$PATH timeout 600 \
	python3 run_spack.py "$recipes/spack/package.py" >out 2>err
is "Spack: build, install and check run" "$? $(tail -3 err)" "0 "
is "Spack: its version" "$(sed -n 3p out)" "$version"
is "Spack: what it depends on" "$(sed -n 4p out)" \
	"binutils c elfutils gmake pkgconfig xz zlib-api"
is "Spack: the installation says where it is" \
	"$(spack-prefix/bin/wm-config --prefix)" "$W/spack-prefix"

# ---- EasyBuild ----
eb=$(echo "$recipes"/easybuild/wmtools-*.eb)
cat >run_eb.py <<'X'
import os
import subprocess
import sys
keys = {}
exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"), keys)
for key in ("easyblock", "name", "version", "homepage", "description",
            "toolchain", "sources", "files_to_copy", "sanity_check_paths",
            "moduleclass"):
    assert keys.get(key), key
assert sorted(keys["sanity_check_paths"]) == ["dirs", "files"]
assert sorted(keys["toolchain"]) == ["name", "version"]
fill = dict(name=keys["name"], version=keys["version"],
            installdir=os.environ["TO"])
print(keys["sources"][0] % fill)
print("%s-%s-%s-%s.eb" % (keys["name"], keys["version"],
                          keys["toolchain"]["name"], keys["toolchain"]["version"]))
command = keys["prebuildopts"] + "make " + keys["buildopts"]
subprocess.run(command % fill, shell=True, check=True)
for source, to in keys["files_to_copy"]:
    for file in source:
        assert os.path.exists(os.path.join(os.environ["SRC"], file)), file
paths = keys["sanity_check_paths"]
print(*[f for f in paths["files"] if not
        os.path.isfile(os.path.join(os.environ["TO"], f))],
      *[d for d in paths["dirs"] if not
        os.path.isdir(os.path.join(os.environ["TO"], d))], "nothing else")
os.environ["PATH"] = os.environ["TO"] + "/bin:" + os.environ["PATH"]
for command in keys["sanity_check_commands"]:
    subprocess.run(command, shell=True, check=True)
X
TO=$W/eb-prefix PATH=$W/bin:$PATH timeout 600 python3 -u run_eb.py "$eb" \
	>out 2>err
is "EasyBuild: read, its commands run" "$? $(tail -3 err)" "0 "
is "EasyBuild: the tarball of make dist" "$(sed -n 1p out)" \
	"wmtools-$version.tar.xz"
is "EasyBuild: the name that it looks for" "$(sed -n 2p out)" "${eb##*/}"
is "EasyBuild: what it checks is there" "$(sed -n 3p out)" "nothing else"
is "EasyBuild: the commands of its check" "$(sed -n "4p;6p" out)" \
	"$(printf 'wm-analyze %s\n' "$version"; echo "$W/eb-prefix")"
done_testing
