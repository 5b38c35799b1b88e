/* SPDX-License-Identifier: Apache-2.0 */
/* Names for the stubs through which calls into other object files go: `memcpy@plt`. They have no symbol of their own.
 */
#pragma once

#include "profile/objects/objectfile.h"

/* The name of the stub at `address`: `function@plt` where the function is found (x86-64, aarch64), `[plt]` where it is
 * not, NULL if there is no stub. Owned by the caller. */
char *plt_name(const ObjectFile *file, guint64 address);
