/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/crash_buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statfs.h>

#include "runtime/base/losses.h"
#include "runtime/base/overwritten.h"
#include "runtime/base/pool.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/callpath/journal.h"
#include "runtime/callpath/unseen.h"

#define JOURNAL_SIZE (128u << 10)
#define MAX_DUPLICATES 1000

/* The head of the file, and the head of each slot, have their own pages. */
#define HEAD_SIZE WM_PAGE
_Static_assert(HEAD_SIZE >= WMW_HEAD_LEAST && HEAD_SIZE <= WMW_HEAD_MOST,
	       "head");
_Static_assert(sizeof(struct wmw_head) <= WMW_HEAD_LEAST, "head");
_Static_assert(sizeof(struct wm_rec) == sizeof(struct wmw_record), "record");
_Static_assert(offsetof(struct wm_rec, kind) ==
		       offsetof(struct wmw_record, kind),
	       "record");

/* File systems on which a page that fallocate() has reserved can always be
 * written through a mapping.  This excludes NFS (the server may refuse later),
 * btrfs and zfs (each write takes new space), and overlay (its lower file
 * system is unknown).  ext2 and old Lustre refuse fallocate(). */
static const uint32_t safe_types[] = {
	0xef53, /* ext2, ext3, ext4 */
	0x58465342, /* xfs */
	0x01021994, /* tmpfs */
	0x0bd00bd0, /* Lustre */
};

static char file[WM_PATH_MAX];
static bool elsewhere;
static uint64_t file_id[2];
static int new_fd = -1; /* descriptor of a new file, until it is closed */
/* set before wm_state->crash_buffer has this address */
static struct wmw_head *made;
static uint32_t known, inside; /* slots, and those in the crash buffer */

static size_t buffer_bytes(void)
{
	return (wm_options.buffer_bytes + WM_PAGE - 1) & ~(WM_PAGE - 1);
}

size_t wm_crash_buffer_slot_bytes(void)
{
	return WM_PAGE + HEAD_SIZE + buffer_bytes();
}

static struct wmw_slot *slot_head(struct wm_slot *s)
{
	return (void *)((char *)s + WM_PAGE);
}

size_t wm_crash_buffer_bytes(void)
{
	return HEAD_SIZE + WMW_JOURNALS * JOURNAL_SIZE + HEAD_SIZE +
	       buffer_bytes();
}

static bool is_safe(int fd)
{
	struct statfs fs;

	if (WM_SYS2(SYS_fstatfs, fd, &fs) < 0)
		return false;
	for (size_t i = 0; i < sizeof(safe_types) / sizeof(*safe_types); i++)
		if ((uint32_t)fs.f_type == safe_types[i])
			return true;
	return false;
}

/* .rank-NNNNNNNNNN.child-NNNNNNN.NNN.wmw */
#define MORE_OF_NAME 40

static void name_elsewhere(const struct wm_tracefile_name *n, int duplicate,
			   struct wm_text *t)
{
	wm_text_add(t, wm_options.crash_buffer_dir);
	wm_text_char(t, '/');
	wm_tracefile_add_run(n, MORE_OF_NAME, t);
	wm_text_char(t, '.');
	wm_tracefile_add_rank(n, duplicate, t);
	wm_text_add(t, WMW_FILE_SUFFIX);
}

static const char *file_name(void)
{
	return strrchr(file, '/') + 1;
}

static int open_dir(struct wm_at *at)
{
	return elsewhere ? wm_at_open(at, WM_AT_FDCWD,
				      wm_options.crash_buffer_dir, 0) :
			   wm_tracefile_dir(at, false);
}

static int create_in(const struct wm_at *at, const struct wm_tracefile_name *n)
{
	int fd = -EEXIST;

	if (!elsewhere) {
		struct wm_text t = wm_text_on(file, sizeof(file));

		if (!is_safe(at->fd))
			return -EOPNOTSUPP;
		wm_tracefile_beside(wm_tracefile_path, &t);
		return wm_at_create(at, file_name());
	}
	for (int i = 1; fd == -EEXIST && i < MAX_DUPLICATES; i++) {
		struct wm_text t = wm_text_on(file, sizeof(file));

		name_elsewhere(n, i, &t);
		fd = t.full ? -ENAMETOOLONG : wm_at_create(at, file_name());
	}
	return fd;
}

/* Reserves @n bytes of the file at @offset and maps them.  Returns the address
 * or a negated errno. */
static long extend_file(int fd, uint64_t offset, size_t n)
{
	long r;

	if (wm_tracefile_too_big(offset + n))
		return -EFBIG;
	/* The disk space is reserved before it is mapped: touching a page for
	 * which the disk has no room would raise SIGBUS and end the program
	 * (decisions.md, Trace). */
	r = WM_SYS4(SYS_fallocate, fd, 0, offset, n);
	if (r < 0)
		return r;
	return WM_SYS6(SYS_mmap, 0, n, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		       offset);
}

static bool is_ours(int fd)
{
	return fd >= 0 && wm_fd_check(fd, file_id) == 0;
}

static int reopen_file(void)
{
	struct wm_at at;
	int fd = new_fd;

	if (is_ours(fd)) {
		new_fd = -1;
		return fd;
	}
	fd = open_dir(&at);
	if (fd)
		return fd;
	fd = wm_at_file_known(&at, file_name(), O_RDWR, file_id);
	wm_at_close(&at);
	if (fd >= 0 && !is_ours(fd)) { /* that could not be found out */
		wm_at_drop(fd);
		return -ESTALE;
	}
	return fd;
}

static void fill_head(struct wmw_head *w)
{
	const struct wm_state *st = wm_state;

	w->version = WMW_VERSION;
	w->pid = (uint64_t)st->pid;
	w->start[0] = st->start_ticks;
	w->start[1] = st->start_mono;
	w->start[2] = st->start_real;
	for (size_t i = 0; i < sizeof(w->boot_id) && wm_identity.boot_id[i];
	     i++)
		w->boot_id[i] = (uint8_t)wm_identity.boot_id[i];
	w->head_size = HEAD_SIZE;
	w->journal_size = JOURNAL_SIZE;
	w->record_size = sizeof(struct wmw_record);
	w->slot_size = HEAD_SIZE + buffer_bytes();
	w->slot_records = (uint32_t)(wm_options.buffer_bytes /
				     sizeof(struct wmw_record));
	w->outside = known;
	wm_drop_tell(w);
	wm_journal_time(w, 0);
	memcpy(w->magic, WMW_MAGIC, WMW_MAGIC_SIZE);
}

/* The user has named a directory for the file. */
static void warn_no_crash_buffer(int err)
{
	struct wm_text t = wm_text_on(wm_options.warning,
				      sizeof(wm_options.warning));

	wm_text_add(&t, "WM_WINDOW_DIR='");
	for (size_t i = 0; i < 80 && wm_options.crash_buffer_dir[i]; i++)
		wm_text_char(&t, wm_options.crash_buffer_dir[i]);
	wm_text_add(&t, "': ");
	wm_text_add(&t, wm_errno_text(err));
	wm_text_add(&t, "; a killed process loses its last events");
}

static long make_in(const struct wm_at *at,
		    const struct wm_tracefile_name *name)
{
	const size_t n = HEAD_SIZE + WMW_JOURNALS * JOURNAL_SIZE;
	int fd = create_in(at, name);
	long r;

	if (fd < 0)
		return fd;
	r = wm_sys_which(at->fd, file_name(), AT_SYMLINK_NOFOLLOW, file_id);
	/* The number may be a file of the program by now. */
	if (r == 0)
		r = is_ours(fd) ? extend_file(fd, 0, n) : -ESTALE;
	if (wm_sys_bad(r)) {
		wm_at_drop(fd);
		wm_sys_unlinkat(at->fd, file_name(), 0);
		return r;
	}
	new_fd = fd;
	return r;
}

static long make_crash_buffer(const struct wm_tracefile_name *name)
{
	struct wm_at at;
	long r;

	elsewhere = wm_options.crash_buffer_dir[0] != 0;
	if (elsewhere)
		wm_dirs_make(wm_options.crash_buffer_dir);
	r = open_dir(&at);
	if (r)
		return r;
	r = make_in(&at, name);
	wm_at_close(&at);
	return r;
}

int wm_crash_buffer_create(const struct wm_tracefile_name *name)
{
	long r;

	/* A child must not write into its parent's. */
	if (wm_options.no_crash_buffer || !wm_state->wipes)
		return 0;
	for (int tries = 0; tries < 4; tries++) {
		r = make_crash_buffer(name);
		if (!wm_sys_bad(r) || !wm_tracefile_may_retry((int)r))
			break;
	}
	if (r == -EEXIST && !elsewhere)
		return -EEXIST;
	if (wm_sys_bad(r)) {
		if (elsewhere && !wm_options.warning[0])
			warn_no_crash_buffer((int)-r);
		return 0;
	}
	made = (void *)r;
	wm_pool_count(HEAD_SIZE + WMW_JOURNALS * JOURNAL_SIZE);
	fill_head(made);
	return 1;
}

void wm_crash_buffer_close(void)
{
	if (is_ours(new_fd))
		wm_sys_close(new_fd);
	new_fd = -1;
}

const char *wm_crash_buffer_path(void)
{
	return elsewhere ? file : "";
}

void wm_crash_buffer_forget(void)
{
	file[0] = 0;
	elsewhere = false;
	made = NULL;
	known = inside = 0;
	new_fd = -1;
}

void wm_crash_buffer_remove(void)
{
	struct wm_at at;

	if (!made || open_dir(&at))
		return;
	wm_at_unlink(&at, file_name(), file_id);
	wm_at_close(&at);
}

const uint64_t *wm_crash_buffer_beside(void)
{
	return made && !elsewhere ? file_id : NULL;
}

void wm_crash_buffer_moved(void)
{
	struct wm_text t;

	if (!wm_crash_buffer_beside())
		return;
	t = wm_text_on(file, sizeof(file));
	wm_tracefile_beside(wm_tracefile_path, &t);
}

void wm_crash_buffer_blocks(uint64_t n)
{
	if (made)
		WM_SWITCH(made->blocks, n);
}

static long map_next_slot(void)
{
	size_t n = (size_t)made->slot_size;
	int fd = reopen_file();
	long r;

	if (fd < 0)
		return fd;
	r = extend_file(fd, WMW_SLOT_AT(made, made->slots), n);
	if (is_ours(fd))
		wm_sys_close(fd);
	if (!wm_sys_bad(r))
		wm_pool_count((int64_t)n);
	return r;
}

/* Maps the shared part of @s over its private part.  No thread writes to it
 * meanwhile: the owner is here, and signals are blocked. */
static int move_in(struct wm_slot *s)
{
	struct wmw_slot *h = slot_head(s);
	size_t n = (size_t)made->slot_size;
	size_t used = (size_t)((char *)atomic_load(&s->cur) - (char *)s->base);
	long r = map_next_slot();

	if (wm_sys_bad(r))
		return (int)r;
	memcpy((void *)r, h, sizeof(*h));
	memcpy((char *)r + HEAD_SIZE, s->base, used);
	/* The addresses, and so the owner's pointers, remain valid. */
	r = WM_SYS6(SYS_mremap, r, n, n, MREMAP_MAYMOVE | MREMAP_FIXED, h, 0);
	wm_pool_count(-(int64_t)n);
	return wm_sys_bad(r) ? (int)r : 0;
}

void wm_crash_buffer_add_slot(struct wm_slot *s)
{
	if (s->buffer_home == WM_BUFFER_NEW) {
		s->buffer_home = WM_BUFFER_PRIVATE;
		known++;
	}
	if (!made)
		return;
	if (s->buffer_home == WM_BUFFER_PRIVATE && wm_state->crash_buffer) {
		int r = move_in(s);

		if (r == 0) {
			s->buffer_home = WM_BUFFER_CRASH;
			inside++;
			/* last: a reader takes so many as complete */
			WM_SWITCH(made->slots, made->slots + 1);
		} else if (!wm_tracefile_may_retry(r)) {
			s->buffer_home = WM_BUFFER_REFUSED;
		}
	}
	WM_SWITCH(made->outside, known - inside);
}

void *wm_crash_buffer_epochs(size_t *room)
{
	long r;

	if (!made || !wm_state->crash_buffer)
		return NULL;
	r = map_next_slot();
	if (wm_sys_bad(r))
		return NULL;
	*room = (size_t)made->slot_size - HEAD_SIZE;
	made->epoch_slot = made->slots + 1;
	/* Its own head is zero: no thread, no records. */
	WM_SWITCH(made->slots, made->slots + 1);
	return (char *)r + HEAD_SIZE;
}

void wm_crash_buffer_epochs_hold(size_t bytes)
{
	if (made)
		WM_SWITCH(made->epoch_bytes, bytes);
}

void wm_crash_buffer_refill(struct wm_slot *s)
{
	struct wmw_slot *h = slot_head(s);
	uint32_t epoch = (s->tag >> 8) + 1;

	/* A process that is killed before the last switch leaves a slot without
	 * events; the previous events have been written or counted. */
	WM_SWITCH(h->epoch, 0);
	if (epoch > WMW_EPOCH_MAX) {
		/* Epochs begin anew: no old record may have their numbers. */
		memset(s->base, 0, buffer_bytes());
		epoch = 1;
	}
	h->thread = s->thread;
	h->tid = (uint32_t)s->tid;
	h->generation = s->generation;
	h->first = s->first;
	/* From here on only records with this epoch are valid. */
	WM_SWITCH(h->epoch, epoch);
	s->tag = epoch << 8;
}

void wm_crash_buffer_void(struct wm_slot *s)
{
	WM_SWITCH(slot_head(s)->epoch, 0);
}

bool wm_crash_buffer_publish(void)
{
	char names[WM_OVERWRITTEN_ROOM];

	if (!wm_pathdb_publish(made))
		return false;
	/* losses since its head was filled in */
	wm_drop_tell(made);
	wm_unseen_tell();
	wm_overwritten_look(names);
	return true;
}
