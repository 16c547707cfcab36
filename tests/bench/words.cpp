/* words [LINES]: makes LINES lines of text, splits them into words, and keeps
 * for each word the lines that it stands in, in a map of sets; then sorts the
 * words by how often they occur.  Default: 100,000 lines. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

static std::uint64_t seed = 88172645463325252u;

static std::uint64_t next_random()
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static std::string make_line()
{
	std::string line;

	for (int i = 0; i < 12; i++) {
		std::uint64_t r = next_random() % 20000;

		line += (r & 1 ? "allocation-" : "w") + std::to_string(r * r);
		line += ' ';
	}
	return line;
}

using index_t = std::map<std::string, std::set<int>>;

static void add_line(index_t &index, int number)
{
	auto in = std::make_unique<std::istringstream>(make_line());
	std::string word;

	while (*in >> word)
		index[word].insert(number);
}

int main(int argc, char **argv)
{
	int lines = argc > 1 ? std::atoi(argv[1]) : 100000;
	index_t index;
	std::vector<std::pair<std::size_t, std::string>> order;

	for (int i = 0; i < lines; i++)
		add_line(index, i);
	for (const auto &entry : index)
		order.emplace_back(entry.second.size(), entry.first);
	std::sort(order.begin(), order.end());
	std::printf("%zu words, most often %s\n", order.size(),
		    order.empty() ? "none" : order.back().second.c_str());
	return 0;
}
