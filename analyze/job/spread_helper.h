/* SPDX-License-Identifier: Apache-2.0 */
/* A process of wm-analyze-mpi that helps the root (spread.h). */
#pragma once

/* Reads groups until the root quits; returns the exit status. */
int wm_spread_help(void);
