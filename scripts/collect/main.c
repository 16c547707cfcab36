/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wm-collect: gather run directories from node-local disks (wm-collect(1)).
 */
#include "scripts/collect/collect.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <getopt.h>
#include <grp.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wm/trace_format.h"
#include "wm/version.h"

static void print_help(void)
{
	fputs("usage: wm-collect [--from DIR]... --to DIR [OPTIONS] [NAME...]\n\n"
	      "Copies run directories NAME.ID.wm from DIR (default: WM_DIR) into "
	      "the directory\n--to, where those of other nodes may be already.  "
	      "May be called again at any time.\n\n"
	      "  --from DIR   a directory with run directories, on this node\n"
	      "  --to DIR     where they go\n"
	      "  --remove     remove here what is there, after comparing it\n"
	      "  --ended      no process of these runs can be running any more\n"
	      "  --quiet      say nothing\n"
	      "  NAME         only run directories of this name; * ? [ ] as in "
	      "the shell\n"
	      "  -h, --help   this text\n"
	      "  -V, --version\n\n"
	      "In a batch script, after the program:\n"
	      "  srun --ntasks=$SLURM_NNODES --ntasks-per-node=1 \\\n"
	      "     wm-collect --to DIR --remove\n",
	      stdout);
}

static int wrong_usage(const char *subject, const char *what)
{
	static const struct wm_collect aloud;

	wm_collect_say(&aloud, "%s%s; see wm-collect --help", subject, what);
	return WM_LEFT_USAGE;
}

static bool is_wanted(const struct wm_collect *c, const char *name)
{
	size_t n = strlen(name), m = strlen(WMT_DIR_SUFFIX);

	if (name[0] == '.' || n <= m ||
	    strcmp(name + n - m, WMT_DIR_SUFFIX) != 0)
		return false;
	for (size_t i = 0; i < c->name_count; i++)
		if (fnmatch(c->names[i], name, 0) == 0)
			return true;
	return !c->name_count;
}

/* For root: be the owner of the run directory from now on, and its group, with
 * no other right. */
static int become_owner(const struct stat *st)
{
	gid_t gid = st->st_gid;

	if (geteuid() != 0 || st->st_uid == 0)
		return 0;
	return setgroups(1, &gid) || setresgid(gid, gid, gid) ||
			       setresuid(st->st_uid, st->st_uid, st->st_uid) ?
		       -1 :
		       0;
}

/* In a process of its own: of another user, maybe. */
static int collect_one(struct wm_collect *c, int from, const char *name)
{
	struct stat st;
	int status;
	pid_t pid;

	if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) ||
	    !S_ISDIR(st.st_mode))
		return WM_LEFT_NOTHING;
	/* in /tmp there are those of all users of the node */
	if (geteuid() != 0 && st.st_uid != geteuid() && !c->name_count)
		return WM_LEFT_NOTHING;
	wm_collect_about(name);
	pid = fork();
	if (pid < 0) {
		wm_collect_say(c, "%s", strerror(errno));
		return WM_LEFT_FAILED;
	}
	if (pid == 0) {
		if (become_owner(&st)) {
			wm_collect_say(c, "cannot become user %ld: %s",
				       (long)st.st_uid, strerror(errno));
			_exit(WM_LEFT_FAILED);
		}
		status = wm_collect_run(c, from, name);
		if (c->files)
			wm_collect_say(c,
				       "%" PRIu64 " files, %" PRIu64 " bytes",
				       c->files, c->bytes);
		_exit(status);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		wm_collect_say(c, "ended by signal %d", WTERMSIG(status));
	wm_collect_about(NULL);
	return WIFEXITED(status) ? WEXITSTATUS(status) : WM_LEFT_FAILED;
}

static int collect_from(struct wm_collect *c, const char *path)
{
	DIR *d = opendir(path);
	int left = WM_LEFT_NOTHING;
	struct dirent *e;

	/* a node on which the job left nothing */
	if (!d && errno == ENOENT)
		return WM_LEFT_NOTHING;
	if (!d) {
		wm_collect_say(c, "'%s': %s", path, strerror(errno));
		return WM_LEFT_FAILED;
	}
	while (errno = 0, (e = readdir(d)))
		if (is_wanted(c, e->d_name))
			left = wm_worse(left,
					collect_one(c, dirfd(d), e->d_name));
	if (errno) {
		wm_collect_say(c, "'%s': %s", path, strerror(errno));
		left = WM_LEFT_FAILED;
	}
	closedir(d);
	return left;
}

int main(int argc, char **argv)
{
	enum { FROM = 1, TO, REMOVE, ENDED, QUIET, HELP, VERSION };
	static const struct option options[] = {
		{ "from", required_argument, NULL, FROM },
		{ "to", required_argument, NULL, TO },
		{ "remove", no_argument, NULL, REMOVE },
		{ "ended", no_argument, NULL, ENDED },
		{ "quiet", no_argument, NULL, QUIET },
		{ "help", no_argument, NULL, HELP },
		{ "version", no_argument, NULL, VERSION },
		{ 0 },
	};
	struct wm_collect c = { 0 };
	char **from = calloc((size_t)argc + 1, sizeof(*from));
	int o, froms = 0, left = WM_LEFT_NOTHING;

	if (!from)
		return WM_LEFT_FAILED;
	/* whoever ignores the end of children hands that on */
	signal(SIGCHLD, SIG_DFL);
	opterr = 0;
	while ((o = getopt_long(argc, argv, ":hV", options, NULL)) != -1)
		switch (o) {
		case FROM:
			from[froms++] = optarg;
			break;
		case TO:
			c.to = optarg;
			break;
		case REMOVE:
			c.remove = true;
			break;
		case ENDED:
			c.ended = true;
			break;
		case QUIET:
			c.quiet = true;
			break;
		case 'h':
		case HELP:
			print_help();
			return 0;
		case 'V':
		case VERSION:
			puts("wm-collect " WM_VERSION);
			return 0;
		case ':':
			return wrong_usage(argv[optind - 1], " needs a value");
		default:
			/* of "-xy" getopt stands before the word */
			if (optopt > VERSION)
				return wrong_usage("unknown option ",
						   (char[]){ '-', (char)optopt,
							     0 });
			return wrong_usage(optopt ? "no value is wanted in " :
						    "unknown option ",
					   argv[optind - 1]);
		}
	if (!froms && getenv("WM_DIR"))
		from[froms++] = getenv("WM_DIR");
	if (!c.to || !*c.to)
		return wrong_usage("--to DIR", " is missing");
	if (!froms)
		return wrong_usage("--from DIR",
				   " is missing, and WM_DIR is not set");
	c.names = argv + optind;
	c.name_count = (size_t)(argc - optind);
	for (int i = 0; i < froms; i++)
		left = wm_worse(left, collect_from(&c, from[i]));
	free(from);
	return left;
}
