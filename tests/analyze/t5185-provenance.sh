#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Where a run comes from: command line, program, build-id, date, hosts,
# launcher, batch system and version, in the trace and in all that tells it.
. "$(dirname "$0")/../lib.sh" python3

cat >app.c <<'X'
#include <stdlib.h>
int main(void)
{
	free(malloc(100000));
	return 0;
}
X
ok "build" wmcc -O0 -g -static -o app app.c
id=$(readelf -n app.wm | sed -n 's/.*Build ID: //p')
# none of those that this test runs in
unset SLURM_JOB_ID SLURM_STEP_ID SLURM_CPUS_PER_TASK PBS_JOBID LSB_JOBID \
	JOB_ID SGE_ROOT

key() { # RUN KEY
	wm-analyze --json "$1" 2>/dev/null | python3 -c '
import json, sys
run = json.load(sys.stdin)["run"]
print(json.dumps(eval("run" + sys.argv[1])))' "$2"
}

# ---- one process ----
before=$(date -u +%Y-%m-%dT%H:%M:%SZ)
WM_RUN_ID=1 ./app.wm "it's" a=b '' $'x\ny' $'\377'
after=$(date -u +%Y-%m-%dT%H:%M:%SZ)
is "JSON: the command line, quoted" "$(key app.1.wm '["command"]')" \
	'"./app.wm '"'it'\\\\''s' a=b '' 'x\\\\x0ay' '\\\\xff'"'"'
is "JSON: it is whole, and of one rank" "$(key app.1.wm \
	'["commands"][0]["cut"], run["commands"][0]["ranks"]')" '[false, 1]'
is "JSON: program and build-id" "$(key app.1.wm '["exe"], run["build_id"]')" \
	"[\"$W/app.wm\", \"$id\"]"
is "JSON: host, launcher, batch system, version" "$(key app.1.wm \
	'["hosts"], run["launcher"], run["batch"], run["tool_version"]')" \
	"[[\"$(uname -n)\"], \"none\", null, \"$(wm-config --version |
		sed 's/.* //')\"]"
started=$(key app.1.wm '["started"]' | tr -d '"')
ok "JSON: the date ($before <= $started <= $after)" \
	test ! "$started" \< "$before" -a ! "$started" \> "$after"
wm-analyze app.1.wm >text
like "text: the command line" "$(sed -n 3p text)" \
	"^  command   \./app\.wm 'it'.''s' a=b '' 'x"
like "text: when and where" "$(sed -n 4p text)" \
	"^  started   ${started:0:10} ${started:11:8} UTC on $(uname -n)\$"
like "text: the program" "$(sed -n 5p text)" \
	"^  program   $W/app\.wm, build ${id:0:12}, traced by wmtools [0-9]"

# ---- what is not to be known, or too long ----
WM_COMMAND=off WM_RUN_ID=2 ./app.wm secret
is "WM_COMMAND=off: no command line" "$(key app.2.wm \
	'["command"], run["commands"]')" '[null, []]'
has_no "WM_COMMAND=off: none of its words" 'secret|command ' \
	wm-analyze app.2.wm
has_no "WM_COMMAND=off: nor in the trace" secret \
	bash -c 'xz -dc app.2.wm/*.xz | tr -c "[:print:]" "\n"'
WM_COMMAND=of WM_RUN_ID=3 ./app.wm secret 2>err
is "WM_COMMAND=of: not by a slip" "$(key app.3.wm '["command"]') $(cat err)" \
	"null wmtrace: WM_COMMAND='of' is neither on nor off; taking off"
# 9 bytes of ./app.wm, 4087 of one argument without its zero; and one more
WM_RUN_ID=4 ./app.wm "$(printf '%4086s' | tr ' ' x)"
WM_RUN_ID=5 ./app.wm "$(printf '%4087s' | tr ' ' x)"
is "4,096 bytes are there" "$(key app.4.wm '["commands"][0]["cut"], len(run["command"])')" '[false, 4095]'
is "of 4,097 the first 4,096 are, and that is said" "$(key app.5.wm \
	'["commands"][0]["cut"], len(run["command"])')" '[true, 4096]'

# ---- several ----
for i in 0 1 2; do
	PMI_RANK=$i PMI_SIZE=3 WM_RUN_ID=6 SLURM_JOB_ID=17 \
		SLURM_CPUS_PER_TASK=2 ./app.wm $((i / 2))
done
is "command lines of ranks" "$(key app.6.wm '["commands"]')" \
	'[{"command": "./app.wm 0", "cut": false, "ranks": 2}, {"command": "./app.wm 1", "cut": false, "ranks": 1}]'
is "launcher and batch system" "$(key app.6.wm '["launcher"], run["batch"]')" \
	'["PMI", {"system": "Slurm", "job": "17", "cpus_per_rank": 2}]'
wm-analyze app.6.wm >text
is "text: both" "$(sed -n 3,4p text)" "  command   ./app.wm 0  (2 ranks)
            ./app.wm 1  (1 rank)"
like "text: launcher and job" "$(sed -n 5p text)" ' by PMI, job 17 of Slurm$'
PBS_JOBID=9.host WM_RUN_ID=7 ./app.wm
LSB_JOBID=8 WM_RUN_ID=8 ./app.wm
JOB_ID=3 SGE_ROOT=/sge WM_RUN_ID=9 ./app.wm
JOB_ID=3 WM_RUN_ID=10 ./app.wm
is "other batch systems" "$(for i in 7 8 9 10; do
	key app.$i.wm '["batch"] and [run["batch"]["system"], run["batch"]["job"]]'
done | tr '\n' ' ')" '["PBS", "9.host"] ["LSF", "8"] ["SGE", "3"] null '

# ---- whoever else tells ----
wm-analyze --compare app.1.wm app.6.wm >text
is "--compare: both" "$(grep -c '^  program ' text) $(grep -c \
	'^  command   ./app.wm 0  (2 ranks)' text)" "2 1"
is "--compare: JSON" "$(wm-analyze --json --compare app.2.wm app.6.wm |
	python3 -c 'import json, sys
j = json.load(sys.stdin)["compare"]
print(j["a"]["command"], j["b"]["command"], j["b"]["build_id"])')" \
	"None ./app.wm 0 $id"
is "--model: JSON" "$(wm-analyze --json --model app.1.wm app.6.wm \
	--problem-size 8 |
	python3 -c 'import json, sys
print([x["run"] for x in json.load(sys.stdin)["jobs"]])')" \
	"['app.1.wm', 'app.6.wm', None, None, None]"
wm-analyze --export massif app.6.wm >massif
is "massif: cmd:" "$(grep '^cmd:' massif)" "cmd: ./app.wm 0"
like "massif: desc:" "$(grep '^desc:' massif)" \
	" by PMI, job 17 of Slurm, program $W/app.wm, build $id, traced by wmtools"
wm-analyze --export pprof app.6.wm | zcat | tr -c '[:print:]' '\n' >pprof
is "pprof: comments" "$(grep -c -e '^./app.wm [01]' -e 'job 17 of Slurm' \
	pprof)" 3
like "speedscope: its name" "$(wm-analyze --export speedscope app.6.wm)" \
	'"name": "app  run 6: ./app.wm 0"'
is "extrap: a line names its run" "$(wm-analyze --export extrap app.1.wm app.6.wm |
	grep -o '"run":"[^"]*"' | sort -u | tr '\n' ' ')" '"run":"app.1.wm" "run":"app.6.wm" '
has_no "folded has no place for it" 'app[.]wm|started' \
	wm-analyze --export folded app.1.wm
has_no "nor has CSV" '^#|started' wm-analyze --export csv app.1.wm
key app.6.wm '["commands"], run["batch"], run["started"]' >was
wm-analyze --repack app.6.wm >/dev/null
is "--repack keeps it" "$(key app.6.wm \
	'["commands"], run["batch"], run["started"]')" "$(cat was)"
done_testing
