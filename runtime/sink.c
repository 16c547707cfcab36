/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/sink.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "wm/trace_format.h"

#include "runtime/pool.h"
#include "runtime/state.h"
#include "runtime/sys.h"
#include "runtime/text.h"
#include "runtime/window.h"

#define MAX_DUPLICATES 1000
/* Times that a descriptor may be taken from us before a block is lost. */
#define APPEND_TRIES 16

char wm_sink_path[WM_PATH_MAX];
char wm_sink_what[WM_PATH_MAX];
static char run_dir[WM_PATH_MAX];
static int made_run_dir; /* this process did */
static uint64_t file_id[2], file_size;
static int keep, kept = -1; /* the descriptor, between appends in a row */

static int failed(const char *path, long r)
{
	struct wm_text t = wm_text_on(wm_sink_what, WM_PATH_MAX);

	wm_text_add(&t, path);
	return (int)r;
}

/* mkdir -p; an existing directory is fine.  *@made: 1 when it is new. */
static int make_dirs(char *path, int *made)
{
	long r = wm_sys_mkdir(path, 0777);

	*made = r == 0;
	if (r == 0 || r == -EEXIST)
		return 0;
	if (r != -ENOENT)
		return failed(path, r);
	for (char *p = path + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = 0;
		r = wm_sys_mkdir(path, 0777);
		*p = '/';
		if (r < 0 && r != -EEXIST && r != -EROFS && r != -EACCES)
			return failed(path, r);
	}
	r = wm_sys_mkdir(path, 0777);
	*made = r == 0;
	return r == 0 || r == -EEXIST ? 0 : failed(path, r);
}

int wm_sink_make_dirs(char *path)
{
	int made;

	return make_dirs(path, &made);
}

/* The directory that a rank's trace lies in, and its run directory. */
static int name_place(const struct wm_sink_name *n, struct wm_text *t)
{
	wm_text_add(t, n->parent);
	wm_text_char(t, '/');
	wm_text_add(t, n->program);
	wm_text_char(t, '.');
	wm_text_add(t, n->id);
	wm_text_add(t, WMT_DIR_SUFFIX);
	if (t->full)
		return failed(n->parent, -ENAMETOOLONG);
	memcpy(run_dir, t->s, t->len + 1);
	if (n->ranks <= WMT_RANKS_PER_DIR)
		return 0;
	wm_text_add(t, "/ranks-");
	wm_text_uint(t, (uint64_t)(n->rank / WMT_RANKS_PER_DIR *
				   WMT_RANKS_PER_DIR), 6);
	return t->full ? failed(n->parent, -ENAMETOOLONG) : 0;
}

static int make_place(char *place)
{
	int r = make_dirs(run_dir, &made_run_dir), made;

	return r || wm_str_equal(place, run_dir) ? r : make_dirs(place, &made);
}

static int add_file_name(struct wm_text *t, const struct wm_sink_name *n,
			 int duplicate)
{
	wm_text_add(t, "/rank-");
	wm_text_uint(t, (uint64_t)n->rank, 6);
	if (n->child) {
		wm_text_add(t, ".child-");
		wm_text_uint(t, (uint64_t)n->child, 1);
	}
	if (duplicate > 1) {
		wm_text_char(t, '.');
		wm_text_uint(t, (uint64_t)duplicate, 1);
	}
	wm_text_add(t, WMT_FILE_SUFFIX);
	return t->full ? failed(t->s, -ENAMETOOLONG) : 0;
}

/* 0 when @fd is the file that was created.  Other threads may close all
 * descriptors and open others at any moment: looked at before each write. */
static long is_ours(int fd)
{
	uint64_t id[2];
	long r = wm_sys_which(fd, "", AT_EMPTY_PATH, id);

	if (r == 0 && (id[0] != file_id[0] || id[1] != file_id[1]))
		r = -ESTALE;
	return r;
}

/* A new file of that name; the directory is made only when it is missing:
 * most ranks find it there. */
static int create(struct wm_text *t, const struct wm_sink_name *n,
		  size_t place, int number)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
	int r, fd = -ENOENT;

	for (int tries = 0; fd == -ENOENT && tries < 3; tries++) {
		t->len = place;
		t->s[place] = 0;
		if (tries && (r = make_place(t->s)))
			return r;
		r = add_file_name(t, n, number);
		if (r)
			return r;
		fd = wm_sys_open(t->s, flags, 0666);
	}
	return fd < 0 ? failed(t->s, fd) : fd;
}

static void close_kept(void)
{
	if (kept >= 0 && is_ours(kept) == 0)
		wm_sys_close(kept);
	kept = -1;
}

/* The file that has just been created, by its name: @fd may be another's
 * already. */
static int remember(int fd)
{
	long r = wm_sys_which(WM_AT_FDCWD, wm_sink_path, AT_SYMLINK_NOFOLLOW,
			      file_id);

	file_size = 0;
	if (is_ours(fd) == 0) {
		if (keep && r == 0)
			kept = fd;
		else
			wm_sys_close(fd);
	}
	return (int)r;
}

int wm_sink_create(const struct wm_sink_name *n, int *number)
{
	struct wm_text t = wm_text_on(wm_sink_path, WM_PATH_MAX);
	int r = name_place(n, &t), fd = -EEXIST;
	size_t place = t.len;

	if (r == 0) {
		while (fd == -EEXIST && *number < MAX_DUPLICATES)
			fd = create(&t, n, place, ++*number);
		r = fd < 0 ? fd : remember(fd);
	}
	if (r)
		wm_sink_path[0] = 0;
	return r;
}

void wm_sink_discard(void)
{
	close_kept();
	WM_SYS3(SYS_unlinkat, WM_AT_FDCWD, wm_sink_path, 0);
	wm_sink_path[0] = 0;
}

void wm_sink_leave(void)
{
	wm_sink_discard();
	/* goes only if nobody else has anything there */
	WM_SYS3(SYS_unlinkat, WM_AT_FDCWD, run_dir, AT_REMOVEDIR);
}

void wm_sink_keep(int on)
{
	keep = on;
	if (!on)
		close_kept();
}

/* A write beyond the limit on file sizes would raise SIGXFSZ. */
int wm_sink_too_big(uint64_t size)
{
	struct rlimit limit;

	return WM_SYS4(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, &limit) == 0 &&
	       size > limit.rlim_cur;
}

/* One attempt; pwrite, because a pipe that took the number refuses it. */
static long append(const uint8_t *data, size_t n)
{
	size_t done = 0;
	long r = 0;
	int fd = kept;

	kept = -1;
	if (fd < 0 || is_ours(fd))
		fd = wm_sys_open(wm_sink_path, O_WRONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return fd;
	r = is_ours(fd);
	if (r == -ESTALE) {
		/* opened and moved aside in the wrong moment */
		wm_sys_close(fd);
		return r;
	}
	while (done < n) {
		r = is_ours(fd);
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
	if (done < n && is_ours(fd) == 0)
		WM_SYS2(SYS_ftruncate, fd, file_size);
	if (keep && done == n)
		kept = fd;
	else if (is_ours(fd) == 0)
		wm_sys_close(fd);
	if (done < n)
		return r < 0 ? r : -EIO;
	file_size += n;
	return 0;
}

void wm_sink_forget(void)
{
	wm_sink_path[0] = 0;
	file_size = 0;
	made_run_dir = keep = 0;
	kept = -1;
}

uint64_t wm_sink_size(void)
{
	return file_size;
}

int wm_sink_passes(int err)
{
	return err == -EBADF || err == -ESTALE || err == -ESPIPE ||
	       err == -EMFILE || err == -ENFILE || err == -EACCES ||
	       err == -EPERM;
}

int wm_sink_append(const uint8_t *data, size_t n)
{
	long r = -EFBIG;

	if (wm_sink_too_big(file_size + n))
		return failed(wm_sink_path, r);
	for (int tries = 0; tries < APPEND_TRIES; tries++) {
		r = append(data, n);
		if (r == 0)
			return 0;
		if (r != -EBADF && r != -ESTALE && r != -ESPIPE)
			break;
		wm_sys_yield();
	}
	return failed(wm_sink_path, r);
}

int wm_sink_move(const struct wm_sink_name *n)
{
	static char to[WM_PATH_MAX], from_dir[WM_PATH_MAX];
	struct wm_text t = wm_text_on(to, WM_PATH_MAX);
	long r;
	size_t place;

	memcpy(from_dir, run_dir, sizeof(from_dir));
	r = name_place(n, &t);
	place = t.len;
	if (r == 0)
		r = make_place(t.s);
	for (int i = 1; r == 0 && i < MAX_DUPLICATES; i++) {
		t.len = place;
		r = add_file_name(&t, n, i);
		if (r)
			break;
		if (wm_str_equal(to, wm_sink_path))
			return 0;
		/* link fails where the name exists; rename would replace.
		 * At no time is a trace without its window. */
		r = wm_window_link(to);
		if (r == 0)
			r = WM_SYS6(SYS_linkat, WM_AT_FDCWD, wm_sink_path,
				    WM_AT_FDCWD, to, 0, 0);
		if (r == 0) {
			WM_SYS3(SYS_unlinkat, WM_AT_FDCWD, wm_sink_path, 0);
			wm_window_moved(to);
			memcpy(wm_sink_path, to, sizeof(to));
			WM_SYS3(SYS_unlinkat, WM_AT_FDCWD, from_dir,
				AT_REMOVEDIR);
			return 0;
		}
		if (r == -EEXIST)
			r = 0;
	}
	return failed(to, r ? r : -EEXIST);
}

/* ---- the bundle ---- */

static int read_at(int fd, void *buf, size_t n, uint64_t offset)
{
	return WM_SYS4(SYS_pread64, fd, buf, n, offset) == (long)n ? 0 : -1;
}

/* Where section .wm_census of the executable lies. */
static int find_bundle(int fd, uint64_t *offset, uint64_t *size)
{
	static const char wanted[] = ".wm_census";
	ElfW(Ehdr) eh;
	ElfW(Shdr) sh, names;
	char name[sizeof(wanted)];

	if (read_at(fd, &eh, sizeof(eh), 0) || eh.e_shoff == 0 ||
	    eh.e_shentsize != sizeof(sh) ||
	    read_at(fd, &names, sizeof(names),
		    eh.e_shoff + (uint64_t)eh.e_shstrndx * sizeof(sh)))
		return -1;
	for (unsigned i = 1; i < eh.e_shnum; i++) {
		if (read_at(fd, &sh, sizeof(sh), eh.e_shoff + i * sizeof(sh)) ||
		    read_at(fd, name, sizeof(name),
			    names.sh_offset + sh.sh_name))
			continue;
		if (memcmp(name, wanted, sizeof(wanted)) == 0) {
			*offset = sh.sh_offset;
			*size = sh.sh_size;
			return 0;
		}
	}
	return -1;
}

/* All of the bundle in @from goes into a new file. */
static int write_bundle(int from, const char *path, uint64_t offset,
			uint64_t size)
{
	int to = wm_sys_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			     0666);

	if (to < 0)
		return -1;
	while (size) {
		long r = WM_SYS4(SYS_sendfile, to, from, &offset, size);

		if (r == -EINTR)
			continue;
		if (r <= 0)
			break;
		size -= (uint64_t)r;
	}
	wm_sys_close(to);
	return size ? -1 : 0;
}

/* Under its name it is whole: half a bundle is worse than none, for which
 * the reader takes that of the executable. */
static void copy_bundle(const struct wm_sink_name *n, const char *path)
{
	static char half[WM_PATH_MAX];
	struct wm_text t = wm_text_on(half, WM_PATH_MAX);
	int from = wm_sys_open("/proc/self/exe", O_RDONLY | O_CLOEXEC, 0);
	uint64_t offset, size;
	long r;

	if (from < 0)
		return;
	wm_text_add(&t, run_dir);
	wm_text_add(&t, "/.program.wmc.xz.");
	wm_text_uint(&t, (uint64_t)n->rank, 1);
	wm_text_char(&t, '.');
	wm_text_uint(&t, (uint64_t)wm_sys_getpid(), 1);
	if (!t.full && find_bundle(from, &offset, &size) == 0 &&
	    !wm_sink_too_big(size)) {
		r = write_bundle(from, half, offset, size);
		if (r == 0)
			r = WM_SYS6(SYS_linkat, WM_AT_FDCWD, half, WM_AT_FDCWD,
				    path, 0, 0);
		/* a file system without links */
		if (r == -EPERM || r == -EOPNOTSUPP)
			WM_SYS4(SYS_renameat, WM_AT_FDCWD, half, WM_AT_FDCWD,
				path);
		WM_SYS3(SYS_unlinkat, WM_AT_FDCWD, half, 0);
	}
	wm_sys_close(from);
}

void wm_sink_bundle(const struct wm_sink_name *n, int ending)
{
	static char path[WM_PATH_MAX];
	struct wm_text t = wm_text_on(path, WM_PATH_MAX);

	static int copied;

	if (copied || (!made_run_dir && !ending))
		return;
	wm_text_add(&t, run_dir);
	wm_text_add(&t, "/program.wmc.xz");
	if (!t.full && (made_run_dir ||
			WM_SYS3(SYS_faccessat, WM_AT_FDCWD, path, 0) ==
				-ENOENT)) {
		copy_bundle(n, path);
		copied = 1;
	}
}
