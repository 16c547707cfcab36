/* SPDX-License-Identifier: Apache-2.0 */
/* own: threads with storage of their own, new and delete, exceptions. */
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static thread_local std::vector<int> mine;

static long strings()
{
	std::map<int, std::string> m;
	long s = 0;

	for (int i = 0; i < 20000; i++)
		m[i % 3000] = std::to_string(i);
	for (auto &p : m)
		s += (long)p.second.size();
	return s;
}

static long work(int k)
{
	long s = strings();

	for (int i = 0; i < 20000; i++)
		mine.push_back(i * k);
	for (int i = 0; i < 2000; i++)
		try {
			if (i % 3 == 0)
				throw std::runtime_error(std::string(100, 'x'));
		} catch (const std::exception &e) {
			s += e.what()[5];
		}
	for (int v : mine)
		s += v;
	return s;
}

int main()
{
	std::vector<std::thread> threads;
	long r[4] = { 0, 0, 0, 0 }, s = work(9);

	for (int i = 0; i < 4; i++)
		threads.emplace_back([&r, i] {
			for (int k = 0; k < 5; k++)
				r[i] += work(i + 1);
		});
	for (auto &t : threads)
		t.join();
	for (long v : r)
		s += v;
	std::printf("%ld\n", s);
}
