/* SPDX-License-Identifier: Apache-2.0 */
/* Writing to a descriptor, whole or not. */
#pragma once

#include <glib.h>

/* Writes `length` bytes, in as many calls of write() as it takes, also when signals interrupt it. FALSE with errno if
 * not all could be written. */
gboolean write_all(int fd, const void *data, gsize length);
