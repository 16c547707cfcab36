/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/replay/family.h"

#define SPACE(name, space, blocks, kind, what) WM_##space,
const uint8_t wm_family_space[] = { WM_FAMILY_LIST(SPACE) };
#define IN_PEAK(name, space, blocks, kind, what) WM_##space != WM_NO_SPACE,
const uint8_t wm_family_in_peak[] = { WM_FAMILY_LIST(IN_PEAK) };
#define BLOCKS(name, space, blocks, kind, what) blocks,
const uint8_t wm_family_blocks[] = { WM_FAMILY_LIST(BLOCKS) };
#define NAME(name, space, blocks, kind, what) #name,
const char *const wm_family_name[] = { WM_FAMILY_LIST(NAME) };
#define KIND(name, space, blocks, kind, what) kind,
const char *const wm_family_kind[] = { WM_FAMILY_LIST(KIND) };
#define WHAT(name, space, blocks, kind, what) what,
const char *const wm_family_what[] = { WM_FAMILY_LIST(WHAT) };
