/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The environment variables (contract; wm-environment(7)).
 *
 * X(name, time, default, help): time is "link" (read by wmcc), "run" (read by
 * the runtime in the traced program), "both", or "read" (by wm-analyze).  The
 * help has the units.
 */
#ifndef WM_ENV_LIST_H
#define WM_ENV_LIST_H

#define WM_ENV_LIST(X)                                                           \
	X(WM_CC, "link", "cc", "the real C compiler behind wmcc")                \
	X(WM_CXX, "link", "c++", "the real C++ compiler behind wmcxx")           \
	X(WM_FC, "link", "ftn or gfortran",                                      \
	  "the real Fortran compiler behind wmf90")                              \
	X(WM_LINK, "link", "twin",                                               \
	  "twin: app and app.wm; only: the traced program is the output")        \
	X(WM_TWIN_DIR, "link", "beside the program",                             \
	  "the folder for all twins, DIR/app.wm; created if missing")            \
	X(WM_MPICC, "link", "none",                                              \
	  "MPI's C compiler, which makes the shim of an MPI that is unknown")    \
	X(WM_DISABLE, "both", "0",                                               \
	  "1: wmcc is the plain compiler; a traced program does not trace")      \
	X(WM_CACHE, "link", "wmtools in $XDG_CACHE_HOME or $HOME/.cache",        \
	  "where scripts/setup keeps what it built")                             \
	X(WMCC_ACCESS, "link", "0",                                              \
	  "1: also app.wma, which traces every load and store; when compiling, " \
	  "too")                                                                 \
	X(WM_ACCESS_CACHE, "link", "access in WM_CACHE",                         \
	  "where objects for app.wma are kept; no other user may write there")   \
	X(WM_ACCESS_CACHE_MAX, "link", "2G",                                     \
	  "bytes of these; least recently used ones are removed; suffix K, M "   \
	  "or G")                                                                \
	X(WM_DIR, "run", ".", "parent directory of run directories")             \
	X(WM_MODE, "run", "600",                                                 \
	  "mode of the files of a run, octal; directories get x where it has r") \
	X(WM_NAME, "run", "name of the executable",                              \
	  "first part of the name of the run directory")                         \
	X(WM_RUN_ID, "run", "the launcher's job id, or HOST-PID",                \
	  "second part of the name of the run directory")                        \
	X(WM_COMMAND, "run", "on",                                               \
	  "off: the trace does not have the command line")                       \
	X(WM_VARIABLES, "run", "off",                                            \
	  "on: the trace records which variables point at large blocks")         \
	X(WM_RANKS, "run", "all",                                                \
	  "the ranks that are traced, as 0,7,100-199 or 0-4095:64")              \
	X(WM_QUIET, "run", "0", "1: no line on stderr, not even after a loss")   \
	X(WM_CHILDREN, "run", "0",                                               \
	  "1: forked children are traced, too, each into a file of its own")     \
	X(WM_UNWIND, "run", "table",                                             \
	  "table or libunwind: full call paths; check: both, compared; "         \
	  "fp: along frame pointers; none: only the caller")                     \
	X(WM_TIME_RES, "run", "1us",                                             \
	  "resolution of time stamps: number with ns, us or ms")                 \
	X(WM_BUFFER, "run", "512K",                                              \
	  "bytes of event buffer per thread; suffix K, M or G")                  \
	X(WM_MEMORY, "run", "as needed",                                         \
	  "all memory of the tool, mapped and touched at start; suffix K or M")  \
	X(WM_WINDOW, "run", "auto",                                              \
	  "auto: events outlive a SIGKILL where that is safe; 0: they do not")   \
	X(WM_WINDOW_DIR, "run", "beside the trace",                              \
	  "directory of the file that makes events outlive a SIGKILL")           \
	X(WM_MAX_BYTES, "run", "none",                                           \
	  "highest size of a trace, from 64K; then events stop and totals "      \
	  "go on; suffix K, M or G")                                             \
	X(WM_SUMMARY, "run", "0",                                                \
	  "1: a table of the job's memory use on stderr at MPI_Finalize, or "    \
	  "at the end of a process without MPI")                                 \
	X(WM_PAGES, "run", "0",                                                  \
	  "which pages are accessed, epoch by epoch: auto (within 10 % of CPU "  \
	  "time) or milliseconds of its own CPU time, without faults of "        \
	  "watching; reads only in static programs")                             \
	X(WM_PAGES_READS, "run", "1",                                            \
	  "N: WM_PAGES asks for reads only in every Nth epoch, which is "        \
	  "cheaper")                                                             \
	X(WM_PAGES_RANKS, "run", "all",                                          \
	  "the ranks of WM_PAGES, as for WM_RANKS")                              \
	X(WM_ACCESS, "run", "on",                                                \
	  "off: a program with hooks records no loads and stores; pages:MS: "    \
	  "which pages they touch, by epochs of MS ms of CPU time")              \
	X(WM_ACCESS_RANKS, "run", "all",                                         \
	  "the ranks that record loads and stores, as for WM_RANKS")             \
	X(WM_ACCESS_MAX_BYTES, "run", "none",                                    \
	  "highest size of loads and stores in a trace, from 64K; then they "    \
	  "are counted as lost, and events go on; suffix K, M or G")             \
	X(WM_ACCESS_ONLY, "run", "all",                                          \
	  "functions whose loads and stores are recorded, as solve,spmv*")       \
	X(WM_ACCESS_BURST, "run", "all the time",                                \
	  "record loads and stores for so long, so often: 100ms/5s")             \
	X(WM_ACCESS_LOCALS, "run", "off",                                        \
	  "on: a program with hooks also records where frames of functions "     \
	  "are, for names of local variables")                                   \
	X(WM_COMPRESS, "run", "auto",                                            \
	  "auto (within 5 % of elapsed time), store, or a level 0-9")            \
	X(WM_DEBUG_PATH, "read", "none",                                         \
	  "where wm-analyze also looks for programs and debug files: DIR:DIR")   \
	X(WM_DEBUGINFOD, "read", "0",                                            \
	  "1: wm-analyze asks the servers of DEBUGINFOD_URLS for debug files")

#endif
