/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/symbols.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* From the C++ ABI; libstdc++ has it in C. */
char *__cxa_demangle(const char *mangled, char *out, size_t *size,
		     int *status);

static int is_fortran_file(const char *file)
{
	static const char *const suffix[] = { "f", "for", "ftn", "f77", "f90",
					      "f95", "f03", "f08", "fpp" };
	const char *dot = file ? strrchr(file, '.') : NULL;
	size_t i;

	for (i = 0; dot && i < sizeof(suffix) / sizeof(*suffix); i++)
		if (strcasecmp(dot + 1, suffix[i]) == 0)
			return 1;
	return 0;
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

char *wm_demangle_mpi(const char *linkage)
{
	const char *s = linkage + (*linkage == 'P' || *linkage == 'p');
	size_t n = strlen(s), i;
	char *out;

	if (strncasecmp(s, "MPI_", 4) != 0 || !s[4])
		return NULL;
	/* C has its own capitals; what Fortran calls has one case */
	for (i = 0; i < n && (!isupper((unsigned char)s[i]) == !isupper(
				      (unsigned char)s[0]) || s[i] == '_'); i++)
		;
	while (n > 4 && s[n - 1] == '_')
		n--;
	out = strndup(s, n);
	if (!out || s[i])
		return out;
	for (i = 0; i < n; i++)
		out[i] = (char)(i < 5 ? toupper((unsigned char)out[i]) :
					tolower((unsigned char)out[i]));
	return out;
}

char *wm_demangle(const char *linkage, const char *file)
{
	size_t n = strlen(linkage);
	int status;
	char *s;

	if (strncmp(linkage, "_Z", 2) == 0)
		return __cxa_demangle(linkage, NULL, NULL, &status);
	s = fortran_module(linkage);
	if (s)
		return s;
	/* MAIN__ is the main program; other names end in one underscore */
	if (n > 1 && linkage[n - 1] == '_' && linkage[n - 2] != '_' &&
	    is_fortran_file(file))
		return strndup(linkage, n - 1);
	return NULL;
}
