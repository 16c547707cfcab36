/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pages/maps.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/file_text.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"

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

/* Calls f() for the whole lines in the *@n bytes of @text, and stores their
 * number of bytes in *@n. */
static int each_line(const char *text, size_t *n,
		     int (*f)(const struct wm_map *, void *), void *arg)
{
	size_t done = 0;
	int r = 0;

	while (r == 0) {
		const char *end = memchr(text + done, '\n', *n - done);
		struct wm_map m;

		if (!end)
			break;
		read_line(text + done, &m);
		done = (size_t)(end + 1 - text);
		r = f(&m, arg);
	}
	*n = done;
	return r;
}

int wm_maps_each(int (*f)(const struct wm_map *, void *), void *arg)
{
	/* The kernel returns whole lines, at most a page of them.  A line may
	 * contain a path of 4 KiB. */
	static char text[2 * 4096 + 128];
	static int fd = -1;
	size_t held = 0, n;
	int r = 0;

	if (fd < 0)
		fd = wm_sys_open("/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return fd;
	WM_SYS3(SYS_lseek, fd, 0, 0 /* SEEK_SET */);
	while (r == 0) {
		long got = wm_sys_read(fd, text + held, sizeof(text) - held);

		if (got <= 0)
			return (int)got;
		n = held += (size_t)got;
		r = each_line(text, &n, f, arg);
		held -= n;
		memmove(text, text + n, held);
	}
	return r;
}

static int put(const struct wm_map *m, void *arg)
{
	return wm_buf_add(arg, m, sizeof(*m)) ? -12 /* ENOMEM */ : 0;
}

int wm_maps_read(struct wm_buf *list)
{
	list->len = 0;
	return wm_maps_each(put, list);
}

static int count(const struct wm_map *m, void *n)
{
	(void)m;
	++*(size_t *)n;
	return 0;
}

size_t wm_maps_count(void)
{
	size_t n = 0;

	return wm_maps_each(count, &n) ? 0 : n;
}

void wm_maps_resident(uint64_t *all, uint64_t *of_files)
{
	char text[256];
	uint64_t v[3] = { 0 };
	const char *s = text;

	wm_file_text("/proc/self/statm", text, sizeof(text));
	for (int i = 0; i < 3 && s; i++) {
		s = wm_str_uint(s, &v[i]);
		s = s && *s ? s + 1 : NULL;
	}
	*all = v[1];
	*of_files = v[2];
}
