/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libwmtrace.so: whether this process is traced.  Linked only into the library,
 * beside the objects that wmcc links into programs.
 *
 * LD_PRELOAD loads the library into every program that inherits the variable:
 *
 *   passed by   launchers, shells (include/wm/pass_list.h), and programs that
 *               the user did not ask for: nothing is recorded, the environment
 *               stays, and each child decides anew
 *   traced      the environment becomes as it would be without us, before any
 *               other constructor sees it, so that children are not traced
 *   left alone  the environment changes as for traced, but nothing is recorded:
 *               programs with a malloc of their own, whose calls we do not see,
 *               relinked programs, which trace themselves, and programs of
 *               musl, whose loader loads us, too
 */
#include "runtime/process/preload.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#include "wm/pass_list.h"
#include "input/path.h"
#include "wm/preload_format.h"

#include "runtime/base/depth.h"
#include "runtime/base/dynamic.h"
#include "runtime/base/env.h"
#include "runtime/base/look_up.h"
#include "runtime/base/report.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/process/identity.h"
#include "runtime/process/process_hooks.h"

extern void *malloc(size_t size);
extern char **environ;
/* musl has no dladdr1(), and would not start the program without this. */
#pragma weak dladdr1
extern void wm_api_phase(const char *name);

static enum verdict {
	UNKNOWN,
	PASSED,
	TRACED,
	RELINKED,
	OWN_MALLOC,
	OTHER_LIBC
} verdict;
static bool follow;

#define X(name) name,
static const char *const launchers[] = { WM_PASS_LAUNCHERS(X) };
static const char *const helpers[] = { WM_PASS_HELPERS(X) };
#undef X
#define COUNT(list) (sizeof(list) / sizeof(*(list)))

/* The file's own name, and the name of the link that started the program. */
struct names {
	char exe[WM_PATH_MAX];
	const char *file, *called;
};

/* Returns the path that was executed, from the kernel; for a script, NULL. */
static const char *started_by(void)
{
	const char *path = (const char *)getauxval(AT_EXECFN);
	struct stat exe, st;

	if (!path || WM_SYS4(SYS_newfstatat, WM_AT_FDCWD, path, &st, 0) ||
	    WM_SYS4(SYS_newfstatat, WM_AT_FDCWD, "/proc/self/exe", &exe, 0) ||
	    st.st_ino != exe.st_ino || st.st_dev != exe.st_dev)
		return NULL;
	return path;
}

static void read_names(struct names *n)
{
	const char *called = started_by();
	long len = wm_sys_readlink("/proc/self/exe", n->exe,
				   sizeof(n->exe) - 1);

	n->exe[len > 0 ? len : 0] = 0;
	n->file = wm_basename(n->exe);
	n->called = called ? wm_basename(called) : n->file;
}

static bool in_list(const struct names *n, const char *const *list,
		    size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i], n->file) == 0 ||
		    strcmp(list[i], n->called) == 0)
			return true;
	return false;
}

static bool same_name(const char *word, size_t len, const char *name)
{
	return strncmp(word, name, len) == 0 && !name[len];
}

/* Whether a word of @asked, each after a colon, names the program. */
static bool is_asked(const struct names *n, const char *asked)
{
	while (*asked == WM_PRELOAD_NEXT) {
		size_t len = 0;

		asked++;
		while (asked[len] && asked[len] != WM_PRELOAD_NEXT)
			len++;
		if (same_name(asked, len, n->file) ||
		    same_name(asked, len, n->called))
			return true;
		asked += len;
	}
	return false;
}

static bool is_wanted(void)
{
	static struct names n;
	const char *asked = wm_env(WM_PRELOAD_ENV);

	if (asked && *asked == WM_PRELOAD_FOLLOW) {
		follow = true;
		asked++;
	}
	read_names(&n);
	if (asked && *asked)
		return is_asked(&n, asked);
	return !in_list(&n, launchers, COUNT(launchers)) &&
	       !in_list(&n, helpers, COUNT(helpers));
}

/* The executable is searched before us.  An executable at a fixed address that
 * takes malloc's address has a stub, which is then the address of malloc in all
 * objects, but no definition. */
static bool malloc_is_ours(void)
{
	void *p = wm_look_up(RTLD_DEFAULT, "malloc");
	void *sym = NULL;
	Dl_info info;

	return p == (void *)malloc ||
	       (dladdr1(p, &info, &sym, RTLD_DL_SYMENT) && sym &&
		((const ElfW(Sym) *)sym)->st_shndx == SHN_UNDEF);
}

static enum verdict choose_verdict(void)
{
	if (!is_wanted())
		return PASSED;
	if (!dladdr1)
		return OTHER_LIBC;
	if (malloc_is_ours())
		return TRACED;
	return wm_look_up(RTLD_DEFAULT, "wm_api_phase") ==
			       (void *)wm_api_phase ?
		       OWN_MALLOC :
		       RELINKED;
}

bool wm_preload_wants(void)
{
	if (verdict == UNKNOWN)
		verdict = choose_verdict();
	return verdict == TRACED;
}

bool wm_preload_mpi(void)
{
	return wm_look_up(RTLD_NEXT, "PMPI_Init") != NULL;
}

/*
 * Returns the function of this name that the caller would call without us.  A
 * library that was loaded later, into a scope of its own, finds ours in the
 * global scope, but should call the one in its own scope.  Reads the loader's
 * list without its lock: a dlclose at this moment would unmap the caller's own
 * library.
 */
void *wm_preload_next(const char *name)
{
	void *p = wm_look_up(RTLD_NEXT, name);
	const struct link_map *map = wm_own_module();

	while (!p && map && (map = map->l_next)) {
		void *h = map->l_name && *map->l_name &&
					  wm_module_defines(map, name, NULL) ?
				  dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD) :
				  NULL;

		/* Only the library with the function stays open. */
		if (h)
			p = wm_look_up(h, name);
	}
	return p;
}

static bool is_us(const char *word, const char *end)
{
	static const char own[] = WM_PRELOAD_LIBRARY;
	size_t n = sizeof(own) - 1;

	return (size_t)(end - word) >= n && !strncmp(end - n, own, n);
}

/* Removes us from the list @value.  Returns false if it had only us. */
static bool take_out(char *value)
{
	char *word = value, *end;

	while (*word) {
		end = word + strcspn(word, ": ");
		if (!is_us(word, end)) {
			word = *end ? end + 1 : end;
		} else if (*end) {
			memmove(word, end + 1, strlen(end + 1) + 1);
		} else if (word == value) {
			return false;
		} else {
			word[-1] = 0;
			break;
		}
	}
	return true;
}

static void restore_environment(char **env)
{
	static const char preload[] = "LD_PRELOAD=",
			  ours[] = WM_PRELOAD_ENV "=";
	char **to = env;

	for (; *env; env++) {
		if (strncmp(*env, ours, sizeof(ours) - 1) == 0)
			continue;
		if (strncmp(*env, preload, sizeof(preload) - 1) == 0 &&
		    !take_out(*env + sizeof(preload) - 1))
			continue;
		*to++ = *env;
	}
	*to = NULL;
}

static void report_own_malloc(void)
{
	wm_options_read();
	if (wm_options.disable)
		return;
	wm_identity_read();
	wm_report_start();
	wm_report_say("the program brings its own malloc, which nothing can "
		      "see from outside: not traced (relink it with wmcc)");
}

/* The library's flag INITFIRST makes this the first constructor of all. */
__attribute__((constructor(101))) static void
begin_preloaded(int argc, char **argv, char **env)
{
	uintptr_t depth = wm_depth;

	(void)argc;
	(void)argv;
	wm_depth = 1;
	wm_preload_wants();
	if (!dladdr1)
		env = environ; /* musl passes constructors nothing */
	if (verdict == TRACED)
		wm_preload_hide_mappings();
	if (verdict == OWN_MALLOC)
		report_own_malloc();
	if (verdict != PASSED && !follow && env)
		restore_environment(env);
	wm_depth = depth;
}
