/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>

#include "wm/census_format.h"

#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/trace/dirs.h"

static int read_at(int fd, void *buf, size_t n, uint64_t offset)
{
	return WM_SYS4(SYS_pread64, fd, buf, n, offset) == (long)n ? 0 : -1;
}

static int find_bundle(int fd, uint64_t *offset, uint64_t *size)
{
	static const char wanted[] = WMC_SECTION;
	ElfW(Ehdr) eh;
	ElfW(Shdr) sh, names;
	char name[sizeof(wanted)];

	if (read_at(fd, &eh, sizeof(eh), 0) || eh.e_shoff == 0 ||
	    eh.e_shentsize != sizeof(sh) ||
	    read_at(fd, &names, sizeof(names),
		    eh.e_shoff + (uint64_t)eh.e_shstrndx * sizeof(sh)))
		return -1;
	for (size_t i = 1; i < eh.e_shnum; i++) {
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

static int write_bundle(int from, int to, uint64_t offset, uint64_t size)
{
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

/* The copy gets its name only when it is complete: without a bundle the reader
 * uses that of the executable. */
static void copy_bundle(const struct wm_tracefile_name *n,
			const struct wm_at *run)
{
	int from = wm_sys_open("/proc/self/exe", O_RDONLY | O_CLOEXEC, 0), to;
	char half[64];
	struct wm_text t = wm_text_on(half, sizeof(half));
	uint64_t offset, size;
	long r;

	if (from < 0) /* /proc is not mounted */
		from = wm_sys_open(wm_identity.exe, O_RDONLY | O_CLOEXEC, 0);
	if (from < 0)
		return;
	wm_text_add(&t, "." WMC_FILE_NAME ".");
	wm_text_uint(&t, (uint64_t)n->rank, 1);
	wm_text_char(&t, '.');
	wm_text_uint(&t, (uint64_t)wm_sys_getpid(), 1);
	if (find_bundle(from, &offset, &size) == 0 &&
	    !wm_tracefile_too_big(size) &&
	    (to = wm_at_create(run, half)) >= 0) {
		r = write_bundle(from, to, offset, size);
		if (r == 0)
			r = WM_SYS6(SYS_linkat, run->fd, half, run->fd,
				    WMC_FILE_NAME, 0, 0);
		/* a file system without links */
		if (r == -EPERM || r == -EOPNOTSUPP)
			WM_SYS4(SYS_renameat, run->fd, half, run->fd,
				WMC_FILE_NAME);
		wm_sys_unlinkat(run->fd, half, 0);
	}
	wm_sys_close(from);
}

void wm_bundle_copy(const struct wm_tracefile_name *n, bool ending)
{
	static bool copied;
	struct wm_at run;

	if (copied || (!wm_tracefile_made_run() && !ending) ||
	    wm_tracefile_dir(&run, true))
		return;
	if (wm_tracefile_made_run() ||
	    WM_SYS3(SYS_faccessat, run.fd, WMC_FILE_NAME, 0) == -ENOENT) {
		copy_bundle(n, &run);
		copied = true;
	}
	wm_at_close(&run);
}
