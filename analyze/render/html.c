/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/html.h"

#include "analyze/render/page_bundle.h"
#include "analyze/render/output.h"
#include "analyze/render/packed.h"
#include "analyze/render/svg.h"

/* The browser fetches nothing, whatever names a run has. */
static const char policy[] =
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
	"'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
	"img-src data: blob:\">";

void wm_html_begin(const char *title, FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head>"
	      "<meta charset=\"utf-8\"><title>",
	      out);
	wm_svg_text(out, title);
	fputs("</title>\n<!-- " WM_OUTPUT_MARK " -->\n", out);
	fprintf(out,
		"<meta name=\"viewport\" content=\"width=device-width, "
		"initial-scale=1\">%s<link rel=\"icon\" href=\"data:,\">\n",
		policy);
	fprintf(out, "<style>%s</style></head><body>\n", wm_bundle_style);
}

void wm_html_plain_begin(const char *title, FILE *out)
{
	fputs("<noscript><main class=\"plain\"><h1>", out);
	wm_svg_text(out, title);
	fputs("</h1>\n", out);
}

void wm_html_plain_end(FILE *out)
{
	fputs("</main></noscript>\n", out);
}

static void begin_block(const char *id, FILE *out)
{
	fprintf(out, "<script type=\"application/octet-stream\" id=\"%s\">\n",
		id);
}

void wm_html_data_begin(FILE *out)
{
	begin_block("wm-data", out);
}

void wm_html_data_end(FILE *out)
{
	fputs("</script>\n", out);
}

void wm_html_end(const char *script, FILE *out)
{
	FILE *packed;

	begin_block("wm-script", out);
	packed = wm_packed_open(out);
	if (packed) {
		fputs(script, packed);
		fclose(packed);
	}
	/* without memory for packing, the script is written plain */
	fprintf(out, "</script>\n<script>%s</script></body></html>\n",
		packed ? wm_bundle_start : script);
}
