/* SPDX-License-Identifier: Apache-2.0 */
/* The targets that run wm-analyze on a case; they differ in what changes. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_begin();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fuzz_case c;

	if (!fuzz_case_read(&c, data, size))
		return -1;
	fuzz_run_case(&c);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
			       unsigned seed)
{
	return fuzz_mutate_case(data, size, room, seed, fuzz_changes);
}
