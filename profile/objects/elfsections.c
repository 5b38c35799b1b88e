/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/elfsections.h"

void elf_sections_each(
        Elf *elf, guint most, void (*note)(gpointer data, const char *name, const GElf_Shdr *header), gpointer data)
{
	size_t names;
	if (elf_getshdrstrndx(elf, &names) != 0)
		return;
	Elf_Scn *scn = elf_nextscn(elf, NULL);
	for (guint i = 0; i < most && scn != NULL; i++, scn = elf_nextscn(elf, scn)) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(scn, &header) != NULL ? elf_strptr(elf, names, header.sh_name) : NULL;
		if (name != NULL)
			note(data, name, &header);
	}
}
