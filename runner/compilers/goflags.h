/* SPDX-License-Identifier: Apache-2.0 */
/* The flags of the go command that a build is not given, so that its programs can be profiled: -trimpath, by which no
 * source file has a path that leads into the checkout, and of -ldflags the -s and -w, which leave out the tables of
 * symbols and DWARF. None of them changes the code. Nothing is added: Go keeps frame pointers and debug information by
 * itself (amd64 and arm64).
 *
 * Source: `go help build`, `go tool link -help`, and the rules of quoting in cmd/internal/quoted. */
#pragma once

#include <glib.h>

/* TRUE if these arguments of `go` (without its name) compile something: build, install and test, also after -C. */
gboolean go_compiles(char *const *arguments);
/* The arguments without those flags, where go_compiles(). What comes after -args is the program's own. NULL-terminated;
 * a GPtrArray that owns its texts, owned by the caller. */
GPtrArray *go_arguments(char *const *arguments);
/* The same of GOFLAGS, whose flags have no blanks in their values. Owned by the caller. */
char *go_flags_variable(const char *value);
