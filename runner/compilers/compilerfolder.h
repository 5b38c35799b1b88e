/* SPDX-License-Identifier: Apache-2.0 */
/* A folder that comes first in the PATH of builds: a link to firebreak-cc for every compiler that PATH has, by the same
 * name, so that build systems find it as they find the compiler itself.
 *
 *     <folder>/gcc -> .../libexec/firebreak/firebreak-cc
 *
 * All builds get the same folder: CMake, Meson and Autotools write the path of the compiler into what they generate,
 * and it is to be equal on both sides. */
#pragma once

#include <glib.h>

/* firebreak-cc reads these in its environment: the checkout, and the number of the layout. */
#define COMPILER_SOURCE_VARIABLE "FIREBREAK_SOURCE"
#define COMPILER_LAYOUT_VARIABLE "FIREBREAK_LAYOUT"
/* The link for a compiler that its first argument names. */
#define COMPILER_BY_PATH "compiler"

/* Makes the folder what it has to be: a link for every compiler in the folders of `path` (colon separated) and the one
 * for COMPILER_BY_PATH, and nothing else. A folder that is right already is left alone; one that another process makes
 * right at the same moment is no error. To be called before each build, as the one before could write to it. Errors:
 * FIREBREAK_ERROR_STORAGE, FIREBREAK_ERROR_ENVIRONMENT if firebreak-cc is not installed. */
gboolean compiler_folder_make(const char *folder, const char *path, GError **error);

/* The names of the compilers in the folders of `path`, sorted, each once: what compiler_folder_make() wraps. A GStrv
 * owned by the caller. */
char **compiler_names(const char *path);
