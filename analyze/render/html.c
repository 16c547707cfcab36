/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/html.h"

#include "analyze/render/output.h"
#include "analyze/render/svg.h"

static const char style[] =
	"body{font:15px/1.45 sans-serif;color:#222;max-width:1080px;"
	"margin:2em auto;padding:0 1em}"
	"h1{font-size:1.5em;margin-bottom:0}nav a{margin-right:1em}"
	"section{border-top:1px solid #ccc;margin-top:2em}"
	"h2{font-size:1.15em}h2 small{font-weight:normal;color:#666}"
	"table{border-collapse:collapse;font-size:13px}"
	"th{cursor:pointer;text-align:left;background:#eee}"
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

/* A click on a heading sorts by that column; numbers first downwards. */
static const char script[] =
	"document.querySelectorAll('th').forEach(function(h){"
	"h.onclick=function(){var t=h.closest('table'),b=t.tBodies[0],"
	"i=h.cellIndex,d=h.dataset.d=h.dataset.d==='1'?'-1':'1';"
	"Array.from(b.rows).sort(function(x,y){"
	"var f=function(r){var c=r.cells[i];"
	"return c.dataset.v||c.textContent},p=f(x),q=f(y),"
	"n=parseFloat(q)-parseFloat(p);"
	"return d*(isNaN(n)?p.localeCompare(q):n)})"
	".forEach(function(r){b.appendChild(r)})}});";

void wm_html_begin(const char *title, FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head>"
	      "<meta charset=\"utf-8\"><title>",
	      out);
	wm_svg_text(out, title);
	fputs("</title>\n<!-- " WM_OUTPUT_MARK " -->", out);
	fprintf(out, "\n<style>%s</style></head><body>\n<h1>", style);
	wm_svg_text(out, title);
	fputs("</h1>", out);
}

void wm_html_end(FILE *out)
{
	fprintf(out, "<script>%s</script></body></html>\n", script);
}
