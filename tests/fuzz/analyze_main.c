/* SPDX-License-Identifier: Apache-2.0 */
/* wm-analyze as a function. */
int wm_analyze_main(int argc, char **argv);

#define main wm_analyze_main
#include "analyze/main.c"
