/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of odd: odd_limits.c has those about limits and large memory. */
#include <stddef.h>
#include <sys/mman.h>

#define PAGE 4096ul

static const int anywhere = MAP_PRIVATE | MAP_ANONYMOUS;

char *map(size_t bytes, int prot); /* exits where it cannot */
void fork_once(const char *what); /* prints what becomes of a child */
void start_thread(void);

void no_files(void);
void no_data(void);
void less_data(void);
void small_files(void);
void no_root(void);
void no_addresses(void);
void many_maps(void);
void large(void);
void locked(void);
