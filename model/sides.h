/* SPDX-License-Identifier: Apache-2.0 */
/* The two sides of a comparison; arrays of two have them in this order. */
#pragma once

enum { SIDE_BASE, SIDE_HEAD, N_SIDES };

/* "base" or "head". */
const char *sides_name(int side);
