# SPDX-License-Identifier: Apache-2.0
# WM_SUMMARY in jobs of two nodes: hosts of namespaces under hydra, then
# pretended ones under a real Slurm.  About 30 s.
# run: slurm=
. "$(dirname "$0")/../lib.sh" mpi-lib launch-lib
need_mpich
WM_CC=$mpi/bin/mpicc wmcc -g -static -fno-builtin -o final \
	"$progs/finalize.c" -lm 2>/dev/null
cp final.wm second.wm
export WM_SUMMARY=1

# tables: the first line of each, without the time
tables() { sed -n '/^wmtrace/s/,[^,]*$//p' err | sort; }

# ---- hydra, hosts with names and boot ids of their own ----
pretend_hosts
cat >own <<'END'
#!/bin/sh
mkdir -p "$NODE_DIR" && WM_DIR=$NODE_DIR exec "$@"
END
chmod +x own
hosts() {
	run "$mpi/bin/mpiexec" -launcher ssh -launcher-exec "$W/ssh" \
		-hosts 127.0.0.2,127.0.0.3 "$@"
}
if unshare --uts --mount sh -c "echo x >x && mount --bind x $boot" \
	2>mount.err; then
	ok "two hosts, one directory" hosts -n 4 ./final.wm
	is "two hosts, one directory: a table of all" "$(tables)" \
		"wmtrace: final, 4 ranks on 2 nodes"
	like "two hosts, one directory: the worst node is the second" \
		"$(grep '^  worst node' err)" ' by 2 ranks on node-3$'
	ok "two hosts, a directory each" hosts -n 4 ./own ./final.wm
	is "two hosts, a directory each: one table" "$(tables)" \
		"wmtrace: final, 2 of 4 ranks on 1 node"
	like "two hosts, a directory each: what it is" "$(cat err)" \
		"^ +2 ranks are not in this directory; if WM_DIR is a node's own"
	like "two hosts, a directory each: that of rank 0" \
		"$(tail -n 1 err)" "/run/node-2/final[.]"
	is "two hosts, a directory each: no file is left" \
		"$(find run -name '.summary*')" ""
	ok "two programs on both hosts" hosts -n 2 ./final.wm : -n 2 ./second.wm
	is "two programs on both hosts: two tables" "$(tables)" \
		"wmtrace: final, 2 of 4 ranks on 2 nodes
wmtrace: second, 2 of 4 ranks on 2 nodes"
	is "two programs on both hosts: no file is left" \
		"$(find run -name '.summary*')" ""
else
	skip "hosts of namespaces" "no mount over $boot: $(tail -1 mount.err)"
fi

# ---- Slurm ----
need_slurm_or_end "under Slurm"
ok "srun pmi2" run srun -N2 -n4 --mpi=pmi2 ./final.wm
is "srun pmi2: one table" "$(tables)" "wmtrace: final, 4 ranks on 1 node"
is "srun pmi2: the ranks with most and least are wm-analyze's" \
	"$(sed -n 's/^  high-water[^(]*(\([0-9]*\))[^(]*(\([0-9]*\)).*/[\1,\2]/p' \
		err)" \
	"$(wm-analyze --json run/*.wm | jq -c '.heap.peak | [.max_rank,
		.min_rank]')"
ok "srun pmi2, a directory each" run srun -N2 --ntasks-per-node=2 --mpi=pmi2 \
	sh -c 'NODE_DIR=run/n$SLURM_NODEID exec ./own ./final.wm'
is "srun pmi2, a directory each: one table" "$(tables)" \
	"wmtrace: final, 2 of 4 ranks on 1 node"
is "srun pmi2, a directory each: two directories" "$(ls run)" "n0
n1"
done_testing
