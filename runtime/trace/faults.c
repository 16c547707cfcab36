/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/faults.h"

#include <stddef.h>
#include <string.h>
#include <sys/resource.h>

#include "runtime/base/env.h"
#include "runtime/base/file_text.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"

#define HUGE ((uint64_t)2 << 20)
#define HUGE_PAGES "/sys/kernel/mm/transparent_hugepage"

/* The sizes of pages between a common page and a huge page. */
static const char *const sizes[] = { "-8kB",   "-16kB",	 "-32kB",  "-64kB",
				     "-128kB", "-256kB", "-512kB", "-1024kB" };
static char buf[8192];

uint64_t wm_faults_own(void)
{
	struct rusage u;

	if (WM_SYS2(SYS_getrusage, RUSAGE_SELF, &u) < 0)
		return 0;
	return (uint64_t)(u.ru_minflt + u.ru_majflt);
}

/* Returns the number after @name, from @from on, or 0, and stores the address
 * of @name, or @from, in *@end. */
static uint64_t number_of(const char *from, const char *name, const char **end)
{
	const char *p = strstr(from, name);
	uint64_t n = 0;

	*end = p ? p : from;
	return p && wm_str_uint(p + strlen(name), &n) ? n : 0;
}

uint64_t wm_faults_huge(void)
{
	const char *p = buf;
	uint64_t n;

	if (!wm_file_text("/proc/vmstat", buf, sizeof(buf)))
		return 0;
	/* in the kernel's order */
	n = number_of(p, "\nthp_fault_alloc ", &p);
	return n + number_of(p, "\nthp_collapse_alloc ", &p);
}

/* Returns whether the system's setting for pages of @size is @word or, if @word
 * is NULL, whether there is such a setting.  @size is for example "-64kB"; ""
 * is the setting for huge pages. */
static bool is_setting(const char *size, const char *word)
{
	char path[96];
	struct wm_text t = wm_text_on(path, sizeof(path));

	wm_text_add(&t, HUGE_PAGES);
	wm_text_add(&t, size[0] ? "/hugepages" : "");
	wm_text_add(&t, size);
	wm_text_add(&t, "/enabled");
	return wm_file_text(path, buf, sizeof(buf)) &&
	       (!word || strstr(buf, word));
}

/* Returns whether the kernel has huge pages, but the setting is hidden. */
static bool is_setting_hidden(void)
{
	return !is_setting("", NULL) &&
	       wm_file_text("/proc/vmstat", buf, sizeof(buf)) &&
	       strstr(buf, "\nthp_fault_alloc ");
}

bool wm_faults_are_huge(void)
{
	const char *tunables = wm_env("GLIBC_TUNABLES");

	return (tunables && strstr(tunables, "glibc.malloc.hugetlb=")) ||
	       is_setting("", "[always]");
}

bool wm_faults_may_be_large(void)
{
	if (wm_faults_are_huge())
		return true;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		if (is_setting(sizes[i], "[always]"))
			return true;
	return is_setting_hidden();
}

uint64_t wm_faults_bytes(void)
{
	if (is_setting_hidden())
		return HUGE;
	for (size_t i = sizeof(sizes) / sizeof(*sizes); i--;)
		if (is_setting(sizes[i], NULL) &&
		    !is_setting(sizes[i], "[never]"))
			return (uint64_t)8192 << i;
	return wm_kernel_page();
}
