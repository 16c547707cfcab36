/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/replay/family.h"

#define WM_FAMILY_X(name, space, blocks, kind, what) WM_##space,
const uint8_t wm_family_space[] = { WM_FAMILY_LIST(WM_FAMILY_X) };
#undef WM_FAMILY_X

#define WM_FAMILY_X(name, space, blocks, kind, what) WM_##space != WM_NO_SPACE,
const uint8_t wm_family_in_peak[] = { WM_FAMILY_LIST(WM_FAMILY_X) };
#undef WM_FAMILY_X

#define WM_FAMILY_X(name, space, blocks, kind, what) blocks,
const uint8_t wm_family_blocks[] = { WM_FAMILY_LIST(WM_FAMILY_X) };
#undef WM_FAMILY_X

#define WM_FAMILY_X(name, space, blocks, kind, what) #name,
const char *const wm_family_name[] = { WM_FAMILY_LIST(WM_FAMILY_X) };
#undef WM_FAMILY_X

#define WM_FAMILY_X(name, space, blocks, kind, what) kind,
const char *const wm_family_kind[] = { WM_FAMILY_LIST(WM_FAMILY_X) };
#undef WM_FAMILY_X

#define WM_FAMILY_X(name, space, blocks, kind, what) what,
const char *const wm_family_what[] = { WM_FAMILY_LIST(WM_FAMILY_X) };
#undef WM_FAMILY_X
