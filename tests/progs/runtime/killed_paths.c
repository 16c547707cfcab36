/* SPDX-License-Identifier: Apache-2.0 */
/* deep: malloc of 77 bytes on a path longer than a journal; many: 150000 of
 * 33 bytes, freed, on more paths than a dictionary holds; plug (-DPLUG): one
 * in ./plug.so, which was just opened.  Then SIGKILL.
 * Used by t3030. */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void *volatile p;
__attribute__((noinline)) static void deep(int n)
{
	if (n)
		deep(n - 1);
	else
		p = malloc(77);
	__asm__ volatile("");
}
static void many1(unsigned bits, int n);
__attribute__((noinline)) static void many0(unsigned bits, int n)
{
	if (!n)
		free(malloc(33));
	else
		(bits & 1 ? many1 : many0)(bits >> 1, n - 1);
	__asm__ volatile("");
}
__attribute__((noinline)) static void many1(unsigned bits, int n)
{
	if (!n)
		free(malloc(33));
	else
		(bits & 1 ? many1 : many0)(bits >> 1, n - 1);
	__asm__ volatile("");
}
int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "deep") == 0)
		deep(20000);
#ifdef PLUG
	if (argc > 1 && strcmp(argv[1], "plug") == 0) {
		void *(*f)(void);
		void *h = dlopen("./plug.so", RTLD_NOW);
		*(void **)&f = dlsym(h, "plug_it_in");
		p = f();
	}
#endif
	if (argc > 1 && strcmp(argv[1], "many") == 0)
		for (unsigned i = 0; i < 150000; i++)
			many0(i, 18);
	kill(getpid(), SIGKILL);
}
