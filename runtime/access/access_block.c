/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Block operations and strings: hooked objects call these functions instead of
 * the C library's (wm/block_list.h), which these functions call.
 *
 * Covered: the list.  Left out: inline code of the compiler, other functions of
 * strings (strstr, strspn, strtok ...), wide characters, and the bytes that
 * strdup writes: our function would have to call strdup, and would be the site
 * of its memory.
 *
 * Reads are recorded before writes.  The recorded bytes are those that the
 * function has to read, up to the byte that decides; to find that byte, a
 * string is scanned twice.  References are weak, so that these functions link
 * no function that the program does not call.
 */
#include "runtime/access/access.h"
#include "runtime/base/depth.h"
#include "wm/block_list.h"

#define WEAK __attribute__((weak))

/* BLOCK(result, name, arguments) */
#define BLOCK(type, name, ...)                                                 \
	WEAK type name(__VA_ARGS__);                                           \
	WM_ACCESS_EXPORT(type, wm_access_##name, __VA_ARGS__)

#define READ(p, bytes)                                                         \
	wm_access_range(p, bytes, WM_ACCESS_CALLER,                            \
			WM_ACCESS_WHAT(READ, BLOCK, 0))
#define WRITE(p, bytes)                                                        \
	wm_access_range(p, bytes, WM_ACCESS_CALLER,                            \
			WM_ACCESS_WHAT(WRITE, BLOCK, 0))
#define COPY(to, from, bytes)                                                  \
	do {                                                                   \
		if (!wm_access_told(to, from, bytes)) {                        \
			READ(from, bytes);                                     \
			WRITE(to, bytes);                                      \
		}                                                              \
	} while (0)
#define FILL(to, bytes)                                                        \
	do {                                                                   \
		if (!wm_access_told(to, NULL, bytes))                          \
			WRITE(to, bytes);                                      \
	} while (0)

/* Returns the number of bytes of @s with its final zero, at most @most. */
static size_t string_bytes(const char *s, size_t most)
{
	size_t n = 0;

	while (n < most && s[n++])
		;
	return n;
}

static size_t string_length(const char *s)
{
	return string_bytes(s, SIZE_MAX) - 1;
}

/* Returns the number of bytes up to the first one that differs, inclusive, at
 * most @most.  With @string, a final zero ends both. */
static size_t common_bytes(const char *a, const char *b, size_t most,
			   int string)
{
	size_t n = 0;

	while (n < most) {
		char c = a[n], d = b[n];

		n++;
		if (c != d || (string && !c))
			break;
	}
	return n;
}

/* Libc has not yet made thread-local storage: in a static program an IFUNC
 * resolver may run before those of memcpy and similar functions. */
static bool is_early(void)
{
	return wm_unlikely(wm_depth == WM_DEPTH_EARLY);
}

static void *early_move(void *to, const void *from, size_t bytes)
{
	volatile char *t = to;
	const volatile char *f = from;

	if ((uintptr_t)to <= (uintptr_t)from)
		for (size_t i = 0; i < bytes; i++)
			t[i] = f[i];
	else
		while (bytes--)
			t[bytes] = f[bytes];
	return to;
}

static void *early_set(void *to, int c, size_t bytes)
{
	volatile char *t = to;

	while (bytes--)
		t[bytes] = (char)c;
	return to;
}

BLOCK(void *, memcpy, void *to, const void *from, size_t bytes)
{
	COPY(to, from, bytes);
	if (is_early())
		return early_move(to, from, bytes);
	return memcpy(to, from, bytes);
}

BLOCK(void *, memmove, void *to, const void *from, size_t bytes)
{
	COPY(to, from, bytes);
	if (is_early())
		return early_move(to, from, bytes);
	return memmove(to, from, bytes);
}

BLOCK(void *, mempcpy, void *to, const void *from, size_t bytes)
{
	COPY(to, from, bytes);
	return mempcpy(to, from, bytes);
}

BLOCK(void *, memset, void *to, int c, size_t bytes)
{
	FILL(to, bytes);
	if (is_early())
		return early_set(to, c, bytes);
	return memset(to, c, bytes);
}

#define COMPARE(name)                                                          \
	BLOCK(int, name, const void *a, const void *b, size_t bytes)           \
	{                                                                      \
		size_t n = common_bytes(a, b, bytes, 0);                       \
                                                                               \
		READ(a, n);                                                    \
		READ(b, n);                                                    \
		return name(a, b, bytes);                                      \
	}
COMPARE(memcmp)
COMPARE(bcmp)

BLOCK(void *, memchr, const void *s, int c, size_t bytes)
{
	const char *p = s;
	size_t n = 0;

	while (n < bytes && p[n++] != (char)c)
		;
	READ(s, n);
	return memchr(s, c, bytes);
}

BLOCK(size_t, strlen, const char *s)
{
	READ(s, string_bytes(s, SIZE_MAX));
	return strlen(s);
}

BLOCK(size_t, strnlen, const char *s, size_t most)
{
	READ(s, string_bytes(s, most));
	return strnlen(s, most);
}

#define COPY_STRING(name)                                                      \
	BLOCK(char *, name, char *to, const char *from)                        \
	{                                                                      \
		size_t n = string_bytes(from, SIZE_MAX);                       \
                                                                               \
		READ(from, n);                                                 \
		WRITE(to, n);                                                  \
		return name(to, from);                                         \
	}
COPY_STRING(strcpy)
COPY_STRING(stpcpy)

BLOCK(char *, strncpy, char *to, const char *from, size_t bytes)
{
	READ(from, string_bytes(from, bytes));
	WRITE(to, bytes);
	return strncpy(to, from, bytes);
}

BLOCK(char *, strcat, char *to, const char *from)
{
	size_t had = string_length(to), n = string_bytes(from, SIZE_MAX);

	READ(to, had + 1);
	READ(from, n);
	WRITE(to + had, n);
	return strcat(to, from);
}

/* Returns the bytes that strncat() adds if it has read @n; it always adds a
 * final zero. */
static size_t added_bytes(const char *from, size_t n)
{
	return n && !from[n - 1] ? n : n + 1;
}

BLOCK(char *, strncat, char *to, const char *from, size_t most)
{
	size_t had = string_length(to), n = string_bytes(from, most);

	READ(to, had + 1);
	READ(from, n);
	WRITE(to + had, added_bytes(from, n));
	return strncat(to, from, most);
}

BLOCK(int, strcmp, const char *a, const char *b)
{
	size_t n = common_bytes(a, b, SIZE_MAX, 1);

	READ(a, n);
	READ(b, n);
	return strcmp(a, b);
}

BLOCK(int, strncmp, const char *a, const char *b, size_t most)
{
	size_t n = common_bytes(a, b, most, 1);

	READ(a, n);
	READ(b, n);
	return strncmp(a, b, most);
}

BLOCK(char *, strchr, const char *s, int c)
{
	size_t n = 0;

	while (s[n] && s[n] != (char)c)
		n++;
	READ(s, n + 1);
	return strchr(s, c);
}

BLOCK(char *, strrchr, const char *s, int c)
{
	READ(s, string_bytes(s, SIZE_MAX));
	return strrchr(s, c);
}

BLOCK(char *, strdup, const char *s)
{
	READ(s, string_bytes(s, SIZE_MAX));
	return strdup(s);
}

/* _FORTIFY_SOURCE: the called function ends the program if a copy does not
 * fit. */
#define CHECKED_COPY(name)                                                     \
	BLOCK(void *, name, void *to, const void *from, size_t bytes,          \
	      size_t room)                                                     \
	{                                                                      \
		COPY(to, from, bytes);                                         \
		return name(to, from, bytes, room);                            \
	}
CHECKED_COPY(__memcpy_chk)
CHECKED_COPY(__memmove_chk)
CHECKED_COPY(__mempcpy_chk)

BLOCK(void *, __memset_chk, void *to, int c, size_t bytes, size_t room)
{
	FILL(to, bytes);
	return __memset_chk(to, c, bytes, room);
}

#define CHECKED_STRING(name)                                                   \
	BLOCK(char *, name, char *to, const char *from, size_t room)           \
	{                                                                      \
		size_t n = string_bytes(from, SIZE_MAX);                       \
                                                                               \
		READ(from, n);                                                 \
		WRITE(to, n);                                                  \
		return name(to, from, room);                                   \
	}
CHECKED_STRING(__strcpy_chk)
CHECKED_STRING(__stpcpy_chk)

BLOCK(char *, __strncpy_chk, char *to, const char *from, size_t bytes,
      size_t room)
{
	READ(from, string_bytes(from, bytes));
	WRITE(to, bytes);
	return __strncpy_chk(to, from, bytes, room);
}

BLOCK(char *, __strcat_chk, char *to, const char *from, size_t room)
{
	size_t had = string_length(to), n = string_bytes(from, SIZE_MAX);

	READ(to, had + 1);
	READ(from, n);
	WRITE(to + had, n);
	return __strcat_chk(to, from, room);
}

BLOCK(char *, __strncat_chk, char *to, const char *from, size_t most,
      size_t room)
{
	size_t had = string_length(to), n = string_bytes(from, most);

	READ(to, had + 1);
	READ(from, n);
	WRITE(to + had, added_bytes(from, n));
	return __strncat_chk(to, from, most, room);
}

/* Fails to compile if a function of the list is missing. */
#define IS_HERE(name) (void)wm_access_##name;
static void __attribute__((unused)) have_all(void)
{
	WM_BLOCK_LIST(IS_HERE)
}
