# SPDX-License-Identifier: Apache-2.0
# What reports say around their numbers, word by word: who changes a sentence
# reads all of its report, and changes it here.
. "$(dirname "$0")/../lib.sh" analyze-lib
export WM_CC=gcc WMCC_ACCESS=1 WM_ACCESS_CACHE=$W/cache WM_RUN_ID=1

ok "compiles" wmcc -g -O2 -static -pthread -o counters \
	"$progs/access/counters.c"
ok "runs" ./counters.wma

# words REPORT...: sentences and titles, numbers as N; no rows of tables
words() {
	wm-analyze -q "$@" counters.wma.1.wm 2>&1 | sed -E '
		/^ *[-+]?[0-9]/{ / needs for /!d; }
		/^  (L[0-9] |\.|_)/d
		/^ +\.\.\. /d
		s/[0-9][0-9,.]*( (bytes?|[KMGT]iB|[mun]?s)\b)?/N/g
		s/  +/  /g' | cat -s
}

# said REPORT...: its words are those on stdin
said() {
	cat >want
	words "$@" >got
	is "wm-analyze $*" "$(diff want got)" ""
}

said --cache L1=32K/8,L2=1M/16 <<'E'
counters.wma  run N: loads and stores in caches of rank N
  The caches are simulated: the least recently used line of a set is replaced, a
  store that misses loads its line, and nothing is prefetched.
  All threads share the last level; each thread has its own levels before it.
  The trace does not order the accesses of two threads between two events: the
  simulation lets the threads take turns there.
  level  size  ways  line  loads  misses  %  stores  misses  %

By variable
  loads  stores  LN misses  %  LN misses  what

By function
  loads  stores  LN misses  %  LN misses  what

By line
  loads  stores  LN misses  %  LN misses  what
E

said --reuse <<'E'
counters.wma  run N: reuse distances of rank N
  Reuse distance: the number of different lines of N that a thread touches
  from one access to a line to the next access to the same line. Misses are
  those of a fully associative cache of that size that only this thread uses.
  distance up to  cache  touches  %  its misses  %

By variable
  touches  first touches  misses at N  at N  at N  what

By function
  touches  first touches  misses at N  at N  at N  what

By line
  touches  first touches  misses at N  at N  at N  what
E

said --false-sharing <<'E'
counters.wma  run N: shared cache lines of rank N
  Lines of N that one thread writes and other threads use. A line moves
  when a thread other than its last user uses it. The trace does not order the
  accesses of two threads between two events, so moves are upper limits.

False sharing: threads use different bytes of a line
  variables  lines  moves at most  of one line  threads
  counters  counters.c:N  N  N  N  N

True sharing: threads use the same bytes of a line
  none
E

said --tree <<'E'
counters.wma  run N: N in N blocks at the peak of rank N (N)

  share  bytes  itself  blocks  function, and below it what it calls

  Functions with less than N % are in "more" (--top all shows them).
E

said --tree --bottom-up <<'E'
counters.wma  run N: N in N blocks at the peak of rank N (N)

  share  bytes  blocks  site, and below it its callers

  Functions with less than N % are in "more" (--top all shows them).
E

said --libraries <<'E'
counters.wma  run N: N allocated at the peak of rank N (N)
and N of static memory in the process

  total  allocated  blocks  static  through it  kind  group  name

  allocated  by functions that lie in it
  static  its variables (-: not known)
  total  both together
  through it  by its functions and by what they call: a block may count in several rows
E

said --files <<'E'
counters.wma  run N: N in N blocks at the peak of rank N (N)

  share  bytes  blocks  file, and below it line and function

  No source file is known: the program was compiled without -g, or its debug
  information is elsewhere.
E

said --static-report <<'E'
static memory of counters, per process: N
N % of the N that rank N needs for static memory and for the heap at its peak

  section  class  bytes  share
  static memory  N

  data: initialized variables; bss: variables that begin as N; tls: one copy for each thread

variables by object file:

  bytes  object file, and below it section and variable

accesses of N object are seen

  objects  without access hooks  of the system

not counted, because it does not change while the program runs: code, constants (rodata), tables of addresses (relro) and the like

  section  class  bytes
E

said --accesses <<'E'
counters.wma  run N: loads and stores of rank N

By variable
  loads  stores  bytes  threads  first  last  pattern  kind  variable or allocation site

By function and variable
  loads  stores  bytes  threads  pattern  function  variable or allocation site

Not seen: accesses by object files without access hooks
  none of these is the program's own: N of N have hooks
E

said --sizes <<'E'
counters.wma  run N: blocks by size, rank N

  from  to  allocations  their bytes  blocks at the peak  their bytes
E

done_testing
