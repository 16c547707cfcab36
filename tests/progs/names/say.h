/* SPDX-License-Identifier: Apache-2.0 */
/* For statics.c and its like: what lies where, as questions for elements-dump,
 * which has to answer with the text. */
#ifndef SAY_H
#define SAY_H

#include <link.h>
#include <stdint.h>
#include <stdio.h>

static uintptr_t say_bias, say_thread;

static int say_find(struct dl_phdr_info *i, size_t size, void *arg)
{
	(void)size;
	(void)arg;
	say_bias = i->dlpi_addr;
	say_thread = (uintptr_t)i->dlpi_tls_data;
	return 1; /* the executable is the first */
}

static inline void say(const volatile void *p, size_t bytes, const char *text)
{
	dl_iterate_phdr(say_find, NULL);
	printf("g %lx %zu 0 0 %s\n", (unsigned long)((uintptr_t)p - say_bias),
	       bytes, text);
}

/* Accesses of @bytes from @p on to @last, every @stride. */
static inline void say_many(const volatile void *p, const volatile void *last,
			    size_t bytes, size_t stride, const char *text)
{
	dl_iterate_phdr(say_find, NULL);
	printf("g %lx %zu %zu %lx %s\n",
	       (unsigned long)((uintptr_t)p - say_bias), bytes, stride,
	       (unsigned long)((uintptr_t)last - say_bias), text);
}

static inline void say_own(const volatile void *p, size_t bytes,
			   const char *text)
{
	dl_iterate_phdr(say_find, NULL);
	printf("t %lx %zu 0 0 %s\n",
	       (unsigned long)((uintptr_t)p - say_thread), bytes, text);
}

#define SAY(x) say(&(x), sizeof(x), #x)
/* as seen from where it is */
#define SAY_AS(x, text) say(&(x), sizeof(x), text)

#endif
