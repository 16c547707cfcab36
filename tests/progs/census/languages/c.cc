// SPDX-License-Identifier: Apache-2.0
// Static memory of C++: static and inline members, members of a template,
// variables of namespaces, threads and functions.
// Used by t4020.
#include <string>
#include <cstdio>
namespace deep { namespace er {
struct table {
	static double values[11];
	static inline int counters[13];
};
double table::values[11] = { 1 };
static volatile short quiet[21];
} }
inline long everywhere[17];
template <int N> struct made { static char bytes[N]; };
template <int N> char made<N>::bytes[N];
static std::string word("x");
thread_local int mine[19];
static int once(int n)
{
	static std::string kept("a longer text than fits");
	static int calls[23];
	return calls[n % 23]++ + (int)kept.size();
}
int main(int argc, char **)
{
	return std::printf("%d\n", once(argc) + deep::er::table::counters[argc] +
		(int)deep::er::table::values[argc] + deep::er::quiet[argc] +
		(int)everywhere[argc] + made<301>::bytes[argc] +
		(int)word.size() + mine[argc]) < 0;
}
