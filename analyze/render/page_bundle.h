/* SPDX-License-Identifier: Apache-2.0 */
/* Script and style of the page, which scripts/page-bundle made from
 * analyze/render/page, or took from its dist. */
#pragma once

extern const char wm_bundle_script[], wm_bundle_style[];
/* Scripts of the pages of --compare and --model, with the same style. */
extern const char wm_bundle_compare[], wm_bundle_model[];
/* Unpacks and runs the packed script of a page. */
extern const char wm_bundle_start[];
