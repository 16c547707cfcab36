/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 99999 bytes in hold(), kept; between it and main() is a function
 * that is named as one of ours.
 * Used by t5060. */
#include <stdlib.h>
void *volatile keep;
__attribute__((noinline)) void hold(void)
{
	keep = malloc(99999);
}
__attribute__((noinline)) void __wrap_call(void) { hold(); keep = keep; }
int main(void) { __wrap_call(); keep = keep; return 0; }
