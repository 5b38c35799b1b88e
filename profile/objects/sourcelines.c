/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/objects/sourcelines.h"

#include <dwarf.h>

/* TRUE if a path is relative because the compiler was told to leave out the front of all paths, that of `folder`
 * included, and not because it was given so: then `folder` is no part of it. Mapped to ".", paths begin with "./";
 * mapped to nothing, only a step back tells them from those that were relative before. */
static gboolean is_mapped(const char *folder, const char *file)
{
	if (*folder == '/' || g_str_has_prefix(file, "../"))
		return FALSE;
	return *folder != '.' || g_str_has_prefix(file, "./");
}

static const char *folder_of(Dwarf_Die *unit, const char *file)
{
	Dwarf_Attribute attribute;
	if (file == NULL || *file == '/')
		return NULL;
	const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	return folder != NULL && !is_mapped(folder, file) ? folder : NULL;
}

SourcePlace source_place_of_code(Dwarf_Die *unit, guint64 address)
{
	SourcePlace place = {0};
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	int number = 0;
	if (line == NULL)
		return place;
	place.file = dwarf_linesrc(line, NULL, NULL);
	place.folder = folder_of(unit, place.file);
	if (dwarf_lineno(line, &number) == 0 && number > 0)
		place.line = (guint32)number;
	return place;
}

/* The place that two attributes name: a number in the file table of the unit that they are in, and a line. Either may
 * be NULL. */
static SourcePlace place_of_attributes(Dwarf_Attribute *file_attribute, Dwarf_Attribute *line_attribute)
{
	SourcePlace place = {0};
	Dwarf_Files *files;
	Dwarf_Word file, line;
	size_t n_files;
	Dwarf_Die unit;
	if (dwarf_formudata(file_attribute, &file) == 0 &&
	        dwarf_cu_die(file_attribute->cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) != NULL &&
	        dwarf_getsrcfiles(&unit, &files, &n_files) == 0 && file < n_files) {
		place.file = dwarf_filesrc(files, file, NULL, NULL);
		place.folder = folder_of(&unit, place.file);
	}
	if (dwarf_formudata(line_attribute, &line) == 0 && line <= G_MAXUINT32)
		place.line = (guint32)line;
	return place;
}

SourcePlace source_place_of_call(Dwarf_Die *call)
{
	Dwarf_Attribute file, line;
	return place_of_attributes(dwarf_attr(call, DW_AT_call_file, &file), dwarf_attr(call, DW_AT_call_line, &line));
}

/* The line at which the first parameter of a function is declared; 0 = not known. */
static guint32 line_of_parameter(Dwarf_Die *function)
{
	Dwarf_Die child;
	Dwarf_Attribute attribute;
	Dwarf_Word line = 0;
	if (dwarf_child(function, &child) != 0 || dwarf_tag(&child) != DW_TAG_formal_parameter ||
	        dwarf_formudata(dwarf_attr_integrate(&child, DW_AT_decl_line, &attribute), &line) != 0)
		return 0;
	return line <= G_MAXUINT32 ? (guint32)line : 0;
}

/* The line of a function's first instruction, if that is in the same file, or that of its first parameter, which is
 * before it where the function has no prologue; 0 = not known. */
static guint32 line_of_entry(Dwarf_Die *function, const char *file)
{
	Dwarf_Die unit;
	guint32 parameter = line_of_parameter(function);
	Dwarf_Addr entry;
	if (dwarf_tag(function) != DW_TAG_subprogram || dwarf_lowpc(function, &entry) != 0 ||
	        dwarf_diecu(function, &unit, NULL, NULL) == NULL)
		return 0;
	SourcePlace place = source_place_of_code(&unit, entry);
	if (g_strcmp0(place.file, file) != 0)
		return 0;
	return parameter > 0 && parameter < place.line ? parameter : place.line;
}

SourcePlace source_place_of_declaration(Dwarf_Die *function)
{
	Dwarf_Attribute file, line;
	SourcePlace place = place_of_attributes(dwarf_attr_integrate(function, DW_AT_decl_file, &file),
	        dwarf_attr_integrate(function, DW_AT_decl_line, &line));
	/* Go names the file alone */
	if (place.line == 0 && place.file != NULL)
		place.line = line_of_entry(function, place.file);
	return place;
}
