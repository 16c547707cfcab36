/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/tracefile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "wm/trace_format.h"
#include "wm/window_format.h"

#include "runtime/base/losses.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"

#define MAX_DUPLICATES 1000
/* If a descriptor is taken from us so many times, a block is lost. */
#define APPEND_TRIES 16

char wm_tracefile_path[WM_PATH_MAX];
char wm_tracefile_failed_path[WM_PATH_MAX];

struct trace_name {
	char run[WM_PATH_MAX];
	size_t parent; /* bytes of run that name its parent */
	char sub[16]; /* ranks-NNNNNN in run; empty: no such directory */
	uint64_t run_id[2], id[2]; /* of the run directory; of `sub` in it */
	bool made;
};

static struct trace_name here;
static uint64_t file_id[2], file_size;
static int open_fd = -1;
static bool keep_open;

static int fail_at(const char *path, long r)
{
	struct wm_text t = wm_text_on(wm_tracefile_failed_path, WM_PATH_MAX);

	wm_text_add(&t, path);
	return (int)r;
}

void wm_tracefile_add_run(const struct wm_tracefile_name *n, size_t more,
			  struct wm_text *t)
{
	size_t rest = strlen(n->id) + 1 + more, len = strlen(n->program);
	const size_t most = rest < NAME_MAX ? NAME_MAX - rest : 1;

	if (len > most)
		for (len = most; len && (n->program[len] & 0xc0) == 0x80;)
			len--; /* not within a character */
	for (size_t i = 0; i < len; i++)
		wm_text_char(t, n->program[i]);
	wm_text_char(t, '.');
	wm_text_add(t, n->id);
}

void wm_tracefile_add_rank(const struct wm_tracefile_name *n, int duplicate,
			   struct wm_text *t)
{
	wm_text_add(t, WMT_FILE_PREFIX);
	wm_text_uint(t, (uint64_t)n->rank, 6);
	if (n->child) {
		wm_text_add(t, ".child-");
		wm_text_uint(t, (uint64_t)n->child, 1);
	}
	if (duplicate > 1) {
		wm_text_char(t, '.');
		wm_text_uint(t, (uint64_t)duplicate, 1);
	}
}

static int name_directory(const struct wm_tracefile_name *n,
			  struct trace_name *p)
{
	struct wm_text t = wm_text_on(p->run, WM_PATH_MAX);
	struct wm_text sub = wm_text_on(p->sub, sizeof(p->sub));

	p->made = false;
	wm_text_add(&t, n->parent);
	p->parent = t.len;
	wm_text_char(&t, '/');
	wm_tracefile_add_run(n, strlen(WMT_DIR_SUFFIX), &t);
	wm_text_add(&t, WMT_DIR_SUFFIX);
	if (n->ranks > WMT_RANKS_PER_DIR) {
		wm_text_add(&sub, WMT_RANKS_PREFIX);
		wm_text_uint(&sub,
			     (uint64_t)n->rank / WMT_RANKS_PER_DIR *
				     WMT_RANKS_PER_DIR,
			     6);
	}
	return t.full || sub.full ? fail_at(n->parent, -ENAMETOOLONG) : 0;
}

/* The name of the file begins at *@name. */
static int name_file(const struct trace_name *p,
		     const struct wm_tracefile_name *n, int duplicate,
		     char path[WM_PATH_MAX], const char **name)
{
	struct wm_text t = wm_text_on(path, WM_PATH_MAX);

	wm_text_add(&t, p->run);
	wm_text_char(&t, '/');
	if (p->sub[0]) {
		wm_text_add(&t, p->sub);
		wm_text_char(&t, '/');
	}
	*name = t.s + t.len;
	wm_tracefile_add_rank(n, duplicate, &t);
	wm_text_add(&t, WMT_FILE_SUFFIX);
	return t.full ? fail_at(p->run, -ENAMETOOLONG) : 0;
}

static const char *trace_name(void)
{
	return strrchr(wm_tracefile_path, '/') + 1;
}

void wm_tracefile_beside(const char *trace, struct wm_text *t)
{
	size_t n = strlen(trace) - strlen(WMT_FILE_SUFFIX);

	for (size_t i = 0; i < n; i++)
		wm_text_char(t, trace[i]);
	wm_text_add(t, WMW_FILE_SUFFIX);
}

static int open_parent(struct trace_name *p, struct wm_at *at)
{
	char *end = p->run + p->parent;
	int r;

	*end = 0;
	r = wm_at_open(at, WM_AT_FDCWD, p->parent ? p->run : "/", 0);
	if (r == -ENOENT) {
		r = wm_dirs_make(p->run);
		if (r == 0)
			r = wm_at_open(at, WM_AT_FDCWD, p->run, 0);
	}
	*end = '/';
	return r ? fail_at(p->run, r) : 0;
}

/* Opens the directory of a new trace, and makes missing directories. */
static int make_directory(struct trace_name *p, struct wm_at *run,
			  struct wm_at *at)
{
	struct wm_at parent;
	int r = open_parent(p, &parent);
	bool made;

	run->fd = at->fd = -1;
	if (r)
		return r;
	r = wm_at_enter(run, parent.fd, p->run + p->parent + 1, &p->made);
	wm_at_close(&parent);
	*at = *run; /* closed twice, which wm_at_close() notices */
	if (r == 0 && p->sub[0])
		r = wm_at_enter(at, run->fd, p->sub, &made);
	if (r) {
		wm_at_close(run);
		return fail_at(p->run, r);
	}
	memcpy(p->run_id, run->id, sizeof(p->run_id));
	memcpy(p->id, at->id, sizeof(p->id));
	return 0;
}

/* Checks that a directory of a run belongs to the user, as the new file does
 * that this process has made in it: this is right even if the file system maps
 * users.  Other users must not be allowed to write to the directory, unless
 * they may write to each file on that file system. */
static int check_directory(const struct wm_at *at,
			   const struct wm_sys_file *file)
{
	struct wm_sys_file dir;
	long r = wm_sys_look(at->fd, "", AT_EMPTY_PATH, &dir);

	if (r)
		return (int)r;
	if (dir.uid != file->uid)
		return -WM_ERR_OTHERS;
	return (dir.mode & S_IWOTH) && !(file->mode & S_IWOTH) ?
		       -WM_ERR_WRITABLE :
		       0;
}

static int why_not(const struct wm_at *run, int r)
{
	struct wm_sys_file dir;

	if (r == -EACCES &&
	    wm_sys_look(run->fd, "", AT_EMPTY_PATH, &dir) == 0 &&
	    dir.uid != (uint32_t)WM_SYS0(SYS_geteuid))
		return -WM_ERR_OTHERS;
	return r;
}

int wm_tracefile_dir(struct wm_at *at, bool of_run)
{
	struct wm_at run;
	int r = wm_at_open_known(&run, WM_AT_FDCWD, here.run, here.run_id);

	if (r || of_run || !here.sub[0]) {
		*at = run;
		return r;
	}
	r = wm_at_open_known(at, run.fd, here.sub, here.id);
	wm_at_close(&run);
	return r;
}

/* Returns 0 if @fd is the file that was created.  Other threads may close all
 * descriptors and open other files, so this is checked before each write. */
static long check_ours(int fd)
{
	return wm_fd_check(fd, file_id);
}

static int open_trace(int flags)
{
	struct wm_at at;
	int fd = wm_tracefile_dir(&at, false);

	if (fd)
		return fd;
	fd = wm_at_file_known(&at, trace_name(), flags, file_id);
	wm_at_close(&at);
	return fd;
}

static void close_open_fd(void)
{
	if (open_fd >= 0 && check_ours(open_fd) == 0)
		wm_sys_close(open_fd);
	open_fd = -1;
}

/* Returns -ESTALE if @fd or the name denotes another file by now. */
static int remember_file(int fd, const struct wm_at *run,
			 const struct wm_at *at, const char *name)
{
	struct wm_sys_file f = { 0 }, named;
	long r = wm_sys_look(at->fd, name, AT_SYMLINK_NOFOLLOW, &named);

	if (r == 0)
		r = wm_sys_look(fd, "", AT_EMPTY_PATH, &f);
	if (r == 0 && !wm_sys_is_same(f.id, named.id)) {
		wm_at_drop(fd);
		return -ESTALE;
	}
	if (r == 0)
		r = check_directory(run, &f);
	if (r == 0)
		r = check_directory(at, &f);
	memcpy(file_id, f.id, sizeof(file_id));
	file_size = 0;
	if (r == 0 && keep_open)
		open_fd = fd;
	else
		wm_sys_close(fd);
	if (r)
		wm_sys_unlinkat(at->fd, name, 0);
	return (int)r;
}

/* Creates the file with the first free number above *@number. */
static int create_file(const struct wm_tracefile_name *n,
		       const struct wm_at *run, const struct wm_at *at,
		       int *number)
{
	int r = -EEXIST, lost = 0;

	while ((r == -EEXIST || (r == -ESTALE && ++lost < APPEND_TRIES)) &&
	       *number < MAX_DUPLICATES) {
		const char *name;

		r = name_file(&here, n, ++*number, wm_tracefile_path, &name);
		if (r == 0)
			r = wm_at_create(at, name);
		if (r >= 0)
			r = remember_file(r, run, at, name);
	}
	return r;
}

/* Removes each directory only if it is empty. */
static void remove_directory(const struct trace_name *p)
{
	struct wm_at run;

	if (p->sub[0] &&
	    wm_at_open_known(&run, WM_AT_FDCWD, p->run, p->run_id) == 0) {
		wm_sys_unlinkat(run.fd, p->sub, AT_REMOVEDIR);
		wm_at_close(&run);
	}
	wm_sys_unlinkat(WM_AT_FDCWD, p->run, AT_REMOVEDIR);
}

int wm_tracefile_create(const struct wm_tracefile_name *n, int *number)
{
	struct wm_at run, at;
	int r = name_directory(n, &here);

	if (r == 0)
		r = make_directory(&here, &run, &at);
	if (r == 0) {
		r = create_file(n, &run, &at, number);
		if (r)
			r = fail_at(here.run, why_not(&at, r));
		wm_at_close(&at);
		wm_at_close(&run);
	}
	if (r) {
		wm_tracefile_path[0] = 0;
		if (here.made)
			remove_directory(&here);
		here.made = false;
	}
	return r;
}

void wm_tracefile_discard(void)
{
	struct wm_at at;

	close_open_fd();
	if (wm_tracefile_dir(&at, false) == 0) {
		wm_sys_unlinkat(at.fd, trace_name(), 0);
		wm_at_close(&at);
	}
	wm_tracefile_path[0] = 0;
}

void wm_tracefile_discard_run(void)
{
	wm_tracefile_discard();
	remove_directory(&here);
}

void wm_tracefile_keep_open(bool on)
{
	keep_open = on;
	if (!on)
		close_open_fd();
}

bool wm_tracefile_too_big(uint64_t size)
{
	struct rlimit limit;

	return WM_SYS4(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, &limit) == 0 &&
	       size > limit.rlim_cur;
}

/* Tries once.  A pipe that has taken the number refuses pwrite. */
static long append_once(const uint8_t *data, size_t n)
{
	size_t done = 0;
	long r = 0;
	int fd = open_fd;

	/* The descriptor is kept again only when all is written. */
	open_fd = -1;
	if (fd < 0 || check_ours(fd))
		fd = open_trace(O_WRONLY);
	if (fd < 0)
		return fd;
	while (done < n) {
		r = check_ours(fd);
		if (r == 0)
			r = WM_SYS4(SYS_pwrite64, fd, data + done, n - done,
				    file_size + done);
		if (r == -EINTR)
			continue;
		if (r <= 0)
			break;
		done += (size_t)r;
	}
	/* whole blocks only */
	if (done < n && check_ours(fd) == 0)
		WM_SYS2(SYS_ftruncate, fd, file_size);
	if (keep_open && done == n)
		open_fd = fd;
	else if (check_ours(fd) == 0)
		wm_sys_close(fd);
	if (done < n)
		return r < 0 ? r : -EIO;
	file_size += n;
	return 0;
}

void wm_tracefile_forget(void)
{
	wm_tracefile_path[0] = 0;
	file_size = 0;
	here.made = keep_open = false;
	open_fd = -1;
}

bool wm_tracefile_made_run(void)
{
	return here.made;
}

uint64_t wm_tracefile_size(void)
{
	return file_size;
}

bool wm_tracefile_may_retry(int err)
{
	return err == -EBADF || err == -ESTALE || err == -ESPIPE ||
	       err == -EMFILE || err == -ENFILE || err == -EACCES ||
	       err == -EPERM;
}

int wm_tracefile_append(const uint8_t *data, size_t n)
{
	long r = -EFBIG;

	if (wm_tracefile_too_big(file_size + n))
		return fail_at(wm_tracefile_path, r);
	for (int tries = 0; tries < APPEND_TRIES; tries++) {
		r = append_once(data, n);
		if (r == 0)
			return 0;
		if (r != -EBADF && r != -ESTALE && r != -ESPIPE)
			break;
		wm_sys_yield();
	}
	return fail_at(wm_tracefile_path, r);
}

/* Makes a second name in @at for the file beside the trace. */
static int link_beside(const struct wm_at *from, const struct wm_at *at,
		       const char *name)
{
	char old[NAME_MAX + 1], new[NAME_MAX + 1];
	struct wm_text o = wm_text_on(old, sizeof(old));
	struct wm_text n = wm_text_on(new, sizeof(new));

	wm_tracefile_beside(trace_name(), &o);
	wm_tracefile_beside(name, &n);
	return (int)WM_SYS6(SYS_linkat, from->fd, old, at->fd, new, 0, 0);
}

/* Removes that file's name in @at, beside @trace, if the file is the same. */
static void unlink_beside(const struct wm_at *at, const char *trace,
			  const uint64_t beside[2])
{
	char name[NAME_MAX + 1];
	struct wm_text t = wm_text_on(name, sizeof(name));

	wm_tracefile_beside(trace, &t);
	wm_at_unlink(at, name, beside);
}

/* Makes a second name in @at, and then removes the first, because rename would
 * replace a file with that name.  A trace is never without its crash buffer. */
static int move_file(const struct wm_at *from, const struct wm_at *at,
		     const char *name, const uint64_t *beside)
{
	int r = beside ? link_beside(from, at, name) : 0;

	if (r)
		return r;
	r = (int)WM_SYS6(SYS_linkat, from->fd, trace_name(), at->fd, name, 0,
			 0);
	/* Another trace has the name: no file of ours may be beside it. */
	if (r && beside)
		unlink_beside(at, name, beside);
	return r;
}

static void finish_move(const struct trace_name *to, const struct wm_at *was,
			const char *path, const uint64_t *beside)
{
	struct trace_name from = here;

	here = *to;
	wm_sys_unlinkat(was->fd, trace_name(), 0);
	if (beside)
		unlink_beside(was, trace_name(), beside);
	memcpy(wm_tracefile_path, path, WM_PATH_MAX);
	remove_directory(&from);
}

/* Moves the trace into @to, open as @at; returns 0 also if it is there. */
static int move_into(const struct trace_name *to,
		     const struct wm_tracefile_name *n, const struct wm_at *at,
		     const uint64_t *beside)
{
	static char path[WM_PATH_MAX];
	struct wm_at was;
	const char *name;
	int r = wm_tracefile_dir(&was, false);

	if (r)
		return fail_at(wm_tracefile_path, r);
	r = -EEXIST;
	for (int i = 1; r == -EEXIST && i < MAX_DUPLICATES; i++) {
		r = name_file(to, n, i, path, &name);
		if (r || wm_str_equal(path, wm_tracefile_path))
			break;
		r = move_file(&was, at, name, beside);
		if (r == 0)
			finish_move(to, &was, path, beside);
	}
	wm_at_close(&was);
	return r ? fail_at(path, r) : 0;
}

int wm_tracefile_move(const struct wm_tracefile_name *n,
		      const uint64_t beside[2])
{
	static struct trace_name to;
	struct wm_sys_file trace = { 0 };
	struct wm_at run, at;
	int fd, r = name_directory(n, &to);

	if (r == 0)
		r = make_directory(&to, &run, &at);
	if (r && to.made)
		remove_directory(&to);
	if (r)
		return r;
	/* There, too, the trace's owner identifies the user. */
	fd = open_trace(O_WRONLY);
	r = fd < 0 ? fd : (int)wm_sys_look(fd, "", AT_EMPTY_PATH, &trace);
	if (fd >= 0 && check_ours(fd) == 0)
		wm_sys_close(fd);
	if (r == 0)
		r = check_directory(&run, &trace);
	if (r == 0)
		r = check_directory(&at, &trace);
	r = r ? fail_at(to.run, r) : move_into(&to, n, &at, beside);
	if (r && to.made)
		remove_directory(&to);
	wm_at_close(&at);
	wm_at_close(&run);
	return r;
}

void wm_tracefile_blame(int err)
{
	static char reason[sizeof(((struct wm_state *)0)->drop_reason)];
	struct wm_text t = wm_text_on(reason, sizeof(reason));

	wm_text_add(&t, "cannot write ");
	wm_text_add(&t, wm_tracefile_failed_path[0] ? "'" : "a trace");
	for (const char *p = wm_tracefile_failed_path; *p && t.len < 380; p++)
		wm_text_char(&t, *p);
	wm_text_add(&t, wm_tracefile_failed_path[0] ? "': " : ": ");
	wm_text_add(&t, wm_errno_text(err));
	wm_drop(0, reason);
}
