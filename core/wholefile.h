/* SPDX-License-Identifier: Apache-2.0 */
/* A file that is written over a long time, and is there whole or not at all.
 *
 *     open -> a temporary file beside it, or for a device or pipe one without a name -> publish: renamed, or copied
 *
 * What was there before stays until then, and for good if the file is never published. Errors:
 * FIREBREAK_ERROR_STORAGE, naming the path. */
#pragma once

#include <glib.h>
#include <stdio.h>

typedef struct WholeFile WholeFile;

/* A new file is readable for its owner only; one that replaces another keeps its mode. A symbolic link itself
 * is replaced: a caller that means its target resolves it first. */
WholeFile *whole_file_open(const char *path, GError **error);
/* Without publishing, nothing is left. */
void whole_file_free(WholeFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WholeFile, whole_file_free)

/* To write to, and to seek in; borrowed. */
FILE *whole_file_stream(const WholeFile *file);
/* Puts it into its place. After this only whole_file_free(). */
gboolean whole_file_publish(WholeFile *file, GError **error);
