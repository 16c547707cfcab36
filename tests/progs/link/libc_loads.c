/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates nothing itself; iconv_open and getaddrinfo let libc load modules,
 * the program calls no dlopen.
 * Used by t1010. */
#include <iconv.h>
#include <netdb.h>
int main(void)
{
	struct addrinfo *a;

	return iconv_open("UTF-8", "UCS-2") == 0 ||
	       getaddrinfo("localhost", 0, 0, &a);
}
