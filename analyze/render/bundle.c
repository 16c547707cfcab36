/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/bundle.h"

/* The assembler looks for them where the makefile has put them. */
__asm__(".pushsection .rodata\n"
	".globl wm_bundle_script\n"
	".type wm_bundle_script, @object\n"
	"wm_bundle_script:\n"
	".incbin \"page.js\"\n"
	".byte 0\n"
	".size wm_bundle_script, . - wm_bundle_script\n"
	".globl wm_bundle_style\n"
	".type wm_bundle_style, @object\n"
	"wm_bundle_style:\n"
	".incbin \"page.css\"\n"
	".byte 0\n"
	".size wm_bundle_style, . - wm_bundle_style\n"
	".globl wm_bundle_compare\n"
	".type wm_bundle_compare, @object\n"
	"wm_bundle_compare:\n"
	".incbin \"compare.js\"\n"
	".byte 0\n"
	".size wm_bundle_compare, . - wm_bundle_compare\n"
	".popsection\n");
