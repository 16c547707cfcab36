/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls by which a program describes itself to the tracing runtime.
 *
 * For C and C++, any C standard.  Nothing has to be linked: if the program does
 * not contain the runtime of wmcc, each function only reads one address.  The
 * functions may be called in any thread at any time, also before main, after
 * exit handlers and in shared libraries.  Calls from signal handlers that
 * interrupt an allocation are lost, except for wm_access_start() and similar
 * functions.
 *
 * Names and texts are copied; they are UTF-8 of at most 255 bytes, and a run
 * keeps 4,095 different ones.  See wmtrace(3).
 */
#ifndef WM_WMTRACE_H
#define WM_WMTRACE_H

#include <stddef.h>

#if defined(__GNUC__) && defined(__ELF__)
#define WM_API_ __attribute__((__weak__, __visibility__("default")))
#define WM_API_INLINE_ static __inline__ __attribute__((__unused__))
#define WM_API_CALL_(function, arguments)                                      \
	do {                                                                   \
		if (function)                                                  \
			function arguments;                                    \
	} while (0)

#ifdef __cplusplus
extern "C" {
#endif
extern void wm_api_phase(const char *name) WM_API_;
extern void wm_api_name(const void *block, const char *name) WM_API_;
extern void wm_api_pause(void) WM_API_;
extern void wm_api_resume(void) WM_API_;
extern void wm_api_snapshot(const char *name) WM_API_;
extern void wm_api_accesses(int on, int all) WM_API_;
extern void wm_api_say(int what, const void *address, size_t bytes,
		       size_t element, const char *text, size_t most) WM_API_;
#ifdef __cplusplus
}
#endif
#else
#define WM_API_INLINE_ static
#define WM_API_CALL_(function, arguments) ((void)0)
#endif

#ifdef __cplusplus
#define WM_API_DEFAULT_ = 0
#else
#define WM_API_DEFAULT_
#endif
/* wm_api_say: its first argument, and the length of a text up to its zero */
#define WM_API_NEXT_ 1
#define WM_API_MARK_ 2
#define WM_API_REGION_ 3
#define WM_API_REGION_END_ 4
#define WM_API_ALL_ ((size_t)-1)

/* Begins the phase @name of the whole process, with all its threads, until the
 * next call.  NULL or "" only ends the phase.  Phases do not nest; entering a
 * phase of the same name again continues that phase. */
WM_API_INLINE_ void wm_phase(const char *name WM_API_DEFAULT_)
{
	(void)name;
	WM_API_CALL_(wm_api_phase, (name));
}

/* Gives the name @name to the live block that @block points to, or into.  The
 * name stays with the block through realloc and ends when the block is freed.
 * Several blocks may have the same name; a block has one name at a time.  NULL
 * or "" removes the name. */
WM_API_INLINE_ void wm_name(const void *block, const char *name)
{
	(void)block;
	(void)name;
	WM_API_CALL_(wm_api_name, (block, name));
}

WM_API_INLINE_ void wm_unname(const void *block)
{
	(void)block;
	WM_API_CALL_(wm_api_name, (block, 0));
}

/* Gives the name @name to the next block that the calling thread allocates by
 * malloc and similar functions, operator new, mmap, shmat or MPI, but not by a
 * realloc of another block.  No pointer is needed, so this call can precede a
 * call whose result is unknown.  NULL or "" cancels the name. */
WM_API_INLINE_ void wm_name_next(const char *name)
{
	(void)name;
	WM_API_CALL_(wm_api_say, (WM_API_NEXT_, 0, 0, 0, name, WM_API_ALL_));
}

/* Gives the name @name to the @bytes from @address on, in memory of any kind: a
 * part of a static array, a COMMON block, memory of a library.  @element is the
 * number of bytes of one element, or 0.  The region ends by wm_region_end()
 * with an address in the region, or when another region begins at @address.
 * Regions may be nested; reports use the innermost. */
WM_API_INLINE_ void wm_region(const char *name, const void *address,
			      size_t bytes, size_t element)
{
	(void)name;
	(void)address;
	(void)bytes;
	(void)element;
	WM_API_CALL_(wm_api_say, (WM_API_REGION_, address, bytes, element, name,
				  WM_API_ALL_));
}

WM_API_INLINE_ void wm_region_end(const void *address)
{
	(void)address;
	WM_API_CALL_(wm_api_say, (WM_API_REGION_END_, address, 0, 0, 0, 0));
}

/* Marks this moment, with the live bytes, in reports.  @text may be NULL. */
WM_API_INLINE_ void wm_mark(const char *text WM_API_DEFAULT_)
{
	(void)text;
	WM_API_CALL_(wm_api_say, (WM_API_MARK_, 0, 0, 0, text, WM_API_ALL_));
}

/* Stops the recording of allocations of all threads until wm_resume(); blocks
 * that are freed are still recorded.  Calls are not counted: one wm_resume()
 * ends any number of wm_pause(). */
WM_API_INLINE_ void wm_pause(void)
{
	WM_API_CALL_(wm_api_pause, ());
}

WM_API_INLINE_ void wm_resume(void)
{
	WM_API_CALL_(wm_api_resume, ());
}

/* Makes reports show the owners of the heap at this moment.  @name may be
 * NULL. */
WM_API_INLINE_ void wm_snapshot(const char *name WM_API_DEFAULT_)
{
	(void)name;
	WM_API_CALL_(wm_api_snapshot, (name));
}

/* Start and stop the recording of accesses of the calling thread, in the
 * program app.wma, which records each load and store (wmcc(1)).  Calls are not
 * counted: one call ends any number of the other.  With WM_ACCESS=off recording
 * begins with the first wm_access_start(). */
WM_API_INLINE_ void wm_access_start(void)
{
	WM_API_CALL_(wm_api_accesses, (1, 0));
}

WM_API_INLINE_ void wm_access_stop(void)
{
	WM_API_CALL_(wm_api_accesses, (0, 0));
}

/* Start and stop the recording of accesses of all present and future threads;
 * earlier calls of a thread for itself become void.  Other threads start with
 * their next access; as a rule, they stop within an iteration of their loop. */
WM_API_INLINE_ void wm_access_start_all(void)
{
	WM_API_CALL_(wm_api_accesses, (1, 1));
}

WM_API_INLINE_ void wm_access_stop_all(void)
{
	WM_API_CALL_(wm_api_accesses, (0, 1));
}

#undef WM_API_
#undef WM_API_INLINE_
#undef WM_API_CALL_
#undef WM_API_DEFAULT_
#undef WM_API_NEXT_
#undef WM_API_MARK_
#undef WM_API_REGION_
#undef WM_API_REGION_END_
#undef WM_API_ALL_
#endif
