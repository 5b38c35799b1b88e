/* SPDX-License-Identifier: Apache-2.0 */
/* The vDSO: code that the kernel maps into every process, under the name "[vdso]" and from no file. All processes of
 * one kernel and machine have the same, so its image is taken from our own memory. */
#pragma once

#include <glib.h>

/* The name of the vDSO in recordings and in the symbolizer. Its offsets count from the start of its mapping. */
#define VDSO_PATH "[vdso]"

/* The image: an ELF file of *size bytes; NULL if there is none. Not to be freed. */
const void *vdso_image(gsize *size);
