/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/page_bundle.h"

#define BUNDLED(symbol, file)                                                  \
	".globl " symbol "\n"                                                  \
	".type " symbol ", @object\n" symbol ":\n"                             \
	".incbin \"" file "\"\n"                                               \
	".byte 0\n"                                                            \
	".size " symbol ", . - " symbol "\n"

/* The makefile gives the assembler their folder. */
__asm__(".pushsection .rodata\n" BUNDLED("wm_bundle_script", "page.js")
		BUNDLED("wm_bundle_compare", "compare.js")
			BUNDLED("wm_bundle_model", "model.js")
				BUNDLED("wm_bundle_start", "start.js")
					BUNDLED("wm_bundle_style",
						"page.css") ".popsection\n");
