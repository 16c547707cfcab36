/* SPDX-License-Identifier: Apache-2.0 */
/* Replacements for the functions of libc that the bundled libraries call; see
 * unwind_glue.c. */
#pragma once

#include <link.h>
#include <signal.h>
#include <stddef.h>
#include <sys/stat.h>

#include "runtime/base/attributes.h"

wm_hidden void *wm_glue_malloc(size_t size);
wm_hidden void *wm_glue_calloc(size_t n, size_t size);
wm_hidden void wm_glue_free(void *p);
wm_hidden void *wm_glue_mmap(void *addr, size_t size, int prot, int flags,
			     int fd, long offset);
wm_hidden int wm_glue_munmap(void *p, size_t size);
wm_hidden int wm_glue_mincore(void *p, size_t size, unsigned char *vec);
wm_hidden int wm_glue_msync(void *p, size_t size, int flags);
wm_hidden int wm_glue_pipe2(int fd[2], int flags);
wm_hidden long wm_glue_syscall(long number, ...);
wm_hidden long wm_glue_read(int fd, void *buf, size_t n);
wm_hidden int wm_glue_open(const char *path, int flags, ...);
wm_hidden int wm_glue_close(int fd);
wm_hidden int wm_glue_stat(const char *path, struct stat *st);
wm_hidden int wm_glue_fstat(int fd, struct stat *st);
wm_hidden int wm_glue_getpid(void);
wm_hidden int wm_glue_sigfillset(sigset_t *set);
wm_hidden int wm_glue_sigprocmask(int how, const sigset_t *set, sigset_t *old);
wm_hidden void wm_glue_abort(void);
wm_hidden int wm_glue_mutex_init(void *m, const void *attr);
wm_hidden int wm_glue_mutex_lock(void *m);
wm_hidden int wm_glue_mutex_unlock(void *m);
wm_hidden int wm_glue_once(void *once, void (*f)(void));
wm_hidden int wm_glue_key_create(unsigned *key, void (*destroy)(void *));
wm_hidden void *wm_glue_getspecific(unsigned key);
wm_hidden int wm_glue_setspecific(unsigned key, const void *value);
wm_hidden int wm_glue_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t,
						void *),
				   void *data);
