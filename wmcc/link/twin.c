/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/link/twin.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wmcc/census/census.h"
#include "wmcc/link/chain.h"
#include "wmcc/link/givers.h"
#include "wmcc/base/home.h"
#include "wmcc/base/machine.h"
#include "wmcc/link/hooked_inputs.h"
#include "wmcc/link/inner.h"
#include "wmcc/link/libc_versions.h"
#include "wmcc/link/linker.h"
#include "wmcc/link/twin_path.h"
#include "wmcc/base/subprocess.h"

static const char advice[] = "WM_DISABLE=1 links without it";

bool wm_twin_quiet;

struct twin {
	struct wm_twin_path path;
	const char *temp; /* unfinished file, in the same folder */
	/* inputs of app.wma; NULL for app.wm */
	struct wm_hooked_inputs *hooked;
};

struct plain {
	const char *ld;
	const struct wm_ldargs *link;
	const struct wm_linkmap *map;
	struct wm_program_info info;
	const char *path; /* the program, or an unstripped copy */
};

/* Reports that there is no relinked program, and removes an old one. */
static void twin_give_up(struct twin *t, const char *why, const char *what)
{
	const struct wm_twin_path *p = &t->path;

	wm_temp_remove(t->temp);
	wm_twin_path_clear(p);
	if (wm_twin_quiet)
		return;
	wm_warn("'%s' %s: %s: %s", p->name,
		p->only ? "is not traced" : "not made", why, what);
}

/* Returns false, and prints the reason, if the program cannot have that
 * name. */
static bool twin_init(struct twin *t, const char *plain, const char *suffix)
{
	const char *why = wm_twin_path_choose(&t->path, plain, suffix);

	t->hooked = NULL;
	t->temp = wm_temp_name(t->path.name, "tmp");
	if (why)
		twin_give_up(t, why, wm_twin_path_advice(why));
	return !why;
}

/* Reports the objects of app.wma without hooks, and adds them to its census. */
static void tell_hookless(const struct twin *t, struct wm_census_input *in)
{
	char *lack = wm_hooked_inputs_lack(t->hooked);

	in->hooked = t->hooked->hooked;
	in->hookless = t->hooked->hookless;
	in->hookless_count = t->hooked->hookless_count;
	if (lack && !wm_twin_quiet)
		wm_say("'%s' does not see the accesses of %s: "
		       "'wm-analyze --static-report %s' has the list",
		       t->path.name, lack, t->path.name);
	free(lack);
}

/* Only MPI programs use UCX; in others, dlsym() should find our functions. */
static void hide_from_dlsym(const struct twin *t)
{
	const char *why = wm_libc_versions_set(t->temp, true);

	if (why)
		wm_warn("'%s' may not record mapped memory beside UCX: %s",
			t->path.name, why);
}

/* Puts the finished program in its place, with the census of @plain inside. */
static void twin_finish(struct twin *t, const struct wm_program_info *o,
			const char *plain, const struct wm_linkmap *map,
			const char *unseen)
{
	struct wm_census_input in = {
		.plain = plain,
		.twin = t->temp,
		.map = map,
		.program = wm_basename(t->path.plain),
		.unseen = unseen,
	};
	const char *why;
	char err[512] = "";
	bool no_census;

	if (unseen)
		wm_warn("'%s' does not trace %s", t->path.name, unseen);
	if (t->hooked)
		tell_hookless(t, &in);
	if (wm_additions_has_mpi(o))
		hide_from_dlsym(t);
	no_census = wm_census_embed(&in, err, sizeof(err)) != 0;
	if (no_census)
		wm_warn("'%s' has no census of static memory: %s", t->path.name,
			err);
	else if (*err)
		wm_warn("'%s': %s", t->path.name, err);
	/* the next link recognizes it by this, even without a census */
	if (wm_twin_path_sign(&t->path, t->temp) && !no_census)
		wm_warn("'%s' does not name its program", t->path.name);
	why = wm_twin_path_give(&t->path, t->temp);
	if (why) {
		twin_give_up(t, why, wm_twin_path_advice(why));
		return;
	}
	wm_temp_remove(t->temp);
	why = wm_twin_path_moves(&t->path);
	if (why && !wm_twin_quiet)
		wm_warn("'%s': %s: WM_TWIN_DIR=DIR names a folder where the "
			"twin stays",
			t->path.name, why);
}

struct objection {
	const char *why, *what;
};

/* Returns why the program @o is not relinked; "why" is NULL if it is. */
static struct objection find_objection(const struct wm_program_info *o)
{
	const char *own = o->own_heap ? o->own_heap : o->own_other;
	struct objection no = { NULL, advice };

	if (!wm_machine_find(o->machine) || !o->is64)
		no.why = wm_strf("the runtime is for %s only",
				 wm_machine_own()->name);
	else if (o->sanitizer)
		no = (struct objection){
			"a sanitizer takes the place of malloc",
			"build it without -fsanitize to trace it"
		};
	else if (o->relinked)
		no = (struct objection){ "the runtime is in the program itself",
					 "run it as it is" };
	else if (own)
		no = (struct objection){
			wm_strf("the program is linked dynamically and brings "
				"its own %s",
				own),
			wm_strf("link it with -static, or without its own %s, "
				"to trace it",
				own)
		};
	return no;
}

/* Returns false if the output of the link is not a program to relink.  A file
 * that is not ELF is a program for another system. */
static bool read_output(const char *output, bool sanitizer,
			struct wm_program_info *o, struct objection *no)
{
	char err[256];

	if (!wm_is_regular(output))
		return false;
	if (wm_program_info_read(o, output, err, sizeof(err))) {
		*no = (struct objection){
			wm_strf("'%s' is %s", output, err),
			"the runtime is for x86-64 Linux only"
		};
		return true;
	}
	o->sanitizer |= sanitizer;
	*no = find_objection(o);
	return o->executable;
}

/* A stripped static program is linked once more, unstripped, to @copy. */
static char *read_unstripped(struct wm_program_info *o, const char *ld,
			     const struct wm_ldargs *link, const char *copy)
{
	const char *res = wm_temp_name(link->output, "res");
	struct wm_strv cmd = { 0 };
	char err[256], *why;

	wm_ldargs_rewrite(link, copy, res, NULL, &cmd);
	why = wm_linker_run(ld, &cmd, link->response, link->output, NULL);
	wm_strv_release(&cmd);
	wm_temp_remove(res);
	if (!why && wm_program_info_read(o, copy, err, sizeof(err)))
		why = wm_strdup(err);
	return why;
}

/* Stores facts that only the map of a static program's link has. */
static void ask_givers(struct wm_program_info *o, const struct wm_givers *g)
{
	static const char cxx[] = "libstdc++ libsupc++ libc++";
	const char *object = g->of[WM_FOUND__Znwm];
	const char *heap = g->of[WM_FOUND_malloc];

	/* in a known allocator, or in the program's own file with malloc */
	if (object)
		o->new_bypasses = !wm_starts_any(wm_basename(object), cxx) &&
				  (o->allocator ||
				   (heap && !strcmp(object, heap)));
	object = g->of[WM_FOUND_free_sized];
	o->sized_known = object && wm_giver_is_libc(object);
}

static char *twin_try(struct twin *t, const char *ld,
		      const struct wm_ldargs *link,
		      const struct wm_additions *add, const struct wm_inner *in,
		      const struct wm_givers *g)
{
	const char *res = wm_temp_name(link->output, "res");
	struct wm_strv cmd = { 0 };
	char *why;

	wm_ldargs_rewrite(link, t->temp, res, add, &cmd);
	if (in)
		wm_inner_use(in, &cmd);
	wm_twin_path_fix_origin(&t->path, &cmd);
	why = wm_linker_run(ld, &cmd, link->response, link->output, g);
	wm_strv_release(&cmd);
	wm_temp_remove(res);
	return why;
}

/* Links with copies of the program's objects or, if that fails, without
 * them. */
static char *twin_link(struct twin *t, const char *ld,
		       const struct wm_ldargs *link,
		       const struct wm_additions *add, struct wm_inner *in,
		       const struct wm_givers *g)
{
	char *why = twin_try(t, ld, link, add, in->n ? in : NULL, g), *first;

	if (!why || !in->n)
		return why;
	first = why;
	why = twin_try(t, ld, link, add, NULL, g);
	if (!why)
		wm_inner_give_up(in, first);
	free(first);
	return why;
}

static void ask_about(struct wm_additions *add, const char *name)
{
	wm_strv_addf(&add->last, "--trace-symbol=%s", name);
}

/* Asks the linker which objects call dlopen. */
static void ask_who_loads(struct wm_additions *add,
			  const struct wm_program_info *o)
{
	if (!o->is_static || !o->dlopen)
		return;
	ask_about(add, "dlopen");
	for (size_t i = 0; wm_device_calls[i]; i++)
		ask_about(add, wm_device_calls[i]);
}

static void twin_make(struct twin *t, struct plain *p)
{
	const struct wm_ldargs *link = t->hooked ? &t->hooked->link : p->link;
	struct wm_program_info *o = &p->info;
	struct wm_additions add = { 0 };
	struct wm_givers givers;
	struct wm_inner in = { .n = 0 };
	struct wm_chain chain;
	const char *reason;
	char *why;

	wm_givers_find(&givers, o, p->map);
	ask_givers(o, &givers);
	reason = wm_additions_choose(&add, o, link);
	if (t->hooked)
		wm_hooked_inputs_givers(t->hooked, &givers);
	if (t->hooked && !reason)
		reason = wm_additions_access(&add, o);
	if (reason) {
		twin_give_up(t, reason, advice);
		return;
	}
	if (!o->is_static)
		wm_needed_find(&add.keep, link, p->path);
	for (size_t i = 0; o->is_static && i < WM_FOUND_SYMBOLS; i++)
		if (wm_additions_wraps(o, i))
			ask_about(&add, wm_found_names[i].name);
	ask_who_loads(&add, o);
	if (!t->hooked)
		wm_inner_make(&in, o, &givers, p->path, t->path.name);
	why = wm_chain_make(&chain, &add, o, link, p->map, t->path.name);
	wm_chain_givers(&chain, &givers);
	if (!why)
		why = twin_link(t, p->ld, chain.needed ? &chain.link : link,
				&add, &in, &givers);
	wm_chain_release(&chain);
	wm_additions_release(&add);
	if (why)
		twin_give_up(t, why, advice);
	else
		twin_finish(t, o, p->path, p->map, in.unseen);
	wm_inner_release(&in);
}

/* With -save-temps, the second LTO would overwrite files that the user wants to
 * see. gcc's lto-wrapper reads its options from this variable. */
static void forget_save_temps(void)
{
	const char *old = getenv("COLLECT_GCC_OPTIONS"), *at;
	char *new;

	while (old && (at = strstr(old, "'-save-temps")) != NULL) {
		const char *end = strchr(at + 1, '\'');

		if (!end)
			return;
		new = wm_strf("%.*s%s", (int)(at - old), old, end + 1);
		setenv("COLLECT_GCC_OPTIONS", new, 1);
		free(new);
		old = getenv("COLLECT_GCC_OPTIONS");
	}
}

/* Reads a program without symbols once more, with symbols. */
static struct objection look_below(struct plain *p)
{
	struct objection no = { NULL, advice };

	if (!p->info.is_static || !p->link->stripped ||
	    (p->info.symbols && !p->link->retained))
		return no;
	p->path = wm_temp_name(p->link->output, "sym");
	no.why = read_unstripped(&p->info, p->ld, p->link, p->path);
	return no.why ? no : find_objection(&p->info);
}

/* Makes app.wma, or removes an older one, which would be wrong. */
static void access_twin(struct plain *p, bool possible)
{
	struct wm_hooked_inputs hooked;
	struct twin t;
	char *why;

	if (!possible || !wm_env_on("WMCC_ACCESS")) {
		wm_twin_path_clear_usual(p->link->output, WM_ACCESS_SUFFIX);
		return;
	}
	if (twin_init(&t, p->link->output, WM_ACCESS_SUFFIX)) {
		why = wm_hooked_inputs_find(&hooked, p->link, p->map);
		t.hooked = &hooked;
		if (why)
			twin_give_up(&t, why,
				     wm_starts(why, "cache ") ?
					     wm_cache_advice :
					     "WMCC_ACCESS=1 must be set when "
					     "they are compiled, too (make "
					     "clean)");
		else
			twin_make(&t, p);
		free(why);
		wm_hooked_inputs_release(&hooked);
	}
	wm_twin_path_release(&t.path);
}

void wm_twin_link(const char *ld, const struct wm_ldargs *link, const char *map,
		  const char *unread)
{
	struct wm_linkmap pieces = { 0 };
	struct plain p = { ld, link, &pieces, .path = link->output };
	struct objection no;
	struct twin t;

	if (!read_output(link->output, link->sanitizer, &p.info, &no))
		return;
	if (unread)
		no = (struct objection){ wm_strf("only one link can read '%s'",
						 unread),
					 "name a file or /dev/stdin" };
	forget_save_temps();
	/* without a map the census is less precise */
	if (map && wm_is_regular(map))
		(void)wm_linkmap_read(&pieces, map);
	if (!no.why)
		no = look_below(&p);
	if (!twin_init(&t, link->output, WM_TWIN_SUFFIX))
		;
	else if (no.why)
		twin_give_up(&t, no.why, no.what);
	else
		twin_make(&t, &p);
	wm_twin_path_release(&t.path);
	access_twin(&p, !no.why);
	wm_linkmap_release(&pieces);
}

/* The compiler puts the added arguments, which precede the user's, after its
 * start files. */
static void compiler_command(struct wm_strv *cmd, char *const *words, size_t n,
			     const struct twin *t,
			     const struct wm_additions *add)
{
	char *const *argv = words + n;
	struct wm_strv args = { 0 };

	for (size_t i = 0; i < n; i++)
		wm_strv_add(cmd, words[i]);
	for (size_t i = 0; i < add->first.n; i++) {
		wm_strv_add(cmd, "-Xlinker");
		wm_strv_add(cmd, add->first.v[i]);
	}
	wm_strv_expand(&args, argv);
	for (argv = args.v; *argv; argv++) {
		if (!strcmp(*argv, "-o") && argv[1])
			argv++;
		else if (strcmp(*argv, "-s") != 0 && !wm_starts(*argv, "-o") &&
			 strcmp(*argv, "-Wl,--as-needed") != 0)
			wm_strv_add(cmd, *argv);
	}
	wm_strv_release(&args);
	for (size_t i = 0; i < add->last.n; i++) {
		wm_strv_add(cmd, "-Xlinker");
		wm_strv_add(cmd, add->last.v[i]);
	}
	wm_strv_add(cmd, "-o");
	wm_strv_add(cmd, t->temp);
}

/* Returns an argument that the compiler has read to its end, or NULL. */
static const char *used_up(char *const *words)
{
	static const char *const names[] = { "/dev/stdin", "/dev/fd/",
					     "/proc/self/fd/" };

	for (; *words; words++) {
		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
			if (**words != '@' && strstr(*words, names[i]))
				return *words;
	}
	return NULL;
}

static void make_again(struct twin *t, char *const *words, size_t n,
		       const struct wm_program_info *o)
{
	struct wm_additions add = { 0 };
	char *failed = NULL;
	const char *why;
	struct wm_strv cmd = { 0 };

	why = wm_additions_choose(&add, o, NULL);
	if (!why) {
		ask_who_loads(&add, o);
		compiler_command(&cmd, words, n, t, &add);
		wm_twin_path_fix_origin(&t->path, &cmd);
		why = failed = wm_linker_run_command(cmd.v, NULL);
	}
	if (why)
		twin_give_up(t, why, advice);
	else
		twin_finish(t, o, t->path.plain, NULL, NULL);
	wm_strv_release(&cmd);
	wm_additions_release(&add);
	free(failed);
}

void wm_twin_never(const char *output, const char *compiler)
{
	struct objection no;
	struct wm_program_info o;
	struct twin t;
	char *deaf;

	if (!read_output(output, false, &o, &no))
		return;
	deaf = wm_strf("'%s' does not run the linker that wmcc offers",
		       compiler);
	if (!no.why)
		no = (struct objection){
			deaf, "compile with -c and link in a second step"
		};
	if (twin_init(&t, output, WM_TWIN_SUFFIX))
		twin_give_up(&t, no.why, no.what);
	wm_twin_path_release(&t.path);
	free(deaf);
}

/* Without linker arguments, the definition of the wrapper cannot be found. */
static struct objection object_to_wrap(const char *name)
{
	return (struct objection){
		wm_strf("the program has a __wrap_%s of its own, and this "
			"compiler does not run the linker that wmcc offers",
			name),
		wm_strf("link it without that and --wrap=%s to trace it", name)
	};
}

void wm_twin_again(const char *output, char *const *words, size_t n)
{
	struct objection no;
	struct wm_program_info o;
	struct twin t;

	if (!read_output(output, false, &o, &no))
		return;
	if (!no.why && o.own_wrap)
		no = object_to_wrap(o.own_wrap);
	if (!twin_init(&t, output, WM_TWIN_SUFFIX))
		;
	else if (no.why)
		twin_give_up(&t, no.why, no.what);
	else if (used_up(words))
		twin_give_up(&t,
			     "the linker reads standard input, and this "
			     "compiler does not run the linker that wmcc "
			     "offers",
			     "name a file");
	else
		make_again(&t, words, n, &o);
	wm_twin_path_release(&t.path);
	if (wm_env_on("WMCC_ACCESS") && !no.why && !wm_twin_quiet)
		wm_warn("'%s" WM_ACCESS_SUFFIX "' not made: this compiler does "
			"not run the linker that wmcc offers: WM_CC names "
			"another",
			output);
	wm_twin_path_clear_usual(output, WM_ACCESS_SUFFIX);
}
