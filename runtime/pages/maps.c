/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pages/maps.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/sys.h"

/* A line of /proc/self/maps: start-end perms offset dev inode  name */
static const char *read_hex(const char *s, uint64_t *v)
{
	for (*v = 0;; s++) {
		if (*s >= '0' && *s <= '9')
			*v = *v << 4 | (uint64_t)(*s - '0');
		else if (*s >= 'a' && *s <= 'f')
			*v = *v << 4 | (uint64_t)(*s - 'a' + 10);
		else
			return s;
	}
}

static enum wm_map_name name_of(const char *s, uint64_t inode)
{
	static const char heap[] = "[heap]", stack[] = "[stack]";

	if (*s != '[')
		return inode || *s == '/' ? WM_MAP_FILE : WM_MAP_NAMELESS;
	if (!strncmp(s, heap, sizeof(heap) - 1))
		return WM_MAP_BREAK;
	if (!strncmp(s, stack, sizeof(stack) - 1))
		return WM_MAP_STACK;
	/* named by prctl(PR_SET_VMA) */
	return !strncmp(s, "[anon", 5) ? WM_MAP_NAMELESS : WM_MAP_KERNEL;
}

static void read_line(const char *s, struct wm_map *m)
{
	s = read_hex(s, &m->start);
	s = read_hex(s + 1, &m->end);
	m->prot = (s[1] == 'r' ? PROT_READ : 0) |
		  (s[2] == 'w' ? PROT_WRITE : 0) |
		  (s[3] == 'x' ? PROT_EXEC : 0);
	m->shared = s[4] == 's';
	s = read_hex(s + 6, &m->offset);
	while (*++s != ' ') /* the device */
		;
	for (m->inode = 0; *++s >= '0' && *s <= '9';)
		m->inode = m->inode * 10 + (uint64_t)(*s - '0');
	while (*s == ' ')
		s++;
	m->name = name_of(s, m->inode);
}

/* Whole lines in @text; how many bytes they have. */
static long read_lines(const char *text, size_t n, struct wm_buf *list)
{
	size_t done = 0;

	for (;;) {
		const char *end = memchr(text + done, '\n', n - done);

		if (!end)
			return (long)done;
		if (wm_buf_reserve(list, sizeof(struct wm_map)))
			return -12; /* ENOMEM */
		read_line(text + done, (void *)(list->p + list->len));
		list->len += sizeof(struct wm_map);
		done = (size_t)(end + 1 - text);
	}
}

int wm_maps_read(struct wm_buf *list)
{
	/* The kernel gives whole lines, a page of them at most; a line may
	 * have a path of 4 KiB. */
	static char text[2 * 4096 + 128];
	int fd = wm_sys_open("/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
	size_t held = 0;
	long n;

	list->len = 0;
	if (fd < 0)
		return fd;
	while ((n = wm_sys_read(fd, text + held, sizeof(text) - held)) > 0) {
		long done = read_lines(text, held + (size_t)n, list);

		if (done < 0) {
			n = done;
			break;
		}
		held += (size_t)n - (size_t)done;
		memmove(text, text + done, held);
	}
	wm_sys_close(fd);
	return (int)n;
}
