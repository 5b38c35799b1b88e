/* SPDX-License-Identifier: Apache-2.0 */
/* Files and folders that are opened to hold a lock on them. */
#pragma once

/* Opens as open() does with `flags`, never through a symbolic link, and locks as flock() does with `how`, also when
 * signals interrupt it. A new file is the user's own (0600). Returns a descriptor that closes on exec, or -1 with
 * errno. */
int open_locked(const char *path, int flags, int how);
