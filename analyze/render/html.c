/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/html.h"

#include "analyze/render/bundle.h"
#include "analyze/render/output.h"
#include "analyze/render/packed.h"
#include "analyze/render/svg.h"

/* Of a page that has no script. */
static const char style[] =
	"body{font:15px/1.45 sans-serif;color:#222;max-width:1080px;"
	"margin:2em auto;padding:0 1em}"
	"h1{font-size:1.5em;margin-bottom:0}nav a{margin-right:1em}"
	"section{border-top:1px solid #ccc;margin-top:2em}"
	"h2{font-size:1.15em}h2 small{font-weight:normal;color:#666}"
	"table{border-collapse:collapse;font-size:13px}"
	"th{text-align:left;background:#eee}"
	"td,th{padding:.15em .7em;border-bottom:1px solid #ddd}"
	"td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}"
	"td.w{min-width:18em}i.b{display:block;height:.8em;"
	"background:#4878a8}small{color:#666}"
	".o{font-size:13px;max-height:34em;overflow:auto;padding-left:1.3em}"
	".o span.n{display:inline-block;min-width:7em;text-align:right;"
	"margin-right:1.2em}.h span{font-weight:bold}"
	".l details details{margin-left:2em}"
	".l details details>div{margin-left:19em}"
	".t{max-height:34em;overflow:auto}h3{font-size:1em}"
	"svg{max-width:100%;height:auto}"
	".part{background:#fff3cd;padding:.6em;border:1px solid #e0c060}";

/* Nothing that the page names is fetched, whatever a run calls itself. */
static const char policy[] =
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
	"'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
	"img-src data: blob:\">";

bool wm_html_scripted(void)
{
	return wm_bundle_script[0] != 0;
}

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
	fprintf(out, "<style>%s</style></head><body>\n",
		wm_html_scripted() ? wm_bundle_style : style);
}

void wm_html_plain_begin(const char *title, FILE *out)
{
	if (wm_html_scripted())
		fputs("<noscript>", out);
	fputs("<main class=\"plain\"><h1>", out);
	wm_svg_text(out, title);
	fputs("</h1>\n", out);
}

void wm_html_plain_end(FILE *out)
{
	fputs("</main>", out);
	if (wm_html_scripted())
		fputs("</noscript>\n", out);
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

/* The script, packed, and the one that unpacks it. */
static void put_script(const char *script, FILE *out)
{
	FILE *packed;

	begin_block("wm-script", out);
	packed = wm_packed_open(out);
	if (packed) {
		fputs(script, packed);
		fclose(packed);
	}
	/* with no memory to pack it, it stands there as it is */
	fprintf(out, "</script>\n<script>%s</script>",
		packed ? wm_bundle_start : script);
}

static void end_page(const char *script, FILE *out)
{
	if (wm_html_scripted())
		put_script(script, out);
	fputs("</body></html>\n", out);
}

void wm_html_end(FILE *out)
{
	end_page(wm_bundle_script, out);
}

void wm_html_compare_end(FILE *out)
{
	end_page(wm_bundle_compare, out);
}

void wm_html_model_end(FILE *out)
{
	end_page(wm_bundle_model, out);
}
