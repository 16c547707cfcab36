/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/symbols/symbols.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* From the C++ ABI; libstdc++ has it in C. */
char *__cxa_demangle(const char *mangled, char *out, size_t *size, int *status);

bool wm_is_fortran_file(const char *file)
{
	static const char *const suffix[] = { "f",   "for", "ftn", "f77", "f90",
					      "f95", "f03", "f08", "fpp" };
	const char *dot = file ? strrchr(file, '.') : NULL;

	for (size_t i = 0; dot && i < sizeof(suffix) / sizeof(*suffix); i++)
		if (strcasecmp(dot + 1, suffix[i]) == 0)
			return true;
	return false;
}

/* gfortran: __module_MOD_procedure */
static char *fortran_module(const char *s)
{
	const char *mod = strstr(s, "_MOD_");
	char *out = NULL;

	if (strncmp(s, "__", 2) != 0 || !mod || mod == s + 2 || !mod[5])
		return NULL;
	if (asprintf(&out, "%.*s::%s", (int)(mod - s - 2), s + 2, mod + 5) < 0)
		return NULL;
	return out;
}

/* flang: _QMmoduleSsubmoduleFhostPprocedure, with all names in lower case; E
 * precedes the name of a module's variable, EC of a constant. */
static char *flang_name(const char *s)
{
	char *out, *to;
	const char *at = s + 2;
	bool last = false;

	if (!strcmp(s, "_QQmain"))
		return strdup("MAIN__");
	if (strncmp(s, "_Q", 2) != 0 || !*at || !strchr("MSFPE", *at))
		return NULL;
	to = out = malloc(2 * strlen(s) + 1);
	while (out && *at && strchr("MSFPE", *at) && !last) {
		last = strchr("PE", *at) != NULL;
		at += at[0] == 'E' && at[1] == 'C' ? 2 : 1;
		if (!islower((unsigned char)*at) && *at != '_')
			break;
		if (to > out)
			to = stpcpy(to, "::");
		while (*at && !isupper((unsigned char)*at) && *at != '.')
			*to++ = *at++;
	}
	if (out && (*at || !last)) {
		free(out);
		return NULL;
	}
	if (out)
		*to = 0;
	return out;
}

/* ifort and ifx: module_mp_procedure_.  Cray, with @swapped:
 * procedure$module_. */
static char *joined_name(const char *s, const char *between, bool swapped)
{
	const char *mid = strstr(s, between), *second;
	size_t n = strlen(s), i;
	char *out = NULL;
	int a, b;

	/* another entry of the procedure has .A behind its name */
	if (n > 2 && s[n - 2] == '.' && isupper((unsigned char)s[n - 1]))
		n -= 2;
	if (!mid || mid == s || n < 2 || s[n - 1] != '_')
		return NULL;
	for (i = 0; i < n; i++)
		if (isupper((unsigned char)s[i]) || s[i] == '.')
			return NULL;
	second = mid + strlen(between);
	a = (int)(mid - s);
	b = (int)(s + n - 1 - second);
	if (b < 1)
		return NULL;
	i = (size_t)(swapped ? asprintf(&out, "%.*s::%.*s", b, second, a, s) :
			       asprintf(&out, "%.*s::%.*s", a, s, b, second));
	return (int)i < 0 ? NULL : out;
}

/* D: _D6solver8assembleFZv is solver.assemble; a template has only its name. */
static char *d_name(const char *s)
{
	const char *at = s + 2;
	char *out, *to, *end;
	size_t n;

	if (!strcmp(s, "_Dmain"))
		return strdup("D main");
	if (strncmp(s, "_D", 2) != 0 || !isdigit((unsigned char)*at))
		return NULL;
	to = out = malloc(2 * strlen(s) + 1);
	while (out && isdigit((unsigned char)*at)) {
		n = strtoul(at, &end, 10);
		if (!n || n > strlen(end) || !strncmp(end, "__", 2)) {
			free(out);
			return NULL;
		}
		if (to > out)
			*to++ = '.';
		memcpy(to, end, n);
		to += n;
		at = end + n;
	}
	if (out)
		*to = 0;
	return out;
}

/* Removes the hash at the end of names in Rust's old form. */
static char *cxx_name(const char *linkage)
{
	int status;
	char *s = __cxa_demangle(linkage, NULL, NULL, &status);
	size_t n = s ? strlen(s) : 0;

	if (n > 19 && !strncmp(s + n - 19, "::h", 3) &&
	    strspn(s + n - 16, "0123456789abcdef") == 16)
		s[n - 19] = 0;
	return s;
}

/* Returns the length of @s without the suffix of a Fortran 2008 binding. */
static size_t without_binding(const char *s, size_t n)
{
	static const char *const tail[] = { "_f08ts", "_f08", "_f" };
	size_t i, k;

	for (i = 0; i < sizeof(tail) / sizeof(*tail); i++) {
		k = strlen(tail[i]);
		if (n > k + 4 && strncasecmp(s + n - k, tail[i], k) == 0)
			return n - k;
	}
	return n;
}

char *wm_demangle_mpi(const char *linkage)
{
	const char *s = linkage + (*linkage == 'P' || *linkage == 'p');
	size_t n, i;
	char *out;

	n = strlen(s);
	/* Open MPI: MPI_Finalize and mpi_finalize_ jump to such functions */
	if (strncmp(s, "ompi_mpi_", 9) == 0)
		s += 5;
	else if (strncmp(s, "ompi_", 5) == 0 && strcmp(s + n - 2, "_f") == 0)
		s++;
	n = strlen(s);
	if (strncasecmp(s, "MPI_", 4) != 0 || !s[4])
		return NULL;
	/* names of C have mixed case, those for Fortran one case */
	for (i = 0; i < n && (!isupper((unsigned char)s[i]) ==
				      !isupper((unsigned char)s[0]) ||
			      s[i] == '_');
	     i++)
		;
	while (n > 4 && s[n - 1] == '_')
		n--;
	if (!s[i])
		n = without_binding(s, n);
	out = strndup(s, n);
	if (!out || s[i])
		return out;
	for (i = 0; i < n; i++)
		out[i] = (char)(i < 5 ? toupper((unsigned char)out[i]) :
					tolower((unsigned char)out[i]));
	return out;
}

/* Returns the length of @s without gcc's suffixes of optimised copies. */
static size_t without_clone(const char *s)
{
	static const char *const tail[] = { ".constprop", ".isra", ".part",
					    ".cold", ".lto_priv" };
	size_t n = strlen(s), i;
	const char *at;

	for (i = 0; i < sizeof(tail) / sizeof(*tail); i++) {
		at = strstr(s, tail[i]);
		if (at && at != s && (size_t)(at - s) < n &&
		    !at[strcspn(at, " /(")])
			n = (size_t)(at - s);
	}
	return n;
}

size_t wm_demangle_contained(const char *linkage)
{
	size_t n = strcspn(linkage, ".");
	const char *digits = linkage + n + 1;

	return linkage[n] && n && *digits &&
			       !digits[strspn(digits, "0123456789")] ?
		       n :
		       0;
}

static char *other_name(const char *linkage)
{
	char *s = fortran_module(linkage);

	if (!s)
		s = flang_name(linkage);
	if (!s)
		s = joined_name(linkage, "_mp_", false);
	if (!s)
		s = joined_name(linkage, "$", true);
	return s ? s : d_name(linkage);
}

/* @linkage must have no suffix of a copy. */
static char *demangle_name(const char *linkage, const char *file)
{
	size_t n = strlen(linkage);
	char *s;

	if (strncmp(linkage, "_Z", 2) == 0)
		return cxx_name(linkage);
	if (strncmp(linkage, "_R", 2) == 0)
		return wm_demangle_rust(linkage);
	s = other_name(linkage);
	if (s || !wm_is_fortran_file(file))
		return s;
	if (wm_demangle_contained(linkage))
		return strndup(linkage, wm_demangle_contained(linkage));
	/* MAIN__ is the main program; other names end in one underscore */
	if (n > 1 && linkage[n - 1] == '_' && linkage[n - 2] != '_')
		return strndup(linkage, n - 1);
	return NULL;
}

char *wm_demangle(const char *linkage, const char *file)
{
	size_t n = without_clone(linkage);
	char *copy, *s;

	if (!linkage[n])
		return demangle_name(linkage, file);
	copy = strndup(linkage, n);
	if (!copy)
		return NULL;
	s = demangle_name(copy, file);
	if (!s)
		return copy;
	free(copy);
	return s;
}
