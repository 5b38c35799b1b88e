/* SPDX-License-Identifier: Apache-2.0 */
/* A file to read as a whole: mapped if it is a plain file, else (a pipe, standard input) copied to memory first, which
 * the kernel holds like a file. Either way it has a path that can be opened again. */
#pragma once

#include <glib.h>

typedef struct {
	const char *name;    /* what messages call it; borrowed */
	char *path;          /* opens the same content; owned */
	const guint8 *bytes; /* borrowed from the mapping */
	gsize length;
	GMappedFile *mapping;
	int copy; /* descriptor of the copy, -1 = none */
} InputFile;

/* Opens a file; "-" is standard input. Errors: FIREBREAK_ERROR_STORAGE if it cannot be read, FIREBREAK_ERROR_USAGE if
 * it is a directory or a pipe with more than 4 GiB. `path` must live as long as the file. */
gboolean input_file_open(InputFile *file, const char *path, GError **error);
/* Gives the bytes back; nothing may point into them any more. */
void input_file_close(InputFile *file);
