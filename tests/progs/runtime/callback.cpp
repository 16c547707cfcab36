// SPDX-License-Identifier: Apache-2.0
// Strings and vectors within callbacks of dl_iterate_phdr, and throws, 5000
// times in four threads; all freed.
// Used by t3000.
#include <link.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
static int each(dl_phdr_info *i, size_t, void *d)
{
	static_cast<std::vector<std::string> *>(d)->push_back(
		std::string(40, 'x') + i->dlpi_name);
	return 0;
}
int main()
{
	std::vector<std::thread> t;
	for (int k = 0; k < 4; k++)
		t.emplace_back([] {
			for (int i = 0; i < 5000; i++) {
				std::vector<std::string> v;
				dl_iterate_phdr(each, &v);
				try {
					throw std::runtime_error("x");
				} catch (...) {
				}
			}
		});
	for (auto &x : t)
		x.join();
}
