/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that only start other programs: the library of wm-run(1) does not
 * trace the former, but traces the programs that they start.
 *
 * X(name): the base name of the executable, or of the name by which it was
 * started.
 *
 * WM_PASS_LAUNCHERS  launchers of MPI jobs, shells, and commands that take a
 *                    command
 * WM_PASS_HELPERS    commands of scripts; a command that is named on wm-run's
 *                    command line is traced
 */
#ifndef WM_PASS_LIST_H
#define WM_PASS_LIST_H

/* clang-format off */
#define WM_PASS_LAUNCHERS(X)                                                   \
	X("mpiexec") X("mpirun") X("mpiexec.hydra") X("mpirun.hydra")          \
	X("hydra_pmi_proxy") X("hydra_bstrap_proxy") X("mpiexec.mpich")        \
	X("mpirun.mpich") X("mpiexec.openmpi") X("mpirun.openmpi")             \
	X("orterun") X("orted") X("prterun") X("prted") X("prun") X("srun")    \
	X("salloc") X("sbatch") X("slurmstepd") X("aprun") X("jsrun")          \
	X("flux") X("ssh") X("rsh") X("wm-run")                                \
	X("sh") X("bash") X("dash") X("ash") X("ksh") X("mksh") X("zsh")       \
	X("csh") X("tcsh") X("busybox")                                        \
	X("env") X("nice") X("nohup") X("time") X("timeout") X("taskset")      \
	X("numactl") X("stdbuf") X("setsid") X("chrt") X("ionice")             \
	X("prlimit") X("setarch") X("unshare") X("xargs") X("make")            \
	X("strace") X("ltrace") X("gdb") X("perf")                          \
	X("valgrind") X("valgrind.bin")

#define WM_PASS_HELPERS(X)                                                     \
	X("awk") X("gawk") X("mawk") X("basename") X("cat") X("chmod")         \
	X("chown") X("cmp") X("cp") X("cut") X("date") X("dd") X("df")         \
	X("diff") X("dirname") X("du") X("echo") X("egrep") X("expr")          \
	X("false") X("fgrep") X("find") X("getconf") X("grep") X("gzip")       \
	X("head") X("hostname") X("id") X("kill") X("ldd") X("ln")             \
	X("locale") X("ls") X("lscpu") X("md5sum") X("mkdir") X("mktemp")      \
	X("mv") X("nproc") X("od") X("paste") X("printenv") X("printf")        \
	X("ps") X("pwd") X("readlink") X("realpath") X("rm") X("rmdir")        \
	X("sed") X("seq") X("sha256sum") X("sleep") X("sort") X("stat")        \
	X("tail") X("tar") X("tee") X("test") X("touch") X("tr") X("true")     \
	X("uname") X("uniq") X("wc") X("which") X("which.debianutils")         \
	X("whoami") X("xz")
/* clang-format on */

#endif
