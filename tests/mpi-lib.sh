# SPDX-License-Identifier: Apache-2.0
# What tests with MPI compilers share; sourced after lib.sh.
#
#   mpich_prefix                  prints the bin folder of the static MPICH
#   mpi_sources                   mpi.c mpi.cc mpi.f90 here
#   ranks MPIEXEC N PROGRAM       N ranks leave N traces of one run
#
# mpi.c with -DMEMORY makes four events of MPI's own memory a rank.

mpich_prefix() {
	local dir

	dir=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null) || return
	printf '%s/bin\n' "$dir"
}

mpi_sources() {
	bring mpi/mpi.c mpi/mpi.cc mpi/mpi.f90
}

ranks() {
	local dir n d status

	dir=$(mktemp -d "$W/run.XXXXXX")
	WM_DIR=$dir timeout 60 "$1" -n "$2" "$3" >"$dir/out" 2>&1 </dev/null
	status=$?
	cat "$dir/out"
	n=$(find "$dir" -name 'rank-*.wmt.xz' | wc -l)
	d=$(find "$dir" -name '*.wm' -type d | wc -l)
	rm -rf "$dir"
	echo "status $status, $n traces in $d folders"
	[ $status -eq 0 ] && [ "$n" -eq "$2" ] && [ "$d" -eq 1 ]
}

# ./ssh, in the place of ssh ([OPTIONS] HOST COMMAND): HOST ends in .N and is
# pretended by namespaces, with a name and a boot id of its own.
boot=/proc/sys/kernel/random/boot_id
pretend_hosts() {
	cat >ssh <<END
#!/bin/sh
while [ "\${1#-}" != "\$1" ]; do shift; done
n=\${1##*.}
shift
echo "127.0.0.1 localhost $(uname -n) node-2 node-3" >"$W/hosts.\$n"
echo "00000000-0000-0000-0000-00000000000\$n" >"$W/boot.\$n"
export NODE_DIR="$W/run/node-\$n"
exec unshare --uts --mount sh -c 'n=\$0
	hostname "node-\$n" && mount --bind "$W/hosts.\$n" /etc/hosts &&
	mount --bind "$W/boot.\$n" $boot && eval "exec \$*"' "\$n" "\$@"
END
	chmod +x ssh
}
