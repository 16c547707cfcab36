/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Script and style of the page for the browser.  scripts/page-bundle made them
 * from analyze/render/page, or took them from its dist.
 */
#pragma once

extern const char wm_bundle_script[], wm_bundle_style[];
/* The scripts of the pages of --compare and --model; the style is the same. */
extern const char wm_bundle_compare[], wm_bundle_model[];
/* The script that unpacks and runs the packed script of the page. */
extern const char wm_bundle_start[];
