/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/driver/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wmcc/access/hooked.h"
#include "wmcc/base/home.h"
#include "wmcc/base/subprocess.h"

/* How the compiler is made to run the shim instead of its linker. */
struct route {
	char *linker; /* name that the compiler looks up: "ld", "ld.gold" */
	char *real; /* file that it would have found; NULL: unknown */
	bool by_path; /* COMPILER_PATH is sufficient */
	bool by_b; /* -B is needed */
};

/* Returns ld.gold for -fuse-ld=gold, or the base name of a path. */
static char *linker_name(const struct wm_args *a)
{
	const char *use = a->ld_path ? a->ld_path : a->fuse_ld;

	if (!use || !*use || !strcmp(use, "ld"))
		return wm_strdup("ld");
	if (strchr(use, '/') || wm_starts(use, "ld"))
		return wm_strdup(wm_basename(use));
	return wm_strf("ld.%s", use);
}

/* A question to the compiler; two may run at the same time. */
struct query {
	pid_t pid;
	int fd;
};

/* Asks which program the compiler runs as @name.  @b is a -B folder or NULL. */
static void query_start(struct query *q, const struct wm_strv *words,
			const struct wm_args *a, const char *name,
			const char *b, char *const *set)
{
	struct wm_strv argv = { 0 };
	struct wm_command run = { .set = set,
				  .no_stdin = true,
				  .no_stderr = true };

	wm_strv_addv(&argv, words->v);
	if (b)
		wm_strv_addf(&argv, "-B%s", b);
	wm_strv_addv(&argv, a->select.v);
	wm_strv_addf(&argv, "-print-prog-name=%s", name);
	q->fd = wm_capture_open();
	run.argv = argv.v;
	run.out = q->fd;
	q->pid = q->fd < 0 ? -1 : wm_child_start(&run);
	wm_strv_release(&argv);
}

static char *query_finish(struct query *q)
{
	char *text, *end;

	if (q->pid < 0 || wm_child_wait(q->pid) != 0) {
		free(wm_capture_read(q->fd));
		return NULL;
	}
	text = wm_capture_read(q->fd);
	end = strchr(text, '\n');
	if (end)
		*end = 0;
	/* more than one line is no answer */
	if (!*text || (end && end[1])) {
		free(text);
		return NULL;
	}
	return text;
}

static bool is_shim(const char *path)
{
	char *dir;
	bool same;

	if (!path || !strchr(path, '/'))
		return false;
	dir = wm_strf("%.*s", (int)(wm_basename(path) - path), path);
	same = wm_same_file(dir, wm_home()->libexec);
	free(dir);
	return same;
}

static void route_find(struct route *r, const struct wm_strv *words,
		       const struct wm_args *a, char *compiler_path)
{
	char *set[] = { compiler_path, NULL };
	const char *path = a->ld_path ? a->ld_path : a->fuse_ld;
	struct query plain, ours;
	char *real, *shim;

	memset(r, 0, sizeof(*r));
	r->linker = linker_name(a);
	if (path && strchr(path, '/')) {
		/* clang runs this file: the shim replaces the argument */
		r->real = wm_strdup(path);
		r->by_path = true;
		return;
	}
	query_start(&plain, words, a, r->linker, NULL, NULL);
	query_start(&ours, words, a, r->linker, NULL, set);
	real = query_finish(&plain);
	shim = query_finish(&ours);
	r->by_path = is_shim(shim);
	if (real)
		r->real = wm_find_program(getenv("PATH"), real);
	free(real);
	free(shim);
	if (r->by_path)
		return;
	query_start(&ours, words, a, r->linker, wm_home()->libexec, set);
	shim = query_finish(&ours);
	r->by_b = is_shim(shim);
	free(shim);
}

static void build_command(struct wm_strv *cmd, const struct wm_strv *words,
			  const struct route *r, char *const *argv)
{
	const char *libexec = wm_home()->libexec;

	wm_strv_addv(cmd, words->v);
	if (r->by_b)
		wm_strv_addf(cmd, "-B%s", libexec);
	for (; *argv; argv++) {
		if (wm_starts(*argv, "-fuse-ld=") && strchr(*argv, '/'))
			wm_strv_addf(cmd, "-fuse-ld=%s/%s", libexec, r->linker);
		else if (wm_starts(*argv, "--ld-path=") && strchr(*argv, '/'))
			wm_strv_addf(cmd, "--ld-path=%s/%s", libexec,
				     r->linker);
		else
			wm_strv_add(cmd, *argv);
	}
}

/* Returns whether the shim has reported that it was run.  Never waits. */
static bool shim_was_run(int fd)
{
	char c;

	fcntl(fd, F_SETFL, O_NONBLOCK);
	return read(fd, &c, 1) == 1;
}

/* Returns NULL if there is none.  Compilers for Windows add a suffix. */
static char *output_made(const struct wm_args *a)
{
	bool named = strcmp(a->output, "a.out") != 0;
	char *name = wm_strdup(a->output);

	if (access(name, F_OK)) {
		free(name);
		name = named ? wm_strf("%s.exe", a->output) :
			       wm_strdup("a.exe");
	}
	if (access(name, F_OK)) {
		free(name);
		return NULL;
	}
	return name;
}

/* Relinks with the compiler, which has linked without the shim.  This is only
 * right if nothing has to be compiled again. */
__attribute__((noreturn)) static void link_again(const struct wm_strv *words,
						 const struct wm_args *a,
						 char *const *argv)
{
	char *output = output_made(a);
	struct wm_strv cmd = { 0 };

	if (!output)
		_exit(0);
	wm_strv_addf(&cmd, "%s/wm-ld", wm_home()->libexec);
	if (a->quiet)
		setenv(WM_ENV_QUIET, "1", 1);
	wm_strv_addf(&cmd, "--wm-link-%s=%s", a->sources ? "never" : "again",
		     output);
	wm_strv_addf(&cmd, "%zu", words->n);
	wm_strv_addv(&cmd, words->v);
	wm_strv_addv(&cmd, argv);
	wm_exec(cmd.v, NULL);
}

/* Advises the user if the compiler failed for lack of MPI. */
static void look_at_failure(const struct wm_personality *p,
			    const struct wm_strv *words,
			    const struct wm_args *a, char *const *args,
			    int status)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) && !a->probe &&
	    !wm_signal_pending() && wm_mpi_advice_possible(p))
		wm_mpi_advise(p, words, args);
}

/* Lets the shim make hooked objects for this compile's temporary objects. */
static void offer_compile(struct wm_strv *set, const struct wm_strv *words,
			  char *const *args)
{
	struct wm_compile c;
	int fd;

	wm_compile_init(&c, words, args);
	fd = c.source_count ? wm_compile_send(&c) : -1;
	if (fd >= 0)
		wm_strv_addf(set, WM_ENV_COMPILE "=%d", fd);
	wm_compile_release(&c);
}

/* @args is @argv with response files expanded. */
__attribute__((noreturn)) static void
link_program(const struct wm_personality *p, const struct wm_strv *words,
	     const struct wm_args *a, char *const *argv, char *const *args)
{
	struct wm_strv cmd = { 0 }, set = { 0 };
	struct wm_command run;
	struct route r;
	char *path = wm_compiler_path_with();
	int fd[2], status;

	wm_signals_catch();
	wm_strv_addf(&set, "COMPILER_PATH=%s", path);
	route_find(&r, words, a, set.v[0]);
	if (wm_signal_pending())
		wm_leave_by_signal(wm_signal_pending());
	if (r.real)
		wm_strv_addf(&set, WM_ENV_REAL_LD "=%s=%s", r.linker, r.real);
	if (pipe(fd))
		wm_die("pipe: %s", strerror(errno));
	fcntl(fd[0], F_SETFD, FD_CLOEXEC);
	wm_strv_addf(&set, WM_ENV_FD "=%d", fd[1]);
	if (a->quiet)
		wm_strv_add(&set, WM_ENV_QUIET "=1");
	if (a->sources && wm_env_on("WMCC_ACCESS"))
		offer_compile(&set, words, args);

	build_command(&cmd, words, &r, argv);
	run = (struct wm_command){ .argv = cmd.v, .set = set.v };
	status = wm_child_run(&run);
	close(fd[1]);
	if (status == 0 && !wm_signal_pending() && !shim_was_run(fd[0]))
		link_again(words, a, argv);
	if (a->sources)
		look_at_failure(p, words, a, args, status);
	free(path);
	wm_leave(status);
}

/* With @hooks, makes hooked objects if the compiler succeeds. */
__attribute__((noreturn)) static void
run_compiler(const struct wm_personality *p, const struct wm_strv *words,
	     const struct wm_args *a, const struct wm_strv *cmd,
	     char *const *args, bool hooks)
{
	struct wm_command run = { .argv = cmd->v };
	struct stat *before = NULL;
	struct wm_compile c;
	int status;

	wm_signals_catch();
	if (hooks) {
		wm_compile_init(&c, words, args);
		c.quiet = a->quiet;
		before = wm_compile_before(&c);
	}
	status = wm_child_run(&run);
	if (wm_signal_pending())
		wm_leave_by_signal(wm_signal_pending());
	if (hooks && status == 0)
		wm_hooked_make_all(&c, before);
	if (a->sources)
		look_at_failure(p, words, a, args, status);
	wm_leave(status);
}

/* Debug information may contain the command, so <wm/wmtrace.h> is found without
 * a flag.  Its folder is the last one. */
static void offer_headers(void)
{
	static const char *const variables[] = { "C_INCLUDE_PATH",
						 "CPLUS_INCLUDE_PATH" };

	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		const char *old = getenv(variables[i]);
		char *path = wm_strf("%s%s%s/include", old ? old : "",
				     old && *old ? ":" : "", wm_home()->lib);

		setenv(variables[i], path, 1);
		free(path);
	}
}

void wm_driver(const struct wm_personality *p, const struct wm_strv *words,
	       char **argv)
{
	struct wm_strv all = { 0 }, cmd = { 0 };
	struct wm_args a;
	bool hooks;
	char *file = wm_find_program(getenv("PATH"), words->v[0]);

	if (!file && p->compiler)
		wm_die("there is no compiler '%s' in PATH", p->compiler);
	if (!file)
		wm_die("there is no compiler '%s': set %s to the real one",
		       words->v[0], p->variable);
	free(file);
	offer_headers();
	wm_strv_expand(&all, argv);
	wm_args_scan(&a, words->v + 1, all.v);
	if (a.show)
		wm_show_command(p, words, &a, argv);
	if (!a.probe)
		a.probe = wm_in_probe_folder() || wm_below_configure();
	if (a.action == WM_ACTION_LINK && !a.probe && !wm_env_on("WM_DISABLE"))
		link_program(p, words, &a, argv, all.v);

	/* in a configure script, libtool would keep the path in a script of its
	 * own, which outlives this wmtools, and would link programs with the
	 * compiler */
	if (a.action == WM_ACTION_ASK_LINKER && !a.probe &&
	    !wm_env_on("WM_DISABLE"))
		setenv("COMPILER_PATH", wm_compiler_path_with(), 1);
	wm_strv_addv(&cmd, words->v);
	wm_strv_addv(&cmd, argv);
	hooks = a.compiles && !a.probe && wm_env_on("WMCC_ACCESS") &&
		!wm_env_on("WM_DISABLE");
	if (hooks || (a.sources && !a.probe && wm_mpi_advice_possible(p)))
		run_compiler(p, words, &a, &cmd, all.v, hooks);
	wm_exec(cmd.v, p->variable);
}
