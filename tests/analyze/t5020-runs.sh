# SPDX-License-Identifier: Apache-2.0
# Which files are a run, which runs make no sense, and how it all ends: run
# directories, sub-directories, copies, MPMD jobs, options, exit codes.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib

# traces NAME PROGRAM ID FIRST LAST OF [end]
traces() {
	local i
	{
		echo "program $2"
		echo "id $3"
		for ((i = $4; i <= $5; i++)); do
			echo "rank $i of $6"
			echo "t 1000010 malloc 0x1000 $((1000 + i)) 0x401010"
			echo "${7:-end}"
		done
	} | run "$1"
}

is "nothing here: nothing readable" "$(status wm-analyze)" 3
like "it says what to do" "$(wm-analyze 2>&1)" 'no run directory .*name one.*LINK, LD'
traces app.1.wm app 1 0 3 4
touch -d '2001-01-01' app.1.wm
traces b.app.2.wm b.app 2 0 1 2
is "the newest run is the default" "$(json 'j["run"]["program"]')" b.app
mkdir z.wm
is "a directory without traces is no run" "$(json 'j["run"]["program"]')" b.app
is "to name it is an error" "$(status wm-analyze z.wm)" 3
is "program and id from a name with dots" "$(json 'j["run"]["id"]')" 2
is "a run by name" "$(json 'j["heap"]["peak"]["max"]' app.1.wm)" 1003
is "a slash at the end" "$(json 'j["run"]["id"]' app.1.wm/)" 1
is "from inside the directory" "$(cd app.1.wm && json 'j["run"]["id"]' .)" 1
is "one trace alone" "$(json 'j["heap"]["peak"]' app.1.wm/rank-000002.wmt.xz)" \
	"$(json 'j["heap"]["peak"]' app.1.wm/rank-000002.wmt.xz)"
is "who names a trace asks about that trace" \
	"$(status wm-analyze app.1.wm/rank-000002.wmt.xz)" 0
cp app.1.wm/rank-000003.wmt.xz odd-name
is "a trace under another name tells its rank" \
	"$(json 'j["heap"]["peak"]["max_rank"]' odd-name)" 3
is "nothing readable where nothing is" "$(status wm-analyze nowhere.wm)" 3
like "it names the file" "$(wm-analyze nowhere.wm 2>&1)" \
	"^wm-analyze: 'nowhere.wm': No such file"

# sub-directories of 1,024, in any mixture
mkdir -p big.1.wm
traces big.1.wm big 1 0 2 5
traces part big 1 3 4 5
mkdir big.1.wm/ranks-000000 big.1.wm/ranks-001024
mv big.1.wm/rank-000001.wmt.xz big.1.wm/ranks-000000/
mv part/* big.1.wm/ranks-001024/
is "sub-directories of ranks" \
	"$(json '[r["rank"] for r in j["ranks"]]' big.1.wm)" \
	"[0, 1, 2, 3, 4]"
is "their run is complete" "$(status wm-analyze big.1.wm)" 0

# copies
traces dup.1.wm app 1 0 1 2
traces other app 1 1 1 2
cp other/rank-000001.wmt.xz dup.1.wm/rank-000001.2.wmt.xz
echo "program app
rank 1 of 2
t 1000010 malloc 0x1000 7777 0x401010
end" | run third
cp third/rank-000001.wmt.xz dup.1.wm/rank-000001.10.wmt.xz
is "of copies the highest number counts" \
	"$(json 'j["heap"]["peak"]["max"]' dup.1.wm)" 7777
like "two processes of one rank at the same time: one is not counted" \
	"$(wm-analyze dup.1.wm 2>&1 >/dev/null)" \
	"claimed to be rank 1 at the same time: .*'.*rank-000001.10.wmt.xz' is read"
is "then answers are from a part" "$(status wm-analyze dup.1.wm)" 4
# one_pid DIR END: traces of pid 100, one after the other, of 5, 2 and 1 KB
one_pid() {
	local mono=1000000000 bytes n=
	for bytes in 5000 2000 1000; do
		echo "program app
		id 1
		mono $mono
		file rank-000000$n.wmt.xz
		rank 0 of 1
		t 1000010 malloc 0x1000 $bytes main
		${2:-}" | run "$1"
		mono=$((mono + 1000000000)) n=.$((mono / 1000000000))
	done
}
one_pid containers.1.wm end
like "three first processes of containers" \
	"$(wm-analyze containers.1.wm 2>&1 >/dev/null)" \
	"3 processes ran one after the other, each as pid 100: WM_RUN_ID keeps them apart; '.*/rank-000000.3.wmt.xz' is read, '.*.2.wmt.xz' and 1 more are not"
is "no gate passes on what is not read" \
	"$(status wm-analyze --fail-on peak=2K containers.1.wm)" 4
is "an answer from a part is not complete" \
	"$(json 'j["run"]["complete"]' containers.1.wm)" False
one_pid exec.1.wm
like "a process that executes itself leaves no end" \
	"$(wm-analyze exec.1.wm 2>&1 >/dev/null)" \
	'rank 0: pid 100 executed itself twice, and each program has a trace'

# missing and foreign
traces miss.1.wm app 1 0 3 4
rm miss.1.wm/rank-000002.wmt.xz
is "a missing rank: answers from a part" "$(status wm-analyze miss.1.wm)" 4
like "it says which" "$(wm-analyze miss.1.wm 2>&1 >/dev/null)" \
	'no trace of rank 2, one of 4 ranks$'
like "so does the report" "$(wm-analyze miss.1.wm 2>/dev/null)" 'Incomplete'
is "and the JSON" "$(json '(j["run"]["complete"], j["run"]["missing_ranks"],
	j["run"]["salvaged_ranks"], j["run"]["ranks"])' miss.1.wm)" \
	"(False, [2], [], 4)"
echo "not a trace, but long enough to be one" >miss.1.wm/rank-000002.wmt.xz
like "a foreign file is named" "$(wm-analyze miss.1.wm 2>&1 >/dev/null)" \
	"rank 2: 'rank-000002.wmt.xz': not a wmtools trace \(no .xz stream\)\$"
is "the other ranks count" "$(json 'len(j["ranks"])' miss.1.wm)" 3
echo hello | xz >miss.1.wm/rank-000002.wmt.xz
like "so is an .xz file" "$(wm-analyze miss.1.wm 2>&1 >/dev/null)" \
	"rank 2: 'rank-000002.wmt.xz': "
is "its status" "$(status wm-analyze miss.1.wm)" 4
mkdir foreign.1.wm
cp miss.1.wm/rank-000002.wmt.xz foreign.1.wm/
is "nothing but foreign files" "$(status wm-analyze foreign.1.wm)" 3
: >empty.wmt.xz
like "an empty file" "$(wm-analyze empty.wmt.xz 2>&1)" \
	"'empty.wmt.xz': empty file"
ok "other files in a run directory are nobody's business" \
	touch app.1.wm/README app.1.wm/rank-1.wmt.xz app.1.wm/rank-000001.wmt \
	app.1.wm/ranks-README
is "they are not read" "$(status wm-analyze app.1.wm)" 0
mkfifo pipe.wmt.xz
is "a pipe is no trace, and nobody waits for it" \
	"$(status timeout 100 wm-analyze pipe.wmt.xz)" 3

# a directory that cannot be read to its end
cat >cut.c <<'E'
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Fails when it comes to a certain file for the CUT-th time. */
struct dirent *readdir(DIR *d)
{
	static struct dirent *(*real)(DIR *);
	static int times;
	struct dirent *e;

	*(void **)&real = dlsym(RTLD_NEXT, "readdir");
	e = real(d);
	if (!e || strcmp(e->d_name, "rank-000002.wmt.xz") != 0 ||
	    ++times < atoi(getenv("CUT")))
		return e;
	errno = EIO;
	return NULL;
}

struct dirent64 *readdir64(DIR *d)
{
	return (void *)readdir(d);
}
E
gcc -D_GNU_SOURCE -shared -fPIC -o cut.so cut.c -ldl
traces cut.1.wm app 1 0 3 4
cut_short() { # TIMES ARGUMENT...: what is said, and the status
	CUT=$1 LD_PRELOAD=$W/cut.so wm-analyze "${@:2}" cut.1.wm 2>&1 >/dev/null
	echo "$?"
}
said="wm-analyze: 'cut.1.wm': Input/output error
3"
is "half a directory is no answer" "$(cut_short 1)" "$said"
is "half a copy is none" "$(cut_short 2 --repack --output copies)" "$said"

# several directories
traces ocean.9.wm ocean 9 0 1 4
traces ice.9.wm ice 9 2 3 4
is "the programs of an MPMD job" \
	"$(json '[r["rank"] for r in j["ranks"]]' ocean.9.wm ice.9.wm)" \
	"[0, 1, 2, 3]"
like "and are named" "$(wm-analyze ocean.9.wm ice.9.wm)" \
	"programs: ocean \\(2 ranks\\), ice \\(2 ranks\\)"
is "are complete together" "$(status wm-analyze ice.9.wm ocean.9.wm)" 0
is "two runs of the same ranks are a mistake" \
	"$(status wm-analyze app.1.wm ocean.9.wm)" 2
like "it is said which" "$(wm-analyze app.1.wm ocean.9.wm 2>&1)" \
	"two runs given: '.*' and '.*' both hold rank 0"
traces late.8.wm late 8 2 3 4
is "so are two runs of different ids" \
	"$(status wm-analyze ocean.9.wm late.8.wm)" 2
is "and the same run twice" "$(status wm-analyze app.1.wm app.1.wm)" 2

# clocks and sizes that make no sense
echo "program app
rank 9 of 2
t 1000010 malloc 0x1000 7 0x401010
end" | run beyond.1.wm
is "a rank beyond the size of its job" "$(status wm-analyze beyond.1.wm)" 4

# options
for bad in --nonsense '--rank x' '--rank -1' --rank --forest '-j 0' '--color x' \
	'--functions --leaks' '--svg x' '--top x' \
	'--timeline --json --svg -' -z; do
	is "usage: $bad" "$(status wm-analyze $bad app.1.wm)" 2
done
like "an option names the reports that it is for" \
	"$(wm-analyze --node-memory 1G app.1.wm 2>&1)" \
	'add --imbalance or --html$'
like "-j: what it can be" "$(wm-analyze -j 5000 app.1.wm 2>&1)" \
	'number from 1 to 4096$'
if command -v script >/dev/null; then
	echo 'rank 0 of 1
churn 20000000 2000 100 1
end' | run long.1.wm
	like "progress on a terminal" "$(script -qec \
		'wm-analyze long.1.wm' /dev/null </dev/null)" 'reading: '
	has_no "none when quiet" reading sh -c "script -qec \
		'wm-analyze -q long.1.wm' /dev/null </dev/null"
	has_no "none without a terminal" reading \
		sh -c "wm-analyze long.1.wm 2>&1"
else
	skip "progress on a terminal" "no script(1)"
fi
is "a rank that is not there" "$(status wm-analyze --rank 77 app.1.wm)" 3
like "help" "$(wm-analyze --help)" '^usage: wm-analyze'
is "help is no error" "$(status wm-analyze --help)" 0
like "version, libraries and page" "$(wm-analyze --version)" \
	'^wm-analyze [0-9]+\.[0-9]+.*
elfutils 0\.[0-9]+, liblzma [0-9.]+, zlib [0-9.]+; the page of --html has its script$'
is "--rank=N, -jN, -- before names" \
	"$(status wm-analyze --rank=1 -j2 -- app.1.wm)" 0
is "quiet leaves the errors" "$(wm-analyze -q nowhere.wm 2>&1 | wc -l)" 1
is "a reader that has seen enough is no error" \
	"$({ wm-analyze -q --json app.1.wm | head -c 9 | wc -c; } 2>&1)" 9
if [ -w /dev/full ]; then
	is "a full disk is noticed" "$(wm-analyze -q app.1.wm 2>&1 >/dev/full)" \
		"wm-analyze: output: No space left on device"
else
	skip "a full disk is noticed" "no /dev/full"
fi
# Whatever writes the file, the message names it
for way in "app.1.wm" "--compare app.1.wm app.1.wm"; do
	if [ -w /dev/full ]; then
		is "$way: a full disk is told with the file" \
			"$(wm-analyze -q $way -o /dev/full 2>&1)" \
			"wm-analyze: '/dev/full': No space left on device"
	else
		skip "$way: a full disk is told with the file" "no /dev/full"
	fi
done
done_testing
