/* SPDX-License-Identifier: Apache-2.0 */
/* Names in a row, for messages. */
#pragma once

#include <glib.h>

/* "a, b, c and 2 more": the first `shown` of an array of char *, and the number of the others. Owned by the caller. */
char *name_list(const GPtrArray *names, guint shown);
