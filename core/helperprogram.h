/* SPDX-License-Identifier: Apache-2.0 */
/* firebreak's own helper programs: firebreak-spawn, firebreak-symbols, and the libraries firebreak-slowclock.so,
 * firebreak-catch2clock.so and firebreak-libtestclock.so. */
#pragma once

#include <glib.h>

/* The path of a helper program: beside the running program or one folder above it (in a build folder), or in
 * ../libexec/firebreak (installed). Owned by the caller. Errors: FIREBREAK_ERROR_ENVIRONMENT if it is in none of
 * them. */
char *helper_program_path(const char *name, GError **error);
