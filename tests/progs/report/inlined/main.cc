// SPDX-License-Identifier: Apache-2.0
// driver() of driver.hpp with n = 100000.
// Used by t5060.
#include "driver.hpp"
int main(int argc, char **argv)
{
	(void)argv;
	return (int)mini::driver(argc * 100000);
}
