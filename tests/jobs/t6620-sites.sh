# SPDX-License-Identifier: Apache-2.0
# The set-ups of scripts/sites: every command that they show runs here, or is
# named as one that does not.
# run: slurm= rest
. "$(dirname "$0")/../lib.sh" wmcc-lib mpi-lib
sites=$SRC/scripts/sites
unset MPICH_CC MPICH_CXX MPICH_FC OMPI_CC OMPI_CXX OMPI_FC
unset CRAYPE_LINK_TYPE PE_PKGCONFIG_LIBS PE_FORTRAN_PKGCONFIG_LIBS
export VERSION=1.0 PREFIX=$W/opt/wmtools/1.0 MODULES=$W/modules

# block FILE N: the Nth block of commands of a document
block() {
	awk -v n="$2" '/^```sh$/ {i++; on = 1; next} /^```/ {on = 0}
		on && i == n' "$1"
}
blocks() { # FILE: how many
	grep -c '^```sh$' "$1"
}
# follow FILE N...: run blocks in one shell, with its variables and functions;
# $PRELUDE is read first
follow() {
	local file=$1
	shift
	{
		echo 'set -eu -o pipefail'
		printf '%s\n' "$PRELUDE"
		for i; do block "$file" "$i"; done
	} >follow.sh
	for i; do echo "$file $i" >>"$W/followed"; done
	timeout 300 bash follow.sh
}
PRELUDE=

program() { # a folder of programs in three languages, as a user has it
	rm -rf "$1" && mkdir -p "$1"
	(cd "$1" && mpi_sources)
	printf '%s\n' 'all: in_c in_cxx in_f' 'in_c: mpi.c' \
		'	$(CC) -g -o $@ mpi.c' 'in_cxx: mpi.cc' \
		'	$(CXX) -g -o $@ mpi.cc' 'in_f: mpi.f90' \
		'	$(FC) -g -o $@ mpi.f90' >"$1/Makefile"
}

# each WHAT MPIEXEC SUFFIX: the three programs leave a trace a rank
each() {
	local p
	for p in in_c in_cxx in_f; do
		ok "$1: $p$3" ranks "$2" 2 "app/$p$3"
	done
}

for f in "$sites"/*/*; do
	head -1 "$f" | grep -q '^#!/bin/\(ba\)\?sh' || continue
	ok "${f#"$sites"/}: bash reads it" bash -n "$f"
done
for f in "$sites"/*/README.md; do
	n=$(blocks "$f")
	for i in $(seq "$n"); do
		block "$f" "$i" >one
		ok "${f#"$sites"/}: bash reads block $i" bash -n one
	done
done

# `make' of a set-up in the source folder must not build in there.
source_make="make() { command make -s BUILD=$BUILD $(cat "$BUILD/variables") \"\$@\"; }"
mpich=$(mpich_prefix)
root=$(dirname "${mpich:-/none/bin}")
PATH=$(printf %s "$PATH" | tr ':' '\n' | grep -vx "$BUILD/bin" | paste -sd:)

# ---- cray-pe: with drivers that stand in for Cray's ----
cray() {
	local modules=/usr/share/modules/init/bash kind calls
	if [ ! -f $modules ]; then
		skip "cray-pe" "package environment-modules is not installed"
		return
	fi
	PRELUDE="$source_make; cd $SRC"
	ok "cray-pe: installs" follow "$sites/cray-pe/README.md" 1 2
	mkdir -p drivers pc.static pc.dynamic
	for p in cc CC ftn; do
		ln -sf "$SRC/tests/tools/cray-driver" drivers/$p
	done
	# MPI as the PE's module brings it, static and dynamic
	for kind in static dynamic; do
		cp "$root/lib/pkgconfig/mpich.pc" pc.$kind/mpich.pc
		printf 'Name: mpichf90\nDescription: x\nVersion: 1\nLibs: %s\n' \
			"-L$root/lib -lmpifort -lmpi -lpthread -lm" \
			>pc.$kind/mpichf90.pc
	done
	printf '%s\n' 'Name: mpich' 'Description: x' 'Version: 1' \
		"Cflags: $(mpicc.mpich -show -c x.c | grep -o -- '-I[^ ]*')" \
		"Libs: $(mpicc.mpich -show -o x x.o | grep -o -- '-L.*')" \
		>pc.dynamic/mpich.pc
	printf 'Name: mpichf90\nDescription: x\nVersion: 1\nLibs: %s\n' \
		"-lmpichfort -lmpich" >pc.dynamic/mpichf90.pc
	for kind in static dynamic; do
		PRELUDE=". $modules; module use $MODULES
			cd $W/app; PATH=$W/drivers:\$PATH
			export PE_PKGCONFIG_LIBS=mpich PKG_CONFIG_PATH=$W/pc.$kind
			export PE_FORTRAN_PKGCONFIG_LIBS=mpichf90
			export CRAYPE_LINK_TYPE=$kind"
		run=$mpich/mpiexec
		[ $kind = static ] || run=mpiexec.mpich
		program app
		PRELUDE="$PRELUDE; make -s CC=cc CXX=CC FC=ftn" \
			follow /dev/null 2>/dev/null
		rm -rf plain && mv app plain
		program app
		ok "cray-pe, $kind: make CC=wmcc" \
			follow "$sites/cray-pe/README.md" 3
		for p in in_c in_cxx in_f; do
			ok "cray-pe, $kind: $p as ever" same plain/$p app/$p
		done
		each "cray-pe, $kind" "$run" .wm
		for calls in 1 2; do
			program app
			PRELUDE="$PRELUDE; export CRAY_STAND_IN_CALLS=$calls"
			block "$sites/cray-pe/README.md" 4 |
				sed "s/LINK_TYPE=static/LINK_TYPE=$kind/" >one.md
			echo "$sites/cray-pe/README.md 4" >>followed
			{ echo '```sh'; cat one.md; echo '```'; } >link.md
			ok "cray-pe, $kind, wmtools-link, $calls calls: makes" \
				follow link.md 1
			each "cray-pe, $kind, wmtools-link, $calls calls" "$run" ""
		done
	done
	rm -rf plain
	is "cray-pe: unloaded, nothing is left of it" "$(
		. $modules
		module use "$MODULES"
		env | sort >before
		module load wmtools && module unload wmtools
		module load wmtools-link && module unload wmtools-link
		env | sort | diff before - |
			grep -v -e LOADEDMODULES -e _LMFILES_ -e '^[0-9]' \
				-e __MODULES -e '^---')" ""
}
if [ -n "$mpich" ] && command -v mpicc.mpich >/dev/null; then
	cray
else
	skip "cray-pe" "static MPICH (scripts/setup) or libmpich-dev is missing"
fi

# ---- slurm-mpich-static: with a real Slurm, as t6100 has it ----
slurm_site() {
	local p dir=$sites/slurm-mpich-static
	PRELUDE="$source_make; cd $SRC; PATH=$PREFIX/bin:\$PATH
		MPICH_ETC=$W/site-etc"
	ok "slurm-mpich-static: installs, with a profile for mpicc" \
		follow "$dir/README.md" 1 2
	ok "slurm-mpich-static: the profile is there" \
		grep -q "$PREFIX/bin/wm-config" site-etc/wm.conf
	program app
	sed -i 's/\$@/& $(LDFLAGS)/' app/Makefile
	cp "$dir/job.sbatch" app
	PRELUDE="cd $W/app; PATH=$PREFIX/bin:$mpich:\$PATH"
	ok "slurm-mpich-static: makes" follow "$dir/README.md" 3
	each "slurm-mpich-static" "$mpich/mpiexec" .wm
	PATH=$mpich:$PATH PBS_O_WORKDIR=$W WM_DIR=$W/pbs RANKS=2 PPN=2 \
		APP=app/in_c.wm timeout 60 bash "$sites/cray-pe/job.pbs"
	is "cray-pe: the job script of PBS, with hydra's mpiexec" \
		"$(find pbs -name 'rank-*' | wc -l)" 2
	for p in sbatch srun slurmctld slurmd munged; do
		command -v $p >/dev/null || PATH=$PATH:/usr/sbin:/sbin
		command -v $p >/dev/null ||
			{ skip "slurm-mpich-static: job" "$p is missing"; return; }
	done
	[ "$(id -u)" = 0 ] ||
		{ skip "slurm-mpich-static: job" "Slurm needs root"; return; }
	trap '"$SRC/scripts/try-slurm" down "$W/slurm"; cd /; rm -rf "$W"' EXIT
	"$SRC/scripts/try-slurm" up "$W/slurm" 2>slurm.log || {
		skip "slurm-mpich-static: job" "no Slurm: $(tail -1 slurm.log)"
		return
	}
	export SLURM_CONF=$W/slurm/slurm.conf
	ok "cray-pe: its job script, under this Slurm" env SLURM_SUBMIT_DIR="$W" \
		SRUN_OPTIONS="--mpi=pmi2 -N2 -n4" APP=app/in_c.wm \
		timeout 60 bash "$sites/cray-pe/job.sbatch"
	is "cray-pe: its job script leaves a trace a rank" \
		"$(find traces -name 'rank-*' | wc -l)" 4
	ok "slurm-mpich-static: the job runs" follow "$dir/README.md" 4
	is "slurm-mpich-static: a trace a rank, named by the step" \
		"$(cd app/traces && ls -d ./*/rank-* | sed 's/c\.[0-9]*/c.N/')" \
		"$(printf './in_c.N.0.wm/rank-00000%s.wmt.xz\n' 0 1 2 3)"
	cp "$dir/job-local.sbatch" app
	PRELUDE="$PRELUDE; export LOCAL_DISK=$W/local"
	ok "slurm-mpich-static: the job on local disks runs" \
		follow "$dir/README.md" 5
	is "slurm-mpich-static: it is collected" \
		"$(cd app/traces && ls -d in_cxx.*/rank-* | wc -l)" 4
	is "slurm-mpich-static: nothing stays on the local disks" \
		"$(find local -name 'rank-*')" ""
}
if [ -n "$mpich" ]; then
	slurm_site
else
	skip "slurm-mpich-static" "scripts/setup has not built MPICH"
fi

# ---- openmpi: Debian's ----
openmpi_site() {
	local p dir=$sites/openmpi
	mkdir -p ompi-bin
	for p in mpicc mpicxx mpiexec mpirun; do
		ln -sf "$(command -v $p.openmpi)" "ompi-bin/$p"
	done
	ln -sf "$(command -v mpif90.openmpi)" ompi-bin/mpifort
	PRELUDE="$source_make; cd $SRC"
	ok "openmpi: installs" follow "$dir/README.md" 1
	PRELUDE="cd $W/app; PATH=$PREFIX/bin:$W/ompi-bin:\$PATH"
	for p in 2 3; do
		program app
		ok "openmpi, way $((p - 1)): makes" follow "$dir/README.md" $p
		each "openmpi, way $((p - 1))" mpiexec.openmpi .wm
	done
	ok "openmpi: runs and analyses" follow "$dir/README.md" 4
	is "openmpi: a trace a rank" "$(ls app/traces/*.wm/rank-* | wc -l)" 2
	like "openmpi: the job script's command" "$(cd app &&
		PATH=$W/ompi-bin:$PATH SLURM_SUBMIT_DIR=$W/app APP=./in_c.wm \
		MPIRUN_OPTIONS='-n 3' WM_RUN_ID=j timeout 60 \
		bash "$dir/job.sbatch"; ls traces/in_c.j.wm | tr '\n' ' ')" \
		'rank-000000.wmt.xz rank-000001.wmt.xz rank-000002.wmt.xz'
}
if command -v mpicc.openmpi >/dev/null; then
	openmpi_site
else
	skip "openmpi" "package libopenmpi-dev is not installed"
fi

# ---- workstation ----
mkdir -p home ws
(cd ws && sources && cp hello.c app.c &&
	printf 'app: app.c\n\t$(CC) -g -o app app.c\n' >Makefile)
PRELUDE="export HOME=$W/home; $source_make; cd $SRC"
ok "workstation: installs" follow "$sites/workstation/README.md" 1 2
PRELUDE="export HOME=$W/home; cd $W/ws"
ok "workstation: makes, runs, analyses" \
	follow "$sites/workstation/README.md" 3 4 5
is "workstation: two traces" "$(ls -d ws/*.wm/rank-* | wc -l)" 2
PRELUDE="export HOME=$W/home; $source_make; cd $SRC"
ok "workstation: removes" follow "$sites/workstation/README.md" 6
is "workstation: nothing is left" "$(find home -type f)" ""

# ---- container: no engine here; its script builds and needs a network ----
for f in Containerfile wmtools.def; do
	is "container: $f runs build" \
		"$(grep -c '/src/wmtools/scripts/sites/container/build$' \
			"$sites/container/$f")" 1
	is "container: $f has the paths that build makes" "$(grep -o \
		'PATH=/opt/wmtools/bin:/opt/mpich/bin' "$sites/container/$f")" \
		"PATH=/opt/wmtools/bin:/opt/mpich/bin"
done

if grep -q 'slurm.* 5$' followed && grep -q openmpi followed &&
	grep -q cray followed; then
	is "no command of a set-up was left out" "$(for f in "$sites"/*/README.md
		do for i in $(seq "$(blocks "$f")"); do echo "$f $i"; done
		done | grep -vxF -f followed)" ""
else
	skip "no command of a set-up was left out" "some did not run, see above"
fi
done_testing
