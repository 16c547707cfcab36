/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pages/backing.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/userfaultfd.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "runtime/base/file_text.h"
#include "runtime/base/sys.h"
#include "runtime/pages/scan.h"

/* Headers of older systems do not define these numbers. */
#define USER_MODE_ONLY 1
#define FEATURE_HUGETLBFS_SHMEM (1u << 12)
#define FEATURE_WP_UNPOPULATED (1u << 13)
#define FEATURE_WP_ASYNC (1u << 15)

static int file = -1, faults = -1;
static uint64_t given_back; /* pages */

static int open_faults(void)
{
	struct uffdio_api api = { .api = UFFD_API,
				  .features = FEATURE_WP_ASYNC |
					      FEATURE_WP_UNPOPULATED |
					      FEATURE_HUGETLBFS_SHMEM };
	long r = WM_SYS1(SYS_userfaultfd, O_CLOEXEC | USER_MODE_ONLY);

	if (r < 0)
		return (int)r;
	faults = (int)r;
	return (int)WM_SYS3(SYS_ioctl, faults, UFFDIO_API, &api);
}

/* Whether the kernel promises no more memory than it has.  A file's pages are
 * allocated when they are touched: the program would get SIGBUS instead of
 * ENOMEM. */
static bool is_strict(void)
{
	char digit[2];

	wm_file_text("/proc/sys/vm/overcommit_memory", digit, sizeof(digit));
	return digit[0] == '2';
}

static bool is_limited(int what)
{
	struct rlimit limit = { 0, 0 };

	return WM_SYS4(SYS_prlimit64, 0, what, 0, &limit) == 0 &&
	       limit.rlim_cur != RLIM_INFINITY;
}

const char *wm_backing_open_watch(void)
{
	int r = wm_scan_open();

	if (r == 0)
		r = open_faults();
	if (r == -EPERM || r == -EACCES)
		return "userfaultfd is not allowed here";
	return r ? "the kernel is older than Linux 6.7 or has no userfaultfd" :
		   NULL;
}

const char *wm_backing_open(void)
{
	if (is_limited(RLIMIT_DATA) || is_limited(RLIMIT_FSIZE))
		return "the limit on data or on file sizes (ulimit -d, -f) "
		       "would not hold as it does without";
	if (is_strict())
		return "the kernel promises all memory (vm.overcommit_memory "
		       "is 2)";
	file = (int)WM_SYS2(SYS_memfd_create, "wmtools pages", MFD_CLOEXEC);
	if (file < 0 || WM_SYS2(SYS_ftruncate, file, WM_BACKING_END))
		return "memfd_create failed";
	return NULL;
}

long wm_backing_map(uint64_t start, uint64_t end, int64_t shift, int prot,
		    int flags)
{
	return WM_SYS6(SYS_mmap, start, end - start, prot,
		       flags | MAP_FIXED | MAP_NORESERVE, file,
		       start + (uint64_t)shift);
}

int wm_backing_watch(uint64_t start, uint64_t end)
{
	struct uffdio_register r = { .range = { start, end - start },
				     .mode = UFFDIO_REGISTER_MODE_WP };

	return (int)WM_SYS3(SYS_ioctl, faults, UFFDIO_REGISTER, &r);
}

void wm_backing_hole(uint64_t start, uint64_t end, int64_t shift)
{
	uint64_t before = wm_backing_resident(), after;

	WM_SYS4(SYS_fallocate, file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		start + (uint64_t)shift, end - start);
	after = wm_backing_resident();
	given_back += before > after ? before - after : 0;
}

bool wm_backing_next(const struct wm_watched_range *r, uint64_t *at,
		     uint64_t *end)
{
	long from, to;

	if (*at >= r->end)
		return false;
	from = WM_SYS3(SYS_lseek, file, *at + (uint64_t)r->shift,
		       3 /* SEEK_DATA */);
	if (from < 0)
		return false;
	to = WM_SYS3(SYS_lseek, file, from, 4 /* SEEK_HOLE */);
	*at = (uint64_t)from - (uint64_t)r->shift;
	*end = (uint64_t)to - (uint64_t)r->shift;
	if (*end > r->end)
		*end = r->end;
	return *at < r->end;
}

long wm_backing_anonymous(uint64_t want, uint64_t bytes, int flags)
{
	return WM_SYS6(SYS_mmap, want, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
}

uint64_t wm_backing_resident(void)
{
	struct stat st;

	if (WM_SYS2(SYS_fstat, file, &st) < 0)
		return 0;
	return (uint64_t)st.st_blocks * 512 / WM_PAGE;
}

uint64_t wm_backing_new(void)
{
	return wm_backing_resident() + given_back;
}

uint64_t wm_backing_inode(void)
{
	static uint64_t inode;
	struct stat st;

	if (!inode && WM_SYS2(SYS_fstat, file, &st) == 0)
		inode = st.st_ino;
	return inode;
}

#define COPY_AT_A_TIME (UINT64_C(64) << 10)

/* Copies by a mapping, because a limit on the size of files may refuse a write
 * (SIGXFSZ). */
int wm_backing_copy(uint64_t start, uint64_t end)
{
	while (start < end) {
		uint64_t n = end - start;
		long p;

		if (n > COPY_AT_A_TIME)
			n = COPY_AT_A_TIME;
		p = WM_SYS6(SYS_mmap, 0, n, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_NORESERVE, file, start);
		if (wm_sys_bad(p))
			return (int)p;
		memcpy((void *)p, (const void *)(uintptr_t)start, n);
		WM_SYS2(SYS_munmap, p, n);
		start += n;
	}
	return 0;
}
