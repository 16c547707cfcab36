/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/memory_left.h"

#include <fcntl.h>
#include <string.h>

#include "runtime/state.h"
#include "runtime/sys.h"
#include "runtime/text.h"

#define FILE_ROOM 8192

/* The beginning of a file as text, which may be empty. */
static void read_text(const char *path, char buf[FILE_ROOM])
{
	int fd = wm_sys_open(path, O_RDONLY | O_CLOEXEC, 0);
	long n = -1;

	if (fd >= 0) {
		n = wm_sys_read(fd, buf, FILE_ROOM - 1);
		wm_sys_close(fd);
	}
	buf[n > 0 ? n : 0] = 0;
}

/* The number behind @name, which begins a line; 0: not there. */
static uint64_t field(const char *text, const char *name)
{
	size_t len = strlen(name);
	uint64_t v;

	while (text && *text) {
		if (strncmp(text, name, len) == 0) {
			text += len;
			while (*text == ' ')
				text++;
			return wm_str_uint(text, &v) ? v : 0;
		}
		text = strchr(text, '\n');
		text += text != NULL;
	}
	return 0;
}

struct version {
	const char *root, *limit, *used, *file;
};
static const struct version v1 = { "/sys/fs/cgroup/memory",
	"/memory.limit_in_bytes", "/memory.usage_in_bytes",
	"total_inactive_file" };
static const struct version v2 = { "/sys/fs/cgroup", "/memory.max",
	"/memory.current", "inactive_file" };

static uint64_t group_left(const struct version *v, struct wm_text *t,
			   char buf[FILE_ROOM])
{
	uint64_t limit, used, file;
	size_t len = t->len;
	int told;

	wm_text_add(t, v->limit);
	read_text(t->s, buf);
	told = wm_str_uint(buf, &limit) != NULL; /* "max" else */
	t->s[t->len = len] = 0;
	if (!told)
		return UINT64_MAX;
	wm_text_add(t, v->used);
	read_text(t->s, buf);
	told = wm_str_uint(buf, &used) != NULL;
	t->s[t->len = len] = 0;
	if (!told)
		return UINT64_MAX;
	wm_text_add(t, "/memory.stat");
	read_text(t->s, buf);
	t->s[t->len = len] = 0;
	file = field(buf, v->file);
	used = used > file ? used - file : 0;
	return limit > used ? limit - used : 0;
}

/* This group and those that it lies in. */
static uint64_t groups_left(const struct version *v, const char *group,
			    size_t len, char buf[FILE_ROOM])
{
	static char path[WM_PATH_MAX];
	struct wm_text t = wm_text_on(path, sizeof(path));
	uint64_t left = UINT64_MAX, n;
	size_t root = strlen(v->root);

	wm_text_add(&t, v->root);
	for (size_t i = 0; i < len; i++)
		wm_text_char(&t, group[i]);
	if (t.full || t.room - t.len < 64)
		return left;
	for (;;) {
		n = group_left(v, &t, buf);
		if (n < left)
			left = n;
		if (t.len <= root)
			return left;
		while (t.len > root && t.s[t.len - 1] != '/')
			t.len--;
		t.s[t.len -= t.len > root] = 0;
	}
}

uint64_t wm_memory_left(void)
{
	static char groups[FILE_ROOM], buf[FILE_ROOM];
	uint64_t left = UINT64_MAX, n;
	const char *p, *end;

	read_text("/proc/self/cgroup", groups);
	for (p = groups; *p; p = *end ? end + 1 : end) {
		const struct version *v = NULL;
		const char *name = strchr(p, ':'), *path;

		end = strchr(p, '\n');
		end = end ? end : p + strlen(p);
		path = name ? strchr(name + 1, ':') : NULL;
		if (!path || path > end)
			continue;
		if (path == name + 1)
			v = &v2;
		else if (strncmp(name, ":memory:", 8) == 0)
			v = &v1;
		n = v ? groups_left(v, path + 1, (size_t)(end - path - 1),
				    buf) : left;
		left = n < left ? n : left;
	}
	read_text("/proc/meminfo", buf);
	n = field(buf, "MemAvailable:") * 1024;
	return n && n < left ? n : left;
}
