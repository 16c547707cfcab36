# SPDX-License-Identifier: Apache-2.0
# run: rest
# find_package(wmtools): twins by a function, a property, a variable; each
# generator, each language, static and dynamic; app as ever.
. "$(dirname "$0")/../lib.sh" wmcc-lib cmake ninja gfortran
unset WM_CC CC CXX FC
product_make install PREFIX=/wm DESTDIR="$W/stage" >install.log 2>&1
mv stage/wm "with blank"
home="$W/with blank"
PATH=$(printf %s "$PATH" | tr ':' '\n' | grep -vx "$BUILD/bin" | paste -sd:)
sources
printf '%s\n' '#include <wm/wmtrace.h>' \
	'int main(void) { wm_phase("one"); return 0; }' >phases.c
mkdir sub
cat >CMakeLists.txt <<'X'
cmake_minimum_required(VERSION 3.13)
project(all C CXX Fortran)
if(USED)
	find_package(wmtools 0.1 REQUIRED)
endif()
foreach(kind dynamic static)
	add_executable(c_${kind} hello.c)
	add_executable(cxx_${kind} hello.cc)
	add_executable(f_${kind} hello.f90)
	if(kind STREQUAL "static")
		foreach(lang c cxx f)
			target_link_options(${lang}_static PRIVATE -static)
		endforeach()
	endif()
	if(USED)
		wmtools_relink(c_${kind} cxx_${kind} f_${kind})
	endif()
endforeach()
add_executable(other hello.c)
add_executable(never hello.c)
set_target_properties(never PROPERTIES WMTOOLS_RELINK OFF)
add_library(shared SHARED hello.c)
add_subdirectory(sub)
if(USED)
	add_executable(phases phases.c)
	target_link_libraries(phases PRIVATE wmtools::annotate)
	file(READ ${wmtools_FORTRAN_MODULE} module)
	message(STATUS "prefix ${wmtools_PREFIX} version ${wmtools_VERSION}")
endif()
X
cat >sub/CMakeLists.txt <<'X'
add_executable(deep ../hello.c)
set_target_properties(deep PROPERTIES WMTOOLS_RELINK ON)
X
programs="c_dynamic cxx_dynamic f_dynamic c_static cxx_static f_static"
build() { # FOLDER GENERATOR OPTION...
	local dir=$1
	shift
	cmake -B "$dir" -G "$@" >"$dir.log" 2>&1 &&
		timeout 300 cmake --build "$dir" >>"$dir.log" 2>&1
}
twins() { (cd "$1" && find . -name '*.wm' -type f | sort | tr '\n' ' '); }
all="./c_dynamic.wm ./c_static.wm ./cxx_dynamic.wm ./cxx_static.wm \
./f_dynamic.wm ./f_static.wm"
for g in Makefiles Ninja; do
	generator=${g/Makefiles/Unix Makefiles}
	ok "$g: builds without wmtools" build ref-$g "$generator"
	ok "$g: builds with it" build new-$g "$generator" -DUSED=ON \
		-DCMAKE_PREFIX_PATH="$home"
	is "$g: twins of what asks for them" "$(twins new-$g)" \
		"$all ./sub/deep.wm "
	for p in $programs; do
		ok "$g: $p is the same" same ref-$g/$p new-$g/$p
		ok "$g: $p.wm traces" traced new-$g/$p.wm
	done
	ok "$g: <wm/wmtrace.h> is found" test -x new-$g/phases
	ok "$g: clean" cmake --build new-$g --target clean
	is "$g: clean takes the twins, too" "$(twins new-$g)" ""
done
like "it says where it is" "$(cat new-Ninja.log)" \
	"prefix $home version $(sed -n 's/.*WM_VERSION "\(.*\)"/\1/p' \
	"$SRC/include/wm/version.h")"
ok "by PATH, for all" env PATH="$home/bin:$PATH" bash -c "$(declare -f build)
	build every Ninja -DUSED=ON -DWMTOOLS_RELINK=ON"
is "for all but what will not" "$(twins every)" \
	"$all ./other.wm ./phases.wm ./sub/deep.wm "
ok "where the compiler is wmcc already" env PATH="$home/bin:$PATH" bash -c \
	"$(declare -f build); CC=wmcc build wmcc 'Unix Makefiles' -DUSED=ON"
ok "that twin traces" traced wmcc/c_static.wm
if command -v ccache >/dev/null; then
	ok "with a launcher of the project's" env CCACHE_DIR="$W/cc" \
		bash -c "$(declare -f build); build launched Ninja -DUSED=ON \
		-DCMAKE_PREFIX_PATH='$home' -DCMAKE_C_LINKER_LAUNCHER=ccache"
	is "its twins" "$(twins launched)" "$all ./sub/deep.wm "
else
	skip "with a launcher of the project's" "package ccache is not installed"
fi
ok "a version that is too new is refused" bash -c "$(declare -f build)
	sed -i 's/wmtools 0.1/wmtools 9.1/' CMakeLists.txt
	! build newer Ninja -DUSED=ON -DCMAKE_PREFIX_PATH='$home'"
like "and said" "$(cat newer.log)" 'version: 0'
done_testing
