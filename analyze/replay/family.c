/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/replay/family.h"

#define WM_FAMILY_X(name, in_peak) in_peak,
const uint8_t wm_family_in_peak[] = { WM_FAMILY_LIST(WM_FAMILY_X) };
#undef WM_FAMILY_X

#define WM_FAMILY_X(name, in_peak) #name,
const char *const wm_family_name[] = { WM_FAMILY_LIST(WM_FAMILY_X) };
#undef WM_FAMILY_X
