#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What to ask the batch system for: the end of the summary, and run.ask.
. "$(dirname "$0")/../lib.sh"
command -v python3 >/dev/null || skip_all "no python3"
unset SLURM_JOB_ID SLURM_STEP_ID SLURM_CPUS_PER_TASK PBS_JOBID LSB_JOBID \
	JOB_ID SGE_ROOT

# 64 MiB of the heap, of which the argument's MiB are written, and 8 of static
# memory; a second argument: killed
cat >app.c <<'X'
#include <signal.h>
#include <stdlib.h>
#include <string.h>
static char fixed[8 << 20];
int main(int argc, char **argv)
{
	char *p = malloc(64 << 20);

	memset(p, 1, (size_t)atoi(argv[1]) << 20);
	memset(fixed, 1, sizeof(fixed));
	if (argc > 2)
		raise(SIGKILL);
	free(p);
	return fixed[atoi(argv[1])] != 1;
}
X
ok "build" wmcc -O0 -g -static -o app app.c

ask() { # RUN EXPRESSION of q, run.ask
	wm-analyze --json "$1" 2>/dev/null | python3 -c '
import json, sys
j = json.load(sys.stdin)
q = j["run"]["ask"]
M = 1 << 20
def parts():
    return sum(q[k + "_bytes"] for k in ("requested", "allocator", "static",
                                         "stack", "other"))
print(eval("(" + sys.argv[1] + ")"))' "$2"
}
end() { # RUN: the section of the summary
	wm-analyze "$1" 2>/dev/null | sed -n '/^What to ask/,$p'
}

WM_RUN_ID=1 ./app.wm 64
is "what was written is needed" "$(ask app.1.wm \
	'q["counts"], 72 * M < q["need_bytes"] < 75 * M')" "('resident', True)"
is "its parts add up" "$(ask app.1.wm \
	'parts() - q["untouched_bytes"] - q["need_bytes"]')" 0
is "heap and static memory are parts" "$(ask app.1.wm \
	'q["requested_bytes"] // M, q["static_bytes"] // M')" "(64, 8)"
is "10 % more, in whole MiB" "$(ask app.1.wm \
	'q["rank_mib"] - -(-q["need_bytes"] * 11 // (10 * M)), q["margin_percent"]')" \
	"(0, 10)"
is "no batch system, no option" "$(ask app.1.wm \
	'q["option"], q["lower_bound"]')" "(None, False)"
like "the tool's part stands beside it" "$(ask app.1.wm 'q["tool_bytes"]')" \
	'^[1-9][0-9]{5,6}$'
is "and is not asked for" "$(ask app.1.wm 'q["need_bytes"] + q["tool_bytes"] -
	j["memory"]["rss"]["max"]')" 0
end app.1.wm >text
like "text: a rank" "$(sed -n 2p text)" \
	'^  a rank       [78][0-9] MiB: 7[234]\.[0-9] MiB resident without the tool \(rank 0\), and 10 % more$'
like "text: parts" "$(sed -n 3p text)" \
	'^  parts        requested 64\.0 MiB, .*static 8\.0 MiB, stack '
like "text: a node" "$(sed -n 4p text)" '^  a node       [78][0-9] MiB: of 1 rank$'
like "text: tracing, and no option" "$(sed -n 5p text)" \
	'^  tracing      [0-9.]+ [KM]iB a rank more$'

WM_RUN_ID=2 ./app.wm 4
is "what was not written is not needed" "$(ask app.2.wm \
	'11 * M < q["need_bytes"] < 16 * M, q["untouched_bytes"] // M in (58, 59, 60),
	parts() - q["untouched_bytes"] == q["need_bytes"]' )" \
	"(True, True, True)"
like "text: that is said" "$(end app.2.wm)" \
	'; (5[89]|60)\.[0-9] MiB of it never in RAM$'

WM_RUN_ID=3 ./app.wm 64 kill 2>/dev/null
is "killed: at least" "$(ask app.3.wm \
	'q["lower_bound"], q["rank_mib"] >= 79')" "(True, True)"
like "text: killed: at least" "$(end app.3.wm)" '^  a rank       at least '

# two ranks of one node that need 72 and 12 MiB
for i in 0 1; do
	PMI_RANK=$i PMI_SIZE=2 WM_RUN_ID=4 SLURM_JOB_ID=17 \
		SLURM_CPUS_PER_TASK=4 ./app.wm $((64 - 60 * i))
done
is "a node: the sum of its ranks" "$(ask app.4.wm 'q["node_ranks"],
	q["node_mib"] < 2 * q["rank_mib"], q["node_mib"] > q["rank_mib"]' |
	tr -d '\n')" "(2, True, True)"
is "Slurm" "$(ask app.4.wm 'q["option"] ==
	"--mem-per-cpu=%dM (4 processors a rank) or --mem=%dM" %
	(-(-q["rank_mib"] // 4), q["node_mib"])')" True
like "text: option" "$(end app.4.wm)" '^  option       --mem-per-cpu=[12][0-9]M '
PBS_JOBID=9 WM_RUN_ID=5 ./app.wm 64
LSB_JOBID=8 WM_RUN_ID=6 ./app.wm 64
JOB_ID=3 SGE_ROOT=/sge WM_RUN_ID=7 ./app.wm 64
like "PBS" "$(ask app.5.wm 'q["option"]')" \
	'^-l select=1:mpiprocs=1:mem=[78][0-9]mb$'
like "LSF" "$(ask app.6.wm 'q["option"]')" \
	'^-M [78][0-9]MB -R "rusage\[mem=[78][0-9]MB\]" \(of a process, of a host\)$'
like "SGE" "$(ask app.7.wm 'q["option"]')" \
	'^-l h_rss=[78][0-9]M \(h_vmem counts address space: more\)$'
done_testing
