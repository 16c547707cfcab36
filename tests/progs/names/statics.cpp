/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Static variables of C++: t5310.  Prints where their members and elements lie
 * and what they are called.  Allocates nothing.
 */
#include <array>

#include "say.h"

struct base {
	int number;
	double weight;
};

namespace mesh {
struct node : base {
	virtual ~node() {}
	float at[3];
	static int made;
	int &link;
	explicit node(int &x) : link(x) {}
};
int node::made = 3;
int origin;
node first(origin);
namespace {
double hidden[4];
}
namespace inner {
std::array<int, 5> five;
}
template <typename T> struct pair_of {
	T one, two;
	static T shared;
};
template <typename T> T pair_of<T>::shared;
pair_of<long> longs[6];
inline int everywhere;
} // namespace mesh

class left : public virtual base {
    public:
	int l;
};
class own : public left {
    public:
	int o;
	struct part {
		char tag;
		short size;
	} parts[2];
};
own object;

static int counter()
{
	static int calls;

	SAY_AS(calls, "counter()::calls");
	return ++calls;
}

int main()
{
	using namespace mesh;

	counter();
	SAY_AS(first.number, "mesh::first.number");
	SAY_AS(first.weight, "mesh::first.weight");
	SAY_AS(first.at[2], "mesh::first.at[2]");
	SAY_AS(node::made, "mesh::node::made");
	SAY_AS(hidden[3], "mesh::(anonymous namespace)::hidden[3]");
	SAY_AS(inner::five[4], "mesh::inner::five._M_elems[4]");
	SAY_AS(longs[5].two, "mesh::longs[5].two");
	SAY_AS(pair_of<long>::shared, "mesh::pair_of<long>::shared");
	SAY_AS(everywhere, "mesh::everywhere");
	SAY(object.l);
	SAY(object.o);
	SAY(object.parts[1].size);
	return 0;
}
