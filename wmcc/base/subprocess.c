/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/base/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "input/path.h"
#include "input/plain.h"

#define MAX_TEMPS 16
#define MOST_CAPTURED (1 << 24)
/* A link map can be large. */
#define SCRATCH_SPACE (128u << 20)

static const char *message_name = "wmcc";
/* Read by the signal handler: each element is NULL or a complete string. */
static char *volatile temps[MAX_TEMPS];
static volatile pid_t child;
static void (*before_leave)(void);
static volatile sig_atomic_t pending;
static const int caught[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

void wm_message_name(const char *name)
{
	message_name = name;
}

static __attribute__((format(printf, 2, 0))) void
print_message(const char *kind, const char *fmt, va_list ap)
{
	char *text, *plain;
	size_t n;

	if (vasprintf(&text, fmt, ap) < 0)
		return;
	n = strlen(text);
	/* names in the message may have any bytes */
	plain = malloc(WM_PLAIN_UNIT * n + 1);
	if (plain) {
		wm_plain_put(plain, WM_PLAIN_UNIT * n + 1, text, n);
		/* one write, so that lines of a parallel make do not mix */
		dprintf(STDERR_FILENO, "%s: %s%s\n", message_name, kind, plain);
	}
	free(plain);
	free(text);
}

void wm_say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_message("", fmt, ap);
	va_end(ap);
}

void wm_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_message("warning: ", fmt, ap);
	va_end(ap);
}

void wm_before_leave(void (*leave)(void))
{
	before_leave = leave;
}

static void tidy_up(void)
{
	void (*leave)(void) = before_leave;

	/* leave() may itself call a function that ends the process */
	before_leave = NULL;
	if (leave)
		leave();
}

void wm_die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_message("error: ", fmt, ap);
	va_end(ap);
	wm_temp_cleanup();
	tidy_up();
	_exit(WM_EXIT_OWN);
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
	int saved = errno;

	(void)context;
	if (child > 0) {
		/* a terminal signals the whole group, kill(1) only us */
		if (info->si_code <= 0)
			kill(child, sig);
		pending = sig;
		errno = saved;
		return;
	}
	wm_temp_cleanup();
	signal(sig, SIG_DFL);
	raise(sig);
	errno = saved;
}

/* Set if the parent ignores SIGCHLD, which would lose the status of a child.
 * SIGCHLD is then default here, and ignored in programs that are started. */
static bool sigchld_ignored;

static void children_keep(void)
{
	struct sigaction old;

	if (sigaction(SIGCHLD, NULL, &old) || old.sa_handler != SIG_IGN)
		return;
	signal(SIGCHLD, SIG_DFL);
	sigchld_ignored = true;
}

static void children_as_before(void)
{
	if (sigchld_ignored)
		signal(SIGCHLD, SIG_IGN);
}

void wm_signals_catch(void)
{
	struct sigaction sa, old;

	children_keep();
	memset(&sa, 0, sizeof(sa));
	sa.sa_sigaction = on_signal;
	sa.sa_flags = SA_SIGINFO;
	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < sizeof(caught) / sizeof(*caught); i++) {
		/* nohup and background jobs ignore some signals */
		if (!sigaction(caught[i], NULL, &old) &&
		    old.sa_handler != SIG_IGN)
			sigaction(caught[i], &sa, NULL);
	}
}

void wm_descriptors_reserve(void)
{
	/* opened in the wrong direction, so that use fails as with a closed
	 * one */
	for (int fd = 0; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", O_CLOEXEC | (fd ? O_RDONLY : O_WRONLY)) <
			    0)
			return;
	}
}

int wm_signal_pending(void)
{
	return pending;
}

static void redirect_fd(int from, int to)
{
	if (from >= 0 && from != to)
		dup2(from, to);
}

__attribute__((noreturn)) static void run_child(const struct wm_command *r,
						const sigset_t *mask)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (size_t i = 0; i < sizeof(caught) / sizeof(*caught); i++) {
		struct sigaction old;

		if (!sigaction(caught[i], NULL, &old) &&
		    old.sa_handler != SIG_IGN)
			signal(caught[i], SIG_DFL);
	}
	children_as_before();
	sigprocmask(SIG_SETMASK, mask, NULL);
	if (r->no_stdin)
		redirect_fd(null, STDIN_FILENO);
	if (r->out)
		redirect_fd(r->out, STDOUT_FILENO);
	if (r->err)
		redirect_fd(r->err, STDERR_FILENO);
	else if (r->no_stderr)
		redirect_fd(null, STDERR_FILENO);
	for (char *const *s = r->set; s && *s; s++)
		putenv(*s);
	execvp(r->argv[0], r->argv);
	if (!r->no_stderr)
		wm_say("error: cannot run '%s': %s", r->argv[0],
		       strerror(errno));
	_exit(WM_EXIT_OWN);
}

pid_t wm_child_start(const struct wm_command *r)
{
	sigset_t block, mask;
	pid_t pid;

	children_keep();
	/* no signal may come between fork() and the assignment to child */
	sigfillset(&block);
	sigprocmask(SIG_BLOCK, &block, &mask);
	pid = fork();
	if (pid == 0)
		run_child(r, &mask);
	if (pid > 0)
		child = pid;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return pid;
}

int wm_child_wait(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			break;
	}
	child = 0;
	return status;
}

int wm_child_run(const struct wm_command *r)
{
	pid_t pid = wm_child_start(r);

	if (pid < 0)
		wm_die("cannot start '%s': %s", r->argv[0], strerror(errno));
	return wm_child_wait(pid);
}

void wm_exec(char *const *argv, const char *why_name)
{
	children_as_before();
	execvp(argv[0], argv);
	if (why_name)
		wm_die("cannot run '%s': %s: set %s to the real compiler",
		       argv[0], strerror(errno), why_name);
	wm_die("cannot run '%s': %s", argv[0], strerror(errno));
}

void wm_leave_by_signal(int sig)
{
	struct rlimit none = { 0, 0 };

	wm_temp_cleanup();
	tidy_up();
	setrlimit(RLIMIT_CORE, &none); /* the child has left its own core */
	signal(sig, SIG_DFL);
	raise(sig);
	_exit(128 + sig);
}

void wm_leave(int wait_status)
{
	wm_temp_cleanup();
	tidy_up();
	if (WIFSIGNALED(wait_status))
		wm_leave_by_signal(WTERMSIG(wait_status));
	fflush(NULL);
	_exit(WEXITSTATUS(wait_status));
}

/* Returns NULL if there are too many temporary files. */
static char *volatile *free_slot(void)
{
	for (size_t i = 0; i < MAX_TEMPS; i++)
		if (!temps[i])
			return &temps[i];
	return NULL;
}

const char *wm_temp_name(const char *path, const char *suffix)
{
	char *volatile *slot = free_slot();
	const char *base = wm_basename(path);
	static unsigned serial;
	struct timespec now;
	char *name;

	if (!slot)
		wm_die("too many temporary files");
	clock_gettime(CLOCK_REALTIME, &now);
	/* names have at most 255 bytes */
	if (asprintf(&name, "%.*s.%.180s.%ld-%lx%u.%s", (int)(base - path),
		     path, base, (long)getpid(), (long)now.tv_nsec, serial++,
		     suffix) < 0)
		wm_die("out of memory");
	return *slot = name;
}

const char *wm_temp_scratch(void)
{
	char *volatile *slot = free_slot();
	const char *dir = getenv("TMPDIR");
	struct statvfs fs;
	char *name;
	int fd;

	if (!dir || !*dir)
		dir = "/tmp";
	if (!slot || statvfs(dir, &fs) ||
	    fs.f_bavail < SCRATCH_SPACE / fs.f_bsize)
		return NULL;
	if (asprintf(&name, "%s/wmcc.XXXXXX", dir) < 0)
		wm_die("out of memory");
	fd = mkstemp(name);
	if (fd < 0) {
		free(name);
		return NULL;
	}
	close(fd);
	return *slot = name;
}

static void temp_forget(const char *name, bool remove_it)
{
	for (size_t i = 0; name && i < MAX_TEMPS; i++) {
		char *found = temps[i];

		if (!found || strcmp(found, name) != 0)
			continue;
		if (remove_it)
			unlink(found);
		temps[i] = NULL;
		free(found);
		return;
	}
}

void wm_temp_remove(const char *name)
{
	temp_forget(name, true);
}

void wm_temp_keep(const char *name)
{
	temp_forget(name, false);
}

void wm_temp_cleanup(void)
{
	for (size_t i = 0; i < MAX_TEMPS; i++) {
		if (temps[i])
			unlink(temps[i]);
	}
}

int wm_capture_open(void)
{
	return memfd_create("wmcc", MFD_CLOEXEC);
}

char *wm_capture_read(int fd)
{
	struct stat st;
	char *text;
	ssize_t n = 0;

	if (fd < 0 || fstat(fd, &st))
		st.st_size = 0;
	if (st.st_size > MOST_CAPTURED)
		st.st_size = MOST_CAPTURED;
	text = malloc((size_t)st.st_size + 1);
	if (!text)
		wm_die("out of memory");
	if (st.st_size)
		n = pread(fd, text, (size_t)st.st_size, 0);
	text[n > 0 ? n : 0] = 0;
	if (fd >= 0)
		close(fd);
	return text;
}
