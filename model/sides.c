/* SPDX-License-Identifier: Apache-2.0 */
#include "model/sides.h"

const char *sides_name(int side)
{
	return side == SIDE_BASE ? "base" : "head";
}
