# SPDX-License-Identifier: Apache-2.0
# hydra on two hosts: namespaces give each proxy a host name and a boot id.
. "$(dirname "$0")/../lib.sh" mpi-lib launch-lib
need_mpich
unshare --uts --mount true 2>/dev/null ||
	skip_all "no right to host names of our own (unshare --uts --mount)"
member_sources
WM_CC=$mpi/bin/mpicc wmcc -g -static -o ocean member.c 2>/dev/null
pretend_hosts
unshare --uts --mount sh -c "echo x >x && mount --bind x $boot" 2>mount.err ||
	skip_all "no mount over $boot: $(tail -1 mount.err)"
ok "four ranks on two hosts" run "$mpi/bin/mpiexec" -launcher ssh \
	-launcher-exec "$W/ssh" -hosts 127.0.0.2,127.0.0.3 -n 4 ./ocean.wm
is "one directory, named by the control port" "$(dirs)$(job) $(sizes)" \
	"ocean.HOST-N.wm [4,true,[0,1,2,3]] 0 1 2 3 "
wm-analyze --quiet --json --imbalance run/*.wm >answer
is "two nodes" "$(jq -c '[.run.nodes, [.ranks[].node]]' answer)" \
	'[2,["node-2","node-3","node-2","node-3"]]'
is "peaks of nodes are apart" "$(jq -c '[.imbalance.nodes[] |
	.peak_bytes >= 100000000 and .peak_bytes < 150000000]' answer)" \
	'[true,true]'
done_testing
