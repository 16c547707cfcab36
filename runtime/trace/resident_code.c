/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/resident.h"

#include <fcntl.h>
#include <string.h>

#include "runtime/base/sys.h"
#include "runtime/base/text.h"

/* Resident pages of files that have code.  In smaps the mappings of one file
 * follow each other. */
struct code {
	uint64_t inode, bytes, of_file;
	bool executable;
};

static void end_file(struct code *c)
{
	if (c->inode && c->executable)
		c->bytes += c->of_file;
	c->of_file = 0;
	c->executable = false;
}

/* A mapping begins with "start-end perms offset dev inode"; the names of its
 * fields begin with a capital letter. */
static void take_line(struct code *c, const char *s)
{
	uint64_t inode = 0, bytes = 0;
	bool executable;

	if (*s >= 'A' && *s <= 'Z') {
		bool less = strncmp(s, "Anonymous:", 10) == 0;

		if (!less && strncmp(s, "Rss:", 4) != 0)
			return;
		for (s += less ? 10 : 4; *s == ' '; s++)
			;
		wm_str_uint(s, &bytes);
		bytes *= 1024;
		if (!less)
			c->of_file += bytes;
		else
			c->of_file -= bytes < c->of_file ? bytes : c->of_file;
		return;
	}
	s = strchr(s, ' ');
	/* A shared mapping is memory of a run-time compiler, or data. */
	executable = s && s[3] == 'x' && s[4] == 'p';
	for (int spaces = 0; s && spaces < 3; spaces++)
		s = strchr(s + 1, ' ');
	if (s)
		wm_str_uint(s + 1, &inode);
	if (inode != c->inode)
		end_file(c);
	c->inode = inode;
	c->executable |= executable;
}

bool wm_resident_code(uint64_t *bytes)
{
	struct code c = { .inode = 0 };
	static char text[4096 + 1]; /* a line that is longer is cut */
	int fd = wm_sys_open("/proc/self/smaps", O_RDONLY | O_CLOEXEC, 0);
	size_t held = 0;
	bool cut = false;
	long n = fd;

	while (fd >= 0 && (n = wm_sys_read(fd, text + held,
					   sizeof(text) - 1 - held)) > 0) {
		char *line = text, *end;

		held += (size_t)n;
		text[held] = 0;
		for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
			*end = 0;
			if (!cut)
				take_line(&c, line);
			cut = false;
		}
		held -= (size_t)(line - text);
		memmove(text, line, held);
		if (held < sizeof(text) - 1)
			continue;
		if (!cut)
			take_line(&c, text);
		cut = true;
		held = 0;
	}
	if (fd >= 0)
		wm_sys_close(fd);
	end_file(&c);
	*bytes = c.bytes;
	return n == 0 && c.bytes;
}
