/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that fail because nothing gains privileges in builds and benchmarks (PR_SET_NO_NEW_PRIVS): which program it
 * was, and which key allows it. */
#pragma once

#include "core/child.h"

/* "sudo gains no privileges here: if it needs them, set `privileges: allow` for the benchmark in firebreak.yml", or
 * NULL if nothing says that a failed command needed some. `program`: one with privileges that it ran, "" = not known;
 * then known messages in its output tell. `what` is "the benchmark" or "the build". Owned by the caller. */
char *privileges_hint(const ChildResult *result, const char *program, const char *what);
/* TRUE if executing this file would give the calling user privileges: setuid, setgid or capabilities. */
gboolean privileges_of_file(const char *path);
