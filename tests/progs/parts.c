/* SPDX-License-Identifier: Apache-2.0 */
/* An allocator in parts: -DPART_NAME is the member of an archive that holds
 * one function.  Blocks come from an array of 16 MiB, behind their size. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void *malloc(size_t n);
void *parts_aligned(size_t align, size_t n);
extern size_t parts_freed;

#ifdef PART_base
static char heap[1 << 24];
static size_t used;
size_t parts_freed;

void *parts_aligned(size_t align, size_t n)
{
	uintptr_t at = (uintptr_t)heap + used + 16 + align - 1;

	at &= ~(uintptr_t)(align - 1);
	if (at + n > (uintptr_t)heap + sizeof(heap))
		return NULL;
	((size_t *)at)[-1] = n;
	used = (at + n + 15) / 16 * 16 - (uintptr_t)heap;
	return (void *)at;
}
#endif
#ifdef PART_malloc
void *malloc(size_t n)
{
	return parts_aligned(16, n);
}
#endif
#ifdef PART_free
void free(void *p)
{
	parts_freed += p != NULL;
}
#endif
#ifdef PART_calloc
void *calloc(size_t n, size_t size)
{
	void *p = malloc(n * size);

	return p ? memset(p, 0, n * size) : NULL;
}
#endif
#ifdef PART_realloc
void *realloc(void *old, size_t n)
{
	void *p = malloc(n);
	size_t had = old ? ((size_t *)old)[-1] : 0;

	if (p && old)
		memcpy(p, old, had < n ? had : n);
	return p;
}
#endif
#ifdef PART_reallocarray
void *realloc(void *old, size_t n);
void *reallocarray(void *old, size_t n, size_t size)
{
	return size && n > SIZE_MAX / size ? NULL : realloc(old, n * size);
}
#endif
#ifdef PART_cfree
void cfree(void *p)
{
	parts_freed += p != NULL;
}
#endif
#ifdef PART_posix_memalign
int posix_memalign(void **p, size_t align, size_t n)
{
	if (align % sizeof(void *) || align & (align - 1))
		return 22;
	*p = parts_aligned(align, n);
	return *p ? 0 : 12;
}
#endif
#ifdef PART_aligned_alloc
void *aligned_alloc(size_t align, size_t n)
{
	return parts_aligned(align, n);
}
#endif
#ifdef PART_memalign
void *memalign(size_t align, size_t n)
{
	return parts_aligned(align, n);
}
#endif
#ifdef PART_valloc
void *valloc(size_t n)
{
	return parts_aligned(4096, n);
}
#endif
#ifdef PART_pvalloc
void *pvalloc(size_t n)
{
	return parts_aligned(4096, (n + 4095) / 4096 * 4096);
}
#endif
#ifdef PART_free_sized
void free_sized(void *p, size_t n)
{
	parts_freed += p && n;
}
#endif
#ifdef PART_free_aligned_sized
void free_aligned_sized(void *p, size_t align, size_t n)
{
	parts_freed += p && n && align;
}
#endif
