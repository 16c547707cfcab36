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
static uint64_t file_dev, file_ino, file_size;

static int failed(const char *path, long r)
{
	struct wm_text t = wm_text_on(wm_sink_what, WM_PATH_MAX);

	wm_text_add(&t, path);
	return (int)r;
}

/* mkdir -p; an existing directory is fine. */
int wm_sink_make_dirs(char *path)
{
	long r = wm_sys_mkdir(path, 0777);

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
	return r == 0 || r == -EEXIST ? 0 : failed(path, r);
}

/* The directory that a rank's trace lies in, created. */
static int make_place(const struct wm_sink_name *n, struct wm_text *t)
{
	int r;

	wm_text_add(t, n->parent);
	wm_text_char(t, '/');
	wm_text_add(t, n->program);
	wm_text_char(t, '.');
	wm_text_add(t, n->id);
	wm_text_add(t, WMT_DIR_SUFFIX);
	if (t->full)
		return failed(n->parent, -ENAMETOOLONG);
	r = wm_sink_make_dirs(t->s);
	if (r)
		return r;
	memcpy(run_dir, t->s, t->len + 1);
	if (n->ranks <= WMT_RANKS_PER_DIR)
		return 0;
	wm_text_add(t, "/ranks-");
	wm_text_uint(t, (uint64_t)(n->rank / WMT_RANKS_PER_DIR *
				   WMT_RANKS_PER_DIR), 6);
	return t->full ? failed(n->parent, -ENAMETOOLONG) :
			 wm_sink_make_dirs(t->s);
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
	struct stat st;
	long r = WM_SYS4(SYS_newfstatat, fd, "", &st, AT_EMPTY_PATH);

	if (r == 0 && (st.st_dev != file_dev || st.st_ino != file_ino))
		r = -ESTALE;
	return r;
}

/* By its name: the descriptor may be another file's already. */
static int remember(void)
{
	struct stat st;
	long r = WM_SYS4(SYS_newfstatat, WM_AT_FDCWD, wm_sink_path, &st,
			 AT_SYMLINK_NOFOLLOW);

	if (r < 0)
		return (int)r;
	file_dev = st.st_dev;
	file_ino = st.st_ino;
	file_size = 0;
	return 0;
}

int wm_sink_create(const struct wm_sink_name *n)
{
	struct wm_text t = wm_text_on(wm_sink_path, WM_PATH_MAX);
	int r = make_place(n, &t), fd = -EEXIST;
	size_t place = t.len;

	for (int i = 1; r == 0 && fd == -EEXIST && i < MAX_DUPLICATES; i++) {
		t.len = place;
		r = add_file_name(&t, n, i);
		if (r == 0 && !wm_window_is_taken(wm_sink_path))
			fd = wm_sys_open(wm_sink_path,
					 O_WRONLY | O_CREAT | O_EXCL |
						 O_CLOEXEC, 0666);
	}
	if (r == 0 && fd < 0)
		r = failed(wm_sink_path, fd);
	if (r == 0)
		r = remember();
	if (fd >= 0 && is_ours(fd) == 0)
		wm_sys_close(fd);
	if (r)
		wm_sink_path[0] = 0;
	return r;
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
	int fd = wm_sys_open(wm_sink_path, O_WRONLY | O_CLOEXEC, 0);
	size_t done = 0;
	long r = 0;

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
	if (is_ours(fd) == 0)
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
	r = make_place(n, &t);
	place = t.len;
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

void wm_sink_copy_bundle(void)
{
	static char path[WM_PATH_MAX];
	struct wm_text t = wm_text_on(path, WM_PATH_MAX);
	int from = wm_sys_open("/proc/self/exe", O_RDONLY | O_CLOEXEC, 0), to;
	uint64_t offset, size;

	if (from < 0)
		return;
	wm_text_add(&t, run_dir);
	wm_text_add(&t, "/program.wmc.xz");
	if (t.full || find_bundle(from, &offset, &size) ||
	    wm_sink_too_big(size)) {
		wm_sys_close(from);
		return;
	}
	to = wm_sys_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	while (to >= 0 && size) {
		long r = WM_SYS4(SYS_sendfile, to, from, &offset, size);

		if (r == -EINTR)
			continue;
		if (r <= 0) {
			/* half a bundle is worse than none: the reader takes
			 * it from the executable then */
			WM_SYS3(SYS_unlinkat, WM_AT_FDCWD, path, 0);
			break;
		}
		size -= (uint64_t)r;
	}
	if (to >= 0)
		wm_sys_close(to);
	wm_sys_close(from);
}
