/* SPDX-License-Identifier: Apache-2.0 */
/* COMMON: the 400 bytes of a.c again, and 24 of its own.  It becomes the
 * member of an archive.
 * Used by t4000. */
int shared_common[100];
long only_b[3];
int second(void)
{
	static int hidden;
	return ++hidden + shared_common[2] + (int)only_b[1];
}
