/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/vdso.h"

#include <elf.h>
#include <sys/auxv.h>

const void *vdso_image(gsize *size)
{
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)getauxval(AT_SYSINFO_EHDR);
	if (head == NULL || sizeof(void *) != 8)
		return NULL;
	/* the section headers are the last part of it */
	*size = head->e_shoff + (gsize)head->e_shnum * head->e_shentsize;
	return head;
}
