/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Relinked programs are recognized by a section that no other tool writes.  A
 * check of a name is out of date at once, so a name is changed only by rename:
 * to a name that is free (RENAME_NOREPLACE), or by exchange with the relinked
 * program that has the name.  If the exchange returns another file, it is put
 * back.
 *
 * A name in WM_TWIN_DIR is DIR/app.wm, or DIR/path/to/app.wm if DIR/app.wm
 * belongs to another program that still exists, or if DIR/path/to/app.wm
 * already exists.
 */
#include "wmcc/link/twin_path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wm/census_format.h"
#include "wmcc/census/embed.h"
#include "wmcc/base/home.h"
#include "wmcc/base/subprocess.h"

static const char foreign[] = "there is a file of this name that is no twin";

const char *wm_twin_path_advice(const char *why)
{
	if (why == foreign)
		return "move it away, or let WM_TWIN_DIR=DIR name a folder "
		       "for twins";
	return "WM_TWIN_DIR=DIR names another folder for twins";
}

enum look {
	ABSENT,
	TWIN,
	FOREIGN,
};

/* Stores the plain program, which the caller frees, or NULL in *@origin. */
static enum look look_at(const char *path, char **origin)
{
	struct stat st;
	char *none;

	*origin = NULL;
	/* the rename reports all other errors of the name */
	if (lstat(path, &st))
		return ABSENT;
	if (!S_ISREG(st.st_mode))
		return FOREIGN;
	if (wm_embed_read(path, WMC_ORIGIN, origin, PATH_MAX)) {
		/* made by WM_LINK=only, whatever its name */
		if (*origin && wm_same_file(*origin, path))
			return FOREIGN;
		return TWIN;
	}
	/* the first section could not be added */
	return wm_embed_read(path, WMC_SECTION, &none, 0) ? TWIN : FOREIGN;
}

static bool is_twin(const char *path)
{
	char *origin;
	bool twin = look_at(path, &origin) == TWIN;

	free(origin);
	return twin;
}

/* A file beside the program does not, even after both have moved. */
static bool is_of_another(const struct wm_twin_path *p, const char *origin)
{
	return p->dir && origin && strcmp(origin, p->origin) != 0 &&
	       !wm_same_file(origin, p->origin) && wm_is_regular(origin);
}

static const char *twin_dir(void)
{
	const char *dir = getenv("WM_TWIN_DIR");

	return dir && *dir ? dir : NULL;
}

static bool link_only(void)
{
	const char *v = getenv("WM_LINK");

	if (!v || !*v || !strcmp(v, "twin"))
		return false;
	if (!strcmp(v, "only"))
		return true;
	wm_warn("WM_LINK='%s' is neither twin nor only: twin is used", v);
	return false;
}

char *wm_twin_path_usual(const char *plain, const char *suffix)
{
	const char *dir = twin_dir();

	return dir ? wm_strf("%s/%s%s", dir, wm_basename(plain), suffix) :
		     wm_strf("%s%s", plain, suffix);
}

static char *whole_path_name(const struct wm_twin_path *p)
{
	return wm_strf("%s%s%s", p->dir, p->origin, p->suffix);
}

/* Chooses the long name, as DIR/app.wm belongs to another program. */
static const char *take_long_name(struct wm_twin_path *p, const char *other)
{
	char *name = whole_path_name(p);

	wm_warn("'%s' is the twin of '%s': that of '%s' is '%s'", p->name,
		other, p->origin, name);
	free(p->name);
	p->name = name;
	return wm_folders_make(name, 0777) ? strerror(errno) : NULL;
}

const char *wm_twin_path_choose(struct wm_twin_path *p, const char *plain,
				const char *suffix)
{
	const char *why = NULL;
	char *whole, *other;
	enum look look;

	*p = (struct wm_twin_path){ .plain = plain, .suffix = suffix };
	/* only app.wm can replace the program */
	p->only = !strcmp(suffix, WM_TWIN_SUFFIX) && link_only();
	p->origin = realpath(plain, NULL);
	if (!p->origin)
		p->origin = wm_strdup(plain);
	p->name = p->only ? wm_strdup(plain) :
			    wm_twin_path_usual(plain, suffix);
	if (p->only)
		return NULL;
	if (twin_dir()) {
		p->dir = wm_strdup(twin_dir());
		whole = whole_path_name(p);
		if (is_twin(whole)) {
			free(p->name);
			p->name = whole;
			return NULL;
		}
		free(whole);
		why = wm_folders_make(p->name, 0777) ? strerror(errno) : NULL;
	}
	look = look_at(p->name, &other);
	if (!why && look == FOREIGN)
		why = foreign;
	else if (!why && look == TWIN && is_of_another(p, other))
		why = take_long_name(p, other);
	free(other);
	return why;
}

/* cargo renames target/debug/deps/app-0123456789abcdef. */
static bool is_cargos(const char *path)
{
	const char *base = wm_basename(path), *dash = strrchr(base, '-');

	return base - path > 6 && wm_starts(base - 6, "/deps/") && dash &&
	       strlen(dash) == 17 && strspn(dash + 1, "0123456789abcdef") == 16;
}

const char *wm_twin_path_moves(const struct wm_twin_path *p)
{
	static const char go[] = "/go-build";
	const char *at = strstr(p->origin, go);

	if (p->dir || p->only)
		return NULL;
	/* /tmp/go-build123/b001/exe/a.out */
	if (at && strspn(at + strlen(go), "0123456789") > 0)
		return "go removes this folder when it has built";
	if (is_cargos(p->origin))
		return "cargo gives the program another name, elsewhere";
	return NULL;
}

void wm_twin_path_release(struct wm_twin_path *p)
{
	free(p->origin);
	free(p->dir);
	free(p->name);
}

int wm_twin_path_sign(const struct wm_twin_path *p, const char *file)
{
	char err[256];

	return wm_embed_section(file, WMC_ORIGIN, p->origin, strlen(p->origin),
				err, sizeof(err));
}

static bool not_offered(int error)
{
	return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP;
}

/* Fails with EEXIST if @to is not free. */
static int rename_new(const char *from, const char *to)
{
	int fd;

	if (!renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE))
		return 0;
	if (!not_offered(errno))
		return -1;
	/* NFS and others cannot do that: create the file first */
	fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	close(fd);
	return rename(from, to);
}

/* Returns NULL, or the reason for a failure.  Sets *@again if another process
 * has changed the name. */
static const char *replace_twin(const char *temp, const char *name, bool *again)
{
	static const unsigned int both = RENAME_EXCHANGE;

	*again = false;
	if (renameat2(AT_FDCWD, temp, AT_FDCWD, name, both)) {
		if (not_offered(errno) && !rename(temp, name))
			return NULL;
		*again = errno == ENOENT;
		return strerror(errno);
	}
	if (is_twin(temp)) {
		unlink(temp);
		return NULL;
	}
	if (renameat2(AT_FDCWD, temp, AT_FDCWD, name, both))
		wm_temp_keep(temp); /* a file of the user with an odd name */
	return foreign;
}

static const char *take_name(struct wm_twin_path *p, const char *temp)
{
	const char *why = "its name is taken again and again";
	bool again = true;

	for (size_t i = 0; again && i < 1000; i++) {
		enum look look;
		char *other;

		if (!rename_new(temp, p->name))
			return NULL;
		if (errno != EEXIST)
			return strerror(errno);
		look = look_at(p->name, &other);
		if (look == FOREIGN) {
			why = foreign;
			again = false;
		} else if (look == TWIN && is_of_another(p, other)) {
			why = take_long_name(p, other);
			again = !why;
		} else if (look == TWIN) {
			why = replace_twin(temp, p->name, &again);
		}
		free(other);
	}
	return why;
}

const char *wm_twin_path_give(struct wm_twin_path *p, const char *temp)
{
	sigset_t all, mask;
	const char *why;

	/* a signal would remove @temp, which may be a user's file for a
	 * moment */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &mask);
	if (p->only)
		why = rename(temp, p->name) ? strerror(errno) : NULL;
	else
		why = take_name(p, temp);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return why;
}

void wm_twin_path_clear(const struct wm_twin_path *p)
{
	const char *aside;
	sigset_t all, mask;
	char *other;

	if (p->only || look_at(p->name, &other) != TWIN)
		return;
	if (!is_of_another(p, other)) {
		sigfillset(&all);
		sigprocmask(SIG_BLOCK, &all, &mask);
		aside = wm_temp_name(p->name, "old");
		if (!rename_new(p->name, aside) && !is_twin(aside) &&
		    rename_new(aside, p->name))
			wm_temp_keep(aside);
		else
			wm_temp_remove(aside);
		sigprocmask(SIG_SETMASK, &mask, NULL);
	}
	free(other);
}

void wm_twin_path_clear_usual(const char *plain, const char *suffix)
{
	char *usual = wm_twin_path_usual(plain, suffix);
	struct wm_twin_path p;

	/* usually there is none; then make no folder and print nothing */
	if (!access(usual, F_OK)) {
		wm_twin_path_choose(&p, plain, suffix);
		wm_twin_path_clear(&p);
		wm_twin_path_release(&p);
	}
	free(usual);
}

static char *replace_all(const char *word, const char *what, const char *with)
{
	char *done = wm_strdup(""), *more;
	const char *at;

	for (; (at = strstr(word, what)); word = at + strlen(what)) {
		more = wm_strf("%s%.*s%s", done, (int)(at - word), word, with);
		free(done);
		done = more;
	}
	more = wm_strf("%s%s", done, word);
	free(done);
	return more;
}

static char *with_origin(const struct wm_twin_path *p, const char *word)
{
	char *folder = wm_strf("%.*s",
			       (int)(strrchr(p->origin, '/') ?
					     strrchr(p->origin, '/') -
						     p->origin :
					     0),
			       p->origin);
	char *half = replace_all(word, "${ORIGIN}", folder);
	char *whole = replace_all(half, "$ORIGIN", folder);

	free(half);
	free(folder);
	return whole;
}

void wm_twin_path_fix_origin(const struct wm_twin_path *p, struct wm_strv *cmd)
{
	const char *path = getenv("LD_RUN_PATH");
	char *word;

	if (!p->dir)
		return;
	for (size_t i = 0; i < cmd->n; i++) {
		if (!strstr(cmd->v[i], "ORIGIN"))
			continue;
		word = with_origin(p, cmd->v[i]);
		free(cmd->v[i]);
		cmd->v[i] = word;
	}
	if (path && strstr(path, "ORIGIN")) {
		word = with_origin(p, path);
		setenv("LD_RUN_PATH", word, 1);
		free(word);
	}
}
