/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/fields.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

#include "wm/trace_format.h"

#include "runtime/base/file_text.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/trace/head.h"

#define GROUP_MAX 1024
#define NO_LIMIT ((uint64_t)1 << 60) /* cgroup v1 has a number for none */

/* Returns whether memory is in a list such as "a,memory,b". */
static bool has_memory(const char *p, const char *end)
{
	const char *comma;

	for (; p < end; p = comma + 1) {
		comma = p;
		while (comma < end && *comma != ',')
			comma++;
		if (comma - p == 6 && memcmp(p, "memory", 6) == 0)
			return true;
	}
	return false;
}

/* Returns the path of our memory cgroup in @text, the contents of
 * /proc/self/cgroup, or NULL.  Ends the path by a zero.  *@v1 is set if the
 * path is one of cgroup v1. */
static char *find_group(char *text, bool *v1)
{
	char *line, *next, *found = NULL;

	*v1 = false;
	for (line = text; *line; line = next) {
		char *names = strchr(line, ':'), *path, *end;

		end = strchr(line, '\n');
		next = end ? end + 1 : line + strlen(line);
		path = names ? strchr(names + 1, ':') : NULL;
		if (!end || !path || path > end || path[1] != '/')
			continue;
		*end = 0;
		if (has_memory(names + 1, path)) {
			*v1 = true;
			return path + 1;
		}
		if (path == names + 1)
			found = path + 1;
	}
	return found;
}

/* @group is "" for the root. */
static uint64_t limit_of(const char *group, bool v1)
{
	char path[GROUP_MAX + 80], text[32];
	struct wm_text t = wm_text_on(path, sizeof(path));
	uint64_t v;

	wm_text_add(&t, v1 ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup");
	wm_text_add(&t, group);
	wm_text_add(&t, v1 ? "/memory.limit_in_bytes" : "/memory.max");
	if (t.full || !wm_file_text(path, text, sizeof(text)) ||
	    !wm_str_uint(text, &v) || v >= NO_LIMIT)
		return UINT64_MAX;
	return v;
}

/* In a container the path may be the host's: then the root is our own
 * cgroup. */
static void put_group(struct wm_buf *head)
{
	char text[4096], lowest_group[GROUP_MAX];
	uint64_t limit, lowest = UINT64_MAX;
	char *group, *slash;
	bool v1;

	if (!wm_file_text("/proc/self/cgroup", text, sizeof(text)))
		return;
	group = find_group(text, &v1);
	if (!group || strlen(group) >= GROUP_MAX)
		return;
	/* outside of our cgroup namespace */
	if (strncmp(group, "/..", 3) == 0 || !group[1])
		group[0] = 0;
	for (;; *slash = 0) {
		limit = limit_of(group, v1);
		if (limit < lowest) {
			lowest = limit;
			memcpy(lowest_group, group, strlen(group) + 1);
		}
		slash = strrchr(group, '/');
		if (!slash)
			break;
	}
	if (lowest == UINT64_MAX)
		return;
	wm_head_uint(head, WMT_F_GROUP_LIMIT, lowest);
	wm_head_text(head, WMT_F_GROUP, lowest_group[0] ? lowest_group : "/");
}

static void put_own(struct wm_buf *head, int which, enum wmt_field field)
{
	struct rlimit l;

	if (WM_SYS4(SYS_prlimit64, 0, which, 0, &l) == 0 &&
	    l.rlim_cur < NO_LIMIT)
		wm_head_uint(head, field, l.rlim_cur);
}

void wm_fields_limits(struct wm_buf *head)
{
	const struct wm_identity *me = &wm_identity;
	struct sysinfo node;

	if (me->mib_per_cpu > 0)
		wm_head_uint(head, WMT_F_MEM_PER_CPU,
			     (uint64_t)me->mib_per_cpu << 20);
	if (me->mib_per_node > 0)
		wm_head_uint(head, WMT_F_MEM_PER_NODE,
			     (uint64_t)me->mib_per_node << 20);
	put_group(head);
	put_own(head, RLIMIT_AS, WMT_F_LIMIT_AS);
	put_own(head, RLIMIT_DATA, WMT_F_LIMIT_DATA);
	if (WM_SYS1(SYS_sysinfo, &node) == 0)
		wm_head_uint(head, WMT_F_NODE_MEMORY,
			     (uint64_t)node.totalram * node.mem_unit);
}
