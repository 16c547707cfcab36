/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In the place of libFuzzer: [-n COUNT] FILE|DIRECTORY...  Runs the target on
 * each file, and on COUNT changed copies of each.  A sanitizer or abort() ends
 * it; the last line is "COUNT inputs".
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

#define MOST (1u << 20)

static size_t inputs;
static unsigned copies;
static char now[8192] = "nothing";

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room)
{
	size_t at = size ? fuzz_below(size) : 0;

	switch (fuzz_below(4)) {
	case 0:
		if (size == room)
			return size;
		memmove(data + at + 1, data + at, size - at);
		data[at] = (uint8_t)fuzz_below(256);
		return size + 1;
	case 1:
		if (size < 2)
			return size;
		memmove(data + at, data + at + 1, size - at - 1);
		return size - 1;
	default:
		if (size)
			data[at] ^= (uint8_t)(1 + fuzz_below(255));
		return size;
	}
}

static void play_file(const char *path)
{
	static uint8_t data[MOST], copy[MOST];
	FILE *f = fopen(path, "r");
	size_t size, n;
	unsigned i;

	if (!f) {
		perror(path);
		exit(1);
	}
	size = fread(data, 1, sizeof(data), f);
	fclose(f);
	snprintf(now, sizeof(now), "%s", path);
	LLVMFuzzerTestOneInput(data, size);
	inputs++;
	for (i = 1; i <= copies; i++) {
		memcpy(copy, data, size);
		n = LLVMFuzzerCustomMutator(copy, size,
					    size + 64 < MOST ? size + 64 : MOST,
					    i);
		LLVMFuzzerTestOneInput(copy, n);
		inputs++;
	}
}

static void play(const char *path)
{
	struct dirent **entry;
	char file[8192];
	struct stat st;
	int i, n;

	if (stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) {
		play_file(path);
		return;
	}
	n = scandir(path, &entry, NULL, alphasort);
	for (i = 0; i < n; i++) {
		snprintf(file, sizeof(file), "%s/%s", path, entry[i]->d_name);
		if (entry[i]->d_name[0] != '.')
			play_file(file);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
}

int main(int argc, char **argv)
{
	FILE *out;
	int i = 1;

	/* reports go nowhere; what sanitizers say is on stderr */
	out = fdopen(dup(1), "w");
	if (!out || !freopen("/dev/null", "w", stdout))
		return 1;
	if (argc > 2 && !strcmp(argv[1], "-n")) {
		copies = (unsigned)atoi(argv[2]);
		i = 3;
	}
	for (int j = i; j < argc; j++) {
		argv[j] = realpath(argv[j], NULL);
		if (!argv[j])
			return 1;
	}
	LLVMFuzzerInitialize(&argc, &argv);
	for (; i < argc; i++)
		play(argv[i]);
	fprintf(out, "%zu inputs, the last of %s\n", inputs, now);
	return fclose(out) != 0;
}
