// SPDX-License-Identifier: Apache-2.0
// malloc of up to 300 bytes and free within odd control flow: longjmp,
// exceptions, alternate signal stacks, coroutines, frames of varying size,
// realigned stacks.
// Used by t3020.
#include <alloca.h>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <sys/mman.h>
#include <ucontext.h>
#include <vector>
static unsigned seed = 1;
static unsigned rnd()
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	return seed ^= seed << 5;
}
static volatile long sink;
static void touch()
{
	void *p = std::malloc(rnd() % 300 + 1);
	sink = sink + reinterpret_cast<long>(p);
	std::free(p);
}
static jmp_buf top;
__attribute__((noinline)) static void jump(int d)
{
	touch();
	if (d == 0)
		longjmp(top, 1);
	jump(d - 1);
	touch();
}
__attribute__((noinline)) static void thrower(int d)
{
	std::string s(rnd() % 64, 'x');
	touch();
	if (d == 0)
		throw 1;
	thrower(d - 1);
	touch();
}
__attribute__((noinline)) static void varying(int d)
{
	char *p = static_cast<char *>(alloca(rnd() % 777 + 1));
	std::memset(p, 0, 8);
	touch();
	if (d)
		varying(d - 1);
	touch();
	sink = sink + p[0];
}
struct alignas(64) wide {
	char b[640];
};
__attribute__((noinline)) static void realigned(int d)
{
	wide x;
	std::memset(&x, d, sizeof(x));
	touch();
	if (d)
		realigned(d - 1);
	touch();
	sink = sink + x.b[1];
}
__attribute__((noinline)) static void mix(int d)
{
	switch (rnd() % 5) {
	case 0:
		varying(d & 3);
		break;
	case 1:
		realigned(d & 3);
		break;
	case 2:
		touch();
		break;
	case 3: {
		std::map<int, std::string> m;
		for (int i = 0; i < 4; i++)
			m[int(rnd() % 99)] = std::string(rnd() % 50, 'y');
		break;
	}
	default: {
		std::vector<int> v;
		for (int i = 0; i < 20; i++)
			v.push_back(i);
	}
	}
	if (d)
		mix(d - 1);
	touch();
}
static void handler(int)
{
	mix(3);
}
static ucontext_t here, there[4];
static int turn;
static void coroutine()
{
	for (;;) {
		mix(int(rnd() % 4));
		swapcontext(&there[turn], &here);
	}
}
static void fresh(int i)
{
	void *p = mmap(nullptr, 1 << 17, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	getcontext(&there[i]);
	there[i].uc_stack.ss_sp = p;
	there[i].uc_stack.ss_size = 1 << 17;
	there[i].uc_link = &here;
	makecontext(&there[i], coroutine, 0);
}
int main()
{
	stack_t ss = {};
	ss.ss_sp = std::malloc(1 << 17);
	ss.ss_size = 1 << 17;
	sigaltstack(&ss, nullptr);
	struct sigaction sa = {};
	sa.sa_handler = handler;
	sa.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR1, &sa, nullptr);
	for (int i = 0; i < 4; i++)
		fresh(i);
	for (int i = 0; i < 4000; i++) {
		switch (rnd() % 6) {
		case 0:
			if (!setjmp(top))
				jump(int(rnd() % 9));
			break;
		case 1:
			try {
				thrower(int(rnd() % 9));
			} catch (int) {
				touch();
			}
			break;
		case 2:
			mix(int(rnd() % 8));
			break;
		case 3:
			turn = int(rnd() % 4);
			swapcontext(&here, &there[turn]);
			if (rnd() % 20 == 0) {
				munmap(there[turn].uc_stack.ss_sp, 1 << 17);
				fresh(turn);
			}
			break;
		case 4:
			if (rnd() % 3 == 0)
				raise(SIGUSR1);
			break;
		default:
			varying(int(rnd() % 5));
		}
	}
}
