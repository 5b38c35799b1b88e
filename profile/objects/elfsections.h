/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of an ELF file, which may be damaged or hostile. */
#pragma once

#include <gelf.h>
#include <glib.h>

/* Calls `note` with each of the first `most` sections that have a name; name and header are borrowed. */
void elf_sections_each(
        Elf *elf, guint most, void (*note)(gpointer data, const char *name, const GElf_Shdr *header), gpointer data);
