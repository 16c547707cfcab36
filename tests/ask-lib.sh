# SPDX-License-Identifier: Apache-2.0
# For tests of what to ask the batch system for: a program, app.wm, and the
# answers about a run of it.
command -v python3 >/dev/null || skip_all "no python3"
unset SLURM_JOB_ID SLURM_STEP_ID SLURM_CPUS_PER_TASK PBS_JOBID LSB_JOBID \
	JOB_ID SGE_ROOT SLURM_MEM_PER_CPU SLURM_MEM_PER_NODE

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
	return p[0] != 1 || fixed[atoi(argv[1])] != 1;
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
                                         "stack", "other",
                                         "thread_stacks", "shared", "refused"))
print(eval("(" + sys.argv[1] + ")"))' "$2"
}
begin() { # RUN: the first section of the summary
	wm-analyze "$1" 2>/dev/null | sed '1,/^$/d;/^$/,$d'
}
